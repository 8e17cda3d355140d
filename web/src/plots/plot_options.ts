/** How uPlot is told to draw one plot. */
import type uPlot from 'uplot';
import {number} from '../format';
import {colour, dash, token} from '../palette';
import {rangeOf} from './axes';
import {bandValues, drawBands} from './bands';
import type {ChartData, Curve} from './curves';
import {drawLimits, drawPhases, widened} from './limits';
import {logTicks} from './ticks';

const kFont = '12px system-ui, sans-serif';

/** What is drawn, and which of it stands out. */
export interface Drawn {
  data: ChartData;
  curves: Curve[];
  width: number;
  height: number;
  /** Whether a curve is greyed out. */
  faded(curve: Curve): boolean;
  /** Whether it is shown at all. */
  shown(curve: Curve): boolean;
  /** The only curve that is not faded, or −1. */
  emphasised(): number;
}

/** Room for curves, limits and bands. */
function reach({data, curves, shown}: Drawn, low: number, high: number): [number, number] {
  const {bands = []} = data, seen = curves.filter(shown);
  return bands.length > 0 ? widened(...rangeOf([low, high, ...bandValues(bands)]), seen) : widened(low, high, seen);
}

function labels(_: uPlot, splits: (number|null)[]): string[] {
  return splits.map((v) => (v === null ? '' : number(v)));
}

function axesOf({small, logarithmic, second, xLabel}: ChartData): uPlot.Axis[] {
  const axis: uPlot.Axis = {
    stroke: () => token('ink-2'),
    font: kFont,
    grid: {stroke: () => token('grid'), width: 1},
    ticks: {stroke: () => token('grid'), width: 1, size: 4},
    values: labels,
  };
  const label = {labelFont: kFont, labelSize: 14, labelGap: 2};
  const powers: uPlot.Axis = {splits: (_u, _axis, low, high) => logTicks(low, high), filter: (_u, splits) => splits};
  const besides: uPlot.Axis =
      {...axis, side: 1, scale: 'second', grid: {show: false}, size: 60, ...label, label: second?.unit, labelSize: 16};
  return [
    {...axis, size: small ? 24 : 30, ...(small ? {} : {...label, label: xLabel})},
    {...axis, size: small ? 50 : 62, ...(logarithmic ? powers : {})},
    ...(second ? [besides] : []),
  ];
}

export function plotOptions(drawn: Drawn): uPlot.Options {
  const {data, curves} = drawn, {second} = data;
  return {
    width: drawn.width,
    height: drawn.height,
    legend: {show: false},
    pxAlign: 0,  // else curves follow the grid of pixels in steps
    cursor: {show: false},
    scales: {
      x: {time: false},
      y: data.logarithmic ? {distr: 3} : {range: (_, low, high) => reach(drawn, low, high)},
      ...(second ? {second: {from: 'y', range: (_, low, high) => [low / second.size, high / second.size]}} : {}),
    },
    axes: axesOf(data),
    series: [
      {},
      ...curves.map((curve): uPlot.Series => ({
                      label: curve.name,
                      stroke: () => (drawn.faded(curve) ? token('faded') : colour(curve.colour)),
                      width: 1.8,
                      dash: dash(curve.dash),
                      points: {show: !data.timed && curve.time.length < 2},
                    })),
    ],
    hooks: {
      drawAxes: [(u) => {
        drawBands(u, data.bands ?? []);
        drawLimits(u, curves.filter(drawn.shown), drawn.emphasised());
        drawPhases(u, data.phases ?? []);
      }]
    },
  };
}
