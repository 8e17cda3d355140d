import {copyButton, foldedTable, h} from '../dom';
import {interval, kMissing, number} from '../format';
import type {Simulation, Solution} from '../solution';

/** Words and a mark for each status; the mark says it without colour. */
const kStatus: Record<string, [string, string, string]> = {
  solved: ['✓', 'solved', 'good'],
  acceptable: ['✓', 'solved to acceptable accuracy', 'fair'],
  not_verified: ['✗', 'not verified: the motion does not do what was asked for', 'bad'],
  infeasible: ['✗', 'infeasible: no motion can do what was asked for', 'bad'],
  not_found: ['✗', 'no motion was found that does what was asked for', 'bad'],
  iteration_limit: ['!', 'stopped at the iteration limit', 'fair'],
  time_limit: ['!', 'stopped at the time limit', 'fair'],
  interrupted: ['!', 'interrupted', 'fair'],
  simulated: ['✓', 'simulated', 'good'],
  stopped: ['!', 'stopped at a joint limit', 'fair'],
  failed: ['✗', 'failed', 'bad'],
  computed: ['✓', 'computed', 'good'],
  invalid: ['✗', 'its numbers make no sense', 'bad'],
  not_finite: ['✗', 'a result is no finite number', 'bad'],
  crashed: ['✗', 'crashed', 'bad'],
  memory_limit: ['✗', 'needed too much memory', 'bad'],
};

/** More would push the motion off the screen. */
const kReasonsAtFirst = 6;

export function statusBadge(status: string): HTMLElement {
  const [mark, words, grade] = kStatus[status] ?? ['?', status, 'fair'];
  return h('span', {class: `badge ${grade}`}, h('span', {'aria-hidden': 'true'}, mark), ` ${words}`);
}

/** Whether the motion is not what was asked for. */
export function isFailed({status}: Solution): boolean { return kStatus[status]?.[2] === 'bad'; }

function tile(title: string, value: string, unit = '', hint = ''): HTMLElement {
  const number = h('dd', {}, value, unit && value !== kMissing ? h('small', {}, ` ${unit}`) : null);
  return h('div', {class: 'tile', title: hint || undefined}, h('dt', {}, title), number);
}

/** A negative excess is room to the nearest limit. */
export function excess(value: number|null|undefined): string {
  return typeof value === 'number' && value <= 0 ? 'none' : number(value, 2);
}

/** Of a simulation: what it was asked for and how well its invariants hold. */
function simulationTiles(solution: Solution, run: Simulation): HTMLElement[] {
  const {energy_drift: drift, energy_scale: scale, loop_drift: loop} = run,
                                                               cut = solution.duration < run.asked_duration;
  const power = solution.energy.power ?? [], time = solution.time;
  const work = power.length === time.length ?
      power.reduce<number>(
          (sum, p, k) => (k === 0 ? 0 : sum + 0.5 * ((p ?? NaN) + (power[k - 1] ?? NaN)) * (time[k] - time[k - 1])),
          0) :
      null;
  return [
    tile('Duration', number(solution.duration, 6), cut ? `s of ${number(run.asked_duration)} s` : 's'),
    tile('Work of the actuators', number(work, 4), 'J', 'of their power over the motion'),
    tile(
        'Energy drift', number(drift, 2), 'J',
        `what the energy misses of the work; at most ${number(scale)} J were exchanged`),
    ...(loop ? [tile('Loops open by', number(loop, 2), 'm or rad', 'at most, at any time')] : []),
    tile('Tolerance', number(run.tolerance, 2), '', 'of the relative error of a step'),
    ...(run.passages?.length ? [tile(
                                   'Nearly singular', String(run.passages.length), 'times',
                                   run.passages.map((t) => `${number(t)} s`).join(', '))] :
                               []),
  ];
}

