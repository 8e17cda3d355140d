/** Limits, evidence and comparisons as tables. */
import {foldedTable, h, section, table} from '../dom';
import {interval, kMissing, number, percent} from '../format';
import type {Measured} from '../payload';
import type {Approach, FrameError, Limit, Solution} from '../solution';
import {statusBadge} from './header';

function usageBar(limit: Limit|undefined): Node|string {
  if (!limit || limit.utilisation === null || limit.utilisation === undefined) return kMissing;
  const width = Math.min(Math.max(limit.utilisation, 0), 1) * 100;
  const grade = limit.utilisation > 1 + 1e-3 ? 'over' : limit.utilisation > 0.98 ? 'full' : '';
  const bar = h('span', {class: `bar ${grade}`, 'aria-hidden': 'true'});
  bar.style.setProperty('--part', `${width}%`);
  return h('span', {class: 'usage'}, bar, percent(limit.utilisation));
}

function usageTable(limits: Limit[]): HTMLElement {
  const kinds = [...new Set(limits.map((limit) => limit.kind))];
  const bySubject = new Map<string, Map<string, Limit>>();
  for (const limit of limits) {
    const subject = limit.phase ? `${limit.of}, ${limit.phase}` : limit.of;
    if (!bySubject.has(subject)) bySubject.set(subject, new Map());
    bySubject.get(subject)!.set(limit.kind, limit);
  }
  const most = (row: Map<string, Limit>) => Math.max(...[...row.values()].map((limit) => limit.utilisation ?? 0));
  const rows = [...bySubject]
                   .sort((a, b) => most(b[1]) - most(a[1]))
                   .map(([of, row]) => [of, ...kinds.map((kind) => usageBar(row.get(kind)))]);
  const columns = [{title: 'of'}, ...kinds.map((kind) => ({title: kind.replaceAll('_', ' ')}))];
  return foldedTable('How much of each limit is used', columns, rows);
}

function activeTable(limits: Limit[]): HTMLElement {
  const active = limits.filter((limit) => (limit.active ?? []).length > 0);
  if (active.length === 0) return h('p', {class: 'quiet'}, 'No limit is active.');
  const bound = (b: number|null) => (b === null ? kMissing : number(b));
  const rows = [...active]
                   .sort((a, b) => Math.abs(b.multiplier ?? 0) - Math.abs(a.multiplier ?? 0))
                   .map(
                       (limit) =>
                           [`${limit.kind.replaceAll('_', ' ')} of ${limit.of}${limit.phase ? `, ${limit.phase}` : ''}`,
                            bound(limit.lower),
                            bound(limit.upper),
                            limit.unit,
                            number(limit.multiplier, 3),
                            (limit.active ?? []).map(([from, to]) => interval(from, to)).join(', '),
  ]);
  const columns = [
    {title: 'active limit'}, {title: 'lower', numeric: true}, {title: 'upper', numeric: true}, {title: 'unit'},
    {title: 'multiplier', numeric: true}, {title: 'active during (s)'}
  ];
  return foldedTable('Active limits and their multipliers', columns, rows);
}

export function limitsSection(solution: Solution): HTMLElement|null {
  if (solution.limits.length === 0) return null;
  return section('limits', 'Limits', activeTable(solution.limits), usageTable(solution.limits));
}

type Verdict = 'holds'|'tolerated'|'fails'|'proven'|'not proven';
/** What was measured holds, is passed with a warning or fails; a proof that is missing is no failure. */
const kVerdict: Record<Verdict, [string, string]> = {
  holds: ['✓', 'good'],
  tolerated: ['!', 'fair'],
  fails: ['✗', 'bad'],
  proven: ['✓', 'good'],
  'not proven': ['!', 'fair'],
};

function checkRow(name: string, value: string, verdict: Verdict|null, meaning: string): (Node|string)[] {
  if (!verdict) return [name, value, kMissing, meaning];
  const [mark, grade] = kVerdict[verdict];
  return [name, value, h('span', {class: `badge ${grade}`}, `${mark} ${verdict}`), meaning];
}

