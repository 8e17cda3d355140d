import {Box3, Color, DirectionalLight, DoubleSide, FrontSide, GridHelper, Group, HemisphereLight, Mesh, MeshBasicMaterial, MeshLambertMaterial, Object3D, PlaneGeometry, Scene, ShadowMaterial, SphereGeometry, SRGBColorSpace, Vector3,} from 'three';

import {number} from '../format';
import {colour, onThemeChange, token} from '../palette';

import type {Obstacle, Solution} from '../solution';
import {Companions, type Companion} from './companions';
import {linkExtent, modelSize, partExtent} from './extent';
import {groundForces} from './ground';
import {type Axes, axesOf, isThere, Motion} from './motion';
import * as extras from './extras';
import * as overlays from './overlays';
import type {Label, Overlay, Subject} from './overlays';
import {Paint} from './paint';
import type {Quality} from './quality';
import {obstacleMesh} from './obstacles';
import {linksWithoutShapes, type Part, partsOf, payloadParts} from './shapes';

/** What the reader can switch on and off. */
export const kOverlays = {
  ghosts: 'Snapshots',
  paths: 'Paths',
  joint_forces: 'Joint forces',
  ground_forces: 'Ground reactions, ZMP, foot prints',
  com: 'Centre of mass',
  frames: 'Frames',
  joint_moments: 'Joint moments',
  axes: 'Joint axes',
  inertias: 'Inertia ellipsoids',
  collisions: 'Collision shapes, margins',
} as const;
export type OverlayName = keyof typeof kOverlays;

const kGhosts = 7;

/** A round step of which about ten span the size: 1, 2 or 5 times a power of ten. */
function roundStep(size: number): number {
  const rough = size / 10, power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((k) => k * power >= rough) ?? 10);
}

/** One solution's motion as a scene. */
export class Figure {
  readonly scene = new Scene();
  readonly motion: Motion;
  readonly axes: Axes;
  private extentNow: Box3;
  readonly linkBox: Box3;
  readonly size: number;
  private readonly parts: Part[];
  private readonly solids: Mesh[];
  readonly subject: Subject;
  private readonly overlays = new Map<OverlayName, Overlay|null>();
  private readonly shown = new Set<OverlayName>();
  private readonly sun = new DirectionalLight(0xffffff, 2.1);
  private readonly sky = new HemisphereLight(0xffffff, 0xb9c0c8, 1.7);
  private readonly floor = new Group();
  private readonly obstacles: {obstacle: Obstacle; object: Object3D}[];
  private readonly ground: number;
  /** Colours of the links, and which are seen. */
  readonly paint: Paint;
  companions?: Companions;
  private time = 0;

  /** `ground`: its height where another figure of the same scene has chosen one. */
  constructor(readonly solution: Solution, private readonly tint: number, ground?: number) {
    this.motion = Motion.of(solution);
    this.axes = axesOf(solution.model);
    this.linkBox = linkExtent(solution.model, this.motion);
    this.size = modelSize(solution.model, this.motion);
    this.parts = [...partsOf(solution.model, this.motion, this.size), ...payloadParts(solution, this.motion)];
    this.obstacles = solution.obstacles.map((obstacle) => ({obstacle, object: obstacleMesh(obstacle)}));
    this.extentNow = partExtent(this.parts, this.motion).union(this.linkBox);
    this.ground = ground ?? this.groundHeight();
    this.subject = {solution, motion: this.motion, parts: this.parts, axes: this.axes, size: this.size};
    this.solids = this.makeSolids();
    this.paint = new Paint(this.solids, this.parts, solution, this.motion, this.size);
    this.scene.add(this.paint.object);
    this.addSurroundings();
    this.scene.add(this.sky, this.sun, this.sun.target, this.floor);
    this.setTheme();
    onThemeChange(() => this.setTheme());
    this.update(0);
  }

  /** The box that the model stays in. */
  get extent(): Box3 { return this.extentNow; }

  /** Links whose shapes are not here; rods stand for them. */
  get linksWithoutShapes(): number { return linksWithoutShapes(this.solution.model).length; }

  /** Triangles that it has while it moves. */
  get triangles(): number {
    return this.parts.reduce((sum, {geometry}) => sum + (geometry.index ?? geometry.attributes.position).count / 3, 0);
  }

  /** After its poses were replaced: whether the model has left its box, which is then made anew with some room. */
  outgrown(): boolean {
    const now = partExtent(this.parts, this.motion).union(linkExtent(this.solution.model, this.motion));
    if (this.extentNow.containsBox(now)) return false;
    this.extentNow = now.expandByScalar(0.15 * this.size);
    this.placeSun();
    this.drawFloor();
    return true;
  }

  /** The box that the model is in at a time. */
  boxAt(time: number): Box3 { return partExtent(this.parts, this.motion, [this.motion.at(time)]); }

