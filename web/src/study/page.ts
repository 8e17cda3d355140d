/** A study: how far it is, all its points, what matters, and what was not solved. */
import {h, section, table} from '../dom';
import {number} from '../format';
import {footer, topBar} from '../frame';
import type {StudyPayload} from '../payload';
import {statusBadge} from '../report/header';
import {Signal} from '../signal';
import {sensitivitySection} from './bars';
import {type Brushes, reportOf, type Row, StudyData} from './data';
import {fanSection} from './fan';
import {follow, isServed, restore} from './follow';
import {parallelSection} from './parallel';
import {scatterSection} from './scatter';

function timeText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function tiles({done, points, solved, remaining, sample}: StudyPayload): HTMLElement {
  const tile = (title: string, value: string) => h('div', {class: 'tile'}, h('dt', {}, title), h('dd', {}, value));
  return h(
      'dl', {class: 'tiles'}, tile('Points', done < points ? `${done} of ${points}` : String(points)),
      tile('With a solution', String(solved)), tile('Sample', sample),
      remaining === null ? null : tile('Remaining', timeText(remaining)));
}

/** Where to see the motion of a point: kept, or computed again. */
function motionOf({motions}: StudyPayload, row: Row): HTMLElement|string {
  if (!motions || !row.success) return '';
  const link = (words: string) => h('p', {}, h('a', {href: reportOf(row.point)}, words));
  if (row.kept) return link(`Motion of point ${row.point}`);
  if (isServed) return link(`Motion of point ${row.point} (is computed again)`);
  return h(
      'p', {class: 'quiet'}, 'Its motion was not kept; ', h('code', {}, 'verne view'), ' of this folder shows it, and ',
      h('code', {}, `verne study DIR --point ${row.point}`), ' computes it again.');
}

/** The point that was clicked on: its numbers and its motion. */
function chosenSection(data: StudyData, chosen: Signal<Row|null>): HTMLElement {
  const place = h('div', {role: 'status'});
  chosen.watch((row) => {
    if (!row) return place.replaceChildren(h('p', {class: 'quiet'}, 'Click on a point or a line.'));
    place.replaceChildren(
        h('p', {class: 'lead'}, `Point ${row.point} `, statusBadge(row.status)), motionOf(data.payload, row),
        table(`Point ${row.point}`, [{title: 'name'}, {title: 'value', numeric: true}],
              data.axes.map((name, k) => [name, number(row.values[k], 6)])));
  });
  return section('chosen', 'One point', place);
}

function failureSection({failures}: StudyPayload): HTMLElement|null {
  if (failures.length === 0) return null;
  const rows = failures.map(({status, count, point, reason}) => [statusBadge(status), String(count), String(point), reason]);
  return section(
      'failures', 'Points without a solution',
      table('By what became of them', [
        {title: 'status'}, {title: 'points', numeric: true}, {title: 'as point', numeric: true},
        {title: 'reason', words: true}
      ], rows));
}

function keptSection(data: StudyData): HTMLElement|null {
  const kept = data.solved.filter(({kept}) => kept), cost = data.axes.indexOf('cost');
  if (kept.length === 0) return null;
  if (cost >= 0) kept.sort((a, b) => (a.values[cost] ?? Infinity) - (b.values[cost] ?? Infinity));
  const columns = [{title: 'point'}, ...data.axes.map((title) => ({title, numeric: true}))];
  return section(
      'kept', cost >= 0 ? 'The best' : 'Kept motions',
      table('Kept motions', columns, kept.map((row) => [
        h('a', {href: reportOf(row.point)}, String(row.point)), ...row.values.map((value) => number(value))
      ])));
}

export function studyPage(payload: StudyPayload): {element: HTMLElement; title: string; start: () => void} {
  const data = new StudyData(payload);
  const brushes = new Signal<Brushes>(new Map()), chosen = new Signal<Row|null>(null);
  const thin = payload.rows.length < payload.done ?
      h('p', {class: 'note'}, `This page shows ${payload.rows.length} of ${payload.done} points; table.csv has all.`) :
      null;
  const parts = data.solved.length === 0 ? [] : [
    parallelSection(data, brushes, chosen),
    h('div', {class: 'front-parts'}, scatterSection(data, brushes, chosen),
      payload.curves.length > 0 ? fanSection(data, brushes, chosen) : null, chosenSection(data, chosen)),
  ];
  const said = h('div', {role: 'status'});
  const element = h(
      'div', {class: 'report study'}, topBar(payload.name), h('div', {class: 'summary'}, tiles(payload), said, thin), ...parts,
      payload.sensitivity ? sensitivitySection(payload.sensitivity) : null, failureSection(payload), keptSection(data),
      footer(payload.program));
  const start = () => {
    restore(data, brushes, chosen);
    follow(payload, brushes, chosen, said);
  };
  return {element, title: `${payload.name} – study`, start};
}
