/** The picture for browsers without WebGL: outlines of the parts, from behind to the front, on a plain canvas. */
import {BufferGeometry, Camera, Matrix4, Mesh, MeshLambertMaterial, Vector3} from 'three';

import {token} from '../palette';

type Point = [number, number];

/** More vertices than these would make a mesh slow to draw; its outline stays nearly the same. */
const kMostPoints = 300;
const cloud = new WeakMap<BufferGeometry, Vector3[]>();

function pointsOf(geometry: BufferGeometry): Vector3[] {
  let points = cloud.get(geometry);
  if (!points) {
    const places = geometry.attributes.position, step = Math.max(1, Math.ceil(places.count / kMostPoints));
    points = [];
    for (let i = 0; i < places.count; i += step) points.push(new Vector3().fromBufferAttribute(places, i));
    cloud.set(geometry, points);
  }
  return points;
}

/** The convex hull of points in the plane, by Andrew's chains. */
export function hull(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o: Point, a: Point, b: Point) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const chain = (all: Point[]) => {
    const kept: Point[] = [];
    for (const p of all) {
      while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], p) <= 0) kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/** Draws solids as a camera sees them into a rectangle of a canvas, which is cleared. */
export function drawFlat(
    canvas: HTMLCanvasElement, solids: Mesh[], camera: Camera, [left, width]: [number, number]): void {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.save();
  pen.beginPath();
  pen.rect(left, 0, width, canvas.height);
  pen.clip();
  pen.fillStyle = token('stage');
  pen.fillRect(left, 0, width, canvas.height);
  camera.updateMatrixWorld();
  const toView = new Matrix4(), toScreen = new Matrix4(), p = new Vector3();
  const shapes = solids.filter(({visible}) => visible).map((solid) => {
    toView.multiplyMatrices(camera.matrixWorldInverse, solid.matrix);
    toScreen.multiplyMatrices(camera.projectionMatrix, toView);
    const points = pointsOf(solid.geometry);
    const depth = points.reduce((sum, point) => sum + p.copy(point).applyMatrix4(toView).z, 0) / points.length;
    const seen = points.map((point): Point => {
      p.copy(point).applyMatrix4(toScreen);
      return [left + (width * (p.x + 1)) / 2, (canvas.height * (1 - p.y)) / 2];
    });
    return {depth, outline: hull(seen), look: `#${(solid.material as MeshLambertMaterial).color.getHexString()}`};
  });
  pen.strokeStyle = token('ink-2');
  for (const {outline, look} of shapes.sort((a, b) => a.depth - b.depth)) {
    pen.beginPath();
    outline.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
    pen.closePath();
    pen.fillStyle = look;
    pen.fill();
    pen.stroke();
  }
  pen.restore();
}
