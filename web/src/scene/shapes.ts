import {BoxGeometry, BufferGeometry, CapsuleGeometry, CylinderGeometry, Matrix4, SphereGeometry, Vector3} from 'three';
import type {Link, Model, Solution, Visual} from '../solution';
import {meshParts} from './meshes';
import {type Instant, isThere, localPose, type Motion} from './motion';

/** Something solid that moves with the model. */
export interface Part {
  link: string;
  geometry: BufferGeometry;
  /** For pictures that stand still, where it is another one. */
  fine?: () => BufferGeometry;
  /** Its own, in place of that of the page: red, green, blue. */
  colour?: number[];
  /** Seen from both sides: the triangles of files face where they like. */
  mesh?: boolean;
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

/** The pieces of a shape, each of one colour; none where it is a mesh that is not here or of a kind not known here. */
function piecesOf(visual: Visual, model: Model): Pick<Part, 'geometry'|'fine'|'colour'|'mesh'>[] {
  if (visual.type === 'mesh') {
    return meshParts(model.meshes[visual.mesh ?? -1])
        .map(({colour, coarse, fine}) => ({geometry: coarse(), fine, colour: colour ?? visual.colour, mesh: true}));
  }
  const geometry = geometryOf(visual);
  return geometry ? [{geometry, colour: visual.colour}] : [];
}

/** Shapes of a link as solid parts. */
export function shapeParts(link: Link, shapes: Visual[], model: Model, motion: Motion): Part[] {
  return shapes.flatMap((shape): Part[] => {
    const local = localPose(shape).scale(new Vector3().fromArray(shape.scale ?? [1, 1, 1]));
    return piecesOf(shape, model).map((piece) => ({
                                        ...piece,
                                        link: link.name,
                                        place: (instant, out) =>
                                            motion.pose(link.name, instant, out) && (out.multiply(local), true),
                                      }));
  });
}

/** Amber: what is carried is no part of the model. */
const kCarried = [0.85, 0.6, 0.16];

/** What links carry, while they do. */
export function payloadParts({payloads, model}: Solution, motion: Motion): Part[] {
  return payloads.flatMap((payload) => {
    const link = model.links.find(({name}) => name === payload.link);
    if (!link) return [];
    return shapeParts(link, [{...payload, colour: payload.colour ?? kCarried}], model, motion).map((part) => ({
      ...part,
      place: (instant: Instant, out: Matrix4) =>
          isThere(payload, motion.timeOf(instant)) && part.place(instant, out),
    }));
  });
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

/** Where a link's own joint is, in the world. */
function jointPlace(link: Link, motion: Motion, instant: Instant, out: Vector3): boolean {
  if (!motion.pose(link.name, instant, scratch)) return false;
  out.fromArray(link.joint.position ?? [0, 0, 0]).applyMatrix4(scratch);
  return true;
}

const scratch = new Matrix4();
const kRod = new CylinderGeometry(1, 1, 1, 20).applyMatrix4(kAlongZ);
const kBall = new SphereGeometry(1, 20, 14);

/** A link without shapes: a ball at its joint, and rods from there to its origin and to the joints that it carries. */
function boneParts(link: Link, children: Link[], motion: Motion, size: number): Part[] {
  const radius = 0.022 * size;
  const a = new Vector3(), b = new Vector3();
  const origin = (instant: Instant) => motion.position(link.name, instant, b);
  const ends = [origin, ...children.map((child) => (instant: Instant) => jointPlace(child, motion, instant, b))];
  const rods = ends.map(
      (end): Part => ({
        link: link.name,
        geometry: kRod,
        place: (instant, out) => jointPlace(link, motion, instant, a) && end(instant) && spanning(a, b, radius, out),
      }));
  const joint: Part = {
    link: link.name,
    geometry: kBall,
    place: (instant, out) => jointPlace(link, motion, instant, a) &&
        (out.makeScale(1.5 * radius, 1.5 * radius, 1.5 * radius).setPosition(a), true),
  };
  return [joint, ...rods];
}

function isHere(shape: Visual, model: Model): boolean {
  return shape.type === 'mesh' ? meshParts(model.meshes[shape.mesh ?? -1]).length > 0 : geometryOf(shape) !== null;
}

/** What stands for a link: its visual shapes; where none of them is here, its collision shapes. */
function shapesOf(link: Link, model: Model): Visual[] {
  const visuals = link.visuals.filter((shape) => isHere(shape, model));
  const stands = link.visuals.length > 0 || !model.links.some((other) => other.visuals.length > 0);
  return visuals.length > 0 || !stands ? visuals : link.collisions.filter((shape) => isHere(shape, model));
}

/** Links that have shapes in the model file of which none is here. */
export function linksWithoutShapes(model: Model): Link[] {
  return model.links.filter((link) => link.visuals.length > 0 && shapesOf(link, model).length === 0);
}

/**
 * Links that are drawn as rods: those whose meshes are not here, with what lies between them and other shapes; all of
 * them in a model that has no shapes at all. A link that was given no shape in a model that has some is not to be seen.
 */
function bareLinks(model: Model, drawn: Set<string>): Set<string> {
  const without = linksWithoutShapes(model).map(({name}) => name);
  if (drawn.size === 0 && without.length === 0) return new Set(model.links.map(({name}) => name));
  const byName = new Map(model.links.map((link) => [link.name, link]));
  const bare = new Set(without), hasShapes = (name: string) => drawn.has(name) || bare.has(name);
  for (const link of model.links) {
    if (!drawn.has(link.name) && !without.includes(link.name)) continue;
    const between: string[] = [];
    let above = link.parent === null ? undefined : byName.get(link.parent);
    while (above && !hasShapes(above.name)) {
      between.push(above.name);
      above = above.parent === null ? undefined : byName.get(above.parent);
    }
    if (above && bare.has(above.name))
      for (const name of between) bare.add(name);
  }
  return bare;
}

/** The solid parts of a model: each link's shapes, or rods in their place. */
export function partsOf(model: Model, motion: Motion, size: number): Part[] {
  const shapes = new Map(model.links.map((link) => [link.name, shapesOf(link, model)]));
  const drawn = new Set([...shapes].filter(([, all]) => all.length > 0).map(([name]) => name));
  const bare = bareLinks(model, drawn);
  // Rods lead to what is drawn further out; at the end of a chain, to the links that say where its tip is.
  const children = (link: Link) => {
    const all = model.links.filter((child) => child.parent === link.name);
    const shown = all.filter((child) => bare.has(child.name) || drawn.has(child.name));
    return shown.length > 0 ? shown : all;
  };
  return model.links.flatMap(
      (link) => bare.has(link.name) ? boneParts(link, children(link), motion, size) :
                                      shapeParts(link, shapes.get(link.name) ?? [], model, motion));
}
