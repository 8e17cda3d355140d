/** The names under a plot: an entry for each curve, or for those of several solutions that have the same name. */
import {h, svg} from '../dom';
import {number} from '../format';
import {colour, dash} from '../palette';
import type {Band, Curve} from './curves';

/** Legends with more entries scroll. */
const kLongLegend = 8;

/** Three digits, and zero for what cannot be told from it in the plot. */
export function readable(value: number|null, scale: number): string {
  return value !== null && Math.abs(value) < Math.max(1e-6 * scale, 1e-12) ? '0' : number(value, 3);
}

export function swatch(look: {colour: number; dash: number}): SVGSVGElement {
  return svg('svg', {width: 26, height: 8, 'aria-hidden': 'true'}, svg('line', {
               x1: 0,
               x2: 26,
               y1: 4,
               y2: 4,
               stroke: colour(look.colour),
               'stroke-width': 2.5,
               'stroke-dasharray': dash(look.dash).join(' ') || 'none'
             }));
}

function bandSwatch(): SVGSVGElement {
  const box = svg('rect', {width: 26, height: 8, class: 'band'});
  return svg('svg', {width: 26, height: 8, 'aria-hidden': 'true'}, box);
}

/** Which dashes are which solution's: one for all plots of a comparison. */
export function solutionKey(labels: string[]): HTMLElement {
  const kInk = 6;  // a grey of the palette
  return h(
      'ul', {class: 'legend key', 'aria-label': 'Dashes of the solutions'},
      ...labels.map((label, i) => h('li', {}, swatch({colour: kInk, dash: i}), h('span', {class: 'name'}, label))));
}

export interface LegendActions {
  /** A name of curves is pointed at, or none. */
  point(name: string|null): void;
  /** A name is chosen: it alone is shown, or all again. */
  isolate(name: string): void;
  unfold(): void;
}

export class Legend {
  readonly element = h('ul', {class: 'legend'});
  private values: HTMLElement[] = [];
  private readonly buttons = new Map<string, HTMLElement>();

  constructor(private readonly actions: LegendActions) {}

  /** `folded`: how many curves are not shown, in words. */
  set(curves: Curve[], bands: Band[], folded: {words: string; names: string; open: boolean}|null): void {
    this.values = curves.map(() => h('output', {'aria-live': 'off'}));
    this.buttons.clear();
    const names = [...new Set(curves.map(({name}) => name))];
    const entries = names.map((name) => {
      const own = curves.flatMap((curve, i) => (curve.name === name ? [i] : []));
      const {actions} = this, several = own.length > 1 || curves[own[0]].of !== undefined;
      const button = h(
          'button', {type: 'button', class: 'name', 'aria-pressed': 'false', click: () => actions.isolate(name)}, name);
      this.buttons.set(name, button);
      const values = own.flatMap((i) => (several ? [swatch(curves[i]), this.values[i]] : [this.values[i]]));
      return h(
          'li', {mouseenter: () => actions.point(name), mouseleave: () => actions.point(null)},
          several ? null : swatch(curves[own[0]]), button, ...values);
    });
    const measured = bands.map(({name}) => h('li', {}, bandSwatch(), h('span', {class: 'name'}, name)));
    const rest = folded ? [h('li', {},
                             h('button', {
                               type: 'button',
                               class: 'fold',
                               title: folded.names,
                               'aria-pressed': String(folded.open),
                               click: () => this.actions.unfold()
                             },
                               folded.words))] :
                          [];
    this.element.replaceChildren(...entries, ...measured, ...rest);
    const long = entries.length > kLongLegend;
    this.element.classList.toggle('long', long);
    this.element.tabIndex = long ? 0 : -1;  // what scrolls must be reachable by keyboard
  }

  write(texts: string[]): void {
    texts.forEach((text, i) => {
      if (this.values[i].textContent !== text) this.values[i].textContent = text;
    });
  }

  press(isolated: string|null): void {
    for (const [name, button] of this.buttons) button.setAttribute('aria-pressed', String(name === isolated));
  }
}
