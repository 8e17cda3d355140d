#!/usr/bin/env python3
"""Is a predicted motion what mechanics allows? From `solution.json` alone, by none of the program's dynamics.

  check_motion.py SOLUTION …     solution.json, or folders that hold it
  check_motion.py --self-test

Poses of the links over time, their masses and the forces of the ground are all that is used:

  linear, angular   momentum of all links, by differences of their poses, grows by the impulse of the ground's forces,
                    of weights and of `loads`; what is left over, of the weight times the duration (and a metre)
  work              kinetic and potential energy grow by the work of `tau`, of `loads`, of a second hand that turns a
                    handle, and of the ground, whose bands let feet move a little; what is left over, of all the work that is done. Not where joints have springs or ligaments, whose energy files do not tell
  contacts          no contact is below the ground; the ground pushes, in a cone of `--friction`, and inside of the
                    hull of what stands there; in motions whose feet stand all the way, they do not move
  held              a point of what two hands hold (`attach`) stays with a point of the second one; points on a box are
                    inside of no shape of the person but hands and forearms, or by `--soft` more than 3 mm

Exit status 1 where something is off by more than `--tolerance` (of momentum and work) or 3 mm (of places).
"""
import argparse
import itertools
import json
import math
import pathlib
import sys

PLACE = 3e-3  # m: bands of contacts, and what frames may be off
REST = 1e-6  # of the weight: less is no force


