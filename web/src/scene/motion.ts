import {Matrix4, Quaternion, Vector3} from 'three';
import type {Model, Rows, Solution} from '../solution';

const kUnit = new Vector3(1, 1, 1);

/** Frame k and the way to the next one, for a time. */
export interface Instant {
  frame: number;
  fraction: number;
}

/** Where every link is at any time: what the solution says at its frames, and in between on the shortest way. */
export class Motion {
  private readonly poses = new Map<string, Float64Array>();
  private readonly p = [new Vector3(), new Vector3()];
  private readonly r = [new Quaternion(), new Quaternion()];

  constructor(readonly time: readonly number[], linkPoses: Record<string, Rows>) {
    for (const [link, rows] of Object.entries(linkPoses)) this.set(link, rows);
  }

  static of(solution: Solution): Motion { return new Motion(solution.time, solution.link_poses); }

  /** Replaces the poses of a link; a missing number makes the link invisible in that frame. */
  set(link: string, rows: Rows): void {
    const flat = new Float64Array(7 * this.time.length);
    rows.forEach((row, k) => row.slice(0, 7).forEach((x, i) => (flat[7 * k + i] = x ?? NaN)));
    this.poses.set(link, flat);
  }

  at(time: number): Instant {
    const last = this.time.length - 1;
    if (!(time > this.time[0])) return {frame: 0, fraction: 0};
    if (time >= this.time[last]) return {frame: last, fraction: 0};
    let low = 0, high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time)
        low = middle;
      else
        high = middle;
    }
    return {frame: low, fraction: (time - this.time[low]) / (this.time[high] - this.time[low])};
  }

  timeOf({frame, fraction}: Instant): number {
    const next = Math.min(frame + 1, this.time.length - 1);
    return this.time[frame] + fraction * (this.time[next] - this.time[frame]);
  }

  /** Whether the link has a pose then; writes it to `out`. */
  pose(link: string, {frame, fraction}: Instant, out: Matrix4): boolean {
    const flat = this.poses.get(link);
    if (!flat) return false;
    const next = Math.min(frame + 1, this.time.length - 1);
    [frame, next].forEach((k, i) => {
      this.p[i].fromArray(flat, 7 * k);
      this.r[i].fromArray(flat, 7 * k + 3);
    });
    out.compose(this.p[0].lerp(this.p[1], fraction), this.r[0].slerp(this.r[1], fraction), kUnit);
    return Number.isFinite(out.elements[0]) && Number.isFinite(out.elements[12]);
  }

  position(link: string, instant: Instant, out: Vector3): boolean {
    return this.pose(link, instant, scratch) && (out.setFromMatrixPosition(scratch), true);
  }
}

/** What belongs to a phase is there while that lasts. */
export function isThere({from = -Infinity, until = Infinity}: {from?: number; until?: number}, time: number): boolean {
  return time >= from && time <= until;
}

const scratch = new Matrix4();

/** Numbers of a row between two frames; at a frame, whatever is missing in the next. */
export function interpolated(rows: Rows, {frame, fraction}: Instant): number[] {
  const a = rows[frame], b = fraction > 0 ? rows[frame + 1] : a;
  return a.map((x, i) => (x ?? NaN) + fraction * ((b[i] ?? NaN) - (x ?? NaN)));
}

/** A pose in link axes as files give it: position and quaternion x y z w; both may be missing. */
export function localPose(place: {position?: number[]; rotation?: number[]}): Matrix4 {
  const position = new Vector3().fromArray(place.position ?? [0, 0, 0]);
  return new Matrix4().compose(position, new Quaternion().fromArray(place.rotation ?? [0, 0, 0, 1]).normalize(), kUnit);
}

/** Up is against gravity, or z without it; forward is x, or y where x is up; right = forward × up. */
export interface Axes {
  up: Vector3;
  forward: Vector3;
  right: Vector3;
}

export function axesOf(model: Model): Axes {
  const up = new Vector3().fromArray(model.gravity).negate();
  if (up.lengthSq() === 0) up.set(0, 0, 1);
  up.normalize();
  const forward = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  forward.addScaledVector(up, -forward.dot(up)).normalize();
  return {up, forward, right: new Vector3().crossVectors(forward, up)};
}
