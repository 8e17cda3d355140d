/** The Pareto front: a point for each solution of a sweep; choosing one shows it. */
import {h, section, svg, table} from '../dom';
import {number} from '../format';
import type {Front, FrontRow} from '../payload';
import {ticks} from '../plots/ticks';
import type {Signal} from '../signal';
import {statusBadge} from './header';

const kWidth = 640, kHeight = 340, kLeft = 74, kRight = 20, kTop = 16, kBottom = 48;

interface Axis {
  title: string;
  of: (row: FrontRow) => number | null;
}

/** Two terms of the cost against each other where there are two; else duration against cost. */
function axesOf(front: Front): [Axis, Axis] {
  const terms = (front.rows[0]?.costs ?? []).map((cost) => cost.term);
  if (terms.length < 2)
    return [{title: 'duration (s)', of: (row) => row.duration}, {title: 'cost', of: (row) => row.cost}];
  const axis = (term: string): Axis =>
      ({title: term, of: (row) => row.costs?.find((cost) => cost.term === term)?.value ?? null});
  return [axis(terms[0]), axis(terms[1])];
}

function range(values: (number|null)[]): [number, number] {
  const finite = values.filter((v): v is number => v !== null && Number.isFinite(v));
  const low = Math.min(...finite), high = Math.max(...finite), pad = 0.08 * (high - low) || 0.5;
  return finite.length > 0 ? [low - pad, high + pad] : [0, 1];
}

function frontTable(front: Front): HTMLElement {
  const rows = front.rows.map(
      (row) => [number(row.value), number(row.duration, 6), number(row.cost, 6), statusBadge(row.status)]);
  return table(
      'Solutions of the sweep',
      [
        {title: front.parameter}, {title: 'duration (s)', numeric: true}, {title: 'cost', numeric: true},
        {title: 'status'}
      ],
      rows);
}

export function frontSection(front: Front, chosen: Signal<number>): HTMLElement {
  const [ax, ay] = axesOf(front);
  const [x0, x1] = range(front.rows.map(ax.of)), [y0, y1] = range(front.rows.map(ay.of));
  const x = (v: number) => kLeft + ((v - x0) / (x1 - x0)) * (kWidth - kLeft - kRight);
  const y = (v: number) => kTop + (1 - (v - y0) / (y1 - y0)) * (kHeight - kTop - kBottom);
  const bottom = kHeight - kBottom;
  const points = front.rows.flatMap((row, i) => {
    const px = ax.of(row), py = ay.of(row);
    if (px === null || py === null) return [];
    const label = `${front.parameter} = ${number(row.value)}: ${ax.title} ${number(px)}, ${ay.title} ${number(py)}, ${
        row.status}`;
    const solved = row.status === 'solved' || row.status === 'acceptable';
    const mark = solved ? svg('circle', {r: 6}) : svg('rect', {x: -5, y: -5, width: 10, height: 10});
    const point =
        svg('g', {
          class: 'point',
          transform: `translate(${x(px)} ${y(py)})`,
          role: 'button',
          tabindex: 0,
          'aria-label': label,
          click: () => (chosen.value = i),
          keydown: (event) => {
            if (!['Enter', ' '].includes((event as KeyboardEvent).key)) return;
            event.preventDefault();
            event.stopPropagation();
            chosen.value = i;
          }
        },
            svg('title', {}, label), svg('circle', {r: 14, class: 'hit'}), mark);
    chosen.watch((index) => {
      point.classList.toggle('chosen', index === i);
      point.setAttribute('aria-pressed', String(index === i));
    });
    return [point];
  });
  const line = front.rows.filter((row) => ax.of(row) !== null && ay.of(row) !== null)
                   .map((row, i) => `${i ? 'L' : 'M'}${x(ax.of(row)!)} ${y(ay.of(row)!)}`)
                   .join('');
  const drawing = svg(
      'svg', {
        viewBox: `0 0 ${kWidth} ${kHeight}`,
        class: 'front',
        role: 'group',
        'aria-label': `Pareto front over ${front.parameter}`
      },
      ...ticks(x0, x1, 6).flatMap(
          (t) =>
              [svg('line', {class: 'grid', x1: x(t), x2: x(t), y1: kTop, y2: bottom}),
               svg('text', {x: x(t), y: bottom + 17, 'text-anchor': 'middle'}, number(t))]),
      ...ticks(y0, y1, 5).flatMap(
          (t) =>
              [svg('line', {class: 'grid', x1: kLeft, x2: kWidth - kRight, y1: y(t), y2: y(t)}),
               svg('text', {x: kLeft - 7, y: y(t) + 4, 'text-anchor': 'end'}, number(t))]),
      svg('text', {x: (kLeft + kWidth - kRight) / 2, y: kHeight - 8, 'text-anchor': 'middle'}, ax.title),
      svg('text', {transform: `translate(16 ${(kTop + bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle'}, ay.title),
      svg('path', {class: 'line', d: line}), ...points);
  const readout = h('p', {class: 'quiet', role: 'status'});
  chosen.watch(
      (i) =>
          (readout.textContent = `Shown: ${front.parameter} = ${number(front.rows[i]?.value)} (${i + 1} of ${
               front.rows.length}). Choose a point to see its motion.`));
  return section(
      'front', 'Pareto front', h('div', {class: 'front-parts'}, h('div', {}, drawing, readout), frontTable(front)));
}
