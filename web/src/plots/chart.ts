import uPlot from 'uplot';
import {Clock, type Domain} from '../clock';
import {h} from '../dom';
import {number} from '../format';
import {onThemeChange} from '../palette';
import type {Signal} from '../signal';
import {type ChartData, type Curve, fullName} from './curves';
import {saveCsv, savePng, saveSvg} from './export';
import {Legend, readable} from './legend';
import {plotOptions} from './plot_options';
import {listenToPointer} from './pointer';
import {scaleOf, splitStill} from './still';
import {Tip} from './tip';

const kHeights = {
  usual: 210,
  small: 120,
  large: 480
};
/** Numbers that change faster cannot be read, and cost a layout of the page each time. */
const kMillisecondsPerValue = 150;

/** uPlot needs one axis of times: curves of several solutions are joined on the union of theirs. */
function joined(curves: Curve[]): uPlot.AlignedData {
  const tables = curves.map((curve) => [[...curve.time], [...curve.values]] as unknown as uPlot.AlignedData);
  const keepGaps = curves.map(() => [0, 1] as uPlot.JoinNullMode[]);
  return tables.length === 1 ? tables[0] : uPlot.join(tables, keepGaps);
}

function valueAt(curve: Curve, time: number): number|null {
  let low = 0, high = curve.time.length - 1;
  if (time > curve.time[high] + 1e-9) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (curve.time[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  const a = curve.values[low], b = curve.values[high];
  if (a === null || b === null) return null;
  const span = curve.time[high] - curve.time[low];
  return span > 0 ? a + ((b - a) * (time - curve.time[low])) / span : a;
}

/** A plot with its legend and its buttons; over time, with lines at the page's time and under the pointer. */
export class Chart {
  readonly element = h('figure', {class: 'chart'});
  private readonly box = h('div', {class: 'plot', role: 'img'});
  private readonly now = h('div', {class: 'now'});
  private readonly cursor = h('div', {class: 'cursor', hidden: true});
  private readonly tip = new Tip();
  private readonly legend: Legend;
  private readonly reset = h(
      'button', {type: 'button', class: 'small', hidden: true, click: () => (this.domain.window.value = null)}, 'All');
  private plot?: uPlot;
  private curves: Curve[] = [];
  private scale = 0;
  private pointed: string|null = null;
  private isolated: string|null = null;
  private unfolded = false;
  private large = false;
  private nextValues = 0;
  /** Kept for curves that are set while the plot is not in the page. */
  private width = 480;

  /** `joint`: the one whose curves stand out, in all plots and in the picture. */
  constructor(
      private data: ChartData, private readonly domain: Domain, private readonly joint: Signal<string|null>,
      private readonly model: string) {
    this.legend = new Legend({
      point: (name) => this.point(name),
      isolate: (name) => this.isolate(name),
      unfold: () => {
        this.unfolded = !this.unfolded;
        this.set(this.data);
      }
    });
    new ResizeObserver(() => {
      this.width = this.box.clientWidth || this.width;
      this.plot?.setSize({width: this.width, height: this.height});
      this.placeLines();
    }).observe(this.box);
    this.set(data);
    onThemeChange(() => this.set(this.data));
    domain.window.onChange(() => this.showWindow());
    domain.pointer.onChange(() => this.hover());
    joint.onChange(() => this.plot?.redraw(false));
    if (domain instanceof Clock) {
      domain.time.onChange(() => this.mark());
      domain.playing.onChange((playing) => playing || this.writeValues());
    }
  }

  private get height(): number { return kHeights[this.large ? 'large' : this.data.small ? 'small' : 'usual']; }

  /** Replaces the curves. */
  set(data: ChartData): void {
    this.data = data;
    this.pointed = null;
    const {moving, still, words} = splitStill(data);
    this.curves = this.unfolded ? [...moving, ...still] : moving;
    if (!this.curves.some(({name}) => name === this.isolated)) this.isolated = null;
    this.scale = scaleOf(data.curves);
    this.element.id = `plot-${data.id}`;
    this.element.classList.toggle('mini', data.small === true && !this.large);
    this.element.replaceChildren(this.caption(), this.box, this.legend.element);
    this.element.dataset.points = data.curves.map((curve) => curve.values.filter((v) => v !== null).length).join(' ');
    const names = [...new Set(still.map(({name}) => name))].join(', ');
    this.legend.set(
        this.curves, data.bands ?? [],
        still.length > 0 ? {words: `${this.unfolded ? '−' : '+'} ${words}`, names, open: this.unfolded} : null);
    this.legend.press(this.isolated);
    this.box.setAttribute('aria-label', this.description());
    this.makePlot();
  }

  private makePlot(): void {
    this.plot?.destroy();
    const drawn = {
      data: this.data,
      curves: this.curves,
      width: this.width,
      height: this.height,
      faded: (curve: Curve) => this.isFaded(curve),
      shown: (curve: Curve) => this.isShown(curve),
      emphasised: () => this.emphasised(),
    };
    this.plot = new uPlot(plotOptions(drawn), joined(this.curves), this.box);
    this.plot.over.append(this.cursor, this.tip.element);
    if (this.data.timed) this.plot.over.append(this.now);
    listenToPointer(this.plot, this.domain, {seek: (x) => this.seek(x), whole: () => this.whole()});
    this.hideOthers();
    this.showWindow();
    this.writeValues();
  }

  private caption(): HTMLElement {
    const {data} = this, title = data.unit ? `${data.title} (${data.unit})` : data.title;
    const save = (label: string, act: (d: ChartData, model: string) => unknown) =>
        h('button', {
          type: 'button',
          class: 'small',
          'aria-label': `Save ${data.title} as ${label}`,
          click: () => void act(label === 'CSV' ? data : {...data, curves: this.curves}, this.model)
        },
          label);
    const size =
        h('button', {
          type: 'button',
          class: 'small',
          'aria-label': `Enlarge ${data.title}`,
          'aria-pressed': String(this.large),
          click: () => this.enlarge()
        },
          '⤢');
    this.reset.setAttribute('aria-label', `Show all of ${data.title}`);
    return h(
        'figcaption', {}, h('span', {}, title),
        h('span', {class: 'buttons'}, this.reset, size, save('PNG', savePng), save('SVG', saveSvg),
          save('CSV', saveCsv)));
  }

  private enlarge(): void {
    this.large = !this.large;
    this.element.classList.toggle('large', this.large);
    this.set(this.data);
    this.element.scrollIntoView({block: 'nearest'});
    this.element.querySelector<HTMLElement>('[aria-label^=Enlarge]')?.focus();
  }

  private description(): string {
    const ranges = this.curves.slice(0, 12).map((curve) => {
      const values = curve.values.filter((v): v is number => v !== null);
      const [low, high] = [Math.min(...values), Math.max(...values)].map((v) => readable(v, this.scale));
      return `${fullName(curve)} from ${low} to ${high}`;
    });
    const phases = (this.data.phases ?? []).map(({name, start}) => `${name} from ${number(start, 3)} s`);
    const bands = (this.data.bands ?? []).map(({name}) => name);
    const behind = bands.length > 0 ? `. Behind: ${bands.join(', ')}` : '';
    return `${this.data.title}: ${ranges.join('; ')}${behind}${
        phases.length > 0 ? `. Phases: ${phases.join(', ')}` : ''}`;
  }

  private point(name: string|null): void {
    this.pointed = name;
    this.plot?.redraw(false);
  }

  /** Shows curves of one name alone, and their joint in the picture; the same name again: all. */
  private isolate(name: string): void {
    this.isolated = this.isolated === name ? null : name;
    this.joint.value = this.curves.find((curve) => curve.name === this.isolated)?.joint ?? null;
    this.legend.press(this.isolated);
    this.hideOthers();
  }

  private hideOthers(): void {
    this.plot?.batch(() => this.curves.forEach((curve, i) => this.plot!.setSeries(i + 1, {show: this.isShown(curve)})));
  }

  private isShown(curve: Curve): boolean { return this.isolated === null || curve.name === this.isolated; }

  private isFaded(curve: Curve): boolean {
    if (this.pointed !== null) return curve.name !== this.pointed;
    const joint = this.joint.value;
    return joint !== null && curve.joint !== joint && this.curves.some((other) => other.joint === joint);
  }

  private emphasised(): number {
    const clear = this.curves.filter((curve) => this.isShown(curve) && !this.isFaded(curve));
    const seen = this.curves.filter((curve) => this.isShown(curve));
    return clear.length === 1 && seen.length > 1 ? seen.indexOf(clear[0]) : -1;
  }

  private whole(): [number, number] {
    const times = this.plot!.data[0];
    return [times[0], times[times.length - 1]];
  }

  private seek(x: number): void {
    if (this.domain instanceof Clock) this.domain.seek(x);
  }

  private showWindow(): void {
    const [low, high] = this.domain.window.value ?? this.whole();
    this.reset.hidden = this.domain.window.value === null;
    if (high > low) this.plot?.setScale('x', {min: low, max: high});
    this.placeLines();
  }

  private placeLines(): void {
    if (!this.plot) return;
    const place = (line: HTMLElement, x: number|null) => {
      const width = this.plot!.over.clientWidth, pixels = x === null ? -1 : this.plot!.valToPos(x, 'x');
      line.hidden = pixels < -1 || pixels > width + 1 || x === null;
      line.style.transform = `translateX(${pixels}px)`;
    };
    if (this.domain instanceof Clock) place(this.now, this.domain.time.value);
    place(this.cursor, this.domain.pointer.value);
  }

  private hover(): void {
    this.placeLines();
    const x = this.domain.pointer.value;
    if (x !== null && this.plot?.over.matches(':hover')) {
      const seen = this.curves.filter((curve) => this.isShown(curve));
      const values = seen.map((curve) => ({curve, text: readable(valueAt(curve, x), this.scale)}));
      this.tip.show(this.plot.valToPos(x, 'x'), `${this.data.xLabel}: ${number(x)}`, values);
    } else {
      this.tip.hide();
    }
    this.writeValues();
  }

  private mark(): void {
    this.placeLines();
    const now = performance.now();
    if (this.domain instanceof Clock && this.domain.playing.value && now < this.nextValues) return;
    this.nextValues = now + kMillisecondsPerValue;
    this.writeValues();
  }

  /** Under the pointer, else at the time. */
  private writeValues(): void {
    const x = this.domain.pointer.value ?? (this.domain instanceof Clock ? this.domain.time.value : null);
    this.legend.write(this.curves.map((curve) => (x === null ? '' : readable(valueAt(curve, x), this.scale))));
  }
}
