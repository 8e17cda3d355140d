/** Colours of the links: their own, or what they bear; the chosen one shines. Hidden ones are not drawn. */
import {Color, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, SphereGeometry} from 'three';

import {token} from '../palette';
import type {Link, Solution} from '../solution';
import {type Instant, localPose, type Motion} from './motion';
import type {Part} from './shapes';
import {forcesOf, largest, usesOf, valueOf} from './use';

export const kColourings = {
  links: 'links',
  use: 'use of limits, at the joints',
  force: 'force in the joint'
} as const;
export type Colouring = keyof typeof kColourings;

/** From little to much: a ramp whose lightness grows (viridis), and red for what is over a limit. */
export const kRamp = ['#3b528b', '#21918c', '#5ec962', '#fde725'];
export const kOver = '#d62728';
const kColours = kRamp.map((code) => new Color(code)), kOverColour = new Color(kOver);
/** A limit that is used by no more than this over it is met. */
const kTolerance = 1e-3;

export function rampColour(part: number, out: Color): Color {
  if (part > 1 + kTolerance) return out.copy(kOverColour);
  const place = Math.min(Math.max(part, 0), 1) * (kRamp.length - 1);
  const i = Math.min(Math.floor(place), kRamp.length - 2);
  return out.lerpColors(kColours[i], kColours[i + 1], place - i);
}

export class Paint {
  readonly object = new Group();
  private colouring: Colouring = 'links';
  private base: Color[] = [];
  private hidden: ReadonlySet<string> = new Set();
  private chosen: ReadonlySet<string> = new Set();
  private readonly uses = usesOf(this.solution);
  private readonly forces = forcesOf(this.solution);
  private readonly most = largest(this.forces);
  private readonly jointOf = new Map(this.solution.model.links.map((link) => [link.name, link.joint.name]));
  private readonly limited: {link: string; joint: string; local: Matrix4}[];
  private readonly balls: InstancedMesh;
  private readonly colour = new Color();
  private readonly place = new Matrix4();

  constructor(
      private readonly solids: Mesh[], private readonly parts: Part[], private readonly solution: Solution,
      private readonly motion: Motion, size: number) {
    this.limited = solution.model.links.filter((link) => this.uses.has(link.joint.name))
                       .map((link: Link) => ({link: link.name, joint: link.joint.name, local: localPose(link.joint)}));
    const look = new MeshBasicMaterial({depthTest: false, transparent: true});
    this.balls = new InstancedMesh(new SphereGeometry(0.035 * size, 18, 12), look, Math.max(this.limited.length, 1));
    this.balls.renderOrder = 2;
    this.balls.frustumCulled = false;
    this.balls.visible = false;
    this.object.add(this.balls);
  }

  available(): Colouring[] {
    return (Object.keys(kColourings) as Colouring[])
        .filter((name) => name === 'links' || (name === 'use' ? this.uses.size > 0 : this.most > 1e-9));
  }

  /** What the ends of the ramp stand for. */
  ends(colouring: Colouring): {low: string; high: string; unit: string}|null {
    if (colouring === 'use') return {low: '0', high: '100', unit: '% of a limit'};
    return colouring === 'force' ? {low: '0', high: this.most.toPrecision(3), unit: 'N'} : null;
  }

  /** Takes the colours that the links have now as their own. */
  remember(): void { this.base = this.solids.map(({material}) => (material as MeshLambertMaterial).color.clone()); }

  colourBy(colouring: Colouring): void { this.colouring = colouring; }
  hide(links: ReadonlySet<string>): void { this.hidden = links; }
  choose(links: ReadonlySet<string>): void { this.chosen = links; }

  /** How much of its limits a joint uses; of the force, what it bears. */
  value(joint: string, instant: Instant): number|null {
    return valueOf((this.colouring === 'force' ? this.forces : this.uses).get(joint), instant);
  }

  update(instant: Instant): void {
    const shine = new Color(token('accent'));
    this.solids.forEach((solid, i) => {
      const {link} = this.parts[i], material = solid.material as MeshLambertMaterial;
      if (this.hidden.has(link)) solid.visible = false;
      material.color.copy(this.base[i]);
      if (this.colouring === 'force') {
        const force = valueOf(this.forces.get(this.jointOf.get(link) ?? ''), instant);
        if (force !== null) rampColour(force / this.most, material.color);
      }
      material.emissive.copy(shine).multiplyScalar(this.chosen.has(link) ? 0.55 : 0);
    });
    this.balls.visible = this.colouring === 'use';
    if (this.balls.visible) this.placeBalls(instant);
  }

  private placeBalls(instant: Instant): void {
    let count = 0;
    for (const {link, joint, local} of this.limited) {
      const use = valueOf(this.uses.get(joint), instant);
      if (use === null || this.hidden.has(link) || !this.motion.pose(link, instant, this.place)) continue;
      this.balls.setMatrixAt(count, this.place.multiply(local));
      this.balls.setColorAt(count++, rampColour(use, this.colour));
    }
    this.balls.count = count;
    this.balls.instanceMatrix.needsUpdate = true;
    if (this.balls.instanceColor) this.balls.instanceColor.needsUpdate = true;
  }
}