function predictionTiles(solution: Solution): HTMLElement[] {
  const check = solution.verification ?? {};
  return [
    tile('Duration', number(solution.duration, 6), 's'),
    tile('Cost', number(solution.cost, 6)),
    tile('Iterations', solution.iterations === undefined ? kMissing : String(solution.iterations)),
    tile('Limit excess', excess(check.limit_excess), '', 'largest excess over a limit, relative to the limit'),
    tile('Simulation drift', number(check.simulation_drift, 2), '', 'forward simulation restarted at each knot span'),
    tile(
        'KKT residual', number(check.kkt_residual, 2), '',
        'how far the first-order conditions of optimality are from being met'),
  ];
}

function tiles(solution: Solution): HTMLElement {
  const {simulation} = solution;
  return h('dl', {class: 'tiles'}, ...(simulation ? simulationTiles(solution, simulation) : predictionTiles(solution)));
}

function phaseList(solution: Solution): HTMLElement|null {
  if (solution.phases.length === 0) return null;
  const words = solution.phases.map(({name, start, end}) => `${name} ${interval(start, end)} s`);
  return h('p', {class: 'phase-list'}, h('span', {class: 'quiet'}, 'Phases: '), words.join(', '));
}

function copyable(command: string): HTMLElement {
  return h(
      'p', {class: 'command'}, h('span', {class: 'quiet'}, 'Reproduce with '), h('code', {}, command),
      copyButton('Copy', () => command));
}

/** The reasons why a task is not solved, which come before everything else. */
function violationTable(solution: Solution): HTMLElement|null {
  if (solution.violations.length === 0) return null;
  const rows = solution.violations.map(({constraint, value, bound, unit = ''}) => {
    const off = value === null || bound === null ? null : Math.abs(value - bound);
    return [constraint, number(value, 6), number(bound, 6), number(off, 3), unit];
  });
  const columns = [
    {title: 'constraint'}, {title: 'value', numeric: true}, {title: 'bound', numeric: true},
    {title: 'off by', numeric: true}, {title: 'unit'}
  ];
  const caption = 'What could not be met, worst first' + (solution.conflict ? ': of the motion shown here' : '');
  return foldedTable(caption, columns, rows, kReasonsAtFirst);
}

/** What cannot be had together, and how near one comes; that nearest motion is another than the one shown. */
function reason(solution: Solution): HTMLElement|null {
  const {conflict, message, status} = solution;
  if (!conflict || conflict.parts.length === 0)
    return message && status !== 'solved' ? h('p', {class: 'note', role: 'note'}, message) : null;
  const from = conflict.certain || !conflict.starts ?
      '' :
      `, from ${conflict.starts === 1 ? 'one start' : `${conflict.starts} starts`}`;
  const parts = conflict.parts.join(', ');
  const first =
      conflict.certain ? `These cannot be met together: ${parts}.` : `These were not met together${from}: ${parts}.`;
  const near = conflict.missed ?
      ` The motion that comes nearest misses ${conflict.missed} by ${number(conflict.amount, 3)}${
          conflict.unit ? ` ${conflict.unit}` : ''}; it is another than the one shown here.` :
                          '';
  const proof = conflict.certain ?
      ' No other start can change that.' :
      ' That is no proof: a guess, more starts, more control points or more time may help.';
  return h(
      'p', {class: 'note reason', role: 'note'},
      first + near + (conflict.reason ? ` ${conflict.reason}.` : '') + proof);
}

/** What this is about, in one glance. */
export function summary(solution: Solution): HTMLElement {
  const {task, model} = solution;
  const mass = model.mass === undefined ? '' : `, ${number(model.mass)} kg`;
  const parameters =
      Object.entries(task.parameters ?? {}).map(([name, value]) => `${name} = ${number(value)}`).join(', ');
  const gaps = solution.gaps === 0 ?
      null :
      h('p', {class: 'note', role: 'note'},
        `${solution.gaps} values of this solution are not numbers; curves have gaps there.`);
  return h(
      'div', {class: 'summary'},
      h('p', {class: 'lead'}, statusBadge(solution.status),
        h('span', {},
          `Model ${model.name}, ${solution.coordinates.length} degrees of freedom${mass}${
              parameters ? `; ${parameters}` : ''}`)),
      reason(solution), violationTable(solution), task.description ? h('p', {}, task.description) : null,
      tiles(solution), phaseList(solution), gaps, solution.command ? copyable(solution.command) : null);
}
