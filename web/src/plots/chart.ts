import uPlot from 'uplot';
import type {Clock} from '../clock';
import {h, svg} from '../dom';
import {number} from '../format';
import {colour, dash, onThemeChange, token} from '../palette';
import {rangeOf} from './axes';
import {bandValues, drawBands} from './bands';
import type {ChartData, Curve} from './curves';
import {saveCsv, savePng, saveSvg} from './export';
import {drawLimits, drawPhases, widened} from './limits';
import {logTicks} from './ticks';

const kHeight = 210;
/** Legends with more entries scroll. */
const kLongLegend = 8;
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

/** Three digits, and zero for what cannot be told from it in the plot. */
function readable(value: number|null, scale: number): string {
  return value !== null && Math.abs(value) < 1e-6 * scale ? '0' : number(value, 3);
}

function swatch(curve: Curve): SVGSVGElement {
  return svg('svg', {width: 26, height: 8, 'aria-hidden': 'true'}, svg('line', {
               x1: 0,
               x2: 26,
               y1: 4,
               y2: 4,
               stroke: colour(curve.colour),
               'stroke-width': 2.5,
               'stroke-dasharray': dash(curve.dash).join(' ') || 'none'
             }));
}

function bandSwatch(): SVGSVGElement {
  const box = svg('rect', {width: 26, height: 8, class: 'band'});
  return svg('svg', {width: 26, height: 8, 'aria-hidden': 'true'}, box);
}

/** A plot with its legend, its export buttons and, over time, a line at the page's time. */
export class Chart {
  readonly element = h('figure', {class: 'chart'});
  private readonly box = h('div', {class: 'plot', role: 'img'});
  private readonly legend = h('ul', {class: 'legend'});
  private readonly line = h('div', {class: 'now'});
  private plot?: uPlot;
  private values: HTMLElement[] = [];
  private scale = 0;
  private emphasised = -1;
  private nextValues = 0;
  /** Kept for curves that are set while the plot is not in the page. */
  private width = 480;

  constructor(private data: ChartData, private readonly clock: Clock, private readonly model: string) {
    new ResizeObserver(() => {
      this.width = this.box.clientWidth || this.width;
      this.plot?.setSize({width: this.width, height: kHeight});
    }).observe(this.box);
    this.set(data);
    onThemeChange(() => this.set(this.data));
    if (data.timed) {
      clock.time.watch((time) => this.mark(time));
      clock.playing.watch((playing) => playing || this.writeValues(clock.time.value));
    }
  }

  /** Replaces the curves. */
  set(data: ChartData): void {
    this.data = data;
    this.emphasised = -1;
    const title = data.unit ? `${data.title} (${data.unit})` : data.title;
    const button = (label: string, save: (d: ChartData, model: string) => unknown) =>
        h('button', {
          type: 'button',
          class: 'small',
          'aria-label': `Save ${data.title} as ${label}`,
          click: () => void save(this.data, this.model)
        },
          label);
    const buttons =
        h('span', {class: 'buttons'}, button('PNG', savePng), button('SVG', saveSvg), button('CSV', saveCsv));
    this.element.id = `plot-${data.id}`;
    this.element.replaceChildren(h('figcaption', {}, h('span', {}, title), buttons), this.box, this.legend);
    this.element.dataset.points = data.curves.map((curve) => curve.values.filter((v) => v !== null).length).join(' ');
    this.drawLegend();
    this.box.setAttribute('aria-label', this.description());
    this.plot?.destroy();
    this.plot = new uPlot(this.options(), joined(data.curves), this.box);
    if (data.timed) {
      this.plot.over.append(this.line);
      this.makeScrubber(this.plot.over);
      this.mark(this.clock.time.value);
    }
  }

  private description(): string {
    const ranges = this.data.curves.slice(0, 12).map((curve) => {
      const values = curve.values.filter((v): v is number => v !== null);
      const [low, high] = [Math.min(...values), Math.max(...values)].map((v) => readable(v, this.scale));
      return `${curve.name} from ${low} to ${high}`;
    });
    const phases = (this.data.phases ?? []).map(({name, start}) => `${name} from ${number(start, 3)} s`);
    const bands = (this.data.bands ?? []).map(({name}) => name);
    const behind = bands.length > 0 ? `. Behind: ${bands.join(', ')}` : '';
    return `${this.data.title}: ${ranges.join('; ')}${behind}${
        phases.length > 0 ? `. Phases: ${phases.join(', ')}` : ''}`;
  }

