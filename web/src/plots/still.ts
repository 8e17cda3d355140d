/** Curves that say nothing: of joints that are held, and of what is zero at all times. */
import type {ChartData, Curve} from './curves';

/** What is smaller than this part of the plot, or than this in units of the SI, is rounding. */
const kRounding = 1e-9, kNothing = 1e-12;

function reachOf({values}: Curve): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    low = Math.min(low, value), high = Math.max(high, value);
  }
  return [low, high];
}

/** The largest size of any value. */
export function scaleOf(curves: Curve[]): number {
  return Math.max(0, ...curves.map((curve) => reachOf(curve).map(Math.abs)).flat().filter(Number.isFinite));
}

/** Plots of what is zero at all times say it in a line; logarithmic ones never are. */
export function isAllZero(data: ChartData): boolean {
  return data.logarithmic !== true && (data.bands ?? []).length === 0 && scaleOf(data.curves) <= kNothing;
}

export interface Split {
  moving: Curve[];
  still: Curve[];
  words: string;
}

/** Names are folded where none of their curves moves, and only where others do. */
export function splitStill(data: ChartData): Split {
  const small = Math.max(kRounding * scaleOf(data.curves), kNothing);
  const isHeld = (curve: Curve) => {
    const [low, high] = reachOf(curve);
    return data.foldsHeld === true && high - low <= small;
  };
  const isZero = (curve: Curve) => reachOf(curve).every((end) => Math.abs(end) <= small);
  const names = [...new Set(data.curves.map(({name}) => name))];
  const all = (name: string, is: (curve: Curve) => boolean) =>
      data.curves.filter((curve) => curve.name === name).every(is);
  const zero = names.filter((name) => all(name, isZero));
  const held = names.filter((name) => !zero.includes(name) && all(name, (curve) => isHeld(curve) || isZero(curve)));
  const folded = new Set([...zero, ...held]);
  if (folded.size === names.length) return {moving: data.curves, still: [], words: ''};
  const words = [
    ...(held.length > 0 ? [`${held.length} held`] : []),
    ...(zero.length > 0 ? [`${zero.length} zero`] : []),
  ].join(', ');
  return {
    moving: data.curves.filter(({name}) => !folded.has(name)),
    still: data.curves.filter(({name}) => folded.has(name)),
    words,
  };
}
