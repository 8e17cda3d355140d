import {type Camera, Vector3} from 'three';
import {h} from '../dom';
import {number} from '../format';
import type {Figure} from './figure';

/** More would cover the picture: the largest are told. */
const kMost = 8;

/** Numbers beside arrows and arcs. */
export class ValueLabels {
  readonly element = h('div', {class: 'stage-values', 'aria-hidden': 'true'});
  private readonly words = Array.from({length: kMost}, () => h('span', {hidden: true}));
  private readonly place = new Vector3();

  constructor() { this.element.append(...this.words); }

  show(figures: Figure[], camera: Camera, [width, height]: [number, number]): void {
    const all = figures.flatMap((figure, i) => figure.labels().map((label) => ({...label, i})));
    const told = all.filter(({value}) => value > 1e-9).sort((a, b) => b.value - a.value).slice(0, kMost);
    this.words.forEach((word, k) => {
      const label = told[k];
      word.hidden = label === undefined;
      if (!label) return;
      const {x, y} = this.place.copy(label.at).project(camera), part = width / figures.length;
      const left = part * (label.i + (x + 1) / 2), top = (height * (1 - y)) / 2;
      word.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
      const text = `${number(label.value, 3)} ${label.unit}`;
      if (word.textContent !== text) word.textContent = text;
    });
  }
}
