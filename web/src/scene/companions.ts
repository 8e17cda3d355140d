/** Other solutions in the scene of one: translucent, each in its colour, at the same time. */
import {Group, Matrix4, Mesh, MeshLambertMaterial} from 'three';

import type {Solution} from '../solution';
import {Motion} from './motion';
import {type Part, partsOf, payloadParts} from './shapes';

export interface Companion {
  solution: Solution;
  colour: string;
}

const matrix = new Matrix4();

export class Companions {
  readonly object = new Group();
  private readonly all: {motion: Motion; parts: Part[]; solids: Mesh[]}[];

  constructor(companions: Companion[], size: number) {
    const opacity = companions.length > 2 ? 0.22 : 0.4;
    this.all = companions.map(({solution, colour}) => {
      const motion = Motion.of(solution), parts = [...partsOf(solution.model, motion, size), ...payloadParts(solution, motion)];
      // Behind what it coincides with: else both would flicker.
      const behind = {polygonOffset: true, polygonOffsetFactor: 4, polygonOffsetUnits: 8};
      const look = new MeshLambertMaterial({color: colour, transparent: true, opacity, depthWrite: false, ...behind});
      const solids = parts.map(({geometry}) => {
        const solid = new Mesh(geometry, look);
        solid.matrixAutoUpdate = false;
        solid.frustumCulled = false;
        this.object.add(solid);
        return solid;
      });
      return {motion, parts, solids};
    });
  }

  get count(): number { return this.all.length; }

  update(time: number): void {
    for (const {motion, parts, solids} of this.all) {
      const instant = motion.at(time);
      parts.forEach((part, i) => {
        solids[i].visible = part.place(instant, solids[i].matrix);
        solids[i].matrixWorldNeedsUpdate = true;
      });
    }
  }

  /** Where a link of one of them is. */
  position(which: number, link: string, time: number): number[]|null {
    const {motion} = this.all[which];
    return motion.pose(link, motion.at(time), matrix) ? matrix.elements.slice(12, 15) : null;
  }
}
