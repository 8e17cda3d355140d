/** A film of what the stage shows: frames at exact times, however long each takes to draw. */
import type {Stage} from '../scene/stage';
import {chooseCodec, type Codec, type Container, encoderConfig, muxerOf, type Picture} from './container';

export interface FilmOrder extends Picture {
  container: Container;
  /** Seconds of the motion in a second of the film. */
  speed: number;
  /** Once around the model. */
  turn: boolean;
  /** Length of the film of what stands still. */
  seconds: number;
}

/** Which time of the motion a frame shows, and how far the camera has turned (rad). */
export interface Frame {
  time: number;
  turn: number;
}

export interface Film {
  blob: Blob;
  codec: Codec;
  container: Container;
  frames: number;
}

/**
 * Frame k shows the time k · speed / fps; the last one the end of the motion. A turn around what stands still has no
 * frame at its end, which would be its beginning, so that it can be repeated.
 */
export function framesOf(order: FilmOrder, duration: number): Frame[] {
  if (duration <= 0) {
    const count = Math.max(Math.round(order.seconds * order.fps), 1);
    return Array.from({length: count}, (_, k) => ({time: 0, turn: order.turn ? (2 * Math.PI * k) / count : 0}));
  }
  const last = Math.max(Math.ceil((duration / order.speed) * order.fps - 1e-6), 1);
  return Array.from(
      {length: last + 1},
      (_, k) =>
          ({time: Math.min((k * order.speed) / order.fps, duration), turn: order.turn ? (2 * Math.PI * k) / last : 0}));
}

/** Lets the page do something else; timers of pages in the background would wait for a second. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => (port1.close(), resolve());
    port2.postMessage(null);
  });
}

/** More would fill the memory of slow machines. */
const kMostWaiting = 4;
const kSecondsBetweenKeys = 2;

/** Encodes pictures of a canvas; what goes wrong on the way is thrown by the next call. */
class Recorder {
  private failure: Error|null = null;
  private readonly encoder: VideoEncoder;
  private readonly muxer;

  constructor(container: Container, codec: Codec, private readonly picture: Picture) {
    this.muxer = muxerOf(container, codec, picture);
    this.encoder = new VideoEncoder({
      output: (chunk, meta) => this.muxer.addVideoChunk(chunk, meta),
      error: (error) => (this.failure = error),
    });
    this.encoder.configure(encoderConfig(codec, picture));
  }

  async add(canvas: HTMLCanvasElement, k: number): Promise<void> {
    const at = (n: number) => Math.round((1e6 * n) / this.picture.fps);
    const frame = new VideoFrame(canvas, {timestamp: at(k), duration: at(k + 1) - at(k)});
    this.encoder.encode(frame, {keyFrame: k % (kSecondsBetweenKeys * this.picture.fps) === 0});
    frame.close();
    do {
      await breath();
      if (this.failure) throw this.failure;
    } while (this.encoder.encodeQueueSize > kMostWaiting);
  }

  async finish(): Promise<ArrayBuffer> {
    await this.encoder.flush();
    if (this.failure) throw this.failure;
    return this.muxer.finish();
  }

  close(): void {
    if (this.encoder.state !== 'closed') this.encoder.close();
  }
}

/** `told` is called with the part that is done; `signal` ends the work early. */
export async function record(
    stage: Stage, order: FilmOrder, duration: number, told: (done: number, of: number) => void,
    signal?: AbortSignal): Promise<Film> {
  const codec = await chooseCodec(order.container, order);
  if (!codec) throw new Error('This browser cannot encode films of this size (it needs WebCodecs).');
  const frames = framesOf(order, duration), recorder = new Recorder(order.container, codec, order);
  const easel = stage.easel({width: order.width, height: order.height, around: order.turn});
  try {
    for (const [k, {time, turn}] of frames.entries()) {
      signal?.throwIfAborted();
      easel.draw(time, turn);
      await recorder.add(easel.canvas, k);
      told(k + 1, frames.length);
    }
    const blob = new Blob([await recorder.finish()], {type: `video/${order.container}`});
    return {blob, codec, container: order.container, frames: frames.length};
  } finally {
    recorder.close();
    easel.close();
  }
}
