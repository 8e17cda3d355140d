/** Elements without HTML text: names from models and tasks can only ever become text nodes. */

type Child = Node|string|null|undefined;
type Attributes = Record<string, string|number|boolean|((event: Event) => void)|undefined>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(child);
  }
}

/** `h('p', {class: 'note'}, 'text')`; a function as an attribute listens to the event of that name. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** A long name that may be broken after its underscores, slashes and dots. */
export function breakable(text: string): HTMLElement {
  return h(
      'span', {class: 'breakable'},
      ...text.split(/(?<=[_/.])/).flatMap((part, i) => (i > 0 ? [h('wbr'), part] : [part])));
}

/** The same for SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

export interface Column {
  title: string;
  /** In place of the title, the same words. */
  node?: Node;
  numeric?: boolean;
  /** Sentences: wide enough to be read on a narrow screen. */
  words?: boolean;
}

/** A table that scrolls sideways on its own where the screen is narrow. */
export function table(caption: string, columns: Column[], rows: (Node|string)[][]): HTMLElement {
  const kind = (column: Column) => (column.numeric ? 'number' : column.words ? 'words' : undefined);
  const head = h(
      'tr', {}, ...columns.map((column) => h('th', {scope: 'col', class: kind(column)}, column.node ?? column.title)));
  const body = rows.map(
      (row) =>
          h('tr', {},
            ...row.map(
                (cell, i) => (i === 0 ? h('th', {scope: 'row'}, cell) : h('td', {class: kind(columns[i])}, cell)))),
  );
  // What scrolls must be reachable by keyboard. A group, since so many landmarks would mark nothing.
  return h(
      'div', {class: 'table', tabindex: 0, role: 'group', 'aria-label': caption},
      h('table', {}, h('caption', {}, caption), h('thead', {}, head), h('tbody', {}, ...body)));
}

const kRowsAtFirst = 14;

/** A long table shows its first rows and a button for the rest. */
export function foldedTable(
    caption: string, columns: Column[], rows: (Node|string)[][], atFirst = kRowsAtFirst): HTMLElement {
  if (rows.length <= atFirst) return table(caption, columns, rows);
  const button =
      h('button', {type: 'button', click: () => box.replaceChildren(table(caption, columns, rows))},
        `Show all ${rows.length}`);
  const box = h('div', {}, table(caption, columns, rows.slice(0, atFirst)), button);
  return box;
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h('section', {id, 'aria-labelledby': `${id}-title`}, h('h2', {id: `${id}-title`}, title), ...children);
}

/** Copies a text that is asked for when the button is pressed. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const say = (words: string) => {
    button.textContent = words;
    setTimeout(() => (button.textContent = label), 2000);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      say('Copied');
    } catch {
      say('The browser refuses');
    }
  };
  const button = h('button', {type: 'button', class: 'small', click: () => void copy()}, label);
  return button;
}

/** Hands a file to the user. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  h('a', {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
