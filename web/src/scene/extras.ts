/** What joints bear and how links are made: arcs of moments, axes of joints, ellipsoids of inertia. */
import {BufferGeometry, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix3, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, SphereGeometry, TorusGeometry, Vector3} from 'three';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';

import {colour} from '../palette';
import type {Inertial, Rows} from '../solution';
import {principal} from './ellipsoid';
import {type Instant, interpolated, localPose} from './motion';
import type {Label, Overlay, Subject} from './overlays';
import {spanning} from './shapes';

const matrix = new Matrix4(), rotation = new Matrix3(), at = new Vector3(), moment = new Vector3(), up = new Vector3();

/** Three quarters of a circle about z with a head at its end, of radius 1. */
function arc(): BufferGeometry {
  const turn = 1.5 * Math.PI;
  const ring = new TorusGeometry(1, 0.06, 8, 40, turn);
  const head = new ConeGeometry(0.2, 0.45, 14).rotateZ(Math.PI).rotateZ(turn + Math.PI).translate(0, -1, 0);
  const axis = new CylinderGeometry(0.03, 0.03, 1.2, 8).rotateX(Math.PI / 2);
  return mergeGeometries([ring, head, axis]);
}

function largestMoment(all: Rows[]): number {
  let most = 0;
  for (const rows of all)
    for (const row of rows) most = Math.max(most, Math.hypot(...row.slice(3, 6).map((x) => x ?? 0)));
  return most;
}

/** Smaller ones, as parts of the largest, cannot be seen. */
const kSmallest = 0.02;

/** The moment that each joint bears: an arc about it, that grows with it. */
export function jointMoments({solution, motion, size}: Subject): Overlay|null {
  const most = largestMoment(Object.values(solution.joint_wrenches));
  if (most < 1e-9) return null;
  const joints = solution.model.links.flatMap((link) => {
    const rows = solution.joint_wrenches[link.joint.name];
    return rows ? [{link: link.name, local: localPose(link.joint), rows}] : [];
  });
  const look = new MeshLambertMaterial({color: colour(3), depthTest: false, transparent: true, opacity: 0.92});
  const mesh = new InstancedMesh(arc(), look, Math.max(joints.length, 1));
  mesh.renderOrder = 1;
  mesh.frustumCulled = false;
  let labels: Label[] = [];
  const update = (instant: Instant) => {
    let count = 0;
    labels = [];
    for (const {link, local, rows} of joints) {
      if (!motion.pose(link, instant, matrix)) continue;
      matrix.multiply(local);
      at.setFromMatrixPosition(matrix);
      moment.fromArray(interpolated(rows, instant), 3).applyMatrix3(rotation.setFromMatrix4(matrix));
      const part = moment.length() / most;
      if (!(part > kSmallest)) continue;
      labels.push({at: at.clone(), value: moment.length(), unit: 'N·m'});
      const radius = 0.13 * size * Math.sqrt(part);
      up.copy(at).addScaledVector(moment, radius / moment.length());
      const from = at.clone().multiplyScalar(2).sub(up);
      if (!spanning(from, up, radius, matrix)) continue;
      matrix.scale(new Vector3(1, 1, 0.5));  // spanning() makes z as long as both ends are apart
      mesh.setMatrixAt(count++, matrix);
    }
    mesh.count = count;
    mesh.instanceMatrix.needsUpdate = true;
  };
  return {object: mesh, update, labels: () => labels};
}

/** The axis of each joint that has one: a rod for those that turn, a thinner and longer one for those that slide. */
export function jointAxes({solution, motion, size}: Subject): Overlay|null {
  const joints = solution.model.links.filter(({joint}) => joint.axis !== undefined && joint.type !== 'fixed');
  if (joints.length === 0) return null;
  const object = new Group();
  const rods = joints.map(({joint}) => {
    const slides = joint.type === 'prismatic';
    const look =
        new MeshBasicMaterial({color: colour(slides ? 2 : 0), depthTest: false, transparent: true, opacity: 0.85});
    const thick = (slides ? 0.004 : 0.007) * size, length = (slides ? 0.34 : 0.22) * size;
    const rod = new Mesh(new CylinderGeometry(thick, thick, length, 8).rotateX(Math.PI / 2), look);
    rod.matrixAutoUpdate = false;
    rod.renderOrder = 2;
    object.add(rod);
    return rod;
  });
  const locals = joints.map(({joint}) => {
    const local = localPose(joint), axis = new Vector3().fromArray(joint.axis!), turned = new Matrix4();
    return spanning(axis.clone().multiplyScalar(-0.5), axis.clone().multiplyScalar(0.5), 1, turned) ?
        local.multiply(turned) :
        local;
  });
  const update = (instant: Instant) => joints.forEach((link, i) => {
    rods[i].visible = motion.pose(link.name, instant, rods[i].matrix);
    rods[i].matrix.multiply(locals[i]);
    rods[i].matrixWorldNeedsUpdate = true;
  });
  return {object, update};
}

/** The solid ellipsoid of each link's mass and inertia, as dense as water would be were it as large. */
export function inertias({solution, motion}: Subject): Overlay|null {
  const heavy = solution.model.links.flatMap((link) => {
    const shape = link.inertial ? principal(link.inertial as Inertial) : null;
    return shape ? [{link: link.name, shape}] : [];
  });
  if (heavy.length === 0) return null;
  const object = new Group(), ball = new SphereGeometry(1, 24, 16);
  const look = new MeshLambertMaterial({color: colour(5), transparent: true, opacity: 0.55, depthWrite: false});
  const solids = heavy.map(() => {
    const mesh = new Mesh(ball, look);
    mesh.matrixAutoUpdate = false;
    object.add(mesh);
    return mesh;
  });
  const update = (instant: Instant) => heavy.forEach(({link, shape}, i) => {
    solids[i].visible = motion.pose(link, instant, solids[i].matrix);
    solids[i].matrix.multiply(shape);
    solids[i].matrixWorldNeedsUpdate = true;
  });
  return {object, update};
}
