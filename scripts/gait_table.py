#!/usr/bin/env python3
"""Walks at several speeds, and what people do: the tables of docs/gait.md.

  gait_table.py [--task TASK] [--measured CSV] [--speeds 0.52,0.87,…] [--set NAME=VALUE …] [--verne PROGRAM] [-o DIR]
  gait_table.py --read -o DIR     of solutions that are there
  gait_table.py --self-test

Everything is taken from `solution.json` alone: curves over the stride, forces of the ground, poses of the links. The
lengths of steps are those of people, 0.70 m at 1.29 m/s and as the power 0.42 of the speed. The measured curves are a
CSV file as `verne predict --compare` reads it, of one speed, beside which all others are put.
"""
import argparse
import bisect
import csv
import json
import math
import pathlib
import re
import subprocess
import sys

SPEEDS = [0.52, 0.87, 1.29, 1.68, 2.08]  # m/s
LEG = re.compile(r'(hip|knee|ankle|toe)_.*_([rl])$')
SOLE = re.compile(r'(heel|ball|toe)_.*_([rl])$')
BEARS = 0.01  # of the weight: a foot with less is in the air
MID_SWING = (0.3, 0.7)  # parts of the swing


def step_at(speed):
    return 0.70 * (speed / 1.29) ** 0.42


def rotated(quaternion, v):
    x, y, z, w = quaternion
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]


