/**
 * The model as it moves, as binary glTF 2.0 (Khronos, "glTF 2.0 Specification"): metres, y up, a node for each link.
 */
import {BufferGeometry, Color, Matrix4, Mesh, MeshLambertMaterial, Quaternion, Vector3} from 'three';

import type {Subject} from '../scene/overlays';

type Json = Record<string, unknown>;

/** Codes of the specification. */
const kFloat = 5126, kUnsignedInt = 5125, kVertices = 34962, kIndices = 34963;
const kWidth = {
  SCALAR: 1,
  VEC3: 3,
  VEC4: 4
};

/** All numbers of the file, and what they are. */
class Buffer {
  readonly accessors: Json[] = [];
  readonly views: Json[] = [];
  private readonly pieces: Uint8Array[] = [];
  size = 0;

  /** The number of a new accessor; all entries take four bytes, so that everything is aligned. */
  add(data: Float32Array|Uint32Array, type: keyof typeof kWidth, target?: number): number {
    const width = kWidth[type], bounds = target === kIndices ? {} : boundsOf(data, width);
    this.views.push({buffer: 0, byteOffset: this.size, byteLength: data.byteLength, ...(target ? {target} : {})});
    this.pieces.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    this.size += data.byteLength;
    const componentType = data instanceof Float32Array ? kFloat : kUnsignedInt;
    this.accessors.push(
        {bufferView: this.views.length - 1, componentType, count: data.length / width, type, ...bounds});
    return this.accessors.length - 1;
  }

  writeTo(out: Uint8Array): void {
    let at = 0;
    for (const piece of this.pieces) out.set(piece, at), at += piece.length;
  }
}

function boundsOf(data: ArrayLike<number>, width: number): {min: number[]; max: number[]} {
  const min = new Array<number>(width).fill(Infinity), max = new Array<number>(width).fill(-Infinity);
  for (let i = 0; i < data.length; ++i) {
    const k = i % width;
    if (data[i] < min[k]) min[k] = data[i];
    if (data[i] > max[k]) max[k] = data[i];
  }
  return {min, max};
}

interface Pose {
  translation: number[];
  rotation: number[];
  scale: number[];
}

interface Moving {
  times: number[];
  matrices: Matrix4[];
}

function poseOf(matrix: Matrix4): Pose {
  const p = new Vector3(), r = new Quaternion(), s = new Vector3();
  matrix.decompose(p, r, s);
  return {translation: p.toArray(), rotation: r.normalize().toArray() as number[], scale: s.toArray()};
}

const kPaths = ['translation', 'rotation', 'scale'] as const;
/** What varies by less stands still: far less than a pixel, and more than rounding. */
const kStill = 1e-9;

function varies(rows: number[][]): boolean {
  return rows.some((row) => row.some((x, i) => Math.abs(x - rows[0][i]) > kStill));
}

/** Puts a file together; nodes are added from the outside in. */
class Writer {
  private readonly buffer = new Buffer();
  private readonly nodes: Json[] = [];
  private readonly meshes: Json[] = [];
  private readonly materials: Json[] = [];
  private readonly samplers: Json[] = [];
  private readonly channels: Json[] = [];
  private readonly known = new Map<string, number>();
  private readonly attributes = new Map<BufferGeometry, Json|null>();
  private readonly clocks = new Map<string, number>();

  node(node: Json, parent?: number): number {
    this.nodes.push(node);
    const number = this.nodes.length - 1;
    if (parent !== undefined) ((this.nodes[parent].children ??= []) as number[]).push(number);
    return number;
  }

  /** Places a node at the first of its poses, and moves it where they differ. */
  move(number: number, {times, matrices}: Moving): void {
    const node = this.nodes[number], poses = matrices.map(poseOf);
    for (const path of kPaths) {
      const rows = poses.map((pose) => pose[path]);
      node[path] = rows[0];
      if (!varies(rows)) continue;
      const output = this.buffer.add(Float32Array.from(rows.flat()), path === 'rotation' ? 'VEC4' : 'VEC3');
      this.samplers.push({input: this.clock(times), output, interpolation: 'LINEAR'});
      this.channels.push({sampler: this.samplers.length - 1, target: {node: number, path}});
    }
  }

  /** A mesh of a geometry in a colour, each once; null where the geometry is empty. */
  mesh(geometry: BufferGeometry, colour: Color): number|null {
    if (!this.attributes.has(geometry)) this.attributes.set(geometry, this.primitive(geometry));
    const primitive = this.attributes.get(geometry);
    if (!primitive) return null;
    const key = `${geometry.id} ${colour.getHexString()}`;
    if (!this.known.has(key)) {
      this.meshes.push({primitives: [{...primitive, material: this.material(colour)}]});
      this.known.set(key, this.meshes.length - 1);
    }
    return this.known.get(key)!;
  }

