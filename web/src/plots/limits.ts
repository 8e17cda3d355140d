import type uPlot from 'uplot';
import {colour, token} from '../palette';
import type {Curve} from './curves';

/** With more curves than this, shaded limits would hide each other: only active stretches are marked. */
const kMostShaded = 4;

function bounds(curve: Curve): number[] {
  return [curve.limit?.lower, curve.limit?.upper].filter(
      (b): b is number => typeof b === 'number' && Number.isFinite(b));
}

/** Room for the curves and for those limits that they come near to. */
export function widened(low: number, high: number, curves: Curve[]): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  // A nearly constant curve is drawn as one, not as its last digits.
  const span = Math.max(high - low, 1e-12 + 0.01 * Math.max(Math.abs(low), Math.abs(high)));
  let [from, to] = [(low + high - span) / 2, (low + high + span) / 2];
  for (const bound of curves.flatMap(bounds)) {
    if (bound > low - 0.35 * span && bound < low) from = Math.min(from, bound);
    if (bound < high + 0.35 * span && bound > high) to = Math.max(to, bound);
  }
  const pad = 0.07 * Math.max(to - from, span);
  return [from - pad, to + pad];
}

/** Shades what lies outside the limits and marks the stretches where a limit is active by a thick bar on it. */
export function drawLimits(u: uPlot, curves: Curve[]): void {
  const {ctx, bbox} = u;
  const limited = curves.filter((curve) => curve.limit);
  if (limited.length === 0) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const shade = new Set<string>();
  for (const curve of limited) {
    const {lower, upper, active = []} = curve.limit!;
    const key = `${lower} ${upper}`;
    if (curves.length <= kMostShaded && !shade.has(key)) {
      shade.add(key);
      shadeOutside(u, lower, upper);
    }
    const bar = 5 * devicePixelRatio;
    ctx.fillStyle = colour(curve.colour);
    for (const {bound, from, to} of active.flatMap(([t0, t1]) => touched(curve, t0, t1))) {
      const y = u.valToPos(bound, 'y', true), x0 = u.valToPos(from, 'x', true), x1 = u.valToPos(to, 'x', true);
      ctx.fillRect(x0, y - bar / 2, Math.max(x1 - x0, bar), bar);
    }
  }
  ctx.restore();
}

function shadeOutside(u: uPlot, lower: number|null, upper: number|null): void {
  const {ctx, bbox} = u;
  const edge = (bound: number) => Math.min(Math.max(u.valToPos(bound, 'y', true), bbox.top), bbox.top + bbox.height);
  ctx.fillStyle = token('outside');
  ctx.strokeStyle = token('outside-edge');
  ctx.lineWidth = devicePixelRatio;
  const stroke = (y: number) => {
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  };
  if (typeof upper === 'number') {
    ctx.fillRect(bbox.left, bbox.top, bbox.width, edge(upper) - bbox.top);
    if (edge(upper) > bbox.top) stroke(edge(upper));
  }
  if (typeof lower === 'number') {
    ctx.fillRect(bbox.left, edge(lower), bbox.width, bbox.top + bbox.height - edge(lower));
    if (edge(lower) < bbox.top + bbox.height) stroke(edge(lower));
  }
}

interface Stretch {
  bound: number;
  from: number;
  to: number;
}

/** The bounds that the curve lies on between two times, each for as long as it is the nearest. */
function touched(curve: Curve, from: number, to: number): Stretch[] {
  const found: Stretch[] = [];
  curve.values.forEach((value, k) => {
    const t = curve.time[k];
    if (value === null || t < from - 1e-9 || t > to + 1e-9) return;
    const bound = bounds(curve).sort((a, b) => Math.abs(a - value) - Math.abs(b - value))[0];
    const last = found[found.length - 1];
    if (last?.bound === bound)
      last.to = t;
    else if (bound !== undefined)
      found.push({bound, from: t, to: t});
  });
  return found;
}
