import {Box3, Raycaster, Vector2, Vector3, WebGLRenderer} from 'three';
import type {Clock} from '../clock';
import {breakable, h} from '../dom';
import {onThemeChange} from '../palette';
import {Signal} from '../signal';
import {type Look, OrbitCamera} from './camera';
import {bestView, type View} from './extent';
import type {Figure, OverlayName} from './figure';
import {Easel, type EaselSize} from './easel';
import {drawFlat} from './flat';
import {type Placed, placedValues, ValueLabels} from './labels';
import type {Colouring} from './paint';
import {howItDraws, kFinest, type Quality, QualityGovernor} from './quality';

/** Pixels of the largest picture that is drawn twice as fine in each direction, so that its edges are smooth. */
const kMostSmooth = 12e6;

/** Milliseconds without change after which a picture is drawn once more, finely; longer than slow motions pause. */
const kRest = 500;

/** Draws figures side by side, through one camera. */
export class Stage {
  readonly element = h('div', {class: 'stage'});
  readonly canvas = h('canvas', {tabindex: 0, role: 'img', 'aria-label': 'Three-dimensional picture of the motion'});
  private readonly labels = h('div', {class: 'stage-labels', 'aria-hidden': 'true'});
  private readonly values = new ValueLabels();
  /** A click, on a link or beside all of them: a new object each time. */
  readonly picked = new Signal<{link: string | null}>({link: null});
  private hidden: ReadonlySet<string> = new Set();
  private chosen: string|null = null;
  private colouring: Colouring = 'links';
  /** Without WebGL, outlines are drawn. */
  private readonly renderer: WebGLRenderer|null;
  private readonly governor: QualityGovernor;
  private camera!: OrbitCamera;
  private figures: Figure[] = [];
  private dirty = true;
  private lastTick = 0;
  private followed = new Vector3();
  private following = false;
  private fine = false;
  /** Lent to an easel: the screen waits. */
  private lent = false;
  private lastChange = 0;
  // Kept, since asking the page in the middle of a picture would make it lay itself out.
  private width = 1;
  private height = 1;
  view: View = 'perspective';
  /** Pictures drawn so far, and the seconds that the last one took after the one before. */
  readonly statistics = {frames: 0, seconds: 0};

  constructor(private readonly clock: Clock) {
    this.element.append(this.canvas, this.labels, this.values.element);
    const drawing = howItDraws();
    this.renderer = drawing === 'not' ? null : new WebGLRenderer({canvas: this.canvas, antialias: drawing === 'fast'});
    if (this.renderer) {
      this.renderer.autoClear = false;
      this.renderer.shadowMap.enabled = true;
    } else {
      this.element.append(
          h('p', {class: 'note no-webgl'}, 'This browser has no WebGL: outlines stand for the picture.'));
    }
    this.governor = new QualityGovernor(drawing !== 'fast', () => this.applyQuality());
    new ResizeObserver(() => this.resize()).observe(this.element);
    clock.time.watch(() => (this.dirty = true));
    clock.pointer.onChange(() => (this.dirty = true));
    onThemeChange(() => (this.dirty = true));
    listenToClicks(this.canvas, (x, y) => (this.picked.value = {link: this.linkAt(x, y)}));
    requestAnimationFrame((now) => this.tick(now));
  }

  /** The time that the picture shows. */
  get time(): number { return this.clock.shown; }

  /** How many steps the quality was lowered by because of slow drawing. */
  get lowered(): number { return this.governor.lowered; }

  /** Shows these figures, from `view` or from where their motion is seen best. */
  setFigures(figures: Figure[], {keepCamera = false, view}: {keepCamera?: boolean; view?: View} = {}): void {
    this.figures = figures;
    this.paint();
    this.labels.replaceChildren(...(
        figures.length > 1 ? figures.map((figure) => h('span', {class: 'label'}, breakable(figure.solution.label))) :
                             []));
    if (!keepCamera || !this.camera) {
      this.camera = new OrbitCamera(this.canvas, figures[0].axes);
      this.camera.controls.addEventListener('change', () => (this.dirty = true));
      const all = figures.reduce((box, figure) => box.union(figure.linkBox), new Box3());
      this.look(view ?? bestView(all, figures[0].axes));
    } else {
      this.refit();
    }
    this.applyQuality();
  }

  /** From a side; `around`: with room for a turn of the camera. */
  look(view: View, around = false): void {
    this.view = view;
    const ground = Math.min(...this.figures.map((figure) => figure.floorHeight()));
    this.camera.show(view, this.box(), this.aspect(), ground, around);
    this.figures[0].focus(this.clock.time.value, this.followed);
    this.dirty = true;
  }

  /** The figures or the room for them have changed: shows all of them again, unless somebody chose what to look at. */
  private refit(around = false): void {
    if (this.camera.untouched) this.look(this.view, around);
  }

