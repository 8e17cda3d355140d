/**
 * Keeps the picture moving on slow machines: first without shadows, then with fewer pixels, at last without snapshots.
 */

export interface Quality {
  shadows: boolean;
  pixelRatio: number;
  ghosts: boolean;
  /** All triangles of meshes. */
  fine: boolean;
}

/** For pictures that stand still. */
export const kFinest: Quality = {
  shadows: true,
  pixelRatio: 2,
  ghosts: true,
  fine: true
};

const kSteps: Quality[] = [
  kFinest,
  {shadows: true, pixelRatio: 1, ghosts: true, fine: true},
  {shadows: false, pixelRatio: 1, ghosts: true, fine: false},
  {shadows: false, pixelRatio: 0.75, ghosts: true, fine: false},
  {shadows: false, pixelRatio: 0.5, ghosts: true, fine: false},
  {shadows: false, pixelRatio: 0.5, ghosts: false, fine: false},
];
const kSlow = 1 / 45;  // seconds a frame
const kFrames = 10;

/** Steps down when frames come late; never up again, to avoid flicker. */
export class QualityGovernor {
  private step: number;
  private late = 0;
  private seen = 0;

  constructor(softwareRendering: boolean, private readonly apply: (quality: Quality) => void) {
    this.step = softwareRendering ? 2 : 0;
    apply(this.current);
  }

  get current(): Quality {
    const wish = kSteps[this.step];
    return {...wish, pixelRatio: Math.min(wish.pixelRatio, devicePixelRatio)};
  }

  /** How many steps the quality was lowered by. */
  get lowered(): number { return this.step; }

  /** Takes the seconds since the last frame of a picture that moves. */
  frame(seconds: number): void {
    this.seen += 1;
    if (seconds > kSlow) this.late += 1;
    if (this.seen < kFrames) return;
    if (this.late > kFrames / 2 && this.step < kSteps.length - 1) {
      this.step += 1;
      this.apply(this.current);
    }
    this.seen = this.late = 0;
  }
}

/** How the browser draws: on a graphics card, on the processor (too slow for smooth edges), or not at all. */
export function howItDraws(): 'fast'|'slow'|'not' {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return 'not';
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name) ? 'slow' : 'fast';
}
