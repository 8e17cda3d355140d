import {Matrix4, Vector3} from 'three';
import type {Inertial} from '../solution';

/** Eigenvalues and eigenvectors (columns) of a symmetric 3×3 matrix, by Jacobi's rotations. */
export function eigen(a: number[][]): {values: number[]; vectors: number[][]} {
  const m = a.map((row) => [...row]), v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 30; ++sweep) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (m[p][q] === 0) continue;
      const angle = 0.5 * Math.atan2(2 * m[p][q], m[q][q] - m[p][p]), c = Math.cos(angle), s = Math.sin(angle);
      for (let k = 0; k < 3; ++k) [m[k][p], m[k][q]] = [c * m[k][p] - s * m[k][q], s * m[k][p] + c * m[k][q]];
      for (let k = 0; k < 3; ++k) [m[p][k], m[q][k]] = [c * m[p][k] - s * m[q][k], s * m[p][k] + c * m[q][k]];
      for (let k = 0; k < 3; ++k) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  }
  return {values: [m[0][0], m[1][1], m[2][2]], vectors: v};
}

/**
 * The unit ball as the solid ellipsoid with this mass and inertia, in link axes: its half axes a, b, c have
 * I_x = m (b² + c²) / 5 and so on. None without mass, or where no body has such an inertia.
 */
export function principal({mass, com, inertia}: Inertial): Matrix4|null {
  if (!(mass > 0)) return null;
  const [xx, yy, zz, xy, xz, yz] = inertia;
  const {values: [x, y, z], vectors} = eigen([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
  const squares = [y + z - x, x + z - y, x + y - z].map((sum) => (2.5 * sum) / mass);
  if (!squares.every((square) => square >= 0)) return null;
  const axes = squares.map(
      (square, i) => new Vector3(...vectors.map((row) => row[i])).multiplyScalar(Math.max(Math.sqrt(square), 1e-4)));
  return new Matrix4().makeBasis(axes[0], axes[1], axes[2]).setPosition(com[0], com[1], com[2]);
}
