/** A point for each solution of a sweep; choosing one shows it. Where it goes through weights: the Pareto front. */
import {h, section, svg, table} from '../dom';
import {number} from '../format';
import type {Front, FrontRow} from '../payload';
import {padded, rangeOf, SvgAxes} from '../plots/axes';
import type {Signal} from '../signal';
import {statusBadge} from './header';

const kWidth = 640, kHeight = 340, kBox = {
  left: 74,
  right: 620,
  top: 12,
  bottom: 296
};

/** Units of cost terms that have one whatever the joints are; others add up torques and forces, or their squares. */
const kUnits: Record<string, string> = {
  time: 's',
  energy: 'J',
  joint_force: 'N²·s',
};
const kOtherUnits = 'SI units';

interface Axis {
  title: string;
  of: (row: FrontRow) => number | null;
}

/** Whether solutions trade terms of the cost for each other: only then is one no better than another. */
export function isParetoFront(front: Front): boolean {
  const weights = (row: FrontRow) => (row.costs ?? []).map((cost) => cost.weight);
  const first = front.rows[0] ? weights(front.rows[0]) : [];
  return first.length > 1 && front.rows.some((row) => weights(row).some((weight, k) => weight !== first[k]));
}

/** Two terms of a Pareto front against each other; else what each value of the parameter costs. */
export function axesOf(front: Front): [Axis, Axis] {
  const terms = (front.rows[0]?.costs ?? []).map((cost) => cost.term);
  if (!isParetoFront(front)) {
    const cost = terms.length === 1 && terms[0] === 'time' ? 'duration (s)' : 'cost';
    return [{title: front.parameter, of: (row) => row.value}, {title: cost, of: (row) => row.cost}];
  }
  const title = (term: string) => `${term} (${kUnits[term] ?? kOtherUnits})`;
  const axis = (term: string): Axis =>
      ({title: title(term), of: (row) => row.costs?.find((cost) => cost.term === term)?.value ?? null});
  return [axis(terms[0]), axis(terms[1])];
}

/** A row is chosen by the button that its value is. */
function frontTable(front: Front, chosen: Signal<number>): HTMLElement {
  const rows = front.rows.map((row, i) => {
    const label = `Show ${front.parameter} = ${number(row.value)}`;
    const button =
        h('button', {type: 'button', class: 'small', 'aria-label': label, click: () => (chosen.value = i)},
          number(row.value));
    chosen.watch((index) => button.setAttribute('aria-pressed', String(index === i)));
    return [button, number(row.duration, 6), number(row.cost, 6), statusBadge(row.status)];
  });
  return table(
      'Solutions of the sweep',
      [
        {title: front.parameter}, {title: 'duration (s)', numeric: true}, {title: 'cost', numeric: true},
        {title: 'status'}
      ],
      rows);
}

/** A round mark for what was solved and a square one for what was not, chosen by click or Enter. */
function pointMark(label: string, solved: boolean, place: string, choose: () => void): SVGGElement {
  const press = (event: Event) => {
    if (!['Enter', ' '].includes((event as KeyboardEvent).key)) return;
    event.preventDefault();
    event.stopPropagation();
    choose();
  };
  const look = {class: 'point', transform: place, role: 'button', tabindex: 0, 'aria-label': label};
  return svg(
      'g', {...look, click: choose, keydown: press}, svg('title', {}, label), svg('circle', {r: 14, class: 'hit'}),
      solved ? svg('circle', {r: 6}) : svg('rect', {x: -5, y: -5, width: 10, height: 10}));
}

export function frontSection(front: Front, chosen: Signal<number>): HTMLElement {
  const [ax, ay] = axesOf(front), title = isParetoFront(front) ? 'Pareto front' : 'Sweep';
  const axes = new SvgAxes(kBox, padded(rangeOf(front.rows.map(ax.of)), 0.06), rangeOf(front.rows.map(ay.of)));
  const places = front.rows.map((row) => {
    const px = ax.of(row), py = ay.of(row);
    return px === null || py === null ? null : {x: axes.x(px), y: axes.y(py)};
  });
  const points = front.rows.flatMap((row, i) => {
    const place = places[i];
    if (!place) return [];
    const values = `${ax.title} ${number(ax.of(row))}, ${ay.title} ${number(ay.of(row))}`;
    const solved = row.status === 'solved' || row.status === 'acceptable';
    const point = pointMark(
        `${front.parameter} = ${number(row.value)}: ${values}, ${row.status}`, solved,
        `translate(${place.x} ${place.y})`, () => (chosen.value = i));
    chosen.watch((index) => {
      point.classList.toggle('chosen', index === i);
      point.setAttribute('aria-pressed', String(index === i));
    });
    return [point];
  });
  const corners = places.flatMap((place) => (place ? [`${place.x} ${place.y}`] : []));
  const look = {viewBox: `0 0 ${kWidth} ${kHeight}`, class: 'front', role: 'group'};
  const drawing =
      svg('svg', {...look, 'aria-label': `${title} over ${front.parameter}`}, ...axes.elements(ax.title, ay.title),
          svg('path', {class: 'line', d: corners.length > 0 ? `M${corners.join('L')}` : ''}), ...points);
  const readout = h('p', {class: 'quiet', role: 'status'});
  chosen.watch((i) => {
    const value = `${front.parameter} = ${number(front.rows[i]?.value)}`;
    readout.textContent =
        `Shown: ${value} (${i + 1} of ${front.rows.length}). Choose a point or a value to see its motion.`;
  });
  return section(
      'front', title, h('div', {class: 'front-parts'}, h('div', {}, drawing, readout), frontTable(front, chosen)));
}
