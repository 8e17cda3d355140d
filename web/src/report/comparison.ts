/** Several solutions beside each other. */
import {breakable, h, table} from '../dom';
import {number} from '../format';
import type {Solution} from '../solution';
import {excess, statusBadge} from './header';
import {resultsOf} from './results';

/** Parameters of the tasks that are not the same in all. */
function differingParameters(solutions: Solution[]): string[] {
  const values = (name: string) => solutions.map(({task}) => task.parameters?.[name]);
  const names = [...new Set(solutions.flatMap(({task}) => Object.keys(task.parameters ?? {})))];
  return names.filter((name) => new Set(values(name)).size > 1);
}

/**
 * What to call solutions beside each other: by their tasks, by the parameters in which they differ where the task is
 * one, by both, and by their folders only where that does not tell them apart.
 */
export function differing(solutions: Solution[]): string[] {
  const distinct = (names: string[]) => new Set(names).size === names.length;
  const tasks = solutions.map(({task}) => task.name);
  if (distinct(tasks)) return tasks;
  const names = differingParameters(solutions);
  const values = solutions.map(
      ({task}) => names.filter((name) => task.parameters?.[name] !== undefined)
                      .map((name) => `${name} = ${number(task.parameters![name])}`)
                      .join(', '));
  const same = new Set(tasks).size === 1;
  const named =
      values.map((text, i) => (same && text !== '' ? text : [tasks[i], text].filter((x) => x !== '').join(', ')));
  return distinct(named) ? named : solutions.map(({label}) => label);
}

/** A number, and how much it is more or less than that of the first solution. */
function compared(value: number|null, first: number|null, digits: number): Node|string {
  const text = number(value, digits);
  if (value === null || first === null || value === first || first === 0) return text;
  const part = (100 * (value - first)) / Math.abs(first), size = Math.abs(part);
  const words = size < 0.05 ? '≈' :
      size > 999            ? `${number(value / first, 2)}×` :
                              `${part > 0 ? '+' : '−'           }${number(size, 2)} %`;
  return h('span', {}, `${text} `, h('span', {class: 'difference'}, words));
}

/** A row for each result, with its difference to the first solution. */
export function comparisonTable(solutions: Solution[]): HTMLElement {
  const parameters = differingParameters(solutions).map(
      (name) => [name, ...solutions.map(({task}) => number(task.parameters?.[name]))]);
  const results = resultsOf(solutions).map(({title, unit, of}) => {
    const first = of(solutions[0]);
    return [
      unit ? `${title} (${unit})` : title,
      ...solutions.map((s, i) => (i === 0 ? number(first, 5) : compared(of(s), first, 5)))
    ];
  });
  const checks: (Node|string)[][] = [
    ['limit excess', ...solutions.map(({verification}) => excess(verification?.limit_excess))],
    ['KKT residual', ...solutions.map(({verification}) => number(verification?.kkt_residual, 2))],
    ['iterations', ...solutions.map(({iterations}) => number(iterations))],
  ];
  const told = checks.filter((row) => row.slice(1).some((cell) => cell !== '–'));
  const rows = [['status', ...solutions.map(({status}) => statusBadge(status))], ...parameters, ...results, ...told];
  const columns =
      [{title: 'solution'}, ...solutions.map(({label}) => ({title: label, numeric: true, node: breakable(label)}))];
  return table('Solutions compared, and their difference to the first', columns, rows);
}