  private drawLegend(): void {
    this.values = this.data.curves.map(() => h('output', {'aria-live': 'off'}));
    const reach = (curve: Curve) => curve.values.reduce<number>((most, v) => Math.max(most, Math.abs(v ?? 0)), 0);
    this.scale = Math.max(0, ...this.data.curves.map(reach));
    const entries = this.data.curves.map(
        (curve, i) =>
            h('li', {mouseenter: () => this.emphasise(i), mouseleave: () => this.emphasise(-1)}, swatch(curve),
              h('span', {class: 'name'}, curve.name), this.values[i]));
    const bands = (this.data.bands ?? []).map(({name}) => h('li', {}, bandSwatch(), h('span', {class: 'name'}, name)));
    this.legend.replaceChildren(...entries, ...bands);
    const long = entries.length > kLongLegend;
    this.legend.classList.toggle('long', long);
    this.legend.tabIndex = long ? 0 : -1;  // what scrolls must be reachable by keyboard
  }

  private emphasise(index: number): void {
    this.emphasised = index;
    this.plot?.redraw(false);
  }

  private series(): uPlot.Series[] {
    return this.data.curves.map(
        (curve, i): uPlot.Series => ({
          label: curve.name,
          stroke: () => (this.emphasised >= 0 && this.emphasised !== i ? token('faded') : colour(curve.colour)),
          width: 1.8,
          dash: dash(curve.dash),
          points: {show: !this.data.timed && curve.time.length < 2},
        }));
  }

  /** Room for curves, limits and bands. */
  private reach(low: number, high: number): [number, number] {
    const {curves, bands = []} = this.data;
    return bands.length > 0 ? widened(...rangeOf([low, high, ...bandValues(bands)]), curves) :
                              widened(low, high, curves);
  }

  private options(): uPlot.Options {
    const axis: uPlot.Axis = {
      stroke: () => token('ink-2'),
      font: '12px system-ui, sans-serif',
      grid: {stroke: () => token('grid'), width: 1},
      ticks: {stroke: () => token('grid'), width: 1, size: 4},
    };
    const labels = (_: uPlot, splits: (number|null)[]) => splits.map((v) => (v === null ? '' : number(v)));
    const {data} = this, {second} = data;
    return {
      width: this.width,
      height: kHeight,
      legend: {show: false},
      pxAlign: 0,  // else curves follow the grid of pixels in steps
      cursor: {drag: {x: false, y: false}, points: {show: false}, y: false},
      scales: {
        x: {time: false},
        y: data.logarithmic ? {distr: 3} : {range: (_, low, high) => this.reach(low, high)},
        ...(second ? {second: {from: 'y', range: (_, low, high) => [low / second.size, high / second.size]}} : {}),
      },
      axes: [
        {
          ...axis,
          size: 30,
          label: data.xLabel,
          labelSize: 14,
          labelGap: 2,
          labelFont: '12px system-ui, sans-serif',
          values: labels
        },
        {
          ...axis,
          size: 62,
          values: labels,
          ...(data.logarithmic ?
                  {splits: (_u, _axis, low, high) => logTicks(low, high), filter: (_u, splits) => splits} :
                  {})
        },
        ...(second ? [{
          ...axis,
          side: 1 as const,
          scale: 'second',
          grid: {show: false},
          size: 60,
          values: labels,
          label: second.unit,
          labelSize: 16,
          labelFont: '12px system-ui, sans-serif',
        }] :
                     []),
      ],
      series: [{}, ...this.series()],
      hooks: {
        drawAxes: [(u) => {
          drawBands(u, data.bands ?? []);
          drawLimits(u, data.curves, this.emphasised);
          drawPhases(u, data.phases ?? []);
        }]
      },
    };
  }

  /** Pointer down and drag anywhere on the plot sets the time. */
  private makeScrubber(over: HTMLElement): void {
    const seek = (event: PointerEvent) =>
        this.clock.seek(this.plot!.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
    over.addEventListener('pointerdown', (event) => {
      over.setPointerCapture(event.pointerId);
      seek(event);
    });
    over.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) seek(event);
    });
  }

  private mark(time: number): void {
    if (!this.plot) return;
    this.line.style.transform = `translateX(${this.plot.valToPos(time, 'x')}px)`;
    const now = performance.now();
    if (this.clock.playing.value && now < this.nextValues) return;
    this.nextValues = now + kMillisecondsPerValue;
    this.writeValues(time);
  }

  private writeValues(time: number): void {
    this.data.curves.forEach((curve, i) => {
      const text = readable(valueAt(curve, time), this.scale);
      if (this.values[i].textContent !== text) this.values[i].textContent = text;
    });
  }
}
