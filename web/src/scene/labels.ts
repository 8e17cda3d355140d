import {type Camera, Vector3} from 'three';
import {h} from '../dom';
import {number} from '../format';
import type {Figure} from './figure';

/** More would cover the picture: the largest are told. */
const kMost = 8;
/** What is a smaller part of the largest, in its unit, is as good as nothing. */
const kNothing = 1e-3;

/** Words at a place of the picture, in its pixels. */
export interface Placed {
  text: string;
  left: number;
  top: number;
  /** About their place, in place of beside it. */
  centred?: boolean;
}

/** What is told of arrows and arcs, and where. */
export function placedValues(figures: Figure[], camera: Camera, [width, height]: [number, number]): Placed[] {
  const all = figures.flatMap((figure, i) => figure.labels().map((label) => ({...label, i})));
  const most = new Map<string, number>();
  for (const {value, unit} of all) most.set(unit, Math.max(value, most.get(unit) ?? 1e-9));
  const told = all.filter(({value, unit}) => value > kNothing * most.get(unit)!)
                   .sort((a, b) => b.value - a.value)
                   .slice(0, kMost);
  const place = new Vector3(), part = width / figures.length;
  return told.map(({at, value, unit, i}) => {
    const {x, y} = place.copy(at).project(camera);
    return {text: `${number(value, 3)} ${unit}`, left: part * (i + (x + 1) / 2), top: (height * (1 - y)) / 2};
  });
}

/** Numbers beside arrows and arcs. */
export class ValueLabels {
  readonly element = h('div', {class: 'stage-values', 'aria-hidden': 'true'});
  private readonly words = Array.from({length: kMost}, () => h('span', {hidden: true}));

  constructor() { this.element.append(...this.words); }

  show(placed: Placed[]): void {
    this.words.forEach((word, k) => {
      const label = placed[k];
      word.hidden = label === undefined;
      if (!label) return;
      word.style.transform = `translate(${label.left.toFixed(1)}px, ${label.top.toFixed(1)}px)`;
      if (word.textContent !== label.text) word.textContent = label.text;
    });
  }
}
