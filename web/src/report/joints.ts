/** Which coordinates the plots show. */
import {h} from '../dom';
import {Signal} from '../signal';

export interface JointChoice {
  element: HTMLElement;
  chosen: Signal<string[]>;
  /** Shows these, too. */
  add(names: string[]): void;
}

export function jointChoice(names: string[], initially: string[]): JointChoice {
  const chosen = new Signal(initially);
  const boxes = new Map(names.map((name) => [name, h('input', {type: 'checkbox', checked: initially.includes(name)})]));
  const publish = () => (chosen.value = names.filter((name) => boxes.get(name)!.checked));
  const set = (wanted: string[]) => {
    for (const [name, box] of boxes) box.checked = wanted.includes(name);
    publish();
  };
  const labels = names.map((name) => h('label', {}, boxes.get(name)!, ` ${name}`));
  for (const box of boxes.values()) box.addEventListener('change', publish);
  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter …',
    'aria-label': 'Filter joints',
    input: () => {
      labels.forEach((label, i) => (label.hidden = !names[i].toLowerCase().includes(filter.value.toLowerCase())));
    }
  });
  const shown = () => names.filter((_, i) => !labels[i].hidden);
  const button = (text: string, wanted: () => string[]) =>
      h('button', {type: 'button', class: 'small', click: () => set(wanted())}, text);
  const title = h('summary');
  chosen.watch((now) => (title.textContent = `Joints in the plots: ${now.length} of ${names.length}`));
  const element =
      h('details', {class: 'joints'}, title,
        h('div', {class: 'buttons'}, names.length > 8 ? filter : null, button('All', shown), button('None', () => []),
          button('Default', () => initially)),
        h('div', {class: 'joint-list'}, ...labels));
  const add = (more: string[]) => {
    if (!more.every((name) => chosen.value.includes(name))) set([...chosen.value, ...more]);
  };
  return {element, chosen, add};
}