/** The same as what the status of the solution says of it. */
function verdictOfLimits(solution: Solution): Verdict|null {
  const {limit_excess: excess, limit_tolerance: tolerance} = solution.verification ?? {};
  if (typeof excess !== 'number' || typeof tolerance !== 'number') return null;
  if (excess <= tolerance) return 'holds';
  return solution.status === 'acceptable' ? 'tolerated' : 'fails';
}

/** More would push what follows off the screen. */
const kFramesAtFirst = 8, kApproachesAtFirst = 5;

/** Frames that were asked for somewhere, those that are farthest from there first. */
function frameTable(frames: FrameError[]): HTMLElement|null {
  if (frames.length === 0) return null;
  const off = ({position, angle, velocity}: FrameError) => Math.max(position ?? 0, angle ?? 0, velocity ?? 0);
  const rows =
      [...frames].sort((a, b) => off(b) - off(a)).map((frame) => [frame.frame, number(frame.time), frameError(frame)]);
  return foldedTable(
      'Frames, and how far from what was asked for',
      [{title: 'frame'}, {title: 'time (s)', numeric: true}, {title: 'off by'}], rows, kFramesAtFirst);
}

/** Distance, angle and velocity, whichever were asked for. */
function frameError(frame: FrameError): string {
  const parts = [];
  if (frame.position !== undefined) parts.push(`${number(frame.position, 3)} m`);
  if (frame.angle !== undefined) parts.push(`${number(frame.angle, 3)} rad`);
  if (frame.velocity !== undefined) parts.push(`${number(frame.velocity, 3)} m/s`);
  return parts.join(', ');
}

/** What comes near to what; most of it is far away, and folded. */
function approachTable(approaches: Approach[]): HTMLElement|null {
  if (approaches.length === 0) return null;
  const rows = approaches.map(({a, b, distance, time}) => [a, b, number(distance, 4), number(time, 4)]);
  return foldedTable(
      'Closest approaches',
      [{title: 'of'}, {title: 'and'}, {title: 'distance (m)', numeric: true}, {title: 'time (s)', numeric: true}], rows,
      kApproachesAtFirst);
}

export function verificationSection(solution: Solution): HTMLElement {
  const check = solution.verification;
  if (!check)
    return section(
        'verification', 'Verification', h('p', {class: 'note'}, 'This solution says nothing about its verification.'));
  const worst = check.worst_limit;
  const limits = verdictOfLimits(solution);
  const rows = [
    checkRow(
        'limits between nodes',
        `${number(check.limit_excess, 3)} ${limits === 'holds' ? '≤' : '>'} ${number(check.limit_tolerance, 3)}`,
        limits,
        worst ? `worst: ${worst.limit}, ${number(worst.value, 6)} against ${number(worst.bound, 6)} at ${
                    number(worst.time)} s` :
                'largest relative excess on a dense grid'),
    ...Object.entries(check.certified ?? {})
        .filter(([, holds]) => holds !== null)
        .map(
            ([kind, holds]) => checkRow(
                `${kind.replaceAll('_', ' ')} at every instant`, '', holds ? 'proven' : 'not proven',
                kind === 'clearance' ? 'nothing touches, by bounds on how far shapes move' :
                kind === 'effort' || kind.startsWith('joint_') ? 'by enclosures of inverse dynamics, to the tolerance' :
                                       'by the convex hull of the spline, to the tolerance')),
    ...(check.sampled?.length ? [checkRow(
                                    'sampled between nodes', '', null,
                                    `${check.sampled.map((kind) => kind.replaceAll('_', ' ')).join(', ')}: dense samples, no proof`)] :
                                []),
    ...(check.equation_residual === undefined ? [] :
                                                [checkRow(
                                                    'equations between nodes', number(check.equation_residual, 3), null,
                                                    'of passive joints and held frames, between their nodes')]),
    checkRow(
        'simulation drift', number(check.simulation_drift, 3), null,
        'forward simulation against the motion, restarted at each knot span'),
    checkRow(
        'drift over the whole horizon', number(check.whole_horizon_drift, 3), null,
        'the same without restarts; unstable motions drift'),
    checkRow('KKT residual', number(check.kkt_residual, 3), null, 'first-order conditions of optimality'),
    checkRow('constraint violation', number(check.constraint_violation, 3), null, 'of the discretised problem'),
  ];
  return section(
      'verification', 'Verification',
      table(
          'What was checked after solving',
          [{title: 'check'}, {title: 'value', numeric: true}, {title: 'verdict'}, {title: 'meaning', words: true}],
          rows),
      approachTable(check.approaches ?? []), frameTable(check.frames ?? []));
}

