import {h} from '../dom';
import {number} from '../format';
import {token} from '../palette';

/** Blue for negative, orange for positive entries; the fourth root of the size, so that small ones can be seen. */
function shade(value: number, most: number): string {
  const part = most > 0 ? (Math.abs(value) / most) ** 0.25 : 0;
  return `color-mix(in srgb, ${token(value < 0 ? 'negative' : 'positive')} ${Math.round(100 * part)}%, ${
      token('panel')})`;
}

const kWrittenUpTo = 9;

/** A matrix as coloured cells; small ones also show their numbers, all of them tell a cell's on hovering. */
export function heatMap(matrix: number[][], names: string[]): HTMLElement {
  const most = Math.max(0, ...matrix.flat().map(Math.abs));
  const readout =
      h('p', {class: 'quiet', role: 'status'}, `${matrix.length} × ${matrix.length}, largest entry ${number(most)}`);
  const rows = matrix.map(
      (row, i) =>
          h('tr', {}, h('th', {scope: 'row'}, matrix.length <= kWrittenUpTo ? names[i] : ''), ...row.map((value, j) => {
            const cell =
                h('td', {title: `${names[i]}, ${names[j]}: ${number(value)}`},
                  matrix.length <= kWrittenUpTo ? h('span', {}, number(value, 3)) : '');
            cell.style.background = shade(value, most);
            return cell;
          })));
  const map =
      h('table', {class: matrix.length <= kWrittenUpTo ? 'heat' : 'heat dense'},
        h('caption', {}, 'kg·m², kg·m or kg, by the units of the joints'), h('tbody', {}, ...rows));
  map.style.setProperty('--cell', `${Math.min(Math.max(Math.floor(480 / matrix.length), 7), 22)}px`);
  return h('div', {class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Mass matrix'}, map, readout);
}
