/** From solutions to curves: which numbers belong into which plot. */
import type {Limit, Phase, Rows, Solution} from '../solution';

/** A limit of a curve and the times between which it holds. */
export interface Bounds {
  lower: number|null;
  upper: number|null;
  active: [number, number][];
  from: number;
  to: number;
}

export interface Curve {
  name: string;
  /** Of the solution, where several are compared. */
  of?: string;
  /** The joint that it belongs to: both light up together. */
  joint?: string;
  /** What the column of motion.csv with the same quantity is called. */
  key?: string;
  time: readonly number[];
  values: readonly(number|null)[];
  /** Index into the palette, and into the dashes. */
  colour: number;
  dash: number;
  limits?: Bounds[];
}

/** Something measured that curves are compared with. */
export interface Band {
  name: string;
  time: readonly number[];
  middle: readonly(number|null)[];
  /** How wide it is to either side; none: a line. */
  half?: readonly(number|null)[];
}

export interface ChartData {
  id: string;
  title: string;
  unit: string;
  xLabel: string;
  logarithmic?: boolean;
  /** Time on the horizontal axis: the plot shows and sets the time of the page. */
  timed: boolean;
  curves: Curve[];
  /** Another unit in which the same curves are measured, and how much of the first one it is. */
  second?: {unit: string; size: number};
  /** Whose borders are marked. */
  phases?: Phase[];
  /** Drawn behind the curves. */
  bands?: Band[];
  /** Curves that stay where they are at all times are joints that are held. */
  foldsHeld?: boolean;
  /** One of many in a grid. */
  small?: boolean;
}

/** What a curve is called where its solution is not told otherwise. */
export function fullName({name, of}: Curve): string { return of === undefined ? name : `${name} · ${of}`; }

type SeriesKey = 'q'|'v'|'a'|'tau';

const kQuantities: {key: SeriesKey; id: string; title: [string, string]; per: string; limit: string}[] = [
  {key: 'q', id: 'positions', title: ['Joint angles', 'Joint positions'], per: '', limit: 'position'},
  {key: 'v', id: 'velocities', title: ['Joint velocities', 'Joint velocities'], per: '/s', limit: 'velocity'},
  {
    key: 'a',
    id: 'accelerations',
    title: ['Joint accelerations', 'Joint accelerations'],
    per: '/s²',
    limit: 'acceleration'
  },
  {key: 'tau', id: 'torques', title: ['Joint torques', 'Actuator forces'], per: '', limit: 'effort'},
];

export const kAxes = ['x', 'y', 'z'];

/** A solution and its place in a comparison. */
export interface Shown {
  solution: Solution;
  index: number;
}

export function column(rows: Rows, i: number): (number|null)[] { return rows.map((row) => row[i] ?? null); }

function norms(rows: Rows, from: number): (number|null)[] {
  return rows.map((row) => {
    const part = row.slice(from, from + 3);
    return part.every((x) => typeof x === 'number') ? Math.hypot(...(part as number[])) : null;
  });
}

function limitsOf(solution: Solution, kind: string, ...names: string[]): Limit[] {
  return solution.limits.filter((limit) => limit.kind === kind && names.includes(limit.of));
}

/** The same with the times between which each holds. */
function boundsOf(solution: Solution, kind: string, ...names: string[]): Bounds[] {
  return limitsOf(solution, kind, ...names).map(({lower, upper, active = [], phase}) => {
    const stretch = solution.phases.find(({name}) => name === phase);
    return {lower, upper, active, from: stretch?.start ?? -Infinity, to: stretch?.end ?? Infinity};
  });
}

/** Names, colours and dashes: one solution tells its curves apart by both, several use dashes for the solution. */
export class Styler {
  constructor(private readonly shown: Shown[]) {}

  style(name: string, place: number, which: number) {
    const many = this.shown.length > 1;
    return {name, of: many ? this.shown[which].solution.label : undefined, colour: place, dash: many ? which : place};
  }
}

/** Coordinates by name over all solutions, in the order of the first that has them. */
export function coordinateNames(solutions: Solution[]): string[] {
  return [...new Set(solutions.flatMap((solution) => solution.coordinates.map((c) => c.name)))];
}

const kAtRest = 1e-9, kStill = 1e-9;  // a velocity; a factor that puts any that moves first

