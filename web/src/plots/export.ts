/** Plots for papers and spreadsheets. */
import {download, svg} from '../dom';
import {fileName, number} from '../format';
import {colour, dash} from '../palette';
import type {ChartData, Curve} from './curves';
import {logTicks, ticks} from './ticks';

const kWidth = 640, kHeight = 360, kLeft = 64, kRight = 16, kTop = 34, kPlotHeight = 250;

/** Values at all times of all curves, one column a curve; empty where a curve has no value. */
export function csvOf(data: ChartData): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const times = [...new Set(data.curves.flatMap((curve) => [...curve.time]))].sort((a, b) => a - b);
  const columns = data.curves.map((curve) => new Map(curve.time.map((t, k) => [t, curve.values[k]])));
  const unit = data.unit ? ` (${data.unit})` : '';
  const head = [data.xLabel, ...data.curves.map((curve) => curve.name + unit)].map(quoted).join(',');
  const rows = times.map((t) => [t, ...columns.map((column) => column.get(t) ?? '')].join(','));
  return [head, ...rows].join('\n') + '\n';
}

function extent(values: number[]): [number, number] {
  const finite = values.filter(Number.isFinite);
  const low = Math.min(...finite), high = Math.max(...finite);
  if (!(low <= high)) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
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

/** The plot as a drawing on white, whatever the theme of the page. */
export function svgOf(data: ChartData): SVGSVGElement {
  const [t0, t1] = extent(data.curves.flatMap((curve) => [...curve.time]));
  const flat = data.curves.flatMap((curve) => curve.values.filter((v): v is number => typeof v === 'number'));
  const [v0, v1] = extent(data.logarithmic ? flat.map(Math.log10) : flat);
  const pad = 0.05 * (v1 - v0);
  const x = (t: number) => kLeft + ((t - t0) / (t1 - t0)) * (kWidth - kLeft - kRight);
  const place = (v: number) => kTop + (1 - (v - v0 + pad) / (v1 - v0 + 2 * pad)) * kPlotHeight;
  const y = (v: number) => place(data.logarithmic ? Math.log10(v) : v);
  const bottom = kTop + kPlotHeight;
  const text = (content: string, attributes: Record<string, string|number>) =>
      svg('text', {'font-size': 12, fill: '#222', ...attributes}, content);
  const yTicks = data.logarithmic ? logTicks(10 ** v0, 10 ** v1) : ticks(v0 - pad, v1 + pad, 5);
  const perRow = 3, rows = Math.ceil(data.curves.length / perRow);
  const height = Math.max(kHeight, bottom + 48 + 18 * rows);
  const drawing =
      svg('svg', {
        xmlns: 'http://www.w3.org/2000/svg',
        viewBox: `0 0 ${kWidth} ${height}`,
        width: kWidth,
        height,
        'font-family': 'Helvetica, Arial, sans-serif'
      },
          svg('rect', {width: kWidth, height, fill: '#fff'}),
          text(
              data.unit ? `${data.title} (${data.unit})` : data.title,
              {x: kLeft, y: 20, 'font-size': 14, 'font-weight': 600}),
          ...ticks(t0, t1, 7).flatMap(
              (t) =>
                  [svg('line', {x1: x(t), x2: x(t), y1: kTop, y2: bottom, stroke: '#e6e6e6'}),
                   text(number(t), {x: x(t), y: bottom + 16, 'text-anchor': 'middle'})]),
          ...yTicks.flatMap(
              (v) =>
                  [svg('line', {x1: kLeft, x2: kWidth - kRight, y1: y(v), y2: y(v), stroke: '#e6e6e6'}),
                   text(number(v), {x: kLeft - 6, y: y(v) + 4, 'text-anchor': 'end'})]),
          svg('path', {d: `M${kLeft} ${kTop}V${bottom}H${kWidth - kRight}`, fill: 'none', stroke: '#222'}),
          text(data.xLabel, {x: (kLeft + kWidth - kRight) / 2, y: bottom + 33, 'text-anchor': 'middle'}));
  data.curves.forEach((curve, i) => {
    const line = {
      stroke: colour(curve.colour, false),
      'stroke-width': 1.8,
      'stroke-dasharray': dash(curve.dash).join(' ') || 'none',
      fill: 'none'
    };
    const left = kLeft + (i % perRow) * 190, level = bottom + 56 + 18 * Math.floor(i / perRow);
    drawing.append(
        svg('path', {d: path(curve, x, y), ...line}),
        svg('line', {x1: left, x2: left + 28, y1: level - 4, y2: level - 4, ...line}),
        text(curve.name, {x: left + 34, y: level}));
  });
  return drawing;
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
