/** How much of its limits each joint uses, and what it bears, over time. */
import type {Limit, Rows, Solution} from '../solution';
import type {Instant} from './motion';

type Series = Float64Array;

/** The part of a limit that a value uses: 1 at the limit; between two, as seen from their middle. */
export function useOf(value: number, {lower, upper}: Pick<Limit, 'lower'|'upper'>): number {
  if (lower !== null && upper !== null && upper > lower)
    return Math.abs(value - (lower + upper) / 2) / ((upper - lower) / 2);
  const bound = value >= 0 ? upper : lower;
  return bound ? Math.max(value / bound, 0) : 0;
}

const kSeries = {
  position: 'q',
  velocity: 'v',
  acceleration: 'a',
  effort: 'tau'
} as const;

function norms(rows: Rows): (number|null)[] {
  return rows.map((row) => Math.hypot(...row.slice(0, 3).map((x) => x ?? NaN)));
}

/** The values that a limit bounds, and the joint that they are of. */
function limited(solution: Solution, limit: Limit): {joint: string; values: (number | null)[]}[] {
  if (limit.kind === 'joint_force') {
    const rows = solution.joint_wrenches[limit.of];
    return rows ? [{joint: limit.of, values: norms(rows)}] : [];
  }
  const rows = solution[kSeries[limit.kind as keyof typeof kSeries]];
  if (!rows || (rows[0] ?? []).length !== solution.coordinates.length) return [];
  return solution.coordinates.flatMap(({name, position_name, joint}, i) => {
    const names = limit.kind === 'position' ? [name, position_name, joint] : [name, joint];
    return names.includes(limit.of) ? [{joint, values: rows.map((row) => row[i] ?? null)}] : [];
  });
}

/** The most that each joint uses of any of its limits, frame by frame. */
export function usesOf(solution: Solution): Map<string, Series> {
  const uses = new Map<string, Series>();
  for (const limit of solution.limits) {
    const phase = solution.phases.find(({name}) => name === limit.phase);
    for (const {joint, values} of limited(solution, limit)) {
      if (!uses.has(joint)) uses.set(joint, new Float64Array(solution.time.length));
      const most = uses.get(joint)!;
      values.forEach((value, k) => {
        const t = solution.time[k], holds = !phase || (t >= phase.start && t <= phase.end);
        if (value !== null && holds) most[k] = Math.max(most[k], useOf(value, limit));
      });
    }
  }
  return uses;
}

/** The norm of the force in each joint, frame by frame. */
export function forcesOf(solution: Solution): Map<string, Series> {
  return new Map(
      Object.entries(solution.joint_wrenches).map(([joint, rows]) => [joint, Float64Array.from(norms(rows), Number)]));
}

export function valueOf(series: Series|undefined, {frame, fraction}: Instant): number|null {
  if (!series) return null;
  const value = series[frame] + (fraction > 0 ? fraction * (series[frame + 1] - series[frame]) : 0);
  return Number.isFinite(value) ? value : null;
}

export function largest(all: Map<string, Series>): number {
  let most = 0;
  for (const series of all.values())
    for (const value of series) most = value > most ? value : most;
  return most;
}
