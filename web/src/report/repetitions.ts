/** A motion that changes as somebody tires who repeats it: the first one, and those that take its place. */
import type {Front, FrontRow} from '../payload';
import {readSolution} from '../read_solution';
import type {AdaptedMotion, Solution} from '../solution';

/** What is known of the first motion alone. */
const kOfTheFirst = [
  'stride', 'verification', 'limits', 'conflict', 'convergence', 'refinement', 'violations', 'starts', 'work', 'phases',
  'slopes', 'design', 'duration'
];

/** Each as a solution, and as rows to choose from; nothing where the motion stays as it is. */
export function repetitions(first: Solution, raw: unknown, meshes: unknown[]):
    {solutions: Solution[]; front: Front}|null {
  const found = (first.work?.adapted ?? []).filter(({motion}: AdaptedMotion) => motion);
  if (found.length === 0) return null;
  const rest = Object.fromEntries(
      Object.entries(raw as Record<string, unknown>).filter(([key]) => !kOfTheFirst.includes(key)));
  const later = found.map(({from, status, cost, motion}) => {
    const label = `repetition ${from + 1}`;
    const solution = readSolution({...rest, ...motion, status: status ?? 'solved', cost, costs: []}, label, meshes);
    return {...solution, work: {...first.work!, lift: undefined, scores: [], zones: [], assumed: []}};
  });
  const solutions = [first, ...later];
  const rows = solutions.map((solution, i): FrontRow => ({
                               value: i === 0 ? 1 : found[i - 1].from + 1,
                               duration: solution.time[solution.time.length - 1],
                               cost: solution.cost ?? null,
                               status: solution.status,
                               folder: '',
                             }));
  return {solutions, front: {parameter: 'repetition', title: 'Repetitions', rows}};
}
