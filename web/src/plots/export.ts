/** Plots for papers and spreadsheets. */
import {download, svg} from '../dom';
import {fileName} from '../format';
import {colour, dash} from '../palette';
import {kRoomForSecond, type Range, rangeOf, SvgAxes} from './axes';
import {bandPaths, bandValues} from './bands';
import {type Band, type ChartData, type Curve, fullName} from './curves';
import {kLimitDash, limitLines, sharedLimits, widened} from './limits';

const kWidth = 640, kBox = {
  left: 68,
  right: 624,
  top: 34,
  bottom: 284
};
const kSharedLimit = {
  stroke: '#777',
  'stroke-dasharray': '3 3'
};
const kLegend = {
  height: 18,
  top: kBox.bottom + 56
};

/** Columns of the legend, as wide as the longest name needs. */
interface Legend {
  perRow: number;
  width: number;
}

function legendOf(names: string[]): Legend {
  const room = kBox.right - kBox.left, kLetter = 6.6;  // pixels, of 12 px type
  const longest = 34 + kLetter * Math.max(...names.map((name) => name.length)) + 12;
  const perRow = Math.min(Math.max(Math.floor(room / longest), 1), 3);
  return {perRow, width: room / perRow};
}

/** Values at all times of all curves, one column a curve; empty where a curve has no value. */
export function csvOf(data: ChartData): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const times = [...new Set(data.curves.flatMap((curve) => [...curve.time]))].sort((a, b) => a - b);
  const columns = data.curves.map((curve) => new Map(curve.time.map((t, k) => [t, curve.values[k]])));
  const unit = data.unit ? ` (${data.unit})` : '';
  const head = [data.xLabel, ...data.curves.map((curve) => fullName(curve) + unit)].map(quoted).join(',');
  const rows = times.map((t) => [t, ...columns.map((column) => column.get(t) ?? '')].join(','));
  return [head, ...rows].join('\n') + '\n';
}

function path(curve: Curve, x: (t: number) => number, y: (v: number) => number): string {
  let pen = 'M', text = '';
  curve.values.forEach((value, k) => {
    if (value === null || !Number.isFinite(value)) {
      pen = 'M';
      return;
    }
    text += `${pen}${x(curve.time[k]).toFixed(2)} ${y(value).toFixed(2)}`;
    pen = 'L';
  });
  return text;
}

/**
 * Lines at the limits that the curves come near to: grey where they hold for all, else dotted in the colour of their
 * curve.
 */
function drawnLimits(data: ChartData, [low, high]: Range, axes: SvgAxes): SVGElement[] {
  const shared =
      sharedLimits(data.curves)
          .flatMap(
              ({lower, upper, from, to}) => [lower, upper].map((bound) => ({bound, from, to, look: kSharedLimit})));
  const own = limitLines(data.curves).map(({curve, bound, from, to}) => {
    const look = {stroke: colour(curve.colour, false), 'stroke-dasharray': kLimitDash.join(' ')};
    return {bound, from, to, look};
  });
  const place = (t: number) => Math.min(Math.max(axes.x(t), kBox.left), kBox.right);
  return [...shared, ...own].flatMap(({bound, from, to, look}) => {
    if (typeof bound !== 'number' || bound < low || bound > high) return [];
    const x1 = Number.isFinite(from) ? place(from) : kBox.left, x2 = Number.isFinite(to) ? place(to) : kBox.right;
    return [svg('line', {class: 'limit', x1, x2, y1: axes.y(bound), y2: axes.y(bound), 'stroke-width': 1, ...look})];
  });
}

/** A thin line with a name where each phase begins. */
function drawnPhases(data: ChartData, axes: SvgAxes): SVGElement[] {
  return (data.phases ?? []).flatMap(({name, start}, i) => {
    const x = axes.x(start), label = {class: 'phase', x: x + 3, y: kBox.top + 10, 'font-size': 10, fill: '#555'};
    const line = svg('line', {x1: x, x2: x, y1: kBox.top, y2: kBox.bottom, stroke: '#999', 'stroke-width': 0.8});
    return [...(i > 0 ? [line] : []), svg('text', label, name)];
  });
}

