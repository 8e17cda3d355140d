/** The parts of a solution file (`verne-solution/1`, docs/report.md) that the page shows. Unknown keys are ignored. */

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
  sampled?: string[];
  simulation_drift?: number|null;
  whole_horizon_drift?: number|null;
  kkt_residual?: number|null;
  constraint_violation?: number|null;
  equation_residual?: number|null;
  frames?: FrameError[];
  /** Pairs of links and things that come near each other, the nearest first. */
  approaches?: Approach[];
}

/** The least distance of two things, and when. */
export interface Approach {
  a: string;
  b: string;
  distance: number|null;
  time: number;
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
  /** Of a surface: x y z of each vertex, and three vertices a triangle. */
  vertices?: number[];
  triangles?: number[];
  end?: number[];
  radius?: number;
  /** Of a cylinder, along z. */
  length?: number;
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
  adapted?: AdaptedMotion[];
  assumed: string[];
}

/** A motion in place of the first one after so many repetitions: `motion` has the series of a solution. */
export interface AdaptedMotion {
  from: number;
  found: boolean;
  status?: string;
  cost: number|null;
  compression: number|null;
  trunk_flexion: number|null;
  motion?: Record<string, unknown>;
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

/** The model's weight (N), where its mass is known and there is gravity. */
export function weightOf({mass = 0, gravity}: Model): number|undefined {
  return mass * Math.hypot(...gravity) || undefined;
}
