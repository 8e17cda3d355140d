/** All plots of a report: which joints they show, how they are arranged, and what files bring. */
import {type Clock, Domain} from '../clock';
import {h, section} from '../dom';
import type {Measured} from '../payload';
import {readCsv} from '../plots/csv';
import {chartsOf, coordinateNames, defaultCoordinates, type Shown, smallCharts, someNotTold, wrenchCharts} from '../plots/curves';
import {type DroppedFile, withDropped} from '../plots/dropped';
import {ChartGrid} from '../plots/grid';
import {groundCharts} from '../plots/ground';
import {solutionKey} from '../plots/legend';
import {strideCharts} from '../plots/stride';
import {isAllZero} from '../plots/still';
import {Versus} from '../plots/versus';
import type {Signal} from '../signal';
import type {Solution} from '../solution';
import {jointChoice} from './joints';
import {likenessTable} from './tables';

const kArrangements: [string, string][] = [
  ['', 'curves together'],
  ['positions', 'a plot for each joint: positions'],
  ['velocities', 'a plot for each joint: velocities'],
  ['accelerations', 'a plot for each joint: accelerations'],
  ['torques', 'a plot for each joint: efforts'],
];

/** A file that is larger is no table of curves. */
const kMostBytes = 50_000_000;

export class Plots {
  readonly element: HTMLElement;
  private readonly parts: (() => void)[] = [];
  private readonly files: DroppedFile[] = [];
  private readonly note = h('p', {class: 'note', role: 'alert', hidden: true});

  constructor(
      private readonly solutions: Solution[], private readonly shown: () => Shown[], private readonly clock: Clock,
      private readonly joint: Signal<string|null>, private readonly measured?: Measured) {
    const joints = jointChoice(coordinateNames(solutions), defaultCoordinates(solutions));
    const arrangement =
        h('select', {'aria-label': 'Arrangement of the plots', change: () => show()},
          ...kArrangements.map(([value, words]) => h('option', {value}, words)));
    const nothing = h('p', {class: 'quiet nothing', hidden: true});
    const grid = this.grid(clock), versus = new Versus(clock);
    const show = () => {
      const all = chartsOf(this.shown(), joints.chosen.value);
      const arranged = withDropped(arrangement.value === '' ? all : smallCharts(all, arrangement.value), this.files);
      grid.show(arranged.filter((chart) => !isAllZero(chart)));
      const zero = arranged.filter(isAllZero).map(({title, unit}) => (unit ? `${title} (${unit})` : title));
      nothing.textContent = zero.length > 0 ? `Zero at all times: ${zero.join(', ')}.` : '';
      nothing.hidden = zero.length === 0;
      versus.set(all, this.shown());
    };
    joints.chosen.onChange(show);
    // What was chosen in the picture has its curves in the plots.
    joint.onChange((chosen) => {
      const all = solutions.flatMap(({coordinates}) => coordinates.filter((c) => c.joint === chosen));
      if (all.length > 0) joints.add(all.map(({name}) => name));
    });
    this.parts.push(show);
    const bar =
        h('div', {class: 'plot-bar'}, joints.element, h('label', {}, 'Plots: ', arrangement), this.fileButton());
    const key = solutions.length > 1 && shown().length > 1 ? solutionKey(solutions.map(({label}) => label)) : '';
    this.element =
        h('div', {class: 'plots'}, bar, this.note, key, grid.element, nothing, versus.element, this.ground(),
          this.stride(), this.wrenches());
    this.listenToDrops();
  }

  /** Draws everything anew, for other solutions. */
  show(): void {
    for (const part of this.parts) part();
  }

  private grid(domain: Domain): ChartGrid { return new ChartGrid(domain, this.joint, this.solutions[0].model.name); }

  private fileButton(): HTMLElement {
    const file =
        h('input', {type: 'file', accept: '.csv,text/csv', class: 'file', 'aria-label': 'Add curves from a CSV file'});
    file.addEventListener('change', () => {
      for (const one of file.files ?? []) void this.add(one);
      file.value = '';
    });
    return h('label', {class: 'button small', title: 'or drop the file on the page'}, 'Add curves …', file);
  }

