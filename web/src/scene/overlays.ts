/** What can be drawn beside the bodies. Each overlay knows whether the solution has the data for it. */
import {AxesHelper, CatmullRomCurve3, Group, InstancedMesh, Matrix3, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, Object3D, SphereGeometry, TubeGeometry, Vector3} from 'three';

import {colour} from '../palette';

import type {Link, Rows, Solution} from '../solution';
import {Arrows} from './arrows';
import {type Axes, type Instant, interpolated, isThere, localPose, Motion} from './motion';
import {marginMesh} from './obstacles';
import {type Part, shapeParts} from './shapes';

/** What an arrow or an arc measures, for the words beside it. */
export interface Label {
  at: Vector3;
  value: number;
  unit: string;
}

export interface Overlay {
  object: Object3D;
  update(instant: Instant): void;
  /** Of the last update. */
  labels?(): Label[];
}

/** What an overlay is drawn from. */
export interface Subject {
  solution: Solution;
  motion: Motion;
  parts: Part[];
  axes: Axes;
  size: number;
}

const kNothing = () => undefined;
const matrix = new Matrix4();
const rotation = new Matrix3();
const point = new Vector3();
const vector = new Vector3();

/** The norm of the largest force in rows that begin with one. */
export function largestForce(rows: Iterable<Rows>): number {
  let most = 0;
  for (const series of rows)
    for (const row of series) most = Math.max(most, Math.hypot(...row.slice(0, 3).map((x) => x ?? 0)));
  return most;
}

/** The longest arrow, and the radius of the ways of points, as parts of the model's size. */
const kLongest = 0.4;
export const kTrail = 0.004;

export function frames({solution, motion, size}: Subject): Overlay {
  const object = new Group();
  const named = solution.model.frames.map((frame) => ({link: frame.link, local: localPose(frame)}));
  const places = [...solution.model.links.map((link) => ({link: link.name, local: new Matrix4()})), ...named];
  const triads = places.map(() => {
    const axes = new AxesHelper(0.09 * size);
    axes.matrixAutoUpdate = false;
    object.add(axes);
    return axes;
  });
  const update = (instant: Instant) => places.forEach(({link, local}, i) => {
    triads[i].visible = motion.pose(link, instant, triads[i].matrix);
    triads[i].matrix.multiply(local);
  });
  return {object, update};
}

/** Points of one way that are drawn; of longer ones, as many at equal distances in their list. */
const kMostPoints = 3000;

/** The way of a point, as a thin tube: lines of the graphics card are one pixel wide whatever the picture's size. */
function trail(points: Vector3[], line: string, radius: number): Mesh[] {
  const every = Math.ceil(points.length / kMostPoints), last = points.length - 1;
  const some = points.filter((_, k) => k % every === 0 || k === last);
  const apart = some.filter((p, k) => k === 0 || p.distanceTo(some[k - 1]) > 1e-3 * radius);
  if (apart.length < 2) return [];
  const tube = new TubeGeometry(new CatmullRomCurve3(apart), 2 * apart.length, radius, 6);
  return [new Mesh(tube, new MeshBasicMaterial({color: line}))];
}

/** The way of a point that rows say the place of; it breaks off where they do not. */
export function trails(rows: Rows, line: string, radius: number): Mesh[] {
  const stretches: Vector3[][] = [[]];
  for (const row of rows) {
    if (row.every(Number.isFinite))
      stretches[stretches.length - 1].push(new Vector3().fromArray(row as number[]));
    else
      stretches.push([]);
  }
  return stretches.flatMap((points) => trail(points, line, radius));
}

export function centreOfMass({solution, size}: Subject): Overlay|null {
  const rows = solution.com;
  if (!rows) return null;
  const object = new Group();
  const ball = new Mesh(new SphereGeometry(0.022 * size, 20, 14), new MeshBasicMaterial({color: colour(4)}));
  object.add(ball, ...trails(rows, colour(4), kTrail * size));
  return {object, update: (instant) => ball.position.fromArray(interpolated(rows, instant))};
}

/** The ways of the named frames, or of the last link when there are none. */
export function paths({solution, motion, size}: Subject): Overlay {
  const object = new Group();
  const {frames: named, links} = solution.model;
  const tips = named.length > 0 ?
      named :
      links.slice(-1).map((link) => ({link: link.name, position: [0, 0, 0], rotation: [0, 0, 0, 1]}));
  tips.forEach((tip, i) => {
    const local = localPose(tip);
    const points = motion.time.flatMap(
        (_, frame) => motion.pose(tip.link, {frame, fraction: 0}, matrix) ?
            [new Vector3().setFromMatrixPosition(matrix.multiply(local))] :
            []);
    for (const mesh of trail(points, colour(i), kTrail * size)) object.add(mesh);
  });
  return {object, update: kNothing};
}

