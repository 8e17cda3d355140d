/** Parallel coordinates: a line for each point across one axis for each parameter and result. */
import {h, section, svg} from '../dom';
import {number} from '../format';
import type {Range} from '../plots/axes';
import type {Signal} from '../signal';
import {type Brushes, type Row, StudyData} from './data';

const kTop = 30, kBottom = 300, kHeight = 322, kLeastGap = 130, kLeastWidth = 1180, kMargin = 60, kReach = 22;
/** More lines would only be a grey area, and slow. */
const kMostLines = 1500;
/** A shorter drag is a click, which takes a brush away. */
const kShortest = 4;

function thinned<T>(rows: T[], most: number): T[] {
  if (rows.length <= most) return rows;
  return Array.from({length: most}, (_, k) => rows[Math.floor((k * rows.length) / most)]);
}

export function parallelSection(data: StudyData, brushes: Signal<Brushes>, chosen: Signal<Row|null>): HTMLElement {
  const gap = Math.max(kLeastGap, (kLeastWidth - 2 * kMargin) / Math.max(1, data.axes.length - 1));
  const x = (axis: number) => kMargin + axis * gap;
  const y = (axis: number, value: number) => {
    const [low, high] = data.ranges[axis];
    return kBottom - ((value - low) / (high - low)) * (kBottom - kTop);
  };
  const valueAt = (axis: number, at: number) => {
    const [low, high] = data.ranges[axis];
    return low + ((kBottom - at) / (kBottom - kTop)) * (high - low);
  };
  const lines = thinned(data.solved, kMostLines).map((row) => {
    const corners =
        row.values.map((value, axis) => `${x(axis)} ${value === null ? kBottom : y(axis, value).toFixed(1)}`);
    const line = svg('path', {class: 'point-line', d: `M${corners.join('L')}`, click: () => (chosen.value = row)});
    return {row, line};
  });
  const marks = data.axes.map((_, axis) => svg('rect', {class: 'brush', x: x(axis) - 9, width: 18}));
  const width = x(data.axes.length - 1) + kMargin;
  const look = {class: 'parallel', viewBox: `0 0 ${width} ${kHeight}`, width, height: kHeight, role: 'img'};
  const drawing = svg(
      'svg', {...look, 'aria-label': 'Parallel coordinates of all points with a solution'},
      ...lines.map(({line}) => line), ...data.axes.flatMap((name, axis) => axisParts(name, x(axis), data.ranges[axis])),
      ...marks);
  let begun: {axis: number; at: number}|null = null;
  const place = (event: PointerEvent) => {
    const box = drawing.getBoundingClientRect();
    return {
      across: ((event.clientX - box.left) / box.width) * width,
      down: Math.min(kBottom, Math.max(kTop, ((event.clientY - box.top) / box.height) * kHeight)),
    };
  };
  const put = (axis: number, range: Range|null) => {
    const next = new Map(brushes.value);
    range ? next.set(axis, range) : next.delete(axis);
    brushes.value = next;
  };
  drawing.addEventListener('pointerdown', (event) => {
    const {across, down} = place(event), axis = Math.round((across - kMargin) / gap);
    if (axis < 0 || axis >= data.axes.length || Math.abs(across - x(axis)) > kReach) return;
    begun = {axis, at: down};
    drawing.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  drawing.addEventListener('pointermove', (event) => {
    if (!begun) return;
    const {axis, at} = begun, {down} = place(event);
    const far = Math.abs(down - at) > kShortest;
    put(axis, far ? [valueAt(axis, Math.max(at, down)), valueAt(axis, Math.min(at, down))] : null);
  });
  drawing.addEventListener('pointerup', (event) => {
    if (begun && Math.abs(place(event).down - begun.at) <= kShortest) put(begun.axis, null);
    begun = null;
  });
  const said = h('p', {class: 'quiet', role: 'status'});
  brushes.watch((now) => {
    for (const {row, line} of lines) line.classList.toggle('out', !StudyData.inside(row, now));
    marks.forEach((mark, axis) => {
      const range = now.get(axis);
      mark.toggleAttribute('hidden', !range);
      if (!range) return;
      mark.setAttribute('y', String(y(axis, range[1])));
      mark.setAttribute('height', String(y(axis, range[0]) - y(axis, range[1])));
    });
    const left = data.solved.filter((row) => StudyData.inside(row, now)).length;
    const drawn = data.solved.length > kMostLines ? ` (${kMostLines} are drawn)` : '';
    said.textContent = now.size === 0 ?
        `${left} points${drawn}. Drag along an axis to choose a part of it.` :
        `${left} of ${data.solved.length} points lie in the chosen parts${drawn}.`;
  });
  chosen.watch((row) => {
    for (const one of lines) one.line.classList.toggle('chosen', one.row === row);
  });
  return section(
      'parallel', 'All points', h('div', {class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'All points'}, drawing),
      said, h('p', {}, h('button', {type: 'button', click: () => (brushes.value = new Map())}, 'Choose all')));
}

function axisParts(name: string, x: number, [low, high]: Range): SVGElement[] {
  const word = (text: string, y: number) => svg('text', {class: 'tick', x, y, 'text-anchor': 'middle'}, text);
  return [
    svg('line', {class: 'axis', x1: x, x2: x, y1: kTop, y2: kBottom}), word(name, 12), word(number(high), kTop - 5),
    word(number(low), kBottom + 16)
  ];
}
