/** The values of a plot's curves beside the pointer. The legend has them too, for those who do not see this. */
import {h} from '../dom';
import {type Curve, fullName} from './curves';
import {swatch} from './legend';

/** More would hide the plot. */
const kMost = 12;
/** Between the pointer and the values, in pixels. */
const kAside = 12;

export class Tip {
  readonly element = h('div', {class: 'tip', hidden: true, 'aria-hidden': 'true'});

  /**
   * `x`: where the pointer is in the plot. Where neither side has the room, they lie at the edge and over the curves.
   */
  show(x: number, title: string, values: {curve: Curve; text: string}[]): void {
    const rows = values.slice(0, kMost).map(
        ({curve, text}) => h('div', {}, swatch(curve), h('span', {}, fullName(curve)), h('b', {}, text)));
    const more = values.length > kMost ? [h('div', {}, `and ${values.length - kMost} more`)] : [];
    this.element.replaceChildren(h('div', {class: 'quiet'}, title), ...rows, ...more);
    this.element.hidden = false;
    const room = this.element.parentElement?.clientWidth ?? 0, free = room - this.element.offsetWidth;
    const left = x < room / 2 ? Math.min(x + kAside, free) : x - kAside - this.element.offsetWidth;
    this.element.style.left = `${Math.max(0, left)}px`;
  }

  hide(): void { this.element.hidden = true; }
}
