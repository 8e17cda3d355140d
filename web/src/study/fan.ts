/** Curves of all points over each other, with the band that most of them lie in; a click on one shows its point. */
import {h, section, svg} from '../dom';
import {number} from '../format';
import type {StudyCurve} from '../payload';
import {type Range, rangeOf, SvgAxes} from '../plots/axes';
import type {Signal} from '../signal';
import {type Brushes, type Row, StudyData} from './data';

const kWidth = 640, kHeight = 340, kBox = {
  left: 74,
  right: 620,
  top: 12,
  bottom: 296
};
/** Shares of the curves that lie below the edges of the band. */
const kBand = [0.05, 0.95];
/** Fewer curves have no band. */
const kLeastForBand = 8;

interface Line {
  row: Row;
  values: number[];
}

/** Linear between the sorted values. */
export function quantile(sorted: number[], share: number): number {
  const at = share * (sorted.length - 1), k = Math.floor(at);
  return k + 1 < sorted.length ? sorted[k] + (at - k) * (sorted[k + 1] - sorted[k]) : sorted[k];
}

function linesOf(curve: StudyCurve, rows: Map<number, Row>): Line[] {
  return curve.lines.flatMap(([point, ...values]) => {
    const row = rows.get(point);
    return row ? [{row, values}] : [];
  });
}

/** How far along its range the value of an axis is. */
function share(value: number|null|undefined, [low, high]: Range): number {
  return value === null || value === undefined ? 0 : (value - low) / (high - low);
}

function bandParts(lines: Line[], axes: SvgAxes): SVGElement[] {
  if (lines.length < kLeastForBand) return [];
  const columns = lines[0].values.map((_, k) => lines.map(({values}) => values[k]).sort((a, b) => a - b));
  const trace = (part: number) => columns.map((column, k) => `${axes.x(k).toFixed(1)} ${axes.y(quantile(column, part)).toFixed(1)}`);
  return [
    svg('path', {class: 'fan-band', d: `M${trace(kBand[0]).join('L')}L${trace(kBand[1]).reverse().join('L')}Z`}),
    svg('path', {class: 'fan-median', d: `M${trace(0.5).join('L')}`}),
  ];
}

export function fanSection(data: StudyData, brushes: Signal<Brushes>, chosen: Signal<Row|null>): HTMLElement {
  const curves = data.payload.curves, rows = new Map(data.rows.map((row) => [row.point, row]));
  const select = h(
      'select', {'aria-label': 'Curve', change: () => draw()}, ...curves.map(({name}, k) => h('option', {value: k}, name)));
  const colour = h(
      'select', {'aria-label': 'Coloured by', change: () => paint()}, h('option', {value: -1}, 'one colour'),
      ...data.axes.map((name, k) => h('option', {value: k}, `coloured by ${name}`)));
  colour.value = '0';
  const place = h('div', {}), said = h('p', {class: 'quiet', role: 'status'}), scale = h('span', {class: 'fan-scale'});
  let marks: {line: Line; path: SVGElement}[] = [], axes: SvgAxes, band = svg('g', {});
  const paint = () => {
    const by = Number(colour.value), range = by < 0 ? null : data.ranges[by];
    for (const {line, path} of marks) {
      path.style.setProperty('--share', range ? `${(100 * share(line.row.values[by], range)).toFixed(0)}%` : '0%');
    }
    scale.replaceChildren(...(range ? [` ${number(range[0])} `, h('span', {class: 'fan-ramp', 'aria-hidden': 'true'}), ` ${number(range[1])}`] : []));
  };
  const show = () => {
    const left: Line[] = [];
    for (const {line, path} of marks) {
      const inside = StudyData.inside(line.row, brushes.value);
      if (inside) left.push(line);
      path.classList.toggle('out', !inside);
      path.classList.toggle('chosen', line.row === chosen.value);
    }
    band.replaceChildren(...bandParts(left, axes));
    const thin = marks.length < data.solved.length ? ` of ${data.solved.length}, spread evenly` : '';
    said.textContent = `${left.length} curves${thin}` +
        (left.length < kLeastForBand ? '.' : ': their median, and between the edges of the band nine of ten. curves.csv has all.');
  };
  const draw = () => {
    const {name, unit} = curves[Number(select.value)], lines = linesOf(curves[Number(select.value)], rows);
    axes = new SvgAxes(kBox, [0, 100], rangeOf(lines.flatMap(({values}) => rangeOf(values))));
    band = svg('g', {'pointer-events': 'none'});
    marks = lines.map((line) => {
      const d = `M${line.values.map((value, k) => `${axes.x(k).toFixed(1)} ${axes.y(value).toFixed(1)}`).join('L')}`;
      return {line, path: svg('path', {class: 'fan-line', d, click: () => (chosen.value = line.row)}, svg('title', {}, `point ${line.row.point}`))};
    });
    const label = unit ? `${name} (${unit})` : name;
    place.replaceChildren(svg(
        'svg', {viewBox: `0 0 ${kWidth} ${kHeight}`, class: 'front fan', role: 'img', 'aria-label': `${name} of all points`},
        ...axes.elements('part of the motion (%)', label), ...marks.map(({path}) => path), band));
    paint();
    show();
  };
  draw();
  brushes.onChange(show);
  chosen.onChange(show);
  return section('fan', 'Over time', h('p', {class: 'buttons'}, select, ' ', colour, scale), place, said);
}