export function costTable(solution: Solution): HTMLElement|null {
  if (solution.costs.length === 0) return null;
  const rows = solution.costs.map(
      (cost) => [cost.term, number(cost.weight), number(cost.value, 6), number(cost.weight * cost.value, 6)]);
  return table(
      'Cost',
      [
        {title: 'term'}, {title: 'weight', numeric: true}, {title: 'value', numeric: true},
        {title: 'contribution', numeric: true}
      ],
      rows);
}

/** Parameters of the task and its model: what they are, and what one more unit of them would add to the cost. */
export function parameterTable({design, slopes}: Solution): HTMLElement|null {
  if (slopes.length === 0) return null;
  const range = (name: string) => design.find(({parameter}) => parameter === name);
  const rows = slopes.map(({parameter, value, slope, side}) => {
    const found = range(parameter);
    const note = side === 'both' ? '' : `${side === 'above' ? 'up' : 'down'}wards alone`;
    return [
      parameter, number(value, 6), found ? `between ${number(found.lower)} and ${number(found.upper)}` : '',
      number(slope, 4), note
    ];
  });
  const columns = [
    {title: 'parameter'}, {title: 'value', numeric: true}, {title: 'designed'}, {title: 'cost per unit', numeric: true},
    {title: 'side'}
  ];
  return foldedTable('Parameters, and slopes of the cost', columns, rows);
}

/** How like the solutions are to what was measured. */
export function likenessTable(measured: Measured, shown: {solution: Solution; index: number}[]): HTMLElement {
  const rows = shown.flatMap(
      ({solution, index}) => (measured.likeness[index] ?? [])
                                 .map(
                                     (one) =>
                                         [one.name, ...(shown.length > 1 ? [solution.label] : []), number(one.r, 3),
                                          number(one.rmse, 3), number(one.rmse_offset, 3), one.unit]));
  const columns = [
    {title: 'curve'}, ...(shown.length > 1 ? [{title: 'solution'}] : []), {title: 'correlation', numeric: true},
    {title: 'RMS difference', numeric: true}, {title: 'without offset', numeric: true}, {title: 'unit'}
  ];
  return foldedTable(`Compared with ${measured.file}`, columns, rows);
}

export function refinementTable(solution: Solution): HTMLElement|null {
  if (solution.refinement.length === 0) return null;
  const keys = ['round', 'what', 'control_points', 'nodes', 'iterations', 'duration', 'cost', 'limit_excess'];
  const present = keys.filter((key) => solution.refinement.some((row) => row[key] !== undefined));
  const cell = (key: string, value: number|string|undefined) =>
      typeof value === 'string' ? value : number(value, key === 'limit_excess' ? 2 : 8);
  const rows = solution.refinement.map((row) => present.map((key) => cell(key, row[key])));
  const columns = present.map((key) => ({title: key.replaceAll('_', ' '), numeric: key !== 'round' && key !== 'what'}));
  return table('Refinement', columns, rows);
}

export function startsTable(solution: Solution): HTMLElement|null {
  if (solution.starts.length === 0) return null;
  const rows = solution.starts.map(
      (start) => [String(start.start), statusBadge(start.status), number(start.cost, 8), number(start.duration, 8)]);
  return table(
      'Starts',
      [{title: 'start'}, {title: 'status'}, {title: 'cost', numeric: true}, {title: 'duration (s)', numeric: true}],
      rows);
}
