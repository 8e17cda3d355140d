import {Box3, Matrix4, Vector3} from 'three';
import type {Model} from '../solution';
import type {Axes, Motion} from './motion';
import type {Part} from './shapes';

const kSamples = 24;

/** The box that the links' origins stay in; what sizes are measured by. */
export function linkExtent(model: Model, motion: Motion): Box3 {
  const box = new Box3(), p = new Vector3();
  for (const instant of samples(motion)) {
    for (const link of model.links) {
      if (motion.position(link.name, instant, p)) box.expandByPoint(p);
    }
  }
  if (box.isEmpty()) box.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  return box;
}

/** The box that the solid parts stay in, by default over the whole motion. */
export function partExtent(parts: Part[], motion: Motion, instants = samples(motion)): Box3 {
  const box = new Box3(), one = new Box3(), m = new Matrix4();
  for (const part of parts) {
    if (!part.geometry.boundingBox) part.geometry.computeBoundingBox();
    for (const instant of instants) {
      if (part.place(instant, m)) box.union(one.copy(part.geometry.boundingBox!).applyMatrix4(m));
    }
  }
  return box;
}

function samples(motion: Motion) {
  const last = motion.time[motion.time.length - 1], first = motion.time[0];
  const count = Math.min(kSamples, motion.time.length);
  return Array.from({length: count}, (_, i) => motion.at(first + ((last - first) * i) / Math.max(count - 1, 1)));
}

/** The box around the links' origins at the first frame, without the way that the model travels. */
export function modelBox(model: Model, motion: Motion): Box3 {
  const box = new Box3(), p = new Vector3();
  for (const link of model.links) {
    if (motion.position(link.name, {frame: 0, fraction: 0}, p)) box.expandByPoint(p);
  }
  return box;
}

/** How large the model is, without the way that it travels. */
export function modelSize(model: Model, motion: Motion): number {
  const size = modelBox(model, motion).getSize(new Vector3()).length();
  return size > 1e-6 ? size : 1;
}

/** How far a box reaches along an axis of the world. */
export function span(box: Box3, axis: Vector3): number {
  const size = box.getSize(new Vector3());
  return Math.abs(size.x * axis.x) + Math.abs(size.y * axis.y) + Math.abs(size.z * axis.z);
}

export type View = 'perspective'|'side'|'front'|'top';

/** A motion in a plane is seen best from straight above that plane. */
export function bestView(box: Box3, axes: Axes): View {
  const thin = 0.02 * box.getSize(new Vector3()).length();
  if (span(box, axes.up) < thin) return 'top';
  if (span(box, axes.right) < thin) return 'side';
  if (span(box, axes.forward) < thin) return 'front';
  return 'perspective';
}