  /** Overlays that the solution has data for. */
  available(): OverlayName[] {
    const {solution} = this;
    const has: Record<OverlayName, boolean> = {
      ghosts: true,
      paths: true,
      frames: true,
      collisions: solution.model.links.some((link) => link.collisions.length > 0) ||
          solution.obstacles.some(({margin = 0}) => margin > 0),
      com: solution.com !== undefined,
      joint_moments: Object.keys(solution.joint_wrenches).length > 0,
      axes: solution.model.links.some(({joint}) => joint.axis !== undefined && joint.type !== 'fixed'),
      inertias: solution.model.links.some(({inertial}) => inertial !== undefined),
      joint_forces: Object.keys(solution.joint_wrenches).length > 0,
      ground_forces: Object.keys(solution.ground_reaction).length > 0 || solution.zmp !== undefined,
    };
    return (Object.keys(has) as OverlayName[]).filter((name) => has[name]);
  }

  /** What the arrows of an overlay measure, in words. */
  note(name: OverlayName): string {
    const {joint_wrenches: wrenches, ground_reaction: reactions} = this.solution;
    const forces = name === 'joint_forces' ? Object.values(wrenches) :
        name === 'ground_forces'           ? Object.values(reactions).map(({force}) => force) :
                                             [];
    const most = overlays.largestForce(forces);
    return most > 1e-9 ? `, longest ${number(most, 3)} N` : '';
  }

  show(name: OverlayName, visible: boolean): void {
    if (visible)
      this.shown.add(name);
    else
      this.shown.delete(name);
    if (visible && !this.overlays.has(name)) {
      const overlay = this.make(name);
      this.overlays.set(name, overlay);
      if (overlay) this.scene.add(overlay.object);
    }
    const overlay = this.overlays.get(name);
    if (overlay) overlay.object.visible = visible;
    this.update(this.time);
  }

  update(time: number): void {
    this.time = time;
    const instant = this.motion.at(time);
    this.parts.forEach((part, i) => {
      this.solids[i].visible = part.place(instant, this.solids[i].matrix);
      this.solids[i].matrixWorldNeedsUpdate = true;
    });
    this.paint.update(instant);
    for (const {obstacle, object} of this.obstacles) object.visible = isThere(obstacle, time);
    for (const name of this.shown) this.overlays.get(name)?.update(instant);
    this.companions?.update(time);
  }

  /** Draws other solutions in this scene, or none. */
  setCompanions(others: Companion[]): void {
    if (this.companions) this.scene.remove(this.companions.object);
    this.companions = others.length > 0 ? new Companions(others, this.size) : undefined;
    if (this.companions) this.scene.add(this.companions.object);
  }

  /** What arrows and arcs that are shown now measure. */
  labels(): Label[] { return [...this.shown].flatMap((name) => this.overlays.get(name)?.labels?.() ?? []); }

  /** What can be pointed at. */
  get bodies(): readonly Mesh[] { return this.solids; }

  /** The link that one of these belongs to. */
  linkOf(body: Object3D): string { return this.parts[this.solids.indexOf(body as Mesh)].link; }

  /** The point that a camera follows: the centre of mass, or the middle of the links. */
  focus(time: number, out: Vector3): Vector3 {
    const instant = this.motion.at(time);
    const row = this.solution.com?.[instant.frame];
    if (row && row.every(Number.isFinite)) return out.fromArray(row as number[]);
    return this.linkBox.getCenter(out);
  }

  linkPosition(link: string, time: number): Vector3|null {
    const p = new Vector3();
    return this.motion.position(link, this.motion.at(time), p) ? p : null;
  }

  /** The force in a joint, in world axes. */
  jointForce(name: string, time: number): Vector3|null {
    const link = this.solution.model.links.find((l) => l.joint.name === name);
    const joint = link ? overlays.loadedJoint(this.solution, link) : null;
    const force = new Vector3();
    const known = joint && overlays.jointForce(this.motion, joint, this.motion.at(time), new Vector3(), force);
    return known ? force : null;
  }

  setQuality({shadows, ghosts, fine}: Quality): void {
    this.sun.castShadow = shadows;
    this.parts.forEach((part, i) => (this.solids[i].geometry = (fine && part.fine?.()) || part.geometry));
    const snapshots = this.overlays.get('ghosts');
    if (snapshots) snapshots.object.visible = ghosts && this.shown.has('ghosts');
  }

  private make(name: OverlayName): Overlay|null {
    switch (name) {
      case 'ghosts':
        return overlays.ghosts(this.subject, kGhosts);
      case 'paths':
        return overlays.paths(this.subject);
      case 'joint_forces':
        return overlays.jointForces(this.subject);
      case 'ground_forces':
        return groundForces(this.subject);
      case 'com':
        return overlays.centreOfMass(this.subject);
      case 'frames':
        return overlays.frames(this.subject);
      case 'joint_moments':
        return extras.jointMoments(this.subject);
      case 'axes':
        return extras.jointAxes(this.subject);
      case 'inertias':
        return extras.inertias(this.subject);
      case 'collisions':
        return overlays.collisions(this.subject);
    }
  }

