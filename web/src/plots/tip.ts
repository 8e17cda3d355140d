/** The values of a plot's curves beside the pointer. The legend has them too, for those who do not see this. */
import {h} from '../dom';
import {type Curve, fullName} from './curves';
import {swatch} from './legend';

/** More would hide the plot. */
const kMost = 12;

export class Tip {
  readonly element = h('div', {class: 'tip', hidden: true, 'aria-hidden': 'true'});

  /** `part`: how far to the right the pointer is. */
  show(part: number, title: string, values: {curve: Curve; text: string}[]): void {
    const rows = values.slice(0, kMost).map(
        ({curve, text}) => h('div', {}, swatch(curve), h('span', {}, fullName(curve)), h('b', {}, text)));
    const more = values.length > kMost ? [h('div', {}, `and ${values.length - kMost} more`)] : [];
    this.element.replaceChildren(h('div', {class: 'quiet'}, title), ...rows, ...more);
    this.element.style.left = part < 0.5 ? `calc(${100 * part}% + 12px)` : 'auto';
    this.element.style.right = part < 0.5 ? 'auto' : `calc(${100 * (1 - part)}% + 12px)`;
    this.element.hidden = false;
  }

  hide(): void { this.element.hidden = true; }
}
