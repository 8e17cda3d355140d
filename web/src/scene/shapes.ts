import {BoxGeometry, BufferGeometry, CapsuleGeometry, CylinderGeometry, Matrix4, SphereGeometry, Vector3} from 'three';
import type {Model, Visual} from '../solution';
import {type Instant, localPose, type Motion} from './motion';

/** Something solid that moves with the model. */
export interface Part {
  link: string;
  geometry: BufferGeometry;
  /** Writes where the part is; false where it has no place then. */
  place(instant: Instant, out: Matrix4): boolean;
}

const kAlongZ = new Matrix4().makeRotationX(Math.PI / 2);

/** The geometry of a shape, capsules and cylinders along z as in model files; nothing for kinds not known here. */
export function geometryOf(visual: Pick<Visual, 'type'|'radius'|'length'|'size'>): BufferGeometry|null {
  const {radius = 0.02, length = 0.1, size = [0.1, 0.1, 0.1]} = visual;
  switch (visual.type) {
    case 'capsule':
      return new CapsuleGeometry(radius, length, 8, 20).applyMatrix4(kAlongZ);
    case 'cylinder':
      return new CylinderGeometry(radius, radius, length, 28).applyMatrix4(kAlongZ);
    case 'sphere':
      return new SphereGeometry(radius, 24, 16);
    case 'box':
      return new BoxGeometry(size[0], size[1], size[2]);
    default:
      return null;
  }
}

function visualParts(model: Model, motion: Motion): Part[] {
  return model.links.flatMap(
      (link) => link.visuals.flatMap(
          (visual):
              Part[] => {
                const geometry = geometryOf(visual);
                if (!geometry) return [];
                const local = localPose(visual);
                return [{
                  link: link.name,
                  geometry,
                  place: (instant, out) => motion.pose(link.name, instant, out) && (out.multiply(local), true),
                }];
              }),
  );
}

/** Between two points, a shape of unit length along z centred at the origin. */
export function spanning(from: Vector3, to: Vector3, thickness: number, out: Matrix4): boolean {
  const along = new Vector3().subVectors(to, from);
  const length = along.length();
  if (!(length > 1e-9)) return false;
  const z = along.divideScalar(length);
  const x = new Vector3(1, 0, 0);
  if (Math.abs(z.x) > 0.9) x.set(0, 1, 0);
  const y = new Vector3().crossVectors(z, x).normalize();
  x.crossVectors(y, z);
  out.makeBasis(x.multiplyScalar(thickness), y.multiplyScalar(thickness), z.multiplyScalar(length));
  out.setPosition((from.x + to.x) / 2, (from.y + to.y) / 2, (from.z + to.z) / 2);
  return true;
}

/** A model without shapes: rods from each link's origin to its parent's, with balls at the joints. */
function boneParts(model: Model, motion: Motion, size: number): Part[] {
  const rod = new CylinderGeometry(1, 1, 1, 20).applyMatrix4(kAlongZ);
  const ball = new SphereGeometry(1, 20, 14);
  const radius = 0.022 * size;
  const a = new Vector3(), b = new Vector3();
  return model.links.flatMap(
      (link): Part[] =>
          [{
            link: link.name,
            geometry: rod,
            place: (instant, out) => link.parent !== null && motion.position(link.parent, instant, a) &&
                motion.position(link.name, instant, b) && spanning(a, b, radius, out),
          },
           {
             link: link.name,
             geometry: ball,
             place: (instant, out) => motion.position(link.name, instant, a) &&
                 (out.makeScale(1.5 * radius, 1.5 * radius, 1.5 * radius).setPosition(a), true),
           },
  ]);
}

/** The solid parts of a model: its visuals, or rods along its joints when it has none. */
export function partsOf(model: Model, motion: Motion, size: number): Part[] {
  const visuals = visualParts(model, motion);
  return visuals.length > 0 ? visuals : boneParts(model, motion, size);
}