  file(generator: string, name: string): ArrayBuffer {
    const {buffer} = this;
    const json = {
      asset: {version: '2.0', generator},
      scene: 0,
      scenes: [{nodes: [0]}],
      nodes: this.nodes,
      meshes: this.meshes,
      materials: this.materials,
      ...(this.channels.length > 0 ? {animations: [{name, samplers: this.samplers, channels: this.channels}]} : {}),
      accessors: buffer.accessors,
      bufferViews: buffer.views,
      buffers: [{byteLength: buffer.size}],
    };
    for (const [key, value] of Object.entries(json)) {
      if (Array.isArray(value) && value.length === 0) delete (json as Json)[key];  // empty lists are not allowed
    }
    const text = new TextEncoder().encode(JSON.stringify(json)), padded = 4 * Math.ceil(text.length / 4);
    const whole = new ArrayBuffer(12 + 8 + padded + 8 + buffer.size), bytes = new Uint8Array(whole);
    const head = new DataView(whole),
          put = (at: number, ...words: number[]) => words.forEach((word, i) => head.setUint32(at + 4 * i, word, true));
    put(0, 0x46546c67 /* glTF */, 2, whole.byteLength, padded, 0x4e4f534a /* JSON */);
    bytes.fill(0x20, 20, 20 + padded).set(text, 20);
    put(20 + padded, buffer.size, 0x004e4942 /* BIN */);
    buffer.writeTo(bytes.subarray(28 + padded));
    return whole;
  }

  private clock(times: number[]): number {
    const key = times.join();
    if (!this.clocks.has(key)) this.clocks.set(key, this.buffer.add(Float32Array.from(times), 'SCALAR'));
    return this.clocks.get(key)!;
  }

  private material(colour: Color): number {
    const key = colour.getHexString();
    if (!this.known.has(key)) {
      this.materials.push({
        name: `#${key}`,
        pbrMetallicRoughness:
            {baseColorFactor: [colour.r, colour.g, colour.b, 1], metallicFactor: 0, roughnessFactor: 0.7},
        doubleSided: true,  // the triangles of files face where they like
      });
      this.known.set(key, this.materials.length - 1);
    }
    return this.known.get(key)!;
  }

  private primitive({attributes: {position, normal}, index}: BufferGeometry): Json|null {
    if (position.count === 0) return null;
    const numbers = (data: ArrayLike<number>) => this.buffer.add(Float32Array.from(data), 'VEC3', kVertices);
    return {
      attributes: {POSITION: numbers(position.array), NORMAL: numbers(normal.array)},
      ...(index ? {indices: this.buffer.add(Uint32Array.from(index.array), 'SCALAR', kIndices)} : {}),
    };
  }
}

/**
 * Where something is at the frames at which it is anywhere; times begin at zero and grow, also as the file has them.
 */
function placesOf(time: readonly number[], place: (frame: number, out: Matrix4) => boolean): Moving {
  const moving: Moving = {times: [], matrices: []};
  time.forEach((t, frame) => {
    const matrix = new Matrix4(), at = Math.fround(t - time[0]);
    if (at === moving.times[moving.times.length - 1] || !place(frame, matrix)) return;
    moving.times.push(at);
    moving.matrices.push(matrix);
  });
  return moving;
}

/** `bodies` are what stands for the parts of the subject, in their order: what is not visible is left out. */
export function glbOf({solution, motion, parts, axes}: Subject, bodies: readonly Mesh[], program: string): ArrayBuffer {
  const writer = new Writer();
  const upright = new Quaternion().setFromUnitVectors(axes.up, new Vector3(0, 1, 0));
  const root = writer.node({name: solution.model.name || 'model', rotation: upright.toArray()});
  const links = new Map<string, number>();
  for (const {name} of solution.model.links) {
    const moving = placesOf(motion.time, (frame, out) => motion.pose(name, {frame, fraction: 0}, out));
    if (moving.times.length === 0) continue;
    const node = writer.node({name}, root);
    links.set(name, node);
    writer.move(node, moving);
  }
  parts.forEach((part, i) => {
    const link = links.get(part.link), material = bodies[i].material as MeshLambertMaterial;
    const mesh =
        bodies[i].visible && link !== undefined ? writer.mesh(part.fine?.() ?? part.geometry, material.color) : null;
    if (link === undefined || mesh === null) return;
    const own = placesOf(motion.time, (frame, out) => {
      const instant = {frame, fraction: 0}, place = new Matrix4();
      if (!motion.pose(part.link, instant, place) || !part.place(instant, out)) return false;
      out.premultiply(place.invert());
      return true;
    });
    if (own.times.length === 0) return;
    writer.move(writer.node({mesh}, link), own);
  });
  return writer.file(program, solution.task.name || 'motion');
}
