/** Reads solution files: what the page cannot do without is checked, everything else may be missing. */
import {DataError} from './payload';
import type {
  FootPrint, GroundReaction, Inertial, Link, Model, Obstacle, Payload, Phase, Rows, Solution, Stride, StrideCurve,
  Visual, Work
} from './solution';

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
