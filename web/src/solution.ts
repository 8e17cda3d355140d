/** The parts of a solution file (`verne-solution/1`, docs/report.md) that the page shows. Unknown keys are ignored. */
import {DataError} from './payload';

export type Rows = (number|null)[][];

export interface Visual {
  type: string;
  position: number[];
  rotation: number[];
  radius?: number;
  length?: number;
  size?: number[];
  /** The number of a mesh of the model, and the factors that it is drawn with. */
  mesh?: number;
  scale?: number[];
  /** Red, green, blue, each 0 to 1. */
  colour?: number[];
}

/** About the centre of mass, in link axes: xx, yy, zz, xy, xz, yz. */
export interface Inertial {
  mass: number;
  com: number[];
  inertia: number[];
}

export interface Link {
  name: string;
  parent: string|null;
  joint: {name: string; type: string; axis?: number[]; position?: number[]; rotation?: number[]};
  visuals: Visual[];
  inertial?: Inertial;
  collisions: Visual[];
}

export interface Model {
  name: string;
  gravity: number[];
  mass?: number;
  links: Link[];
  contacts: {name: string; link: string; position: number[]}[];
  frames: {name: string; link: string; position: number[]; rotation: number[]}[];
  /** By their numbers, as scene/meshes.ts decodes them; nothing for files that were not found. */
  meshes: unknown[];
}

export interface Coordinate {
  name: string;
  /** Of its position, where that has another name than its velocity. */
  position_name?: string;
  joint: string;
  unit: string;
  effort_unit: string;
}

export interface Limit {
  kind: string;
  of: string;
  /** The phase in which it holds, where that is not the whole motion. */
  phase?: string;
  lower: number|null;
  upper: number|null;
  unit: string;
  utilisation: number|null;
  excess?: number|null;
  active?: [number, number][];
  multiplier?: number|null;
}

/** A stretch of the motion with a name. */
export interface Phase {
  name: string;
  start: number;
  end: number;
}

export interface Verification {
  limit_excess?: number|null;
  limit_tolerance?: number|null;
  worst_limit?: {limit: string; time: number; value: number; bound: number};
  certified?: Record<string, boolean|null>;
  simulation_drift?: number|null;
  whole_horizon_drift?: number|null;
  kkt_residual?: number|null;
  constraint_violation?: number|null;
  equation_residual?: number|null;
  frames?: FrameError[];
}

/** How far a frame is from where, or how fast, a task wants it at a time. */
export interface FrameError {
  frame: string;
  time: number;
  position?: number|null;
  angle?: number|null;
  velocity?: number|null;
}

/** What the ground exerts on a support, in world axes. */
export interface GroundReaction {
  force: Rows;
  /** The centre of pressure, at height zero; null while there is no force. */
  centre: Rows;
  /** About the vertical through the centre. */
  moment?: (number|null)[];
}

export interface Obstacle {
  type: string;
  position: number[];
  end?: number[];
  radius?: number;
  size?: number[];
  rotation?: number[];
  /** The distance that is kept from it. */
  margin?: number;
  /** When it is there, where that is not the whole motion. */
  from?: number;
  until?: number;
}

/** A shape that a link carries. */
export interface Payload extends Visual {
  link: string;
  from?: number;
  until?: number;
}

/** Where a support stands on the ground for a while: the hull of what touches it, corner by corner. */
export interface FootPrint {
  support: string;
  start: number;
  end: number;
  corners: number[][];
}

/** A quantity over the gait cycle. */
export interface StrideCurve {
  name: string;
  unit: string;
  values: (number|null)[];
}

/** Two steps, in percent of the gait cycle. */
export interface Stride {
  percent: number[];
  curves: StrideCurve[];
}

/** Scores of the motion as a piece of somebody's work. */
export interface Work {
  scores: {name: string; unit: string; most: number|null; time: number|null; mean: number|null; meaning: string}[];
  lift?: {load: number; distance: number; origin: LiftEnd; destination: LiftEnd};
  zones: {of: string; zone: string; share: number|null}[];
  fatigue?: Fatigue;
  assumed: string[];
}

