/** How much each parameter matters for a result. */
import {h, section, svg, table} from '../dom';
import {number} from '../format';
import type {Sensitivity} from '../payload';

const kWidth = 640, kRow = 40, kLeft = 190, kRight = 560;
/** What each column of the table is in words; the first two that are here are drawn. */
const kTitles: Record<string, string> = {
  first: 'first-order index: share of the variance by this parameter alone',
  total: 'total index: with all that it does together with others',
  rows: 'rows used',
  mean_size: 'mean size of the effect of its range',
  mean: 'mean effect',
  deviation: 'deviation of the effect: bends, and others that matter for it',
  effects: 'effects used',
};
const kDrawn = ['first', 'total', 'mean_size', 'deviation'];

function bars({columns, rows}: Sensitivity, result: string): SVGElement {
  const own = rows.filter((row) => row.result === result);
  const drawn = kDrawn.filter((name) => columns.includes(name));
  const value = (row: (typeof own)[number], name: string) => row.values[columns.indexOf(name)] ?? 0;
  const most = Math.max(1e-300, ...own.flatMap((row) => drawn.map((name) => value(row, name))));
  const sorted = [...own].sort((a, b) => value(b, drawn[drawn.length - 1]) - value(a, drawn[drawn.length - 1]));
  const length = (x: number) => (Math.max(0, x) / most) * (kRight - kLeft);
  const word = (text: string, x: number, y: number, anchor: string) =>
      svg('text', {class: 'tick', x, y, 'text-anchor': anchor}, text);
  const look = {viewBox: `0 0 ${kWidth} ${kRow * sorted.length + 6}`, class: 'front sensitivity', role: 'img'};
  return svg(
      'svg', {...look, 'aria-label': `How much each parameter matters for ${result}`},
      ...sorted.flatMap((row, k) => [
        word(row.parameter, kLeft - 8, k * kRow + 24, 'end'),
        ...drawn.flatMap((name, b) => [
          svg('rect', {class: `index ${name}`, x: kLeft, y: k * kRow + 6 + 15 * b, width: length(value(row, name)), height: 12}),
          word(number(value(row, name), 3), kLeft + length(value(row, name)) + 6, k * kRow + 16 + 15 * b, 'start'),
        ]),
      ]));
}

export function sensitivitySection(sensitivity: Sensitivity): HTMLElement {
  const results = [...new Set(sensitivity.rows.map(({result}) => result))], place = h('div', {});
  const select = h(
      'select', {'aria-label': 'Result', change: () => show()}, ...results.map((name) => h('option', {value: name}, name)));
  if (results.includes('cost')) select.value = 'cost';
  const show = () => {
    const rows = sensitivity.rows.filter(({result}) => result === select.value);
    place.replaceChildren(
        bars(sensitivity, select.value),
        table(
            `Sensitivity of ${select.value}`,
            [{title: 'parameter'}, ...sensitivity.columns.map((name) => ({title: name, numeric: true}))],
            rows.map(({parameter, values}) => [parameter, ...values.map((value) => number(value, 4))])));
  };
  show();
  const legend = sensitivity.columns.filter((name) => kDrawn.includes(name))
                     .map((name) => h('li', {}, h('span', {class: `swatch ${name}`, 'aria-hidden': 'true'}), ` ${name}: ${kTitles[name]}`));
  return section('sensitivity', 'What matters', h('p', {}, select), h('ul', {class: 'legend-list'}, ...legend), place);
}