/** A joint whose wrench is known: its child link, and the pose of its child-side frame in that link. */
interface LoadedJoint {
  link: string;
  local: Matrix4;
  rows: Rows;
}

export function loadedJoint(solution: Solution, link: Link): LoadedJoint|null {
  const rows = solution.joint_wrenches[link.joint.name];
  return rows ? {link: link.name, local: localPose(link.joint), rows} : null;
}

/** Where a joint is and the force that it carries, in world axes; files give it in those of the child-side frame. */
export function jointForce(motion: Motion, joint: LoadedJoint, instant: Instant, at: Vector3, force: Vector3): boolean {
  if (!motion.pose(joint.link, instant, matrix)) return false;
  matrix.multiply(joint.local);
  at.setFromMatrixPosition(matrix);
  force.fromArray(interpolated(joint.rows, instant)).applyMatrix3(rotation.setFromMatrix4(matrix));
  return true;
}

/** The force that each joint carries, at the joint. */
export function jointForces({solution, motion, size}: Subject): Overlay|null {
  const most = largestForce(Object.values(solution.joint_wrenches));
  if (most === 0) return null;
  const joints = solution.model.links.flatMap((link) => loadedJoint(solution, link) ?? []);
  const arrows = new Arrows(joints.length, colour(1), (kLongest * size) / most, 0.014 * size);
  let labels: Label[] = [];
  const update = (instant: Instant) => {
    labels = [];
    arrows.begin();
    for (const joint of joints) {
      if (!jointForce(motion, joint, instant, point, vector)) continue;
      arrows.add(point, vector);
      labels.push({at: arrows.tip(), value: vector.length(), unit: 'N'});
    }
    arrows.finish();
  };
  return {object: arrows.mesh, update, labels: () => labels};
}

/** What may touch other things; meshes are their hulls. Around obstacles, the distance that is kept from them. */
export function collisions({solution: {model, obstacles}, motion}: Subject): Overlay {
  const object = new Group();
  const parts = model.links.flatMap((link) => shapeParts(link, link.collisions, model, motion));
  // Pulled forward a little: where they are the visual shapes themselves, both would flicker through each other.
  const front = {polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -8};
  const look = {color: colour(1), transparent: true, opacity: 0.4, depthWrite: false};
  const material = new MeshLambertMaterial({...look, ...front});
  const solids = parts.map(({geometry}) => {
    const solid = new Mesh(geometry, material);
    solid.matrixAutoUpdate = false;
    object.add(solid);
    return solid;
  });
  const shells = obstacles.flatMap((obstacle) => {
    const shell = marginMesh(obstacle, material);
    return shell ? [{obstacle, shell}] : [];
  });
  for (const {shell} of shells) object.add(shell);  // add() of nothing is an error
  const update = (instant: Instant) => {
    parts.forEach((part, i) => {
      solids[i].visible = part.place(instant, solids[i].matrix);
      solids[i].matrixWorldNeedsUpdate = true;
    });
    for (const {obstacle, shell} of shells) shell.visible = isThere(obstacle, motion.timeOf(instant));
  };
  return {object, update};
}

/** Pictures of the motion at equal times, as in a stroboscope's light; of those parts that move. */
export function ghosts({motion, parts}: Subject, count: number): Overlay {
  const object = new Group();
  const first = motion.time[0], last = motion.time[motion.time.length - 1];
  const instants = Array.from({length: count}, (_, i) => motion.at(first + ((last - first) * i) / (count - 1)));
  // Pushed back a little: a part that turns about its own axis must not flicker through its snapshots.
  const back = {polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8};
  const look = {color: '#8c9aa8', transparent: true, opacity: 0.24, depthWrite: false};
  const material = new MeshLambertMaterial({...look, ...back});
  for (const part of parts) {
    const places = instants.flatMap((instant) => (part.place(instant, matrix) ? [matrix.clone()] : []));
    const moves = places.some((place) => place.elements.some((x, i) => Math.abs(x - places[0].elements[i]) > 1e-9));
    if (!moves) continue;
    const mesh = new InstancedMesh(part.geometry, material, places.length);
    places.forEach((place, i) => mesh.setMatrixAt(i, place));
    mesh.frustumCulled = false;
    object.add(mesh);
  }
  return {object, update: kNothing};
}