  private listenToDrops(): void {
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      for (const file of event.dataTransfer?.files ?? []) void this.add(file);
    });
  }

  /** Curves of a file, or a note that says why it has none. */
  async add(file: File): Promise<void> {
    this.note.hidden = true;
    try {
      if (file.size > kMostBytes) throw new Error('the file is too large for a table of curves');
      const text = new TextDecoder('utf-8', {fatal: true}).decode(await file.arrayBuffer());
      const name = file.name.replace(/\.csv$/i, '');
      this.files.push({name, table: readCsv(text)});
      this.show();
    } catch (error) {
      this.note.textContent = `${file.name}: ${error instanceof Error ? error.message : String(error)}`;
      this.note.hidden = false;
    }
  }

  /** What the ground exerts on each support, of tasks that have a ground. */
  private ground(): HTMLElement|string {
    if (this.solutions.every((solution) => Object.keys(solution.ground_reaction).length === 0)) return '';
    const grid = this.grid(this.clock);
    this.parts.push(() => grid.show(groundCharts(this.shown())));
    const words = 'What the ground exerts on each support: forces in world axes, and moments about the vertical ' +
        'through the centre of pressure. In the picture, arrows at these centres and the ways of them have the ' +
        'colours of the curves; the zero-moment point is grey. Areas on the ground are foot prints: what touches it in ' +
        'each phase, so that they are darkest where a foot stands longest.';
    return section('ground', 'Ground reaction', h('p', {class: 'quiet'}, words), grid.element);
  }

  /** The gait cycle of solutions that are steps, with what was measured. */
  private stride(): HTMLElement|string {
    if (this.solutions.every(({stride}) => stride === undefined)) return '';
    const {measured} = this, grid = this.grid(new Domain()), likeness = h('div');
    grid.element.classList.add('three');
    this.parts.push(() => {
      grid.show(strideCharts(this.shown(), measured));
      likeness.replaceChildren(...(measured ? [likenessTable(measured, this.shown())] : []));
    });
    const words =
        'Two steps, from one strike of the right heel to the next. Of a step that ends mirrored, the second is the ' +
        'mirror image of the first; curves of the left side, where they differ, begin with the strike of the left heel. ' +
        'Forces in body weights, moments by the mass of the body. Joint forces are without those of muscles.' +
        (measured ? ` Grey: measured (${measured.file}), with a standard deviation to either side where it is known.` :
                    '');
    return section('stride', 'Gait cycle', h('p', {class: 'quiet'}, words), likeness, grid.element);
  }

  /** Components of one joint's wrench, whichever is chosen. */
  private wrenches(): HTMLElement|string {
    const joints = [...new Set(this.solutions.flatMap((solution) => Object.keys(solution.joint_wrenches)))];
    if (joints.length === 0) return '';
    const grid = this.grid(this.clock);
    const hardest = defaultCoordinates(this.solutions)[0];
    const moving = this.solutions[0].coordinates.find((c) => c.name === hardest)?.joint;
    const select =
        h('select', {'aria-label': 'Joint whose wrench is shown'},
          ...joints.map((joint) => h('option', {value: joint, selected: joint === moving}, joint)));
    const note =
        h('p', {class: 'note'},
          'Neither motion nor torques tell the components marked “least”, since equations of the loops repeat ',
          'each other: of all wrenches that are possible, the least are shown.');
    const show = () => {
      grid.show(wrenchCharts(this.shown(), select.value));
      note.hidden = !someNotTold(this.shown(), select.value);
    };
    select.addEventListener('change', show);
    this.joint.onChange((joint) => {
      if (joint === null || !joints.includes(joint) || joint === select.value) return;
      select.value = joint;
      show();
    });
    this.parts.push(show);
    return h(
        'div', {class: 'wrenches'},
        h('p', {}, h('label', {}, 'Components of the wrench in joint ', select),
          h('span', {class: 'quiet'},
            ' what the parent exerts on the child, in the axes of the child-side joint frame')),
        note, grid.element);
  }
}
