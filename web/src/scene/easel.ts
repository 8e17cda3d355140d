/** Pictures of any size of what a stage shows, drawn at any time, on a canvas of their own. */
import {h} from '../dom';
import {token} from '../palette';
import type {Placed} from './labels';

/** What a stage lends out, until it is given back. */
export interface Lent {
  /** Draws in full quality and returns the canvas, which holds its picture until the next task. */
  draw(time: number, turn: number): HTMLCanvasElement;
  /** Values beside arrows, and names above pictures, in pixels of the picture. */
  words(): Placed[];
  giveBack(): void;
}

export interface EaselSize {
  width: number;
  height: number;
  /** Without the lines of the ground and without background. */
  transparent?: boolean;
  /** With room for a turn of the camera. */
  around?: boolean;
  /** Of words, in pixels. */
  letters?: number;
}

export class Easel {
  readonly canvas: HTMLCanvasElement;
  private readonly pen: CanvasRenderingContext2D;
  private readonly letters: number;

  constructor(private readonly lent: Lent, {width, height, letters}: EaselSize) {
    this.letters = letters ?? Math.max(height / 45, 11);
    this.canvas = h('canvas', {width, height});
    this.pen = this.canvas.getContext('2d')!;
  }

  draw(time: number, turn = 0): void {
    const {width, height} = this.canvas, drawn = this.lent.draw(time, turn);
    this.pen.clearRect(0, 0, width, height);
    this.pen.imageSmoothingQuality = 'high';
    this.pen.drawImage(drawn, 0, 0, width, height);
    for (const words of this.lent.words()) this.write(words);
  }

  close(): void { this.lent.giveBack(); }

  private write({text, left, top, centred}: Placed): void {
    const {pen, letters} = this, pad = 0.3 * letters;
    pen.font = `${centred ? '600 ' : ''}${letters}px system-ui, sans-serif`;
    pen.textBaseline = 'middle';
    const {width} = pen.measureText(text), x = centred ? left - width / 2 : left + pad;
    if (!centred) {
      pen.globalAlpha = 0.85;
      pen.fillStyle = token('panel');
      pen.fillRect(x - pad, top - 0.75 * letters, width + 2 * pad, 1.5 * letters);
      pen.globalAlpha = 1;
    }
    pen.fillStyle = token('ink');
    pen.fillText(text, x, top);
  }
}
