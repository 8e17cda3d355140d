/** The links of a model: found, hidden, shown alone, chosen. */
import {h} from '../dom';
import type {Signal} from '../signal';
import type {Model} from '../solution';

/** The joint of a link that was clicked; of a fixed one, that which moves it. */
export function movingJoint({links}: Model, picked: string|null): string|null {
  let link = links.find(({name}) => name === picked);
  while (link?.joint.type === 'fixed' && link.parent !== null) link = links.find(({name}) => name === link!.parent);
  return link?.joint.name ?? null;
}

export class Outliner {
  readonly element: HTMLDetailsElement;
  private readonly rows: {name: string; row: HTMLElement; box: HTMLInputElement}[];

  /** `hide` gets the links that are not to be seen; `joint` is the one that stands out. */
  constructor(model: Model, private readonly hide: (links: ReadonlySet<string>) => void, joint: Signal<string|null>) {
    const depth = new Map<string, number>();
    for (const {name, parent} of model.links) depth.set(name, parent === null ? 0 : (depth.get(parent) ?? 0) + 1);
    this.rows = model.links.map(({name, joint: own}) => {
      const box =
          h('input', {type: 'checkbox', checked: true, 'aria-label': `Show ${name}`, change: () => this.publish()});
      const choose = () => (joint.value = joint.value === own.name ? null : own.name);
      const button = h('button', {type: 'button', class: 'name', title: `joint ${own.name}`, click: choose}, name);
      joint.watch((chosen) => button.setAttribute('aria-pressed', String(chosen !== null && chosen === own.name)));
      const only =
          h('button', {type: 'button', class: 'small', 'aria-label': `Only ${name}`, click: () => this.isolate(name)},
            'only');
      const row = h('div', {class: 'outline'}, box, button, only);
      row.style.paddingLeft = `${Math.min(depth.get(name) ?? 0, 12) * 8}px`;
      return {name, row, box};
    });
    const find = h('input', {
      type: 'search',
      placeholder: 'Find …',
      'aria-label': 'Find links',
      input: () => {
        const wanted = find.value.toLowerCase();
        for (const {name, row} of this.rows) row.hidden = !name.toLowerCase().includes(wanted);
      }
    });
    const all = h('button', {type: 'button', class: 'small', click: () => this.isolate(null)}, 'Show all');
    const list = {class: 'outline-list', tabindex: 0, role: 'group', 'aria-label': 'Links'};
    this.element =
        h('details', {class: 'outliner'}, h('summary', {}, `Links: ${model.links.length}`),
          h('div', {class: 'buttons'}, find, all), h('div', list, ...this.rows.map(({row}) => row)));
  }

  private isolate(wanted: string|null): void {
    for (const {name, box} of this.rows) box.checked = wanted === null || name === wanted;
    this.publish();
  }

  private publish(): void { this.hide(new Set(this.rows.filter(({box}) => !box.checked).map(({name}) => name))); }
}
