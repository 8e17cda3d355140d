import {foldedTable, h} from '../dom';
import {interval, kMissing, number} from '../format';
import type {Solution} from '../solution';

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
};

/** More would push the motion off the screen. */
const kReasonsAtFirst = 6;

export function statusBadge(status: string): HTMLElement {
  const [mark, words, grade] = kStatus[status] ?? ['?', status, 'fair'];
  return h('span', {class: `badge ${grade}`}, h('span', {'aria-hidden': 'true'}, mark), ` ${words}`);
}

function tile(title: string, value: string, unit = '', hint = ''): HTMLElement {
  const number = h('dd', {}, value, unit && value !== kMissing ? h('small', {}, ` ${unit}`) : null);
  return h('div', {class: 'tile', title: hint || undefined}, h('dt', {}, title), number);
}

/** A negative excess is room to the nearest limit. */
export function excess(value: number|null|undefined): string {
  return typeof value === 'number' && value <= 0 ? 'none' : number(value, 2);
}

function tiles(solution: Solution): HTMLElement {
  const check = solution.verification ?? {};
  return h(
      'dl', {class: 'tiles'}, tile('Duration', number(solution.duration, 6), 's'),
      tile('Cost', number(solution.cost, 6)),
      tile('Iterations', solution.iterations === undefined ? kMissing : String(solution.iterations)),
      tile('Limit excess', excess(check.limit_excess), '', 'largest excess over a limit, relative to the limit'),
      tile('Simulation drift', number(check.simulation_drift, 2), '', 'forward simulation restarted at each knot span'),
      tile(
          'KKT residual', number(check.kkt_residual, 2), '',
          'how far the first-order conditions of optimality are from being met'));
}

function phaseList(solution: Solution): HTMLElement|null {
  if (solution.phases.length === 0) return null;
  const words = solution.phases.map(({name, start, end}) => `${name} ${interval(start, end)} s`);
  return h('p', {class: 'phase-list'}, h('span', {class: 'quiet'}, 'Phases: '), words.join(', '));
}

function copyable(command: string): HTMLElement {
  const button = h('button', {type: 'button', class: 'small'}, 'Copy');
  button.addEventListener('click', () => {
    void navigator.clipboard?.writeText(command).then(() => (button.textContent = 'Copied'));
  });
  return h('p', {class: 'command'}, h('span', {class: 'quiet'}, 'Reproduce with '), h('code', {}, command), button);
}

/** The reasons why a task is not solved, which come before everything else. */
function violationTable(solution: Solution): HTMLElement|null {
  if (solution.violations.length === 0) return null;
  const rows = solution.violations.map((v) => [v.constraint, number(v.value, 6), number(v.bound, 6)]);
  return foldedTable(
      'What could not be met, worst first',
      [{title: 'constraint'}, {title: 'value', numeric: true}, {title: 'bound', numeric: true}], rows, kReasonsAtFirst);
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
      task.description ? h('p', {}, task.description) : null,
      solution.message && solution.status !== 'solved' ? h('p', {class: 'note', role: 'note'}, solution.message) : null,
      violationTable(solution), tiles(solution), phaseList(solution), gaps,
      solution.command ? copyable(solution.command) : null);
}
