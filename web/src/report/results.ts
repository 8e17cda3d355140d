/** Numbers that say how good a solution is. */
import {rangeOf} from '../plots/axes';
import type {Rows, Solution} from '../solution';

export interface Result {
  title: string;
  unit: string;
  of(solution: Solution): number|null;
}

/** Units of cost terms that have one whatever the joints are; others add up torques and forces, or their squares. */
export const kUnits: Record<string, string> = {
  time: 's',
  energy: 'J',
  joint_force: 'N²·s',
};

/** The largest size in the columns that are wanted; null where there is none. */
function peak(rows: Rows|undefined, wanted: (i: number) => boolean): number|null {
  const values = (rows ?? []).flatMap((row) => row.filter((x, i) => wanted(i) && x !== null).map((x) => Math.abs(x!)));
  return values.length > 0 ? rangeOf(values.concat(0))[1] : null;
}

/** ∫|P| dt of the actuators, by the rule of trapezoids. */
function work({energy: {power = []}, time}: Solution): number|null {
  if (power.length !== time.length || power.some((p) => typeof p !== 'number')) return null;
  const sizes = power.map((p) => Math.abs(p!));
  return sizes.reduce((sum, p, k) => (k === 0 ? 0 : sum + 0.5 * (p + sizes[k - 1]) * (time[k] - time[k - 1])), 0);
}

function largestForce({joint_wrenches: all}: Solution): number|null {
  const norms =
      Object.values(all).flatMap((rows) => rows.map((row) => Math.hypot(...row.slice(0, 3).map((x) => x ?? 0))));
  return norms.length > 0 ? norms.reduce((most, x) => Math.max(most, x), 0) : null;
}

function largestUse({limits}: Solution): number|null {
  const uses = limits.flatMap(({utilisation}) => (typeof utilisation === 'number' ? [100 * utilisation] : []));
  return uses.length > 0 ? Math.max(...uses) : null;
}

function value(x: number|null|undefined): number|null { return typeof x === 'number' && Number.isFinite(x) ? x : null; }

/** Those that at least one of the solutions has. */
export function resultsOf(solutions: Solution[]): Result[] {
  const terms = [...new Set(solutions.flatMap(({costs}) => costs.map(({term}) => term)))];
  const turns = (solution: Solution, unit: string) => (i: number) => solution.coordinates[i]?.effort_unit === unit;
  const all: Result[] = [
    {title: 'duration', unit: 's', of: ({duration}) => value(duration)},
    {title: 'cost', unit: '', of: ({cost}) => value(cost)},
    ...(terms.length > 1 ? terms : []).map((term): Result => ({
                                             title: term,
                                             unit: kUnits[term] ?? '',
                                             of: ({costs}) => value(costs.find((cost) => cost.term === term)?.value),
                                           })),
    {title: 'largest torque', unit: 'N·m', of: (solution) => peak(solution.tau, turns(solution, 'N·m'))},
    {title: 'largest force', unit: 'N', of: (solution) => peak(solution.tau, turns(solution, 'N'))},
    {title: 'largest internal joint force', unit: 'N', of: largestForce},
    {title: 'work of the actuators, ∫|P|', unit: 'J', of: work},
    {title: 'most used limit', unit: '%', of: largestUse},
    {title: 'energy drift', unit: 'J', of: ({simulation}) => value(simulation?.energy_drift)},
  ];
  return all.filter(({of}) => solutions.some((solution) => of(solution) !== null));
}
