import {Box3, PerspectiveCamera, Vector3} from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import type {View} from './extent';
import type {Axes} from './motion';

/** Where to stand for each view; the top view is tilted by a trifle so that its right side is forward. */
function direction(view: View, axes: Axes): Vector3 {
  const along = (right: number, forward: number, up: number) => new Vector3()
                                                                    .addScaledVector(axes.right, right)
                                                                    .addScaledVector(axes.forward, forward)
                                                                    .addScaledVector(axes.up, up)
                                                                    .normalize();
  switch (view) {
    case 'side':
      return along(1, 0, 0);
    case 'front':
      return along(0, 1, 0);
    case 'top':
      return along(1e-4, 0, 1);
    default:
      return along(0.8, 0.55, 0.38);
  }
}

/** Where a camera is, and what it looks at. */
export interface Look {
  position: number[];
  target: number[];
}

/** Directions from which a box is measured that is to be seen all around. */
const kAround = 12;

/** A camera that people turn around the model. */
export class OrbitCamera {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 200);
  readonly controls: OrbitControls;
  /** Height of the ground, under which nobody looks. */
  private ground = -Infinity;
  /** Whether somebody turned, moved or zoomed since show(). */
  private moved = false;

  constructor(canvas: HTMLElement, private readonly axes: Axes) {
    this.camera.up.copy(axes.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.maxPolarAngle = Math.PI / 2;  // never lower than what it looks at
    this.controls.addEventListener('start', () => (this.moved = true));
    this.controls.addEventListener('change', () => this.stayAboveGround());
  }

  /** Whether the picture is still as show() made it, so that it may be fitted anew. */
  get untouched(): boolean { return !this.moved; }

  private stayAboveGround(): void {
    const below = this.ground - this.controls.target.dot(this.axes.up);
    if (below > 0) this.shift(this.axes.up.clone().multiplyScalar(below));
  }

  /** Looks from a side with all of `box`, which stands on the ground, in sight; `around`: also after any turn. */
  show(view: View, box: Box3, aspect: number, ground: number, around = false): void {
    this.moved = false;
    this.ground = ground;
    const target = box.getCenter(new Vector3()), look = direction(view, this.axes);
    const looks = Array.from(
        {length: around ? kAround : 1},
        (_, k) => look.clone().applyAxisAngle(this.axes.up, (2 * Math.PI * k) / kAround));
    const distance = Math.max(1.12 * Math.max(...looks.map((one) => this.distanceFor(box, one, aspect))), 0.05);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(look, distance);
    this.update(distance);
  }

  /** How far away all of a box is in sight. */
  private distanceFor(box: Box3, look: Vector3, aspect: number): number {
    const target = box.getCenter(new Vector3());
    const right = new Vector3().crossVectors(this.axes.up, look).normalize();
    const up = new Vector3().crossVectors(look, right);
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner =
          new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z)
              .sub(target);
      const width = Math.abs(corner.dot(right)) / (slope * aspect), height = Math.abs(corner.dot(up)) / slope;
      distance = Math.max(distance, Math.max(width, height) + corner.dot(look));
    }
    return distance;
  }

  look(): Look { return {position: this.camera.position.toArray(), target: this.controls.target.toArray()}; }

  /** Stands there from now on, by default because somebody chose it. */
  place({position, target}: Look, chosen = true): void {
    this.camera.position.fromArray(position);
    this.controls.target.fromArray(target);
    this.moved = chosen;
    this.update(this.camera.position.distanceTo(this.controls.target));
  }

  /** Around what it looks at from there, by an angle. */
  turn({position, target}: Look, angle: number): void {
    const centre = new Vector3().fromArray(target);
    this.camera.position.fromArray(position).sub(centre).applyAxisAngle(this.axes.up, angle).add(centre);
    this.controls.update();
  }

  private update(distance: number): void {
    this.camera.near = distance / 100;
    this.camera.far = distance * 40;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Moves camera and target by the same way. */
  shift(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
  }
}
