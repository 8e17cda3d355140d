import {Signal} from './signal';

export const kSpeeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

/** A horizontal axis that several plots share: where the pointer is on it, and the part of it that they show. */
export class Domain {
  readonly pointer = new Signal<number|null>(null);
  readonly window = new Signal<[number, number]|null>(null);
}

/** The time that the picture and all plots show. */
export class Clock extends Domain {
  readonly time = new Signal(0);
  readonly playing = new Signal(false);
  readonly speed = new Signal(1);
  readonly duration = new Signal(1);

  /** What the picture shows: the time under the pointer while nothing plays. */
  get shown(): number {
    const pointed = this.playing.value ? null : this.pointer.value;
    return pointed === null ? this.time.value : Math.min(Math.max(pointed, 0), this.duration.value);
  }

  seek(time: number): void { this.time.value = Math.min(Math.max(time, 0), this.duration.value); }

  toggle(): void {
    if (!this.playing.value && this.time.value >= this.duration.value) this.seek(0);
    this.playing.value = !this.playing.value;
  }

  /** The next slower (−1) or faster (1) speed. */
  shiftSpeed(by: number): void {
    const next = kSpeeds.indexOf(this.speed.value) + by;
    if (next >= 0 && next < kSpeeds.length) this.speed.value = kSpeeds[next];
  }

  /** Moves on by the seconds that have passed; starts over at the end. */
  advance(seconds: number): void {
    if (!this.playing.value) return;
    const next = this.time.value + seconds * this.speed.value;
    this.seek(next <= this.duration.value ? next : next % Math.max(this.duration.value, 1e-9));
  }
}
