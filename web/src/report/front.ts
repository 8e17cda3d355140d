/**
 * A point for each solution of a sweep, over its parameter; choosing one shows it. Where it goes through weights of
 * costs of which one is had for the other: the Pareto front.
 */
import {h, section, svg, table} from '../dom';
import {number} from '../format';
import type {Front, FrontRow} from '../payload';
import {padded, rangeOf, SvgAxes} from '../plots/axes';
import type {Signal} from '../signal';
import type {Solution} from '../solution';
import {statusBadge} from './header';
import {kUnits, resultsOf} from './results';

const kWidth = 640, kHeight = 340, kBox = {
  left: 74,
  right: 620,
  top: 12,
  bottom: 296
};

const kOtherUnits = 'SI units';

export interface Axis {
  title: string;
  of: (row: FrontRow, i: number) => number | null;
}

/**
 * The two ways to look at a sweep: what follows from the parameter, and two costs of which one is had for the other.
 */
export interface SweepView {
  title: string;
  x: Axis;
  y: Axis;
}

function termAxis(term: string): Axis {
  const title = `${term} (${kUnits[term] ?? kOtherUnits})`;
  return {title, of: (row) => row.costs?.find((cost) => cost.term === term)?.value ?? null};
}

/** Terms of the cost whose weights change, of which one falls where the other rises; none where nothing competes. */
export function competing(front: Front): [string, string]|null {
  const weight = (row: FrontRow, k: number) => row.costs?.[k]?.weight;
  const terms = (front.rows[0]?.costs ?? []).map(({term}) => term);
  if (!front.rows.some((row) => terms.some((_, k) => weight(row, k) !== weight(front.rows[0], k)))) return null;
  const values = terms.map((term) => front.rows.map(termAxis(term).of));
  const trade = (a: (number|null)[], b: (number|null)[]) => a.some(
      (x, i) => a.some(
          (other, j) => x !== null && other !== null && x < other && b[i] !== null && b[j] !== null && b[i]! > b[j]!));
  for (let i = 0; i < terms.length; ++i) {
    for (let j = i + 1; j < terms.length; ++j) {
      if (trade(values[i], values[j])) return [terms[i], terms[j]];
    }
  }
  return null;
}

/** What can be seen of a sweep, first what is shown first. */
export function viewsOf(front: Front, solutions: Solution[]): SweepView[] {
  const parameter: Axis = {title: front.parameter, of: (row) => row.value};
  const one = front.rows.every(({costs}) => costs?.length === 1 && costs[0].term === 'time');
  const results =
      resultsOf(solutions).filter(({title}) => !(one && title === 'cost')).map(({title, unit, of}): SweepView => {
        const words = unit ? `${title} (${unit})` : title;
        return {
          title: `${words} over ${front.parameter}`,
          x: parameter,
          y: {title: words, of: (_row, i) => of(solutions[i])}
        };
      });
  const cost = results.findIndex(({y}) => y.title === 'cost');
  if (cost > 0) results.unshift(...results.splice(cost, 1));
  const terms = competing(front);
  return terms ? [{title: 'Pareto front', x: termAxis(terms[0]), y: termAxis(terms[1])}, ...results] : results;
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
      front.title ? 'Motions' : 'Solutions of the sweep',
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

/** One view as a drawing; a click on a point chooses its row. */
function drawingOf({title, x: ax, y: ay}: SweepView, front: Front, chosen: Signal<number>): SVGElement {
  const xs = front.rows.map(ax.of), ys = front.rows.map(ay.of);
  const axes = new SvgAxes(kBox, padded(rangeOf(xs), 0.06), rangeOf(ys));
  const places = xs.map((x, i) => {
    const y = ys[i];
    return x === null || y === null ? null : {x: axes.x(x), y: axes.y(y)};
  });
  const points = front.rows.flatMap((row, i) => {
    const place = places[i];
    if (!place) return [];
    const values = `${ax.title} ${number(xs[i])}, ${ay.title} ${number(ys[i])}`;
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
  return svg(
      'svg', {...look, 'aria-label': title}, ...axes.elements(ax.title, ay.title),
      svg('path', {class: 'line', d: corners.length > 0 ? `M${corners.join('L')}` : ''}), ...points);
}

export function frontSection(front: Front, solutions: Solution[], chosen: Signal<number>): HTMLElement {
  const views = viewsOf(front, solutions), place = h('div', {class: 'sweep-view'});
  const select =
      h('select', {'aria-label': 'What is shown of the sweep', change: () => show()},
        ...views.map(({title}, i) => h('option', {value: i}, title)));
  const show = () => {
    const view = views[Number(select.value)];
    place.replaceChildren(...(view ? [drawingOf(view, front, chosen)] : []));
  };
  show();
  const readout = h('p', {class: 'quiet', role: 'status'});
  chosen.watch((i) => {
    const value = `${front.parameter} = ${number(front.rows[i]?.value)}`;
    readout.textContent =
        `Shown: ${value} (${i + 1} of ${front.rows.length}). Choose a point or a value to see its motion.`;
  });
  const title = front.title ?? (competing(front) ? 'Pareto front' : 'Sweep');
  return section(
      'front', title,
      h('div', {class: 'front-parts'}, h('div', {}, h('p', {}, select), place, readout), frontTable(front, chosen)));
}
