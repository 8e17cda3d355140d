/** What links keep away from, and how far. */
import {
  BufferAttribute, BufferGeometry, DoubleSide, Matrix4, Mesh, MeshLambertMaterial, type Object3D, SphereGeometry,
  Vector3
} from 'three';
import {RoundedBoxGeometry} from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';

import type {Obstacle} from '../solution';
import {localPose} from './motion';
import {geometryOf, spanning} from './shapes';

function lengthOf({position, end, radius, length}: Obstacle): number {
  if (length !== undefined) return length;
  return end ? new Vector3().fromArray(position).distanceTo(new Vector3().fromArray(end)) : radius ?? 0.1;
}

function place(obstacle: Obstacle, mesh: Mesh): Mesh {
  mesh.matrixAutoUpdate = false;
  mesh.matrix.copy(localPose(obstacle));
  if (!obstacle.end) return mesh;
  const from = new Vector3().fromArray(obstacle.position), to = new Vector3().fromArray(obstacle.end);
  const along = new Matrix4();
  if (spanning(from, to, 1, along))
    mesh.matrix.copy(along.multiply(new Matrix4().makeScale(1, 1, 1 / lengthOf(obstacle))));
  return mesh;
}

/** Triangles that face where they like, flat; null where numbers of vertices are none. */
function surfaceOf({vertices = [], triangles = []}: Obstacle): BufferGeometry|null {
  const known = (corner: number) => Number.isInteger(corner) && corner >= 0 && 3 * corner + 2 < vertices.length;
  if (triangles.length === 0 || !triangles.every(known) || !vertices.every(Number.isFinite)) return null;
  const corners = new Float32Array(triangles.flatMap((k) => vertices.slice(3 * k, 3 * k + 3)));
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

export function obstacleMesh(obstacle: Obstacle): Object3D {
  const material = new MeshLambertMaterial({color: '#b58a8a', transparent: true, opacity: 0.45});
  const surface = surfaceOf(obstacle);
  if (surface) {
    material.side = DoubleSide;
    return place(obstacle, new Mesh(surface, material));
  }
  const geometry = geometryOf({...obstacle, length: lengthOf(obstacle)}) ?? new SphereGeometry(obstacle.radius ?? 0.05);
  return place(obstacle, new Mesh(geometry, material));
}

/** All that is nearer to it than its margin; none where it has no margin. */
export function marginMesh(obstacle: Obstacle, material: MeshLambertMaterial): Mesh|null {
  const {margin = 0, size, radius = 0} = obstacle;
  if (!(margin > 0)) return null;
  const geometry: BufferGeometry|null = size ?
      new RoundedBoxGeometry(size[0] + 2 * margin, size[1] + 2 * margin, size[2] + 2 * margin, 4, margin) :
      geometryOf({...obstacle, radius: radius + margin, length: lengthOf(obstacle)});
  return geometry ? place(obstacle, new Mesh(geometry, material)) : null;
}