/** What is left of a person's strength as the motion is repeated. */
export interface Fatigue {
  times: number;
  period: number|null;
  endured: number;
  weakest?: string;
  muscles: {joint: string; direction: string; group: string; capacity: (number|null)[]}[];
}

/** Where the hands are as a lift begins or ends, and what may be lifted there (kg). */
export interface LiftEnd {
  time: number|null;
  horizontal: number|null;
  vertical: number|null;
  asymmetry: number|null;
  recommended_weight: number|null;
  index: number|null;
}

export interface Conflict {
  parts: string[];
  missed?: string;
  amount?: number|null;
  unit?: string;
  certain?: boolean;
  starts?: number;
  reason?: string;
}

export interface Simulation {
  tolerance?: number|null;
  asked_duration: number;
  energy_drift?: number|null;
  energy_scale?: number|null;
  loop_drift?: number|null;
  passages?: number[];
}

export interface Solution {
  label: string;
  generator?: string;
  command?: string;
  task: {name: string; description?: string; parameters?: Record<string, number>; text?: string};
  model: Model;
  status: string;
  message?: string;
  duration: number;
  cost?: number|null;
  costs: {term: string; weight: number; value: number}[];
  iterations?: number;
  verification?: Verification;
  phases: Phase[];
  time: number[];
  coordinates: Coordinate[];
  q?: Rows;
  v?: Rows;
  a?: Rows;
  tau?: Rows;
  joint_wrenches: Record<string, Rows>;
  /** Components (fx … mz) of these that the motion does not tell; the least are given. */
  undetermined: Record<string, string[]>;
  link_poses: Record<string, Rows>;
  com?: Rows;
  energy: Record<string, (number | null)[]>;
  limits: Limit[];
  /** Parameters that were unknowns, and how the cost changes with each parameter. */
  design: {parameter: string; lower: number; upper: number}[];
  slopes: {parameter: string; value: number; slope: number | null; side: string}[];
  /** By the names of the supports. */
  ground_reaction: Record<string, GroundReaction>;
  zmp?: Rows;
  foot_prints: FootPrint[];
  stride?: Stride;
  work?: Work;
  obstacles: Obstacle[];
  payloads: Payload[];
  targets: {position: number[]; label?: string}[];
  convergence: {cost: number|null; infeasibility: number | null; optimality: number | null}[];
  refinement: Record<string, number|string>[];
  /** What could not be met, worst first. */
  violations: {constraint: string; value: number | null; bound: number | null; unit?: string}[];
  /** What cannot be met together, or was not. */
  conflict?: Conflict;
  /** Of what `verne simulate` wrote. */
  simulation?: Simulation;
  starts: {start: number|string; status: string; cost: number | null; duration: number | null}[];
  /** How many numbers are missing (null) in the series over time. */
  gaps: number;
}

const kFormat = 'verne-solution/1';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list<T>(value: unknown): T[] { return Array.isArray(value) ? (value as T[]) : []; }

function record<T>(value: unknown): Record<string, T> { return isRecord(value) ? (value as Record<string, T>) : {}; }

/** Series must have a row per frame; one that has not is left out, as if it were missing. */
function rowsOf(value: unknown, frames: number): Rows|undefined {
  return Array.isArray(value) && value.length === frames && value.every(Array.isArray) ? (value as Rows) : undefined;
}

function rowRecord(value: unknown, frames: number): Record<string, Rows> {
  const kept = Object.entries(record<unknown>(value)).flatMap(([name, rows]) => {
    const good = rowsOf(rows, frames);
    return good ? [[name, good] as const] : [];
  });
  return Object.fromEntries(kept);
}

/** The same for points and forces: rows of x y z. */
function vectorsOf(value: unknown, frames: number): Rows|undefined {
  return rowsOf(value, frames)?.every((row) => row.length === 3) ? (value as Rows) : undefined;
}