class Walk:
    """What a solution tells about a walk."""

    def __init__(self, solution):
        self.solution = solution
        self.time = solution['time']
        self.mass = solution['model']['mass']
        g = solution['model']['gravity']
        self.weight = self.mass * math.sqrt(sum(x * x for x in g))
        self.names = [c['name'] for c in solution['coordinates']]
        self.curves = {c['name']: c['values'] for c in solution['stride']['curves']}
        self.percent = solution['stride']['percent']
        tx = self.row('q', 'global_tx')
        self.way = tx[-1] - tx[0]
        self.speed = self.way / self.time[-1]

    def row(self, key, name):
        i = self.names.index(name)
        return [at[i] for at in self.solution[key]]

    def mean(self, values):
        """Over time, by the trapezoidal rule."""
        t = self.time
        return sum((a + b) / 2 * (t1 - t0) for a, b, t0, t1 in zip(values, values[1:], t, t[1:])) / t[-1]

    def positive_work_of_legs(self):
        """J/kg/m: of joints, whose axes count together, as laboratories have it."""
        power = {}
        for name in self.names:
            leg = LEG.match(name)
            if not leg:
                continue
            p = [v * tau for v, tau in zip(self.row('v', name), self.row('tau', name))]
            joint = leg[1] + leg[2]
            power[joint] = [a + b for a, b in zip(power[joint], p)] if joint in power else p
        return sum(self.mean([max(0, x) for x in p]) for p in power.values()) / self.mass / self.speed

    def vertical(self, side):
        """Of the weight."""
        foot = self.solution['ground_reaction'].get('foot_' + side)
        return [f[1] / self.weight for f in foot['force']] if foot else [0] * len(self.time)

    def double_support(self):
        """Part of the step, by phases, to better than an instant, or by forces."""
        parts = [p['end'] - p['start'] for p in self.solution.get('phases', []) if 'double' in p['name']]
        if parts:
            return sum(parts) / self.time[-1]
        both = [r > BEARS and l > BEARS for r, l in zip(self.vertical('r'), self.vertical('l'))]
        return sum(both) / len(both)

    def heights(self, side):
        """Of contacts of a foot: a list over time for each."""
        out = {}
        for contact in self.solution['model']['contacts']:
            sole = SOLE.match(contact['name'])
            if not sole or sole[2] != side:
                continue
            poses = self.solution['link_poses'][contact['link']]
            out[contact['name']] = [p[1] + rotated(p[3:7], contact['position'])[1] for p in poses]
        return out

    def lowest(self):
        """mm, of all contacts at all times."""
        return 1000 * min(min(h) for side in 'rl' for h in self.heights(side).values())

    def toe_clearance(self):
        """mm, the least of the toes and the ball in the middle of the swing."""
        least = math.inf
        for side in 'rl':
            bears = self.vertical(side)
            swings = [k for k in range(len(bears)) if bears[k] < BEARS]
            if len(swings) < 5 or 0 in swings:
                swings = [k for k in swings if k > len(bears) // 4]
            if len(swings) < 5:
                continue
            t0, t1 = self.time[swings[0]], self.time[swings[-1]]
            for name, height in self.heights(side).items():
                if name.startswith('heel'):
                    continue
                for k in swings:
                    if MID_SWING[0] <= (self.time[k] - t0) / (t1 - t0) <= MID_SWING[1]:
                        least = min(least, height[k])
        return 1000 * least

    def range_of(self, curve):
        values = self.curves[curve]
        return max(values) - min(values)

    def saturation(self, joint):
        """Largest part of the limits of effort that a joint of the legs uses."""
        return max([limit['utilisation'] for limit in self.solution['limits']
                    if limit['kind'] == 'effort' and limit['of'].startswith(joint)], default=math.nan)

    def residual(self):
        """N or N m that motion and forces leave over, of the weight."""
        return self.solution['verification']['equation_residual'] / self.weight


def read_measured(path):
    with open(path, newline='') as file:
        table = list(csv.reader(file))
    columns = {name: [float(row[k]) if row[k] else math.nan for row in table[1:]] for k, name in enumerate(table[0])}
    return columns


def at(percent, values, p):
    k = min(max(bisect.bisect_right(percent, p), 1), len(percent) - 1)
    part = (p - percent[k - 1]) / (percent[k] - percent[k - 1])
    return (1 - part) * values[k - 1] + part * values[k]


def likeness(walk, measured, curve):
    """r, RMSE, and RMSE without offset."""
    x, y = [], []
    for p, value in zip(measured['gait_cycle_percent'], measured[curve]):
        if not math.isnan(value):
            x.append(at(walk.percent, walk.curves[curve], p))
            y.append(value)
    n = len(x)
    mx, my = sum(x) / n, sum(y) / n
    xx, yy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    xy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    r = xy / math.sqrt(xx * yy) if xx * yy > 0 else math.nan
    return r, math.sqrt(sum((a - b) ** 2 for a, b in zip(x, y)) / n), math.sqrt(max(0, xx + yy - 2 * xy) / n)


def peaks(values):
    return f'{min(values):.2f}…{max(values):.2f}'


def report(walk, measured):
    """Rows of the table: what, and the number for this walk as text."""
    out = []
    if measured:
        off = [likeness(walk, measured, c)[2] for c in ('hip_flexion_r_deg', 'knee_angle_r_deg', 'ankle_angle_r_deg')]
        out += [('hip / knee / ankle, RMSE without offset, °', ' / '.join(f'{x:.1f}' for x in off)),
                ('vertical force, RMSE, BW', f"{likeness(walk, measured, 'grf_vertical_r_BW')[1]:.3f}"),
                ('fore and aft, r', f"{likeness(walk, measured, 'grf_fore_aft_r_BW')[0]:.2f}"),
                ('hip adduction, r', f"{likeness(walk, measured, 'hip_adduction_r_deg')[0]:.2f}"),
                ('pelvis list, r', f"{likeness(walk, measured, 'pelvis_list_deg')[0]:.2f}")]
    for name, curve in (('hip', 'hip_flexion_r'), ('knee', 'knee_angle_r'), ('ankle', 'ankle_angle_r')):
        text = peaks(walk.curves[f'moment_{curve}_Nm_per_kg'])
        if measured:
            text += f" ({peaks(measured[f'moment_{curve}_Nm_per_kg'])})"
        out.append((f'moment of the {name}, N m/kg (person)', text))
    vertical = walk.curves['grf_vertical_r_BW']
    ahead = walk.curves['grf_fore_aft_r_BW']
    half = len(vertical) // 2
    dip = min(range(half * 2 // 5, half * 4 // 5), key=lambda k: vertical[k])
    out += [('vertical force: peak, dip, peak, BW',
             f'{max(vertical[:dip]):.2f}, {vertical[dip]:.2f}, {max(vertical[dip:]):.2f}'),
            ('brake, push, BW', f'{min(ahead):.2f}, {max(ahead):.2f}'),
            ('knee in swing, hip, °', f"{max(walk.curves['knee_angle_r_deg'][55:]):.0f}, "
                                      f"{min(walk.curves['hip_flexion_r_deg']):.0f} to "
                                      f"{max(walk.curves['hip_flexion_r_deg']):.0f}"),
            ('ankle, °', f"{min(walk.curves['ankle_angle_r_deg']):.0f} to {max(walk.curves['ankle_angle_r_deg']):.0f}"),
            ('positive work of the legs, J/kg/m', f'{walk.positive_work_of_legs():.2f}'),
            ('toes in mid-swing, mm', f'{walk.toe_clearance():.1f}'),
            ('lowest point of a foot, mm', f'{walk.lowest():.1f}'),
            ('arm swing, °', f"{walk.range_of('arm_flex_r_deg'):.0f}"),
            ('step, m; double support, %', f'{walk.way:.3f}; {100 * walk.double_support():.0f}'),
            ('largest part of the limits: hip, knee, ankle',
             ', '.join(f'{walk.saturation(j):.2f}' for j in ('hip_flexion', 'knee', 'ankle_dorsi'))),
            ('left over, of the weight', f'{walk.residual():.1e}')]
    return out


def solve(args, speed, folder):
    command = [args.verne, 'predict', args.task, '-o', str(folder), '--no-report', '--set', f'speed={speed}', '--set',
               f'step={step_at(speed):.4f}']
    for setting in args.set:
        command += ['--set', setting]
    done = subprocess.run(command, capture_output=True, text=True)
    first = (done.stdout or done.stderr).split('\n', 1)[0]
    if done.returncode != 0:
        print(f'{speed} m/s: {first}', file=sys.stderr)
    return done.returncode


def table(columns):
    """Markdown."""
    names = [name for name, _ in columns[0][1]]
    lines = ['| | ' + ' | '.join(f'{speed:g} m/s' for speed, _ in columns) + ' |',
             '| --- |' + ' --- |' * len(columns)]
    for k, name in enumerate(names):
        lines.append(f'| {name} | ' + ' | '.join(rows[k][1] for _, rows in columns) + ' |')
    return '\n'.join(lines)


def self_test():
    assert abs(step_at(1.29) - 0.7) < 1e-12
    turned = rotated([math.sin(math.pi / 4), 0, 0, math.cos(math.pi / 4)], [0, 1, 0])  # 90° about x: y becomes z
    assert max(abs(a - b) for a, b in zip(turned, [0, 0, 1])) < 1e-12
    assert at([0, 50, 100], [0, 1, 4], 75) == 2.5 and at([0, 50, 100], [0, 1, 4], 100) == 4
    print('the helpers do as they should')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--task', default='tasks/gait.yaml')
    parser.add_argument('--measured')
    parser.add_argument('--speeds', default=','.join(map(str, SPEEDS)))
    parser.add_argument('--set', action='append', default=[])
    parser.add_argument('--verne', default='verne')
    parser.add_argument('-o', '--out', default='out/gait_table')
    parser.add_argument('--read', action='store_true', help='solutions that are there')
    parser.add_argument('--self-test', action='store_true')
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    measured = read_measured(args.measured) if args.measured else None
    columns, worst = [], 0
    for speed in map(float, args.speeds.split(',')):
        folder = pathlib.Path(args.out) / f'{speed:g}'
        if not args.read:
            worst = max(worst, solve(args, speed, folder))
        solution = json.loads((folder / 'solution.json').read_text())
        if 'stride' not in solution:
            print(f'{speed} m/s: {solution["status"]}: {solution["message"][:300]}', file=sys.stderr)
            continue
        timing = json.loads((folder / 'timing.json').read_text())
        more = [('status', solution['status']), ('cost', f'{solution["cost"]:.4f}'),
                ('iterations; seconds', f'{solution["iterations"]}; {timing["total_seconds"]:.1f}')]
        columns.append((speed, report(Walk(solution), measured) + more))
    if columns:
        print(table(columns))
    return worst


if __name__ == '__main__':
    sys.exit(main())
