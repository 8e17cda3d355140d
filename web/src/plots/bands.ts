/**
 * What was measured, behind the curves: a line, and a band of a standard deviation to either side where it is known.
 */
import type uPlot from 'uplot';
import {token} from '../palette';
import type {Band} from './curves';

function edge({middle, half}: Band, k: number, side: number): number|null {
  const value = middle[k], width = half ? half[k] ?? 0 : 0;
  return value === null || !Number.isFinite(value) ? null : value + side * width;
}

/** All values of bands, which plots have room for. */
export function bandValues(bands: Band[] = []): (number|null)[] {
  return bands.flatMap((band) => band.time.flatMap((_, k) => [edge(band, k, -1), edge(band, k, 1)]));
}

/** The outlines of a band as paths of an SVG drawing or a canvas: its middle, and its area where it has one. */
export function bandPaths(
    band: Band, x: (t: number) => number, y: (v: number) => number): {middle: string; area: string} {
  const line = (side: number, places: number[], pen: string) => places.reduce((text, k) => {
    const value = edge(band, k, side);
    return value === null ? text :
                            `${text}${text === '' ? pen : 'L'}${x(band.time[k]).toFixed(2)} ${y(value).toFixed(2)}`;
  }, '');
  const places = band.time.map((_, k) => k);
  const area = band.half ? `${line(1, places, 'M')}${line(-1, [...places].reverse(), 'L')}Z` : '';
  return {middle: line(0, places, 'M'), area};
}

export function drawBands(u: uPlot, bands: Band[]): void {
  const {ctx, bbox} = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const band of bands) {
    const {middle, area} = bandPaths(band, (t) => u.valToPos(t, 'x', true), (v) => u.valToPos(v, 'y', true));
    ctx.fillStyle = token('band');
    if (area) ctx.fill(new Path2D(area));
    ctx.strokeStyle = token('band-line');
    ctx.lineWidth = (area ? 1.2 : 5) * devicePixelRatio;
    ctx.stroke(new Path2D(middle));
  }
  ctx.restore();
}