  /** Neighbouring links differ in shade, so that they can be told apart. */
  private makeSolids(): Mesh[] {
    const depth = new Map<string, number>(), drawn = new Set(this.parts.map((part) => part.link));
    for (const link of this.solution.model.links) {
      const above = link.parent === null ? -1 : (depth.get(link.parent) ?? 0);
      depth.set(link.name, above + (drawn.has(link.name) ? 1 : 0));
    }
    return this.parts.map((part) => {
      const material = new MeshLambertMaterial({side: part.mesh ? DoubleSide : FrontSide});
      material.userData.odd = (depth.get(part.link) ?? 0) % 2 === 1;
      const mesh = new Mesh(part.geometry, material);
      mesh.matrixAutoUpdate = false;
      mesh.castShadow = true;
      mesh.frustumCulled = false;
      this.scene.add(mesh);
      return mesh;
    });
  }

  private addSurroundings(): void {
    for (const {object} of this.obstacles) this.scene.add(object);
    for (const target of this.solution.targets) {
      const ball = new Mesh(
          new SphereGeometry(0.02 * this.size, 20, 14), new MeshBasicMaterial({color: colour(2), wireframe: true}));
      ball.position.fromArray(target.position);
      this.scene.add(ball);
    }
    this.placeSun();
  }

  private placeSun(): void {
    const {sun, extent, axes} = this;
    const centre = extent.getCenter(new Vector3()), reach = Math.max(extent.getSize(new Vector3()).length(), this.size);
    sun.position.copy(centre)
        .addScaledVector(axes.up, reach)
        .addScaledVector(axes.right, 0.7 * reach)
        .addScaledVector(axes.forward, -0.35 * reach);
    sun.target.position.copy(centre);
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.normalBias = 0.01 * this.size;
    Object.assign(
        sun.shadow.camera, {left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * reach, far: 4 * reach});
    sun.shadow.camera.updateProjectionMatrix();
  }

  /** Where the model stood at first: it may go below, the floor does not give way. */
  floorHeight(): number { return this.ground; }

  /** At height zero for those who walk there, else under the lowest point. */
  private groundHeight(): number {
    const corners = [this.extent.min, this.extent.max].map((corner) => corner.dot(this.axes.up));
    const lowest = Math.min(...corners);
    const {model, ground_reaction: reactions} = this.solution;
    const walks =
        Object.keys(reactions).length > 0 || (model.contacts.length > 0 && Math.abs(lowest) < 0.2 * this.size);
    return walks ? 0 : lowest - 0.002 * this.size;
  }

  private setTheme(): void {
    this.scene.background = new Color(token('stage'));
    const body = new Color(token('body')), body2 = new Color(token('body-2'));
    if (this.tint > 0)
      for (const shade of [body, body2]) shade.lerp(new Color(colour(this.tint)), 0.45);
    this.solids.forEach(({material}, i) => {
      const own = this.parts[i].colour, {color, userData} = material as MeshLambertMaterial;
      color.copy(userData.odd ? body2 : body);
      if (own) color.setRGB(own[0], own[1], own[2], SRGBColorSpace);
      if (own && this.tint > 0) color.lerp(new Color(colour(this.tint)), 0.45);
    });
    this.paint.remember();
    this.drawFloor();
    for (const overlay of this.overlays.values())
      if (overlay) this.scene.remove(overlay.object);
    this.overlays.clear();  // made anew in their new colours
    for (const name of this.shown) this.show(name, true);
  }

  /** With background and lines on the ground, or for pictures that are put on others. */
  setBackdrop(on: boolean): void {
    this.scene.background = on ? new Color(token('stage')) : null;
    for (const part of this.floor.children) part.visible = on || !(part instanceof GridHelper);
  }

  private drawFloor(): void {
    this.floor.clear();
    const step = roundStep(this.size), reach = this.extent.getSize(new Vector3()).length() + 2 * this.size;
    const cells = 2 * Math.min(Math.ceil(reach / step), 60);
    const grid = new GridHelper(cells * step, cells, token('grid-strong'), token('grid'));
    const shade = new Mesh(
        new PlaneGeometry(cells * step, cells * step),
        new ShadowMaterial({opacity: 0.16, side: DoubleSide, depthWrite: false}));
    shade.receiveShadow = true;
    shade.rotation.x = -Math.PI / 2;
    this.floor.add(grid, shade);
    const middle = this.extent.getCenter(new Vector3());
    const height = this.floorHeight();
    // The grid passes through the origin, so that its lines stand for round coordinates.
    const snapped = new Vector3(Math.round(middle.x / step), Math.round(middle.y / step), Math.round(middle.z / step))
                        .multiplyScalar(step);
    snapped.addScaledVector(this.axes.up, height - snapped.dot(this.axes.up));
    this.floor.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.axes.up);
    this.floor.position.copy(snapped);
  }
}
