import {BufferGeometry, ConeGeometry, CylinderGeometry, InstancedMesh, Matrix4, MeshLambertMaterial, Vector3} from 'three';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';

import {spanning} from './shapes';

/** Shaft and head along z, from −½ to ½. */
function arrow(): BufferGeometry {
  const shaft = new CylinderGeometry(0.45, 0.45, 0.78, 14).translate(0, -0.11, 0);
  const head = new ConeGeometry(1.15, 0.22, 18).translate(0, 0.39, 0);
  return mergeGeometries([shaft, head]).rotateX(Math.PI / 2);
}

/** Arrows for vectors, drawn in one go. */
export class Arrows {
  readonly mesh: InstancedMesh;
  private count = 0;
  private readonly end = new Vector3();
  private readonly matrix = new Matrix4();

  constructor(
      capacity: number, colour: string, private readonly metresPerUnit: number, private readonly thickness: number) {
    // Forces act inside bodies: they are drawn over them.
    const material = new MeshLambertMaterial({color: colour, depthTest: false, transparent: true, opacity: 0.92});
    this.mesh = new InstancedMesh(arrow(), material, Math.max(capacity, 1));
    this.mesh.renderOrder = 1;
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
  }

  begin(): void { this.count = 0; }

  add(from: Vector3, vector: Vector3): void {
    this.end.copy(from).addScaledVector(vector, this.metresPerUnit);
    if (!spanning(from, this.end, this.thickness, this.matrix)) return;
    this.mesh.setMatrixAt(this.count++, this.matrix);
  }

  /** Where the last one that was added ends. */
  tip(): Vector3 { return this.end.clone(); }

  finish(): void {
    this.mesh.count = this.count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