  /** Where the camera is. */
  standpoint(): Look { return this.camera.look(); }

  /** Looks from where somebody looked before. */
  lookFrom(look: Look): void {
    this.camera.place(look);
    this.figures[0].focus(this.clock.time.value, this.followed);
    this.dirty = true;
  }

  /** Goes along with the model, of which all is then in sight, or sees its whole way. */
  follow(on: boolean): void {
    this.following = on;
    this.refit();
    this.figures[0].focus(this.clock.time.value, this.followed);
    this.dirty = true;
  }

  show(name: OverlayName, visible: boolean): void {
    for (const figure of this.figures) figure.show(name, visible);
    this.dirty = true;
  }

  /** Links that are not drawn. */
  hide(links: ReadonlySet<string>): void {
    this.hidden = links;
    this.paint();
  }

  /** The links that this joint moves shine. */
  choose(joint: string|null): void {
    this.chosen = joint;
    this.paint();
  }

  colourBy(colouring: Colouring): void {
    this.colouring = colouring;
    this.paint();
  }

  private paint(): void {
    for (const {paint, solution: {model}} of this.figures) {
      const own = model.links.filter(({joint}) => this.chosen !== null && joint.name === this.chosen);
      paint.hide(this.hidden);
      paint.choose(new Set(own.map(({name}) => name)));
      paint.colourBy(this.colouring);
    }
    this.dirty = true;
  }

  /** The link that is seen at a place of the canvas, in parts of its width and height. */
  private linkAt(x: number, y: number): string|null {
    const which = Math.min(Math.floor(x * this.figures.length), this.figures.length - 1), figure = this.figures[which];
    const within = x * this.figures.length - which, ray = new Raycaster();
    for (const body of figure.bodies) body.updateMatrixWorld(true);
    this.camera.camera.updateMatrixWorld();
    ray.setFromCamera(new Vector2(2 * within - 1, 1 - 2 * y), this.camera.camera);
    const hit = ray.intersectObjects(figure.bodies.filter(({visible}) => visible), false)[0];
    return hit ? figure.linkOf(hit.object) : null;
  }

  /** The same poses have changed without the clock. */
  refresh(): void {
    if (this.figures.filter((figure) => figure.outgrown()).length > 0) this.refit();
    this.dirty = true;
  }

  /** Where a point of the world is on the screen, in pixels of the page; for the given figure's part of the picture. */
  screenPosition(world: Vector3, figure = 0): Vector2 {
    if (this.dirty && !this.lent) this.draw();
    this.camera.camera.updateMatrixWorld();
    const p = world.clone().project(this.camera.camera);
    const box = this.canvas.getBoundingClientRect(), width = box.width / this.figures.length;
    return new Vector2(box.left + width * (figure + (p.x + 1) / 2), box.top + (box.height * (1 - p.y)) / 2);
  }

  cameraState() {
    const {camera, controls} = this.camera;
    return {
      position: camera.position.toArray(),
      target: controls.target.toArray(),
      up: camera.up.toArray(),
      fov: camera.fov
    };
  }

  linkPosition(link: string, figure = 0): Vector3|null {
    return this.figures[figure].linkPosition(link, this.clock.shown);
  }

  groundHeight(figure: number): number { return this.figures[figure].floorHeight(); }

  /** Where a link of another solution is that is drawn in the scene of the first. */
  companionPosition(which: number, link: string): number[]|null {
    return this.figures[0].companions?.position(which, link, this.clock.shown) ?? null;
  }

  jointForce(joint: string, figure = 0): Vector3|null {
    return this.figures[figure].jointForce(joint, this.clock.shown);
  }

  /**
   * Pictures of another size, at any time, in full quality. Until the easel is closed the screen shows what it draws.
   * The camera keeps its place if somebody chose it, else all is in sight.
   */
  easel(wish: EaselSize): Easel {
    if (this.lent) throw new Error('Another picture is being made.');
    const home = this.camera.look(), {untouched} = this.camera, {width, height} = wish;
    this.lent = true;
    this.setBackdrop(wish.transparent !== true);
    for (const figure of this.figures) figure.setQuality(kFinest);
    this.setPixels(width, height, width * height <= kMostSmooth ? 2 : 1);
    this.refit(wish.around);
    const base = this.camera.look();
    const draw = (time: number, turn: number) => {
      if (turn !== 0) this.camera.turn(base, turn);
      this.draw(time);
      return this.canvas;
    };
    const giveBack = () => {
      this.lent = false;
      this.setBackdrop(true);
      this.camera.place(home, !untouched);
      this.figures[0].focus(this.clock.time.value, this.followed);
      this.resize();
      this.applyQuality();
    };
    return new Easel({draw, words: () => this.words(), giveBack}, wish);
  }

  /** The canvas with a picture in full quality, which stays until the next task. */
  drawNow(): HTMLCanvasElement {
    if (!this.lent) this.drawFinely();
    return this.canvas;
  }

