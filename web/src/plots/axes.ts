import {svg} from '../dom';
import {number} from '../format';

import {logTicks, ticks} from './ticks';

/** How much wider a second axis makes the drawing, in pixels. */
export const kRoomForSecond = 54;

export type Range = [number, number];

/** The smallest range around finite values; something to draw when there are none or only one. */
export function rangeOf(values: (number|null)[]): Range {
  const finite = values.filter((v): v is number => v !== null && Number.isFinite(v));
  if (finite.length === 0) return [0, 1];
  const low = Math.min(...finite), high = Math.max(...finite);
  return low < high ? [low, high] : [low - 0.5, high + 0.5];
}

export function padded([low, high]: Range, part: number): Range {
  return [low - part * (high - low), high + part * (high - low)];
}

/** The rectangle between two axes of an SVG drawing, in its pixels. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Axes of an SVG drawing: where values lie, and the lines and words that say so. */
export class SvgAxes {
  private readonly yRange: Range;

  constructor(
      private readonly box: Box, private readonly xRange: Range, yRange: Range, private readonly logarithmic = false) {
    this.yRange = padded(logarithmic ? [Math.log10(yRange[0]), Math.log10(yRange[1])] : yRange, 0.05);
  }

  x(value: number): number {
    const [low, high] = this.xRange, {left, right} = this.box;
    return left + ((value - low) / (high - low)) * (right - left);
  }

  y(value: number): number {
    const [low, high] = this.yRange, {top, bottom} = this.box;
    return bottom - (((this.logarithmic ? Math.log10(value) : value) - low) / (high - low)) * (bottom - top);
  }

  /** Grid, ticks and the names of the axes; on the right the unit in which the curves are measured besides. */
  elements(xLabel: string, yLabel: string, second?: {unit: string; size: number}): SVGElement[] {
    const {left, right, top, bottom} = this.box, [low, high] = this.yRange;
    const line = (x1: number, x2: number, y1: number, y2: number) =>
        svg('line', {class: 'grid', x1, x2, y1, y2, stroke: '#e6e6e6'});
    const word = (text: string, x: number, y: number, anchor: string) =>
        svg('text', {class: 'tick', x, y, 'text-anchor': anchor, 'font-size': 12, fill: '#222'}, text);
    const upright = (text: string, x: number) => {
      const name = word(text, 0, 0, 'middle');
      name.setAttribute('transform', `translate(${x} ${(top + bottom) / 2}) rotate(-90)`);
      return name;
    };
    const besides = second ?
        [
          ...ticks(low / second.size, high / second.size, 5)
              .map((t) => word(number(t), right + 6, this.y(t * second.size) + 4, 'start')),
          upright(second.unit, right + kRoomForSecond + 10),
        ] :
        [];
    return [
      ...ticks(...this.xRange, 6)
          .flatMap((t) => [line(this.x(t), this.x(t), top, bottom), word(number(t), this.x(t), bottom + 16, 'middle')]),
      ...(this.logarithmic ? logTicks(10 ** low, 10 ** high) : ticks(low, high, 5))
          .flatMap((t) => [line(left, right, this.y(t), this.y(t)), word(number(t), left - 6, this.y(t) + 4, 'end')]),
      svg('path', {class: 'axis', d: `M${left} ${top}V${bottom}H${right}`, fill: 'none', stroke: '#222'}),
      word(xLabel, (left + right) / 2, bottom + 33, 'middle'),
      upright(yLabel, 14),
      ...besides,
    ];
  }
}
