/** What the program wants of a page that it opened in a browser without a window: a film, or how fast the page is. */
import {type FilmOrder, record} from './film';
import type {Container} from './container';
import {kTurn, type Subject} from './panel';

/** Bytes of one request, which the program limits. */
const kPiece = 1 << 19;
/** Milliseconds between two reports on the way. */
const kPause = 200;

/** The program's end of the line: an address that only it and this page know. */
class Program {
  private told = 0;

  constructor(private readonly key: string) {}

  async post(what: string, body: BodyInit): Promise<void> {
    const answer = await fetch(`api/errand/${this.key}/${what}`, {method: 'POST', body});
    if (!answer.ok) throw new Error(`the program answered ${answer.status}`);
  }

  /** Now and then. */
  progress(done: number, of: number): void {
    if (performance.now() - this.told < kPause) return;
    this.told = performance.now();
    void this.post('progress', JSON.stringify({done, of}));
  }

  async send(file: Blob): Promise<void> {
    for (let at = 0; at < file.size; at += kPiece) await this.post('piece', file.slice(at, at + kPiece));
  }
}

function filmOrder(wishes: URLSearchParams, duration: number): FilmOrder {
  const number = (name: string, otherwise: number) => Number(wishes.get(name) ?? otherwise);
  const seconds = number('seconds', 0), still = duration <= 0;
  return {
    container: wishes.get('container') === 'webm' ? 'webm' : 'mp4' as Container,
    width: number('width', 1280),
    height: number('height', 720),
    fps: number('fps', 30),
    speed: !still && seconds > 0 ? duration / seconds : number('speed', 1),
    turn: still || wishes.has('turn'),
    seconds: seconds > 0 ? seconds : kTurn,
  };
}

async function film(subject: Subject, wishes: URLSearchParams, program: Program): Promise<void> {
  const duration = subject.duration(), order = filmOrder(wishes, duration);
  const {blob, codec, frames} = await record(subject.stage, order, duration, (done, of) => program.progress(done, of));
  await program.send(blob);
  await program.post('done', JSON.stringify({codec: codec.name, frames, fps: order.fps, bytes: blob.size}));
}

function nextFrame(): Promise<number> { return new Promise((resolve) => requestAnimationFrame(resolve)); }

/** Of which the frames are counted. */
const kSeconds = 3;

/** How soon the page shows its picture, and how many it draws in a second while the model moves, 640 × 480 large. */
async function measure({stage, clock, figure}: Subject, program: Program): Promise<void> {
  stage.finishDrawing();
  const first = performance.now();
  Object.assign(stage.element.style, {width: '640px', height: '480px'});
  clock.playing.value = true;
  for (let i = 0; i < 30; ++i) await nextFrame();  // the page finds out how fine it may draw
  const begin = await nextFrame(), before = stage.statistics.frames;
  let now = begin;
  while (now - begin < 1000 * kSeconds) now = await nextFrame();
  stage.finishDrawing();
  const frames = stage.statistics.frames - before, seconds = (performance.now() - begin) / 1000;
  await program.post('done', JSON.stringify({
    first_picture: first / 1000,
    frames_per_second: frames / seconds,
    triangles: figure().triangles,
    lowered: stage.lowered
  }));
}

export async function runErrand(subject: Subject, wishes: URLSearchParams): Promise<void> {
  const program = new Program(wishes.get('key') ?? '');
  try {
    await (wishes.get('errand') === 'measure' ? measure(subject, program) : film(subject, wishes, program));
  } catch (error) {
    await program.post('failed', error instanceof Error ? error.message : String(error)).catch(() => undefined);
  }
}
