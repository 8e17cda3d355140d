/** Whether the solutions of a comparison or of a sweep are drawn in one scene. */
import {Color} from 'three';

import {h} from '../dom';
import {colour} from '../palette';

import type {Companion} from '../scene/companions';
import {rampColour} from '../scene/paint';
import {Signal} from '../signal';
import type {Solution} from '../solution';

export class Together {
  readonly element: HTMLElement;
  readonly changed = new Signal(false);
  private readonly key = h('ul', {class: 'legend', hidden: true, 'aria-label': 'Solutions in the picture'});

  /** `names`: of the rows of a sweep. */
  constructor(private readonly solutions: Solution[], private readonly names?: string[]) {
    const box = h('input', {type: 'checkbox', change: () => (this.changed.value = box.checked)});
    const words = names ? ` All ${solutions.length} in one picture` : ' In one picture';
    this.element = h('div', {class: 'together', hidden: solutions.length < 2}, h('label', {}, box, words), this.key);
  }

  get on(): boolean { return this.changed.value; }

  private colourOf(index: number): string {
    const last = this.solutions.length - 1;
    return this.names ? `#${rampColour(index / Math.max(last, 1), new Color()).getHexString()}` : colour(index);
  }

  companions(others: number[]): Companion[] {
    this.key.hidden = others.length === 0;
    this.key.replaceChildren(...others.map((index) => {
      const mark = h('span', {class: 'mark', 'aria-hidden': 'true'});
      mark.style.background = this.colourOf(index);
      return h('li', {}, mark, this.names?.[index] ?? this.solutions[index].label);
    }));
    return others.map((index) => ({solution: this.solutions[index], colour: this.colourOf(index)}));
  }
}