/** The coordinates to begin with: all when they are few, else those that move and work hardest. */
export function defaultCoordinates(solutions: Solution[], count = 6): string[] {
  const names = coordinateNames(solutions);
  if (names.length <= 8) return names;
  const effort = new Map<string, number>();
  for (const solution of solutions) {
    solution.coordinates.forEach((c, i) => {
      const uses = limitsOf(solution, 'effort', c.name, c.joint).map(({utilisation}) => utilisation ?? 0);
      const use = uses.length > 0 ? Math.max(...uses) : undefined;
      const range = Math.max(0, ...column(solution.tau ?? [], i).map((x) => Math.abs(x ?? 0)));
      const moves = column(solution.v ?? [], i).some((x) => Math.abs(x ?? 0) > kAtRest);
      effort.set(c.name, Math.max(effort.get(c.name) ?? 0, (moves ? 1 : kStill) * (use ?? range * 1e-9)));
    });
  }
  const hardest = [...names].sort((a, b) => (effort.get(b) ?? 0) - (effort.get(a) ?? 0)).slice(0, count);
  return names.filter((name) => hardest.includes(name));
}

function motionCharts(shown: Shown[], wanted: string[], styler: Styler): ChartData[] {
  const charts: ChartData[] = [];
  for (const quantity of kQuantities) {
    const isEffort = quantity.key === 'tau';
    const byUnit = new Map<string, ChartData>();
    wanted.forEach((name, place) => shown.forEach(({solution}, which) => {
      const i = solution.coordinates.findIndex((c) => c.name === name), rows = solution[quantity.key];
      // Positions on a manifold (quaternions) are not one per coordinate: the picture shows them.
      if (i < 0 || !rows || (rows[0] ?? []).length !== solution.coordinates.length) return;
      const c = solution.coordinates[i];
      const unit = isEffort ? c.effort_unit : c.unit + quantity.per;
      const turns = isEffort ? unit.includes('·') : c.unit === 'rad';
      if (!byUnit.has(unit)) {
        const id = turns ? quantity.id : `${quantity.id}-linear`;
        const title = quantity.title[turns ? 0 : 1], foldsHeld = quantity.key === 'q';
        byUnit.set(unit, {id, title, unit, xLabel: 'time (s)', timed: true, foldsHeld, curves: []});
      }
      const own = quantity.key === 'q' ? c.position_name ?? name : name;
      byUnit.get(unit)!.curves.push({
        ...styler.style(own, place, which),
        joint: c.joint,
        key: `${quantity.key}.${own}`,
        time: solution.time,
        values: column(rows, i),
        limits: boundsOf(solution, quantity.limit, name, own, c.joint),
      });
    }));
    charts.push(...byUnit.values());
  }
  return charts;
}

/** Said of curves that the motion does not tell: of all wrenches that are possible the least is given. */
const kNotTold = ' (least)';

/** `half`: 0 of the force, 1 of the moment. */
function isTold(solution: Solution, joint: string, half: number, axes = kAxes): boolean {
  return !axes.some((axis) => solution.undetermined[joint]?.includes('fm'[half] + axis));
}

/** Whether curves are marked so. */
export function someNotTold(shown: Shown[], joint: string): boolean {
  return shown.some(({solution}) => [0, 1].some((half) => !isTold(solution, joint, half)));
}

function forceCharts(shown: Shown[], wanted: string[], styler: Styler): ChartData[] {
  const force: ChartData = {
    id: 'joint-forces',
    title: 'Internal joint forces, norm',
    unit: 'N',
    xLabel: 'time (s)',
    timed: true,
    curves: []
  };
  const moment:
      ChartData = {...force, id: 'joint-moments', title: 'Internal joint moments, norm', unit: 'N·m', curves: []};
  const joints = [...new Set(
      shown.flatMap(({solution}) => solution.coordinates.filter((c) => wanted.includes(c.name)).map((c) => c.joint)))];
  joints.forEach((joint, place) => shown.forEach(({solution}, which) => {
    const rows = solution.joint_wrenches[joint];
    if (!rows) return;
    const curve = (half: number) => ({
      ...styler.style(isTold(solution, joint, half) ? joint : joint + kNotTold, place, which),
      joint,
      time: solution.time,
      values: norms(rows, 3 * half),
    });
    force.curves.push({...curve(0), limits: boundsOf(solution, 'joint_force', joint)});
    moment.curves.push(curve(1));
  }));
  return [force, moment];
}