function groundReactions(value: unknown, frames: number): Record<string, GroundReaction> {
  const kept = Object.entries(record<unknown>(value)).flatMap(([support, reaction]) => {
    const {force, centre, moment} = record<unknown>(reaction);
    const forces = vectorsOf(force, frames), centres = vectorsOf(centre, frames);
    const moments = list<number|null>(moment).length === frames ? list<number|null>(moment) : undefined;
    return forces && centres ? [[support, {force: forces, centre: centres, moment: moments}] as const] : [];
  });
  return Object.fromEntries(kept);
}

function workOf(value: unknown): Work|undefined {
  if (!isRecord(value)) return undefined;
  return {...value, scores: list(value.scores), zones: list(value.zones), assumed: list(value.assumed)} as Work;
}

function footPrintsOf(value: unknown): FootPrint[] {
  const isPlace = (row: unknown) => Array.isArray(row) && row.length === 3 && row.every(Number.isFinite);
  return list<FootPrint>(value).filter(
      ({corners, start, end}) =>
          list(corners).length > 1 && corners.every(isPlace) && Number.isFinite(start) && Number.isFinite(end));
}

function strideOf(value: unknown): Stride|undefined {
  const percent = list<number>(record<unknown>(value).percent);
  const curves =
      list<StrideCurve>(record<unknown>(value).curves).filter(({values}) => list(values).length === percent.length);
  return percent.length > 1 && curves.length > 0 ? {percent, curves} : undefined;
}

/** The model's weight (N), where its mass is known and there is gravity. */
export function weightOf({mass = 0, gravity}: Model): number|undefined {
  return mass * Math.hypot(...gravity) || undefined;
}

function inertialOf(value: unknown): Inertial|undefined {
  const {mass, com, inertia} = record<unknown>(value);
  const numbers = [mass, ...list(com), ...list(inertia)];
  return numbers.length === 10 && numbers.every(Number.isFinite) ? (value as Inertial) : undefined;
}

/** A shape that is somewhere. */
function isPlaced(value: unknown): boolean {
  const {type, position} = record<unknown>(value);
  return typeof type === 'string' && list(position).length === 3 && list(position).every(Number.isFinite);
}

/** The data that numbers of meshes stand for. */
export function meshTable(keys: unknown, data: unknown): unknown[] {
  const known = record<unknown>(data);
  return list<unknown>(keys).map((key) => (typeof key === 'string' ? known[key] : undefined));
}

export function readModel(value: unknown, where: string, meshes: unknown[] = []): Model {
  if (!isRecord(value) || !Array.isArray(value.links)) throw new DataError(`${where}: the model has no links.`);
  const links =
      value.links.filter(isRecord).map((link): Link => ({
                                         name: String(link.name),
                                         parent: typeof link.parent === 'string' ? link.parent : null,
                                         joint: {name: '', type: 'fixed', ...record(link.joint)} as Link['joint'],
                                         visuals: list<Visual>(link.visuals),
                                         inertial: inertialOf(link.inertial),
                                         collisions: list<Visual>(link.collisions),
                                       }));
  return {
    name: String(value.name ?? ''),
    gravity: list<number>(value.gravity).length === 3 ? list<number>(value.gravity) : [0, 0, 0],
    mass: typeof value.mass === 'number' ? value.mass : undefined,
    links,
    contacts: list(value.contacts),
    frames: list(value.frames),
    meshes,
  };
}

function countGaps(solution: Solution): number {
  const isGap = (x: unknown) => typeof x !== 'number';
  const reactions = Object.values(solution.ground_reaction);
  const series = [
    solution.q, solution.v, solution.a, solution.tau, ...Object.values(solution.joint_wrenches),
    ...reactions.map(({force}) => force)
  ];
  const inRows = series.flatMap((rows) => rows ?? []).reduce((sum, row) => sum + row.filter(isGap).length, 0);
  const columns = [...Object.values(solution.energy), ...reactions.map(({moment}) => moment ?? [])];
  return inRows + columns.reduce((sum, column) => sum + column.filter(isGap).length, 0);
}

