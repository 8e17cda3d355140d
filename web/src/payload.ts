/** What the program put into the page: base64 of gzip of JSON. */

/** Something is wrong with the data; the text is meant for the reader of the page. */
export class DataError extends Error {}

export interface FrontRow {
  value: number;
  duration: number|null;
  cost: number|null;
  status: string;
  folder: string;
  costs?: {term: string; weight: number; value: number}[];
}

export interface Front {
  parameter: string;
  /** What the rows are, where they are no sweep. */
  title?: string;
  rows: FrontRow[];
}

/** How like a curve of a solution is to a measured one. */
export interface Likeness {
  name: string;
  of: string;
  unit: string;
  r: number|null;
  rmse: number|null;
  /** The same after the means are taken off. */
  rmse_offset: number|null;
}

/** Curves that were measured over the gait cycle. */
export interface Measured {
  file: string;
  percent: number[];
  /** `of` is the curve of a stride that each measures. */
  curves: {name: string; of: string; mean: (number | null)[]; sd?: (number | null)[]}[];
  /** A list for each solution. */
  likeness: Likeness[][];
}

export interface ReportPayload {
  kind: 'report';
  program: string;
  /** As behind # in the address, which goes before. */
  wishes?: string;
  /** `meshes` are keys of the data below, by their numbers in the model. */
  solutions: {label: string; solution: unknown; meshes?: unknown}[];
  meshes?: unknown;
  front?: Front;
  measured?: Measured;
}

/** One slider: an entry of the chart that the server turns into a configuration. */
export interface Slider {
  name: string;
  joint: string;
  unit: string;
  effort_unit: string;
  lower: number|null;
  upper: number|null;
}

/** A posture of the model that has a name: a value for each slider. */
export interface NamedState {
  name: string;
  values: number[];
}

export interface LivePayload {
  kind: 'live';
  program: string;
  model: unknown;
  meshes?: {meshes?: unknown; data?: unknown};
  sliders: Slider[];
  /** First the model's own. */
  states: NamedState[];
  /** Joints and loops of whose wrenches the posture does not tell all. */
  untold: string[];
  /** Joints that nothing can hold still, where the motors of a mechanism cannot. */
  without_motors?: string;
}

/** What parameters matter for which results. */
export interface Sensitivity {
  columns: string[];
  rows: {result: string; parameter: string; values: (number | null)[]}[];
}

/** A quantity over the time of motions: for each line its point, then 101 values. */
export interface StudyCurve {
  name: string;
  unit: string;
  lines: number[][];
}

export interface StudyPayload {
  kind: 'study';
  program: string;
  name: string;
  sample: string;
  points: number;
  done: number;
  solved: number;
  /** It is being computed while this is shown. */
  running: boolean;
  remaining: number|null;
  parameters: string[];
  results: string[];
  statuses: string[];
  /** The point, 1 for success, its status, values of parameters and results. */
  rows: (number|null)[][];
  curves: StudyCurve[];
  /** Whether points have motions, kept or not. */
  motions: boolean;
  kept: number[];
  failures: {status: string; count: number; point: number; reason: string}[];
  sensitivity: Sensitivity|null;
}

export type Payload = ReportPayload|LivePayload|StudyPayload;

async function unzip(bytes: Uint8Array): Promise<string> {
  if (typeof DecompressionStream === 'undefined') {
    throw new DataError(
        'This browser is too old to open the report (it has no DecompressionStream). Any browser since 2023 works.');
  }
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

export async function readPayload(): Promise<Payload> {
  const text = document.getElementById('verne-payload')?.textContent?.trim() ?? '';
  if (text === '' || text.startsWith('@'))
    throw new DataError('This page is a template without data. Make a report with: verne report DIR');
  let payload: unknown;
  try {
    payload = JSON.parse(await unzip(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))));
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError('The data in this file is damaged. Make the report again with: verne report DIR');
  }
  const kind = (payload as {kind?: unknown} | null)?.kind;
  if (kind !== 'report' && kind !== 'live' && kind !== 'study') throw new DataError('The data in this file is of an unknown kind.');
  return payload as Payload;
}
