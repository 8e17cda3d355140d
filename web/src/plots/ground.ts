/** Plots of what the ground exerts. */
import {type GroundReaction, type Model, type Solution, weightOf} from '../solution';
import {type ChartData, column, kAxes, phasesOf, type Shown, Styler} from './curves';

/** The axis of the world along which gravity acts, where it is one of them. */
function verticalAxis({gravity}: Model): number|undefined {
  const along = [0, 1, 2].filter((i) => gravity[i] !== 0);
  return along.length === 1 ? along[0] : undefined;
}

/** Forces can be read in body weights where all solutions have the same. */
function bodyWeight(solutions: Solution[]): ChartData['second'] {
  const weights = new Set(solutions.map(({model}) => weightOf(model)));
  const [size] = weights;
  return size !== undefined && weights.size === 1 ? {unit: 'body weights', size} : undefined;
}

/** A plot for each component of the force, the vertical one first, and one for the moment; a curve for each support. */
export function groundCharts(shown: Shown[]): ChartData[] {
  const solutions = shown.map(({solution}) => solution), styler = new Styler(shown);
  const supports = [...new Set(solutions.flatMap((solution) => Object.keys(solution.ground_reaction)))];
  type Values = (number|null)[]|undefined;
  const chart = (id: string, title: string, unit: string, values: (reaction: GroundReaction) => Values): ChartData => ({
    id: `ground-${id}`,
    title,
    unit,
    xLabel: 'time (s)',
    timed: true,
    phases: phasesOf(shown),
    curves: supports.flatMap((support, place) => solutions.flatMap(({ground_reaction: reactions, time}, which) => {
      const found = reactions[support] && values(reactions[support]);
      return found ? [{...styler.style(support, place, which), time, values: found}] : [];
    })),
  });
  const vertical = verticalAxis(solutions[0].model);
  const axes = [0, 1, 2].sort((a, b) => Number(b === vertical) - Number(a === vertical));
  return [
    ...axes.map((i) => ({
                  ...chart(
                      kAxes[i], `${i === vertical ? 'Vertical ground' : 'Ground'} force, ${kAxes[i]}`, 'N',
                      ({force}) => column(force, i)),
                  second: bodyWeight(solutions),
                })),
    chart('moment', 'Ground moment', 'N·m', ({moment}) => moment),
  ].filter(({curves}) => curves.length > 0);
}
