import type uPlot from 'uplot';
import {colour, token} from '../palette';
import type {Phase} from '../solution';
import type {Bounds, Curve} from './curves';

/** With more curves than this, lines at the limits of each would be a tangle: only active stretches are marked. */
const kMostLines = 4;
/** Limits are dotted, as no curve is. */
export const kLimitDash = [1, 3];
/** Short strokes on the side where nothing may be, so far apart. */
const kHatch = {
  apart: 12,
  length: 5
};
/** Curves that vary by less than this part of their size are drawn as constant, not as their last digits. */
const kLeastSpan = 0.1;

function sides({lower, upper}: Bounds): number[] {
  return [lower, upper].filter((b): b is number => typeof b === 'number' && Number.isFinite(b));
}

/** Room for the curves and for those limits that they come near to. */
export function widened(low: number, high: number, curves: Curve[]): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high)) || 1;  // zeros have an axis of their own size
  const span = Math.max(high - low, 1e-12 + kLeastSpan * size);
  let [from, to] = [(low + high - span) / 2, (low + high + span) / 2];
  for (const bound of curves.flatMap((curve) => curve.limits ?? []).flatMap(sides)) {
    if (bound > low - 0.35 * span && bound < low) from = Math.min(from, bound);
    if (bound < high + 0.35 * span && bound > high) to = Math.max(to, bound);
  }
  const pad = 0.07 * Math.max(to - from, span);
  return [from - pad, to + pad];
}

/** The limits of all curves where they are the same: only then is a place in the plot inside or outside for all. */
export function sharedLimits(curves: Curve[]): Bounds[] {
  const key = (curve: Curve) =>
      (curve.limits ?? []).map(({lower, upper, from, to}) => `${lower} ${upper} ${from} ${to}`).join();
  return new Set(curves.map(key)).size === 1 ? curves[0].limits ?? [] : [];
}

/** A line at a limit, from one time to another, in the look of the curve that it holds for. */
export interface LimitLine {
  curve: Curve;
  bound: number;
  upper: boolean;
  from: number;
  to: number;
}

/** Lines for limits that differ from curve to curve. */
export function limitLines(curves: Curve[]): LimitLine[] {
  if (sharedLimits(curves).length > 0 || curves.length > kMostLines) return [];
  return curves.flatMap(
      (curve) =>
          (curve.limits ?? [])
              .flatMap(
                  (limit) => sides(limit).map(
                      (bound) => ({curve, bound, upper: bound === limit.upper, from: limit.from, to: limit.to}))));
}

/**
 * Shades what lies outside the limits that all curves share, or outside those of the one that is pointed at; draws
 * other limits as dotted lines in the colour of their curve, hatched outside, and a thick bar where a limit is active.
 */
export function drawLimits(u: uPlot, curves: Curve[], emphasised: number): void {
  const {ctx, bbox} = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const shaded = emphasised >= 0 ? curves[emphasised].limits ?? [] : sharedLimits(curves);
  for (const limit of shaded) shadeOutside(u, limit);
  if (emphasised < 0) limitLines(curves).forEach((line) => drawLine(u, line));
  const bar = 5 * devicePixelRatio;
  for (const curve of curves) {
    ctx.fillStyle = colour(curve.colour);
    for (const {bound, from, to} of (curve.limits ?? []).flatMap((limit) => touched(curve, limit))) {
      const y = u.valToPos(bound, 'y', true), x0 = u.valToPos(from, 'x', true), x1 = u.valToPos(to, 'x', true);
      ctx.fillRect(x0, y - bar / 2, Math.max(x1 - x0, bar), bar);
    }
  }
  ctx.restore();
}

function stroke(u: uPlot, x0: number, y0: number, x1: number, y1: number, look: string, dashes: number[]): void {
  const {ctx} = u;
  ctx.strokeStyle = look;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash(dashes.map((length) => length * devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** The pixels between two times, of which either may lie outside the plot. */
function across(u: uPlot, from: number, to: number): [number, number] {
  const {left, width} = u.bbox;
  const clamped = (t: number) => Math.min(Math.max(u.valToPos(t, 'x', true), left), left + width);
  return [from === -Infinity ? left : clamped(from), to === Infinity ? left + width : clamped(to)];
}

function drawLine(u: uPlot, {curve, bound, upper, from, to}: LimitLine): void {
  const [x0, x1] = across(u, from, to), y = u.valToPos(bound, 'y', true), look = colour(curve.colour);
  stroke(u, x0, y, x1, y, look, kLimitDash);
  const apart = kHatch.apart * devicePixelRatio, length = kHatch.length * devicePixelRatio;
  for (let x = x0 + apart / 2; x < x1; x += apart)
    stroke(u, x, y, x + length, y + (upper ? -length : length), look, []);
}

function shadeOutside(u: uPlot, {lower, upper, from, to}: Bounds): void {
  const {ctx, bbox} = u, [x0, x1] = across(u, from, to);
  const edge = (bound: number) => Math.min(Math.max(u.valToPos(bound, 'y', true), bbox.top), bbox.top + bbox.height);
  ctx.fillStyle = token('outside');
  if (typeof upper === 'number') {
    ctx.fillRect(x0, bbox.top, x1 - x0, edge(upper) - bbox.top);
    if (edge(upper) > bbox.top) stroke(u, x0, edge(upper), x1, edge(upper), token('outside-edge'), []);
  }
  if (typeof lower === 'number') {
    const bottom = bbox.top + bbox.height;
    ctx.fillRect(x0, edge(lower), x1 - x0, bottom - edge(lower));
    if (edge(lower) < bottom) stroke(u, x0, edge(lower), x1, edge(lower), token('outside-edge'), []);
  }
}

interface Stretch {
  bound: number;
  from: number;
  to: number;
}

/** The bounds that the curve lies on while its limit is active, each for as long as it is the nearest. */
function touched(curve: Curve, limit: Bounds): Stretch[] {
  return limit.active.flatMap(([from, to]) => {
    const found: Stretch[] = [];
    curve.values.forEach((value, k) => {
      const t = curve.time[k];
      if (value === null || t < from - 1e-9 || t > to + 1e-9) return;
      const bound = sides(limit).sort((a, b) => Math.abs(a - value) - Math.abs(b - value))[0];
      const last = found[found.length - 1];
      if (last?.bound === bound)
        last.to = t;
      else if (bound !== undefined)
        found.push({bound, from: t, to: t});
    });
    return found;
  });
}

/** A thin line with a name where each phase begins. */
export function drawPhases(u: uPlot, phases: Phase[]): void {
  const {ctx, bbox} = u;
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textBaseline = 'top';
  ctx.textAlign = 'left';
  for (const [i, {name, start, end}] of phases.entries()) {
    const [x0, x1] = across(u, start, end), room = x1 - x0 - 6 * devicePixelRatio;
    if (i > 0) stroke(u, x0, bbox.top, x0, bbox.top + bbox.height, token('grid-strong'), []);
    ctx.fillStyle = token('ink-2');
    if (ctx.measureText(name).width <= room) ctx.fillText(name, x0 + 3 * devicePixelRatio, bbox.top + 2);
  }
  ctx.restore();
}
