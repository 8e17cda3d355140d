/** Sliders and numbers for positions: typed or drawn, in radians or degrees, found by name, taken from named states. */
import {copyButton, h, section} from '../dom';
import {kMissing, number} from '../format';
import type {NamedState, Slider} from '../payload';
import type {Signal} from '../signal';
import {yamlOf} from './yaml';

const kFreeAngle = Math.PI, kFreeLength = 1, kFarthest = 10;
const kDegrees = 180 / Math.PI;

/** What a slider spans. */
function reach({unit, lower, upper}: Slider): [number, number] {
  const free = unit === 'rad' ? kFreeAngle : kFreeLength;
  return [Math.max(lower ?? -free, -kFarthest), Math.min(upper ?? free, kFarthest)];
}

interface Row {
  element: HTMLElement;
  /** Writes value, unit and limits anew. */
  write(): void;
  effort: HTMLElement;
}

/** What the panel tells its owner. */
export interface Wish {
  values: number[];
  /** The number of the state near which loops are to be closed. */
  near?: number;
}

export class JointPanel {
  readonly element: HTMLElement;
  readonly values: number[];
  /** Positions of all joints, as the program answered last. */
  positions: Record<string, number[]> = {};
  private degrees = false;
  private readonly rows: Row[];

  constructor(
      private readonly sliders: Slider[], private readonly states: NamedState[], joint: Signal<string|null>,
      private readonly ask: (wish: Wish) => void) {
    this.values = [...states[0].values];
    this.rows = sliders.map((_, i) => this.row(i));
    const list = h(
        'div', {class: 'sliders', tabindex: 0, role: 'group', 'aria-label': 'Sliders'},
        ...this.rows.map(({element}) => element));
    this.element = section('joints', 'Joints', this.tools(), list);
    joint.onChange((chosen) => this.rows.forEach(({element}, i) => {
      const own = chosen !== null && sliders[i].joint === chosen;
      element.classList.toggle('chosen', own);
      if (own && list.scrollHeight > list.clientHeight) list.scrollTop = element.offsetTop - list.offsetTop;
    }));
  }

  /** What holds each joint still; null where that is not known. */
  showEfforts(efforts: (string|null)[]): void {
    this.rows.forEach(({effort}, i) => {
      const text = efforts[i] ?? null;
      effort.textContent = text === null ? kMissing : `${text} ${this.sliders[i].effort_unit}`;
    });
  }

  private tools(): HTMLElement {
    const find = h('input', {
      type: 'search',
      placeholder: 'Find …',
      'aria-label': 'Find joints',
      input: () => {
        const wanted = find.value.toLowerCase();
        this.rows.forEach(
            ({element}, i) => (element.hidden = !this.sliders[i].name.toLowerCase().includes(wanted)));
      }
    });
    const degrees = h('input', {
      type: 'checkbox',
      change: () => {
        this.degrees = degrees.checked;
        this.rows.forEach((row) => row.write());
      }
    });
    const goTo =
        h('select', {
          'aria-label': 'Go to a state of the model',
          change: () => {
            this.take(Number(goTo.value));
            goTo.selectedIndex = 0;
          }
        },
          h('option', {value: '', selected: true, disabled: true}, 'Go to …'),
          ...this.states.map(({name}, i) => h('option', {value: i}, name)));
    const copy = copyButton('Copy q as YAML', () => yamlOf(this.positions));
    const turns = this.sliders.some(({unit}) => unit === 'rad');
    return h(
        'div', {class: 'buttons joint-tools'}, find, goTo, turns ? h('label', {}, degrees, ' Degrees') : null, copy);
  }

  private take(state: number): void {
    this.values.splice(0, this.values.length, ...this.states[state].values);
    this.rows.forEach((row) => row.write());
    this.ask({values: [...this.values], near: state});
  }

  private set(i: number, value: number): void {
    this.values[i] = value;
    this.rows[i].write();
    this.ask({values: [...this.values]});
  }

  private row(i: number): Row {
    const slider = this.sliders[i], [low, high] = reach(slider);
    const factor = () => (this.degrees && slider.unit === 'rad' ? kDegrees : 1);
    const range = h('input', {type: 'range', min: low, max: high, step: 'any', input: () => this.set(i, Number(range.value))});
    const typed = h('input', {
      type: 'number',
      step: 'any',
      change: () => {
        const value = Number(typed.value) / factor();
        if (typed.value.trim() !== '' && Number.isFinite(value)) return this.set(i, value);
        write();
      }
    });
    const unit = h('span', {class: 'unit'}), effort = h('output', {title: 'holds it still'}, kMissing);
    const ends = [h('span', {class: 'limit'}), h('span', {class: 'limit number'})];
    const element =
        h('div', {class: 'slider'}, h('span', {class: 'name', title: slider.name}, slider.name), typed, unit, effort,
          h('div', {class: 'track'}, ends[0], range, ends[1]));
    const write = () => {
      const value = this.values[i], by = factor(), word = slider.unit === 'm' ? 'm' : by === 1 ? 'rad' : '°';
      const below = slider.lower !== null && value < slider.lower, above = slider.upper !== null && value > slider.upper;
      range.value = String(value);
      range.setAttribute('aria-label', `${slider.name} (${word})`);
      range.setAttribute('aria-valuetext', `${number(value * by, 4)} ${word}`);
      if (document.activeElement !== typed || Number(typed.value) !== value * by) typed.value = shortest(value * by);
      typed.setAttribute('aria-label', `Position of ${slider.name} (${word})`);
      unit.textContent = word;
      ends[0].textContent = `${below ? '⚠ ' : ''}${slider.lower === null ? '−∞' : number(slider.lower * by, 3)}`;
      ends[1].textContent = `${slider.upper === null ? '∞' : number(slider.upper * by, 3)}${above ? ' ⚠' : ''}`;
      ends.forEach((end, k) => {
        end.classList.toggle('over', k === 0 ? below : above);
        end.title = (k === 0 ? below : above) ? 'beyond this limit' : k === 0 ? 'lower limit' : 'upper limit';
      });
    };
    write();
    return {element, write, effort};
  }
}

/** At most six digits, for a field of numbers: a plain minus sign. */
function shortest(value: number): string { return String(Number(value.toPrecision(6))); }