function componentsOf(value: unknown): Record<string, string[]> {
  const {joint_wrenches: joints, loop_wrenches: loops} = record(value);
  return Object.fromEntries(
      Object.entries({...record(joints), ...record(loops)}).map(([name, parts]) => [name, list<string>(parts)]));
}

function frameTimes(raw: Record<string, unknown>, where: string): number[] {
  const time = list<unknown>(raw.time);
  if (time.length === 0) throw new DataError(`${where}: the key "time" is missing or empty.`);
  const grows = time.every((t, k) => typeof t === 'number' && (k === 0 || t > (time[k - 1] as number)));
  if (!grows) throw new DataError(`${where}: the entries of "time" must be numbers that grow.`);
  return time as number[];
}

function phasesOf(value: unknown): Phase[] {
  const known = list<unknown>(value).filter(isRecord);
  return known.filter((p) => typeof p.start === 'number' && typeof p.end === 'number')
      .map((p) => ({name: String(p.name ?? ''), start: p.start as number, end: p.end as number}));
}

/** Checks what the page cannot do without; everything else may be missing. */
export function readSolution(raw: unknown, label: string, meshes: unknown[] = []): Solution {
  if (!isRecord(raw)) throw new DataError(`${label}: not a solution.`);
  if (raw.format !== kFormat) {
    throw new DataError(`${label}: the format is ${JSON.stringify(raw.format ?? null)}; this page reads "${kFormat}".`);
  }
  const time = frameTimes(raw, label);
  const solution = {
    ...raw,
    label,
    time,
    model: readModel(raw.model, label, meshes),
    task: {name: label, ...record(raw.task)} as Solution['task'],
    status: String(raw.status ?? 'unknown'),
    duration: typeof raw.duration === 'number' ? raw.duration : time[time.length - 1],
    costs: list(raw.costs),
    phases: phasesOf(raw.phases),
    coordinates: list(raw.coordinates),
    limits: list(raw.limits),
    design: list(raw.design),
    slopes: list(raw.slopes),
    link_poses: rowRecord(raw.link_poses, time.length),
    // Joints that close loops beside those of the tree
    joint_wrenches: {...rowRecord(raw.joint_wrenches, time.length), ...rowRecord(raw.loop_wrenches, time.length)},
    undetermined: componentsOf(raw.undetermined),
    ground_reaction: groundReactions(raw.ground_reaction, time.length),
    zmp: vectorsOf(raw.zmp, time.length),
    foot_prints: footPrintsOf(raw.foot_prints),
    stride: strideOf(raw.stride),
    work: workOf(raw.work),
    energy: record<(number | null)[]>(raw.energy),
    obstacles: list<unknown>(raw.obstacles).filter(isPlaced) as Obstacle[],
    payloads: list<unknown>(raw.payloads).filter(isPlaced) as unknown as Payload[],
    targets: list(raw.targets),
    convergence: list(raw.convergence),
    refinement: list(raw.refinement),
    violations: list(raw.violations),
    starts: list(raw.starts),
    conflict: isRecord(raw.conflict) ? {...raw.conflict, parts: list<unknown>(raw.conflict.parts).map(String)} :
                                       undefined,
    simulation: isRecord(raw.simulation) ? {asked_duration: 0, ...raw.simulation} : undefined,
    gaps: 0,
  } as Solution;
  for (const key of ['q', 'v', 'a', 'tau', 'com'] as const) solution[key] = rowsOf(raw[key], time.length);
  if (Object.keys(solution.link_poses).length === 0)
    throw new DataError(`${label}: the key "link_poses" is missing or has not one row per frame.`);
  solution.gaps = countGaps(solution);
  return solution;
}