/** The six components of one joint's wrench, in the axes of the child-side joint frame. */
export function wrenchCharts(shown: Shown[], joint: string): ChartData[] {
  const styler = new Styler(shown);
  return ['Force', 'Moment'].map(
      (word, half) => ({
        id: half === 0 ? 'wrench-force' : 'wrench-moment',
        title: `${word} in ${joint}`,
        unit: half === 0 ? 'N' : 'N·m',
        xLabel: 'time (s)',
        timed: true,
        phases: phasesOf(shown),
        curves: kAxes.flatMap((axis, i) => shown.flatMap(({solution}, which) => {
          const rows = solution.joint_wrenches[joint];
          const name = isTold(solution, joint, half, [axis]) ? axis : axis + kNotTold;
          const key = `${'fm'[half]}${axis}.${joint}`;
          return rows ?
              [{...styler.style(name, i, which), joint, key, time: solution.time, values: column(rows, 3 * half + i)}] :
              [];
        })),
      }));
}

function energyCharts(shown: Shown[], styler: Styler): ChartData[] {
  const chart = (id: string, title: string, unit: string, keys: string[]): ChartData => ({
    id,
    title,
    unit,
    xLabel: 'time (s)',
    timed: true,
    curves: keys.flatMap((key, place) => shown.flatMap(({solution}, which) => {
      const values = solution.energy[key];
      return values?.length === solution.time.length ?
          [{...styler.style(key, place, which), time: solution.time, values}] :
          [];
    })),
  });
  return [
    chart('energy', 'Energy', 'J', ['kinetic', 'potential']), chart('power', 'Power of the actuators', 'W', ['power'])
  ];
}

/** A plot for each name of the quantity's plots, all the same in size. */
export function smallCharts(charts: ChartData[], id: string): ChartData[] {
  return charts.filter((chart) => chart.id === id || chart.id === `${id}-linear`).flatMap((chart) => {
    const names = [...new Set(chart.curves.map(({name}) => name))];
    return names.map(
        (name, i) => ({
          ...chart,
          id: `${chart.id}-${i}`,
          title: name,
          small: true,
          curves: chart.curves.filter((curve) => curve.name === name).map((curve) => ({...curve, colour: 0})),
        }));
  });
}

/** Every plot over time that has at least one curve. */
export function chartsOf(shown: Shown[], wanted: string[]): ChartData[] {
  const styler = new Styler(shown);
  const charts =
      [...motionCharts(shown, wanted, styler), ...forceCharts(shown, wanted, styler), ...energyCharts(shown, styler)];
  return charts.filter((chart) => chart.curves.length > 0).map((chart) => ({...chart, phases: phasesOf(shown)}));
}

/** The phases of the only solution; those of several would cross each other. */
export function phasesOf(shown: Shown[]): Phase[] { return shown.length === 1 ? shown[0].solution.phases : []; }

/** Residuals below this are rounding errors, and are drawn at it. */
const kSmallestResidual = 1e-16;

/** How the solver came to its end; iterations are counted through all rounds of refinement. */
export function convergenceCharts(shown: Shown[]): ChartData[] {
  const styler = new Styler(shown);
  type Key = 'cost'|'infeasibility'|'optimality';
  const chart = (id: string, title: string, logarithmic: boolean, keys: Key[]): ChartData => ({
    id,
    title,
    unit: '',
    xLabel: 'iteration',
    timed: false,
    logarithmic,
    curves: keys.flatMap((key, place) => shown.flatMap(({solution}, which) => {
      if (solution.convergence.length === 0) return [];
      const values = solution.convergence.map((row) => row[key]);
      return [{
        ...styler.style(key, place, which),
        time: values.map((_, k) => k),
        values: logarithmic ? values.map((v) => (v === null ? null : Math.max(v, kSmallestResidual))) : values,
      }];
    })),
  });
  return [
    chart('residuals', 'Residuals', true, ['infeasibility', 'optimality']),
    chart('cost-history', 'Cost', false, ['cost']),
  ].filter((data) => data.curves.length > 0);
}
