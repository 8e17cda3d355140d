/** Any two quantities against each other. */
import type {Clock} from '../clock';
import {h, svg} from '../dom';
import {colour, dash} from '../palette';
import {padded, rangeOf, SvgAxes} from './axes';
import {type ChartData, type Curve, fullName, type Shown} from './curves';

const kWidth = 640, kHeight = 380, kBox = {
  left: 74,
  right: 620,
  top: 14,
  bottom: 330
};

/** A quantity: a curve for each solution that has it. */
interface Quantity {
  title: string;
  curves: Curve[];
}

function quantitiesOf(charts: ChartData[]): Quantity[] {
  const time =
      charts.flatMap(({curves}) => curves).filter((curve, i, all) => all.findIndex(({of}) => of === curve.of) === i);
  const named = charts.flatMap(({title, unit, curves}) => {
    const names = [...new Set(curves.map(({name}) => name))];
    return names.map(
        (name) =>
            ({title: `${title}: ${name}${unit ? ` (${unit})` : ''}`, curves: curves.filter((c) => c.name === name)}));
  });
  return [{title: 'time (s)', curves: time.map((curve) => ({...curve, values: curve.time}))}, ...named];
}

/** Pairs of values at the same times, and where they break off. */
function pairs(x: Curve, y: Curve): ([number, number]|null)[] {
  const byTime = new Map(y.time.map((t, k) => [t, y.values[k]]));
  return x.time.map((t, k) => {
    const [a, b] = [x.values[k], byTime.get(t)];
    return typeof a === 'number' && typeof b === 'number' ? [a, b] : null;
  });
}

export class Versus {
  readonly element: HTMLDetailsElement;
  private readonly place = h('div', {class: 'versus-plot'});
  private readonly selects = ['horizontal', 'vertical'].map(
      (side) => h('select', {'aria-label': `Quantity of the ${side} axis`, change: () => this.draw()}));
  private quantities: Quantity[] = [];
  private dots: {dot: SVGCircleElement; x: Curve; points: ([number, number] | null)[]}[] = [];
  private axes?: SvgAxes;

  constructor(private readonly clock: Clock) {
    const [x, y] = this.selects;
    this.element =
        h('details', {class: 'versus', toggle: () => this.draw()},
          h('summary', {}, 'Any two quantities against each other'), h('p', {}, y, ' over ', x), this.place);
    clock.time.onChange(() => this.mark());
    clock.pointer.onChange(() => this.mark());
  }

  set(charts: ChartData[], shown: Shown[]): void {
    const before = this.selects.map(({value}) => value);
    this.quantities = quantitiesOf(charts.filter(({timed}) => timed));
    const titles = this.quantities.map(({title}) => title);
    const usual = [titles.find((t) => /positions|angles/.test(t)), titles.find((t) => /velocities/.test(t))];
    this.selects.forEach((select, i) => {
      const chosen = titles.includes(before[i]) ? before[i] : usual[i] ?? titles[Math.min(i, titles.length - 1)];
      select.replaceChildren(...titles.map((title) => h('option', {value: title, selected: title === chosen}, title)));
    });
    this.element.hidden = shown.length === 0 || this.quantities.length < 2;
    this.draw();
  }

  private draw(): void {
    if (!this.element.open) return;
    const [x, y] = this.selects.map((select) => this.quantities.find(({title}) => title === select.value)!);
    if (!x || !y) return;
    const lines = y.curves.flatMap((curve) => {
      const twin = x.curves.find(({of}) => of === curve.of);
      return twin ? [{curve, x: twin, points: pairs(twin, curve)}] : [];
    });
    const all = lines.flatMap(({points}) => points).filter((point): point is[number, number] => point !== null);
    this.axes = new SvgAxes(kBox, padded(rangeOf(all.map(([a]) => a)), 0.04), rangeOf(all.map(([, b]) => b)));
    const axes = this.axes;
    const paths = lines.map(({curve, points}, i) => {
      let text = '', pen = 'M';
      for (const point of points) {
        if (point) text += `${pen}${axes.x(point[0]).toFixed(2)} ${axes.y(point[1]).toFixed(2)}`;
        pen = point ? 'L' : 'M';
      }
      const look =
          {stroke: colour(i), 'stroke-dasharray': dash(i).join(' ') || 'none', 'stroke-width': 1.8, fill: 'none'};
      return svg('path', {d: text, class: 'versus-line', ...look}, svg('title', {}, fullName(curve)));
    });
    this.dots = lines.map((line, i) => ({...line, dot: svg('circle', {r: 5, fill: colour(i)})}));
    const label = `${y.title} over ${x.title}`;
    const drawing =
        svg('svg', {viewBox: `0 0 ${kWidth} ${kHeight}`, class: 'front', role: 'img', 'aria-label': label},
            ...axes.elements(x.title, y.title), ...paths, ...this.dots.map(({dot}) => dot));
    this.place.replaceChildren(drawing);
    this.mark();
  }

  /** A dot at the time of the page. */
  private mark(): void {
    if (!this.element.open || !this.axes) return;
    const time = this.clock.shown;
    for (const {dot, x, points} of this.dots) {
      const after = x.time.findIndex((t) => t >= time - 1e-9), point = points[after < 0 ? points.length - 1 : after];
      dot.style.display = point ? '' : 'none';
      if (!point) continue;
      dot.setAttribute('cx', String(this.axes.x(point[0])));
      dot.setAttribute('cy', String(this.axes.y(point[1])));
    }
  }
}