const kBand = {
  fill: '#bbb',
  'fill-opacity': 0.5,
  stroke: 'none'
},
      kBandLine = {
        fill: 'none',
        stroke: '#999',
        'stroke-width': 1.2
      };

/** Measured curves, and their places in the legend after the curves. */
function drawnBand(band: Band, i: number, axes: SvgAxes, legend: Legend): SVGElement[] {
  const {middle, area} = bandPaths(band, (t) => axes.x(t), (v) => axes.y(v));
  const left = kBox.left + (i % legend.perRow) * legend.width;
  const level = kLegend.top + kLegend.height * Math.floor(i / legend.perRow);
  return [
    ...(area ? [svg('path', {d: area, ...kBand})] : []),
    svg('path', {d: middle, ...kBandLine, 'stroke-width': area ? 1.2 : 4}),
    svg('rect', {x: left, y: level - 8, width: 28, height: 8, ...kBand}),
    svg('text', {x: left + 34, y: level, 'font-size': 12, fill: '#222'}, band.name),
  ];
}

function drawnCurve(curve: Curve, i: number, axes: SvgAxes, legend: Legend): SVGElement[] {
  const line = {
    stroke: colour(curve.colour, false),
    'stroke-width': 1.8,
    'stroke-dasharray': dash(curve.dash).join(' ') || 'none',
    fill: 'none',
  };
  const left = kBox.left + (i % legend.perRow) * legend.width;
  const level = kLegend.top + kLegend.height * Math.floor(i / legend.perRow);
  return [
    svg('path', {d: path(curve, (t) => axes.x(t), (v) => axes.y(v)), ...line}),
    svg('line', {x1: left, x2: left + 28, y1: level - 4, y2: level - 4, ...line}),
    svg('text', {x: left + 34, y: level, 'font-size': 12, fill: '#222'}, fullName(curve)),
  ];
}

/** The plot as a drawing on white, whatever the theme of the page. */
export function svgOf(data: ChartData): SVGSVGElement {
  const {bands = []} = data;
  const tight = rangeOf([...data.curves.flatMap((curve) => [...curve.values]), ...bandValues(bands)]);
  const range = data.logarithmic ? tight : widened(...tight, data.curves);
  const axes = new SvgAxes(kBox, rangeOf(data.curves.flatMap((curve) => [...curve.time])), range, data.logarithmic);
  const legend = legendOf([...data.curves.map(fullName), ...bands.map(({name}) => name)]);
  const rows = Math.ceil((data.curves.length + bands.length) / legend.perRow),
        height = kLegend.top + kLegend.height * rows;
  const width = kWidth + (data.second ? kRoomForSecond : 0);
  const size = {viewBox: `0 0 ${width} ${height}`, width, height};
  const title = {x: kBox.left, y: 20, 'font-size': 14, 'font-weight': 600, fill: '#222'};
  return svg(
      'svg', {xmlns: 'http://www.w3.org/2000/svg', ...size, 'font-family': 'Helvetica, Arial, sans-serif'},
      svg('rect', {width, height, fill: '#fff'}), svg('text', title, data.title),
      ...axes.elements(data.xLabel, data.unit, data.second),
      ...bands.flatMap((band, i) => drawnBand(band, data.curves.length + i, axes, legend)),
      ...drawnLimits(data, range, axes), ...drawnPhases(data, axes),
      ...data.curves.flatMap((curve, i) => drawnCurve(curve, i, axes, legend)));
}

export function saveCsv(data: ChartData, model: string): void {
  download(`${fileName(model, data.id)}.csv`, new Blob([csvOf(data)], {type: 'text/csv'}));
}

export function saveSvg(data: ChartData, model: string): void {
  download(
      `${fileName(model, data.id)}.svg`,
      new Blob([new XMLSerializer().serializeToString(svgOf(data))], {type: 'image/svg+xml'}));
}

/** The same drawing in pixels, three for each of its own. */
export async function savePng(data: ChartData, model: string): Promise<void> {
  const drawing = svgOf(data);
  const image = new Image();
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(new XMLSerializer().serializeToString(drawing));
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = 3 * Number(drawing.getAttribute('width'));
  canvas.height = 3 * Number(drawing.getAttribute('height'));
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob|null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob) download(`${fileName(model, data.id)}.png`, blob);
}
