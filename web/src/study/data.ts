/** What a page of a study shows, and which of its points are chosen. */
import type {StudyPayload} from '../payload';
import {rangeOf, type Range} from '../plots/axes';

export interface Row {
  point: number;
  status: string;
  success: boolean;
  kept: boolean;
  /** Of the parameters, then of the results. */
  values: (number|null)[];
}

/** Parts of axes that points have to lie in, by the number of the axis. */
export type Brushes = ReadonlyMap<number, Range>;

export class StudyData {
  readonly axes: string[];
  readonly rows: Row[];
  readonly solved: Row[];
  readonly ranges: Range[];

  constructor(readonly payload: StudyPayload) {
    const kept = new Set(payload.kept);
    this.axes = [...payload.parameters, ...payload.results];
    this.rows = payload.rows.map(
        ([point, success, status, ...values]) => ({
          point: point!,
          success: success === 1,
          status: payload.statuses[status!],
          kept: kept.has(point!),
          values,
        }));
    this.solved = this.rows.filter(({success}) => success);
    this.ranges = this.axes.map((_, k) => rangeOf(this.solved.map(({values}) => values[k])));
  }

  /** Whether a point lies in all brushes. */
  static inside(row: Row, brushes: Brushes): boolean {
    for (const [axis, [low, high]] of brushes) {
      const value = row.values[axis];
      if (value === null || value === undefined || value < low || value > high) return false;
    }
    return true;
  }
}

/** Where the report of a kept solution lies, seen from the page. */
export function reportOf(point: number): string { return `points/${String(point).padStart(6, '0')}/report.html`; }
