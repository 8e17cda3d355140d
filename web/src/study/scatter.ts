/** Any result over any parameter; a click on a point shows it. */
import {h, section, svg} from '../dom';
import {number} from '../format';
import {padded, rangeOf, SvgAxes} from '../plots/axes';
import type {Signal} from '../signal';
import {type Brushes, type Row, StudyData} from './data';

const kWidth = 640, kHeight = 340, kBox = {
  left: 74,
  right: 620,
  top: 12,
  bottom: 296
};
const kMostMarks = 4000;

export function scatterSection(data: StudyData, brushes: Signal<Brushes>, chosen: Signal<Row|null>): HTMLElement {
  const options = () => data.axes.map((name, k) => h('option', {value: k}, name));
  const across = h('select', {'aria-label': 'Horizontal axis', change: () => draw()}, ...options());
  const up = h('select', {'aria-label': 'Vertical axis', change: () => draw()}, ...options());
  const cost = data.axes.indexOf('cost');
  up.value = String(cost >= 0 ? cost : Math.min(data.payload.parameters.length, data.axes.length - 1));
  const place = h('div', {});
  let marks: {row: Row; mark: SVGElement}[] = [];
  const show = () => {
    for (const {row, mark} of marks) {
      mark.classList.toggle('out', !StudyData.inside(row, brushes.value));
      mark.classList.toggle('chosen', row === chosen.value);
    }
  };
  const draw = () => {
    const [i, k] = [Number(across.value), Number(up.value)];
    const rows = data.solved.slice(0, kMostMarks);
    const axes = new SvgAxes(
        kBox, padded(rangeOf(rows.map(({values}) => values[i])), 0.04), rangeOf(rows.map(({values}) => values[k])));
    marks = rows.flatMap((row) => {
      const x = row.values[i], y = row.values[k];
      if (x === null || y === null) return [];
      const words = `point ${row.point}: ${data.axes[i]} ${number(x)}, ${data.axes[k]} ${number(y)}`;
      const look = {class: row.kept ? 'mark kept' : 'mark', cx: axes.x(x), cy: axes.y(y), r: row.kept ? 5 : 3.5};
      return [{row, mark: svg('circle', {...look, click: () => (chosen.value = row)}, svg('title', {}, words))}];
    });
    const title = `${data.axes[k]} over ${data.axes[i]}`;
    place.replaceChildren(svg(
        'svg', {viewBox: `0 0 ${kWidth} ${kHeight}`, class: 'front scatter', role: 'img', 'aria-label': title},
        ...axes.elements(data.axes[i], data.axes[k]), ...marks.map(({mark}) => mark)));
    show();
  };
  draw();
  brushes.onChange(show);
  chosen.onChange(show);
  const cut = data.solved.length > kMostMarks ? h('p', {class: 'quiet'}, `The first ${kMostMarks} are drawn.`) : null;
  return section('scatter', 'Any result over any parameter', h('p', {class: 'buttons'}, up, ' over ', across), place, cut);
}
