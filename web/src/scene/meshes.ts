/** Meshes as the program packed them (docs/report.md): decoded when they are first drawn, and only once. */
import {BufferAttribute, BufferGeometry} from 'three';

/** A part of a mesh that has one colour. */
export interface MeshPart {
  /** Red, green, blue, each 0 to 1. */
  colour?: number[];
  /** For pictures that move, and for those that stand still. */
  coarse(): BufferGeometry;
  fine(): BufferGeometry;
}

const kCrease = Math.cos((35 * Math.PI) / 180);
const kMostVertices = 1 << 26;

interface Level {
  triangles: number;
  corners: string;
}

interface MeshData {
  vertices: number;
  low: number[];
  step: number[];
  positions: string;
  parts: {colour?: number[]; fine: Level; coarse: Level}[];
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < kMostVertices;
}

function areThree(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
}

function isLevel(value: unknown): boolean {
  const level = value as Level | null;
  return typeof level === 'object' && level !== null && isCount(level.triangles) && typeof level.corners === 'string';
}

function isMesh(value: unknown): value is MeshData {
  const mesh = value as MeshData | null;
  return typeof mesh === 'object' && mesh !== null && isCount(mesh.vertices) && areThree(mesh.low) &&
      areThree(mesh.step) && typeof mesh.positions === 'string' && Array.isArray(mesh.parts) &&
      mesh.parts.every((part) => isLevel(part?.fine) && isLevel(part?.coarse));
}

/**
 * Numbers from base64: first the lowest bytes of all, then the next ones. Each is a difference to the one `stride`
 * places before, with 0 1 2 3 4 … for 0 -1 1 -2 2 …
 */
export function unpack(text: string, count: number, stride: number): Uint32Array|null {
  const bytes = atob(text), planes = count > 0 ? bytes.length / count : 0;
  if (!Number.isInteger(planes) || planes > 4) return null;
  const values = new Uint32Array(count);
  for (let i = 0; i < count; ++i) {
    let code = 0;
    for (let k = planes - 1; k >= 0; --k) code = code * 256 + bytes.charCodeAt(k * count + i);
    const change = code % 2 === 1 ? -(code + 1) / 2 : code / 2;
    values[i] = change + (i < stride ? 0 : values[i - stride]);
  }
  return values;
}

function positionsOf(mesh: MeshData): Float32Array|null {
  const steps = unpack(mesh.positions, 3 * mesh.vertices, 3);
  return steps && Float32Array.from(steps, (x, i) => mesh.low[i % 3] + mesh.step[i % 3] * x);
}

/** Of each triangle: at right angles to it, twice as long as its area. */
function faceNormals(positions: Float32Array, corners: Uint32Array): Float32Array {
  const normals = new Float32Array(corners.length);
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [3 * corners[t], 3 * corners[t + 1], 3 * corners[t + 2]];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1],
          uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1],
          vz = positions[c + 2] - positions[a + 2];
    normals[t] = uy * vz - uz * vy;
    normals[t + 1] = uz * vx - ux * vz;
    normals[t + 2] = ux * vy - uy * vx;
  }
  return normals;
}

/** Smooth across gentle edges, sharp across others: a vertex is split where the triangles around it differ much. */
function creased(positions: Float32Array, corners: Uint32Array): BufferGeometry {
  const faces = faceNormals(positions, corners);
  // The splits of a vertex are a chain: `first` of the vertex, then `next`.
  const first = new Int32Array(positions.length / 3).fill(-1), next: number[] = [], source: number[] = [];
  const normals: number[] = [], index = new Uint32Array(corners.length);
  corners.forEach((vertex, i) => {
    const f = i - (i % 3), [x, y, z] = [faces[f], faces[f + 1], faces[f + 2]], area = Math.hypot(x, y, z);
    let split = first[vertex];
    for (; split >= 0; split = next[split]) {
      const [nx, ny, nz] = [normals[3 * split], normals[3 * split + 1], normals[3 * split + 2]];
      if (nx * x + ny * y + nz * z >= kCrease * area * Math.hypot(nx, ny, nz)) break;
    }
    if (split < 0) {
      split = source.length;
      source.push(vertex), next.push(first[vertex]), normals.push(0, 0, 0);
      first[vertex] = split;
    }
    normals[3 * split] += x, normals[3 * split + 1] += y, normals[3 * split + 2] += z;
    index[i] = split;
  });
  const places = new Float32Array(3 * source.length), directions = new Float32Array(3 * source.length);
  source.forEach((vertex, k) => {
    const length = Math.hypot(normals[3 * k], normals[3 * k + 1], normals[3 * k + 2]) || 1;
    for (let i = 0; i < 3; ++i) {
      places[3 * k + i] = positions[3 * vertex + i];
      directions[3 * k + i] = normals[3 * k + i] / length;
    }
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(places, 3));
  geometry.setAttribute('normal', new BufferAttribute(directions, 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}

function cached<T>(make: () => T): () => T {
  let made: T|undefined;
  return () => (made ??= make());
}

const decoded = new WeakMap<object, MeshPart[]>();

/** The parts of a mesh; none where the data are not those of one. */
export function meshParts(data: unknown): MeshPart[] {
  if (!isMesh(data)) return [];
  const known = decoded.get(data);
  if (known) return known;
  const positions = cached(() => positionsOf(data));
  const geometry = ({triangles, corners}: Level) => {
    const places = positions(), index = unpack(corners, 3 * triangles, 1);
    const sound = places && index && !index.some((vertex) => vertex >= data.vertices);
    return sound ? creased(places, index) : creased(new Float32Array(), new Uint32Array());
  };
  const parts = data.parts.map(({colour, fine, coarse}): MeshPart => ({
                                 colour: areThree(colour) ? colour : undefined,
                                 coarse: cached(() => geometry(coarse)),
                                 fine: cached(() => geometry(fine)),
                               }));
  decoded.set(data, parts);
  return parts;
}