def add(a, b, s=1.0):
    return [x + s * y for x, y in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def matrix(q):
    """Of a quaternion x y z w."""
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def times(R, v):
    return [dot(row, v) for row in R]


def turned_back(R, v):
    return [sum(R[i][k] * v[i] for i in range(3)) for k in range(3)]


def slopes(time, rows):
    """Derivatives by parabolas through three times, so that ends count as well."""
    out = []
    for k in range(len(time)):
        i = min(max(k - 1, 0), len(time) - 3)
        t0, t1, t2 = time[i:i + 3]
        t = time[k]
        w0 = (2 * t - t1 - t2) / ((t0 - t1) * (t0 - t2))
        w1 = (2 * t - t0 - t2) / ((t1 - t0) * (t1 - t2))
        w2 = (2 * t - t0 - t1) / ((t2 - t0) * (t2 - t1))
        out.append([w0 * a + w1 * b + w2 * c for a, b, c in zip(*rows[i:i + 3])])
    return out


def spin(time, quaternions):
    """Angular velocities in the world, from quaternions of either sign: ω = 2 q' q*."""
    known = [quaternions[0]]
    for q in quaternions[1:]:
        known.append(q if dot(q, known[-1]) >= 0 else [-x for x in q])
    out = []
    for (x, y, z, w), (dx, dy, dz, dw) in zip(known, slopes(time, known)):
        out.append([2 * (dx * w - dw * x - dy * z + dz * y), 2 * (dy * w - dw * y - dz * x + dx * z),
                    2 * (dz * w - dw * z - dx * y + dy * x)])
    return out


def summed(time, rows):
    """∫ from the start to each time, by the trapezoidal rule."""
    out = [[0.0] * len(rows[0])]
    for k in range(1, len(time)):
        dt = time[k] - time[k - 1]
        out.append([s + dt * (a + b) / 2 for s, a, b in zip(out[-1], rows[k - 1], rows[k])])
    return out


class Motion:
    """`between`: first and last frame; `held`: links that have a mass in these, beside those of the model."""

    def __init__(self, solution, between=None, held=()):
        first, last = between or (0, len(solution['time']) - 1)
        cut = lambda rows: rows[first:last + 1]
        reactions = {name: {**of, **{key: cut(of[key]) for key in ('force', 'centre', 'moment')}}
                     for name, of in solution.get('ground_reaction', {}).items()}
        self.solution = solution = {
            **solution, 'time': cut(solution['time']), 'ground_reaction': reactions,
            **{key: cut(solution[key]) for key in ('v', 'tau')},
            **{key: {name: cut(rows) for name, rows in solution.get(key, {}).items()}
               for key in ('link_poses', 'loop_wrenches')}}
        self.time = solution['time']
        self.held = {one['object']: one for one in held}
        model = solution['model']
        self.gravity = model['gravity']
        self.bodies = []  # mass, inertia, places, attitudes and speeds of each
        for link in model['links']:
            body = self.held.get(link['name']) or link.get('inertial')
            if not body or body['mass'] == 0 and not any(body['inertia']):
                continue
            poses = solution['link_poses'][link['name']]
            attitudes = [matrix(p[3:7]) for p in poses]
            places = [add(p[:3], times(R, body['com'])) for p, R in zip(poses, attitudes)]
            xx, yy, zz, xy, xz, yz = body['inertia']
            self.bodies.append((body['mass'], [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], places, attitudes,
                                slopes(self.time, places), spin(self.time, [p[3:7] for p in poses])))
        self.mass = sum(body[0] for body in self.bodies)
        self.weight = self.mass * math.sqrt(dot(self.gravity, self.gravity))

    def loads(self, k):
        """Point and force of all that pushes from outside, and moments."""
        for reaction in self.solution.get('ground_reaction', {}).values():
            if dot(reaction['force'][k], reaction['force'][k]) > (REST * self.weight) ** 2:
                yield reaction['centre'][k], reaction['force'][k], [0, reaction['moment'][k] or 0, 0], None
        for load in self.solution.get('loads', []):
            yield self.point(load['frame'], load.get('point', [0, 0, 0]), k), load['force'], load.get(
                'moment', [0, 0, 0]), load
        for mass, _, places, *_ in self.bodies:
            yield places[k], [mass * g for g in self.gravity], [0, 0, 0], None

    def point(self, link, point, k):
        poses = self.solution['link_poses']
        if link not in poses:
            frame = next(f for f in self.solution['model']['frames'] if f['name'] == link)
            point = add(frame['position'], times(matrix(frame['orientation']), point)) if 'orientation' in frame \
                else add(frame['position'], point)
            link = frame['link']
        pose = poses[link][k]
        return add(pose[:3], times(matrix(pose[3:7]), point))

    def momentum_left_over(self):
        """Of weight · duration, and of that times a metre."""
        linear, angular, force, moment = [], [], [], []
        for k in range(len(self.time)):
            p, h, f, m = [0.0] * 3, [0.0] * 3, [0.0] * 3, [0.0] * 3
            for mass, inertia, places, attitudes, speeds, spins in self.bodies:
                p = add(p, speeds[k], mass)
                R = attitudes[k]
                own = times(R, times(inertia, turned_back(R, spins[k])))
                h = add(add(h, own), cross(places[k], speeds[k]), mass)
            for place, push, turn, _ in self.loads(k):
                f = add(f, push)
                m = add(add(m, cross(place, push)), turn)
            linear.append(p), angular.append(h), force.append(f), moment.append(m)
        size = self.weight * (self.time[-1] - self.time[0])
        out = []
        for state, rate in ((linear, force), (angular, moment)):
            growth = summed(self.time, rate)
            out.append(max(abs(s[i] - state[0][i] - g[i]) for s, g in zip(state, growth) for i in range(3)) / size)
        return out

    def work_left_over(self):
        """Of all the work that is done, by sizes."""
        energy, power = [], []
        for k in range(len(self.time)):
            e = 0.0
            for mass, inertia, places, attitudes, speeds, spins in self.bodies:
                w = turned_back(attitudes[k], spins[k])
                e += mass * dot(speeds[k], speeds[k]) / 2 + dot(w, times(inertia, w)) / 2 - mass * dot(
                    self.gravity, places[k])
            energy.append(e)
            power.append(dot(self.solution['tau'][k], self.solution['v'][k]))
        for load in self.solution.get('loads', []):
            places = [self.point(load['frame'], load.get('point', [0, 0, 0]), k) for k in range(len(self.time))]
            for k, speed in enumerate(slopes(self.time, places)):
                power[k] += dot(load['force'], speed)
        for support, reaction in self.solution.get('ground_reaction', {}).items():  # bands let feet move a little
            if support not in self.solution['link_poses']:
                continue
            poses = self.solution['link_poses'][support]
            speeds, spins = slopes(self.time, [p[:3] for p in poses]), spin(self.time, [p[3:7] for p in poses])
            for k, force in enumerate(reaction['force']):
                if dot(force, force) > (REST * self.weight) ** 2:
                    lever = add(reaction['centre'][k], poses[k][:3], -1)
                    power[k] += dot(force, add(speeds[k], cross(spins[k], lever))) + (
                        reaction['moment'][k] or 0) * spins[k][1]
        for thing, hand, wrenches in self.grips():
            attitudes = [matrix(p[3:7]) for p in self.solution['link_poses'][thing]]
            turns = [spin(self.time, [p[3:7] for p in self.solution['link_poses'][link]]) for link in (hand, thing)]
            for k, wrench in enumerate(wrenches):
                power[k] += dot(times(attitudes[k], wrench[3:]), add(turns[0][k], turns[1][k], -1))
        done = summed(self.time, [[p, abs(p)] for p in power])
        return max(abs(e - energy[0] - w[0]) for e, w in zip(energy, done)) / max(done[-1][1], 1e-9)

    def contacts(self):
        """Lowest contact (m), largest friction, farthest from the hull (m), farthest that a standing contact moves (m)."""
        reactions = self.solution.get('ground_reaction', {})
        lowest, slip = math.inf, 0.0
        stands = len(self.solution.get('phases', [])) < 2
        for contact in self.solution['model']['contacts']:
            track = [self.point(contact['link'], contact['position'], k) for k in range(len(self.time))]
            lowest = min(lowest, min(p[1] for p in track))
            if stands and contact['link'] in reactions:
                slip = max(slip, max(math.dist(p, track[0]) for p in track))
        friction = outside = 0.0
        pushes = True
        for support, reaction in reactions.items():
            for k, (force, centre) in enumerate(zip(reaction['force'], reaction['centre'])):
                if dot(force, force) <= (REST * self.weight) ** 2:
                    continue
                pushes = pushes and force[1] > -1e-3 * self.weight
                if force[1] < 0.01 * self.weight:
                    continue
                friction = max(friction, math.hypot(force[0], force[2]) / force[1])
                hulls = [print_['corners'] for print_ in self.solution.get('foot_prints', [])
                         if print_['support'] == support and print_['start'] <= self.time[k] <= print_['end']]
                if hulls:
                    outside = max(outside, min(beyond(centre, hull) for hull in hulls))
        return lowest, friction, outside, slip, pushes

    def grips(self):
        """What a second hand holds, the hand, and what it bears: `attach`."""
        poses = self.solution['link_poses']
        for name, wrenches in self.solution.get('loop_wrenches', {}).items():
            thing, _, hand = name.rpartition(' in ')
            ours = any(one.get('grip') == name for one in self.held.values())
            if thing in poses and hand in poses and (ours or all('grip' not in one for one in attached(self.solution))):
                yield thing, hand, wrenches

    def parting(self):
        """By how much a second hand and what it holds part, m, at the points that stay together best."""
        poses = self.solution['link_poses']
        return {f'{thing} in {hand}': parting(poses[thing], poses[hand]) for thing, hand, _ in self.grips()}


    def overlap_of_held(self):
        """How deep points on the surface of a box that hands hold are in shapes of the person, m, hands and forearms left
        out; and in which. Many points, at all times of the file."""
        poses, links = self.solution['link_poses'], {link['name']: link for link in self.solution['model']['links']}
        deepest = (0.0, '')
        for thing, hand, carrier in self.grips():
            box = next((v for v in links[thing].get('visuals', []) if v['type'] == 'box'), None)
            if not box:
                continue
            points = surface(box['size'])
            for name, link in links.items():
                if name == thing or name.split('_')[0] in ('hand', 'forearm'):
                    continue
                for shape in link.get('visuals', []):
                    for place, at in zip(poses[thing], poses[name]):
                        deep = deepest_in(shape, at, points, place)
                        if deep > deepest[0]:
                            deepest = (deep, name)
        return deepest


def attached(solution):
    """What phases hold: in `grip`, by two hands."""
    return [one for phase in solution.get('phases', []) for one in phase.get('attach', [])]


def stretches(solution):
    """The motion, or its phases where what they hold has a mass in these alone: first and last frame, and what is held."""
    time = solution['time']
    if not attached(solution):
        return [Motion(solution)]
    out = []
    for phase in solution['phases']:
        frames = [k for k, t in enumerate(time) if phase['start'] - 1e-9 <= t <= phase['end'] + 1e-9]
        # at a border, files have what holds in the later phase
        if phase is not solution['phases'][-1] and abs(time[frames[-1]] - phase['end']) < 1e-9:
            frames.pop()
        out.append(Motion(solution, (frames[0], frames[-1]), phase.get('attach', [])))
    return out


def surface(size, gap=0.03):
    """Points on a box."""
    counts = [max(1, math.ceil(s / gap)) for s in size]
    return [[size[i] * (k[i] / counts[i] - 0.5) for i in range(3)]
            for k in itertools.product(*(range(n + 1) for n in counts))
            if any(k[i] in (0, counts[i]) for i in range(3))]


def deepest_in(shape, at, points, place):
    """How deep the deepest of these points of a body is in a shape of another one; 0: none is."""
    R, of_shape = matrix(at[3:7]), matrix(shape['rotation'])
    middle = add(at[:3], times(R, shape['position']))
    turn = matrix(place[3:7])
    reach = sum(abs(x) for x in shape.get('size', [])) + shape.get('length', 0) + 2 * shape.get('radius', 0)
    if math.dist(middle, place[:3]) > reach + max(math.hypot(*p) for p in points):
        return 0.0
    deep = 0.0
    for point in points:
        p = turned_back(of_shape, turned_back(R, add(add(place[:3], times(turn, point)), middle, -1)))
        if shape['type'] == 'box':
            deep = max(deep, min(half / 2 - abs(x) for half, x in zip(shape['size'], p)))
        elif shape['type'] in ('capsule', 'sphere'):
            along = max(0.0, abs(p[2]) - shape.get('length', 0) / 2)
            deep = max(deep, shape['radius'] - math.hypot(p[0], p[1], along))
    return deep


def parting(a, b):
    """Least squares: R_a x + t_a = R_b y + t_b at all times; the largest that is left."""
    rows, right = [], []
    for pa, pb in zip(a, b):
        A, B = matrix(pa[3:7]), matrix(pb[3:7])
        for i in range(3):
            rows.append(A[i] + [-x for x in B[i]])
            right.append(pb[i] - pa[i])
    n = 6
    normal = [[sum(r[i] * r[k] for r in rows) + (1e-9 if i == k else 0) for k in range(n)] +
              [sum(r[i] * y for r, y in zip(rows, right))] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(normal[k][i]))
        normal[i], normal[pivot] = normal[pivot], normal[i]
        for k in range(n):
            if k != i:
                part = normal[k][i] / normal[i][i]
                normal[k] = [x - part * y for x, y in zip(normal[k], normal[i])]
    x = [normal[i][n] / normal[i][i] for i in range(n)]
    left = [dot(r, x) - y for r, y in zip(rows, right)]
    return max(math.hypot(*left[k:k + 3]) for k in range(0, len(left), 3))


def beyond(point, corners):
    """By how far a point is outside of a convex outline, in the plane of the ground; 0 inside. By its edges."""
    x, z = point[0], point[2]
    middle = [sum(c[i] for c in corners) / len(corners) for i in (0, 2)]
    ring = sorted(corners, key=lambda c: math.atan2(c[2] - middle[1], c[0] - middle[0]))
    worst = 0.0
    for a, b in zip(ring, ring[1:] + ring[:1]):
        dx, dz = b[0] - a[0], b[2] - a[2]
        length = math.hypot(dx, dz)
        if length > 0:
            worst = max(worst, (dz * (x - a[0]) - dx * (z - a[2])) / length)
    return worst


def check(solution, args):
    """Lines (what, value, whether it is right)."""
    motion, parts = Motion(solution), stretches(solution)
    linear, angular = (max(of) for of in zip(*(part.momentum_left_over() for part in parts)))
    lines = [('linear momentum left over', f'{linear:.1e} of weight x duration', linear <= args.tolerance),
             ('angular momentum left over', f'{angular:.1e} of that x 1 m', angular <= args.tolerance)]
    work = max(part.work_left_over() for part in parts)
    springs = args.springs or 'ligaments' in solution['task'].get('text', '')
    lines.append(('work and energy left over', f'{work:.1e} of the work' + (', with springs' if springs else ''),
                  springs or work <= args.tolerance))
    if solution.get('ground_reaction'):
        lowest, friction, outside, slip, pushes = motion.contacts()
        lines += [('lowest contact', f'{1000 * lowest:.2f} mm', lowest >= -PLACE),
                  ('contacts that stand move by', f'{1000 * slip:.2f} mm', slip <= PLACE),
                  ('the ground pushes', 'yes' if pushes else 'no', pushes),
                  ('friction', f'{friction:.3f}', friction <= args.friction * (1 + 1e-3)),
                  ('centre of pressure outside by', f'{1000 * outside:.2f} mm', outside <= args.margin + PLACE)]
    for part in parts:
        for name, apart in part.parting().items():
            lines.append((f'{name} parts by', f'{1000 * apart:.2f} mm', apart <= PLACE))
        if any(True for _ in part.grips()):
            deep, where = part.overlap_of_held()
            lines.append(('held is inside of the person by', f'{1000 * deep:.2f} mm' + (f' ({where})' if where else ''),
                          deep <= PLACE + args.soft))
    return lines


def made_up(wrong=None):
    """A block of 2 kg that two feet throw straight up and turn, in closed form; or with something wrong."""
    n, T, g = 201, 0.5, 9.81
    time = [T * k / (n - 1) for k in range(n)]
    turn = [0.3 * t * t for t in time]
    poses = [[0.1, 1 + 0.4 * t * t, 0, 0, math.sin(a / 2), 0, math.cos(a / 2)] for t, a in zip(time, turn)]
    force = 2 * (0.8 + g) * (1.05 if wrong == 'force' else 1)
    spins = [[0.8 * t, 0.6 * t] for t in time]
    work = 0.9 if wrong == 'work' else 1
    centre = [0.3 if wrong == 'centre' else 0.1, 0, 0]
    return {'time': time, 'task': {}, 'link_poses': {'block': poses, 'foot': [[0, 0, 0, 0, 0, 0, 1]] * n},
            'v': spins, 'tau': [[work * force, 0.3]] * n,
            'foot_prints': [{'support': 'foot', 'start': 0, 'end': T,
                             'corners': [[0, 0, -0.1], [0.2, 0, 0.1], [0.2, 0, -0.1], [0, 0, 0.1]]}],
            'ground_reaction': {'foot': {'force': [[0, force, 0]] * n, 'centre': [centre] * n, 'moment': [0.3] * n}},
            'model': {'gravity': [0, -g, 0], 'frames': [],
                      'contacts': [{'name': 'sole', 'link': 'foot', 'position': [0, -0.01 if wrong == 'sole' else 0, 0]}],
                      'links': [{'name': 'block', 'inertial': {'mass': 2, 'com': [0, 0, 0],
                                                               'inertia': [0.1, 0.5, 0.2, 0, 0, 0]}}]}}


def self_test():
    args = argparse.Namespace(tolerance=1e-3, friction=0.8, margin=0.0, soft=0.0, springs=False)
    assert all(good for _, _, good in check(made_up(), args)), check(made_up(), args)
    for wrong in ('force', 'work', 'centre', 'sole'):
        assert not all(good for _, _, good in check(made_up(wrong), args)), wrong
    still = [[0, 0, 0, 0, 0, 0, 1]] * 3
    arc = [[0.3 * math.cos(a), 0.3 * math.sin(a), 0, 0, 0, math.sin(a / 2), math.cos(a / 2)] for a in (0, 0.5, 1.2)]
    ball = {'type': 'capsule', 'radius': 0.1, 'length': 0.2, 'position': [0, 0, 0], 'rotation': [0, 0, 0, 1]}
    deep = deepest_in(ball, [0.25, 0, 0, 0, 0, 0, 1], surface([0.4, 0.4, 0.4]), [0, 0, 0, 0, 0, 0, 1])
    assert abs(deep - 0.05) < 1e-6, deep
    assert parting(still, arc) < 1e-6  # it turns about the other's origin
    assert parting(still, [[0.1 * k] + p[1:] for k, p in enumerate(still)]) > 0.05
    print('a motion in closed form passes, four mistakes are seen')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('solutions', nargs='*')
    parser.add_argument('--tolerance', type=float, default=1e-3)
    parser.add_argument('--friction', type=float, default=0.8)
    parser.add_argument('--margin', type=float, default=0.0, help='m, around what stands')
    parser.add_argument('--soft', type=float, default=0.0, help='m, that what is held may be deeper inside of the person')
    parser.add_argument('--springs', action='store_true', help='joints have springs, whose work is not asked for')
    parser.add_argument('--self-test', action='store_true')
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    wrong = 0
    for name in args.solutions:
        path = pathlib.Path(name)
        solution = json.loads((path / 'solution.json' if path.is_dir() else path).read_text())
        print(f"{name}: {solution['status']}")
        for what, value, good in check(solution, args):
            print(f"  {what:32}{value}{'' if good else '   <- WRONG'}")
            wrong += not good
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