  /** Waits until what was to be drawn is there. */
  finishDrawing(): void {
    if (this.dirty && !this.lent) this.draw();
    const gl = this.renderer?.getContext();
    gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  /** What stands in the picture, apart from what is drawn. */
  private words(): Placed[] {
    const size: [number, number] = [this.width, this.height], part = this.width / this.figures.length;
    const names = this.figures.length < 2 ?
        [] :
        this.figures.map(
            ({solution}, i) =>
                ({text: solution.label, left: (i + 0.5) * part, top: 0.04 * this.height, centred: true}));
    return [...names, ...placedValues(this.figures, this.camera.camera, size)];
  }

  private setBackdrop(on: boolean): void {
    for (const figure of this.figures) figure.setBackdrop(on);
    this.renderer?.setClearAlpha(on ? 1 : 0);
  }

  /** What is to be in sight: where the model is while the camera goes along, else its whole way. */
  private box(): Box3 {
    const time = this.clock.time.value;
    return this.figures.reduce(
        (all, figure) => all.union(this.following ? figure.boxAt(time) : figure.extent), new Box3());
  }

  private aspect(): number { return this.width / this.figures.length / this.height; }

  private applyQuality(): void {
    if (this.lent) return;
    if (this.governor) this.setQuality(this.governor.current);
    this.fine = false;
    this.dirty = true;
  }

  private setQuality(quality: Quality): void {
    this.renderer?.setPixelRatio(quality.pixelRatio);
    for (const figure of this.figures) figure.setQuality(quality);
  }

  /** As good as it gets: more pixels than the screen has make edges smooth. */
  private drawFinely(): void {
    this.setQuality(kFinest);
    this.draw();
    this.fine = true;
  }

  private resize(): void {
    if (this.lent) return;
    this.setPixels(Math.max(this.element.clientWidth, 1), Math.max(this.element.clientHeight, 1));
    if (this.camera) this.refit();
    this.dirty = true;
  }

  private setPixels(width: number, height: number, ratio = this.renderer?.getPixelRatio()): void {
    [this.width, this.height] = [width, height];
    if (this.renderer && ratio !== undefined) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
    } else {
      [this.canvas.width, this.canvas.height] = [width, height];
    }
  }

  private tick(now: number): void {
    const seconds = Math.min((now - this.lastTick) / 1000, 0.1);
    this.lastTick = now;
    this.clock.advance(seconds);
    if (!this.camera || this.lent) {
      // nothing to show yet, or elsewhere
    } else if (!this.dirty) {
      // A picture that stands still may take its time.
      if (!this.fine && now - this.lastChange > kRest) this.drawFinely();
    } else {
      if (this.fine) this.applyQuality();
      this.draw();
      const moves = now - this.lastChange < kRest;
      this.lastChange = now;
      this.statistics.frames += 1;
      this.statistics.seconds = seconds;
      if (moves) this.governor.frame(seconds);
    }
    requestAnimationFrame((next) => this.tick(next));
  }

  private draw(time = this.clock.shown): void {
    this.dirty = false;
    const {camera} = this.camera;
    if (this.following) {
      const now = this.figures[0].focus(time, new Vector3());
      this.camera.shift(now.clone().sub(this.followed));
      this.followed.copy(now);
    }
    camera.aspect = this.aspect();
    camera.updateProjectionMatrix();
    const width = this.width / this.figures.length, {height} = this;
    const {renderer} = this;
    if (!renderer) return this.drawFlatly(width, time);
    renderer.setScissorTest(true);
    this.figures.forEach((figure, i) => {
      figure.update(time);
      renderer.setViewport(i * width, 0, width, height);
      renderer.setScissor(i * width, 0, width, height);
      renderer.clear();
      renderer.render(figure.scene, camera);
    });
    if (!this.lent) this.values.show(placedValues(this.figures, camera, [this.width, this.height]));
  }

  private drawFlatly(width: number, time: number): void {
    this.figures.forEach((figure, i) => {
      figure.update(time);
      drawFlat(this.canvas, [...figure.bodies], this.camera.camera, [i * width, width]);
    });
  }
}

/** A pointer that moved by less, in pixels, has not turned the camera. */
const kClick = 4;

/** Calls back with places in parts of the canvas's width and height. */
function listenToClicks(canvas: HTMLCanvasElement, act: (x: number, y: number) => void): void {
  let begin: [number, number]|null = null;
  canvas.addEventListener(
      'pointerdown', (event) => (begin = event.button === 0 ? [event.clientX, event.clientY] : null));
  canvas.addEventListener('pointerup', (event) => {
    if (!begin || Math.hypot(event.clientX - begin[0], event.clientY - begin[1]) > kClick) return;
    const box = canvas.getBoundingClientRect();
    act((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  });
}
