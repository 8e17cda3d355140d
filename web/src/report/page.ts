/** The report: one solution, several compared, or a sweep of which one is shown at a time. */
import {applyWishes, readWishes} from '../address';
import {Clock, Domain} from '../clock';
import {h, section} from '../dom';
import {runErrand} from '../film/errand';
import {savingPanel, type Subject as Saved} from '../film/panel';
import {keepOnPaper} from '../film/print';
import {number} from '../format';
import {footer, topBar} from '../frame';
import {helpDialog, listenToKeys} from '../keyboard';

import type {ReportPayload} from '../payload';
import {DataError} from '../payload';
import {convergenceCharts, phasesOf, type Shown} from '../plots/curves';
import {ChartGrid} from '../plots/grid';
import {meshTable, readSolution} from '../read_solution';
import {Figure, type OverlayName} from '../scene/figure';
import {Stage} from '../scene/stage';
import {Signal} from '../signal';
import type {Phase, Solution} from '../solution';
import {frontSection} from './front';
import {isFailed, summary} from './header';
import {comparisonTable, differing} from './comparison';
import {movingJoint, Outliner} from './outliner';
import {Plots} from './plots';
import {repetitions} from './repetitions';
import {Together} from './together';
import {costTable, limitsSection, parameterTable, refinementTable, startsTable, verificationSection} from './tables';
import {transportBar, ViewOptions} from './transport';
import {workSection} from './work';

/** Side by side on one screen; more are compared by curves and tables only. */
const kMostFigures = 4;

function details(title: string, text: string): HTMLElement {
  return h('details', {}, h('summary', {}, title), h('pre', {tabindex: 0}, text));
}

/** Of which seven pictures would hide the one that moves, and slow it down. */
const kManyTriangles = 10000;
/** A motion with more frames is so long that its paths would hide the model. */
const kManyFrames = 3000;

function initialOverlays(figure: Figure): OverlayName[] {
  const wanted: OverlayName[] = figure.solution.model.contacts.length > 0 ? ['ground_forces', 'com'] :
      figure.triangles > kManyTriangles                                   ? ['paths'] :
                                                                            ['ghosts', 'paths'];
  const long = figure.solution.time.length > kManyFrames;
  return wanted.filter((name) => figure.available().includes(name) && !(long && name === 'paths'));
}

class Report {
  readonly element = h('div', {class: 'report'});
  private readonly clock = new Clock();
  private readonly stage = new Stage(this.clock);
  private readonly figures = new Map<number, Figure>();
  private readonly chosen = new Signal(0);
  /** The joint that stands out in plots and picture. */
  private readonly joint = new Signal<string|null>(null);
  private readonly phases = new Signal<Phase[]>([]);
  private readonly model: string;
  private readonly together: Together;
  private readonly convergence: ChartGrid;
  /** Known once the page is built. */
  private saved!: Saved;

  constructor(private readonly solutions: Solution[], private readonly payload: ReportPayload) {
    this.model = solutions[0].model.name;
    const rows = payload.front?.rows.map(({value}) => `${payload.front!.parameter} = ${number(value)}`);
    this.together = new Together(solutions, rows);
    this.convergence = new ChartGrid(new Domain(), this.joint, this.model);
    Object.assign(window, {verne: {...scripting(this.stage, this.clock), joint: () => this.joint.value}});
  }

  private get sweeps(): boolean { return this.payload.front !== undefined; }

  /** What is on the screen: the chosen one of a sweep, else all. */
  private shown(): Shown[] {
    const all = this.solutions.map((solution, index) => ({solution, index}));
    return this.sweeps ? [all[this.chosen.value]] : all;
  }

  /** Figures of one model stand on one ground. */
  private figure(index: number): Figure {
    if (!this.figures.has(index)) {
      const first = this.figures.get(0), solution = this.solutions[index];
      const ground = first?.solution.model.name === solution.model.name ? first.floorHeight() : undefined;
      this.figures.set(index, new Figure(solution, this.sweeps ? 0 : index, ground));
    }
    return this.figures.get(index)!;
  }

  /** The figures to draw: side by side, or one with the others in its scene. */
  private draw(): void {
    const shown = this.shown(), main = shown[0].index;
    const others = this.together.on ? this.solutions.map((_, i) => i).filter((i) => i !== main) : [];
    const seen = this.together.on ? this.solutions : shown.map(({solution}) => solution);
    this.clock.duration.value = Math.max(...seen.map(({time}) => time[time.length - 1]));
    this.clock.seek(this.clock.time.value);
    const drawn = this.together.on ? [main] : shown.slice(0, kMostFigures).map(({index}) => index);
    this.figure(0);
    const figures = drawn.map((index) => this.figure(index));
    figures[0].setCompanions(this.together.companions(others));
    this.stage.setFigures(figures, {keepCamera: true});
  }

  build(): HTMLElement {
    const first = this.figure(0);
    const options = new ViewOptions(this.stage, first, first.available(), initialOverlays(first));
    this.saved = {
      stage: this.stage,
      clock: this.clock,
      options,
      program: this.payload.program,
      figure: () => this.figure(this.shown()[0].index),
      duration: () => this.clock.duration.value,
    };
    const plots = new Plots(this.solutions, () => this.shown(), this.clock, this.joint, this.payload.measured);
    const outliner = new Outliner(this.solutions[0].model, (links) => this.stage.hide(links), this.joint);
    this.stage.picked.onChange(({link}) => (this.joint.value = movingJoint(this.shown()[0].solution.model, link)));
    this.joint.onChange((joint) => this.stage.choose(joint));
    this.together.changed.onChange(() => {
      this.draw();
      options.apply();
    });
    const head = h('div', {class: 'head'}), tail = h('div', {class: 'sections'});
    const help = helpDialog();
    const comparison = this.solutions.length > 1 && !this.sweeps ? comparisonTable(this.solutions) : null;
    const front = this.payload.front ? frontSection(this.payload.front, this.solutions, this.chosen) : null;
    this.element.append(
        topBar(this.title(), help), head, h('div', {class: 'beside'}, comparison, front),
        h('div', {class: 'workbench'},
          h('div', {class: 'theatre'}, this.stage.element, transportBar(this.clock, this.phases), options.element,
            this.together.element, outliner.element, savingPanel(this.saved)),
          plots.element),
        tail, footer(this.payload.program), help);
    this.chosen.watch(() => {
      const shown = this.shown();
      this.phases.value = phasesOf(shown);
      this.draw();
      options.apply();
      head.classList.toggle('failed', shown.some(({solution}) => isFailed(solution)));
      head.replaceChildren(...(shown.length === 1 ? [summary(shown[0].solution)] : []));
      tail.replaceChildren(...this.evidence(shown));
    });
    this.chosen.watch(() => plots.show());
    listenToKeys(
        this.clock, this.stage, options, help,
        () => this.clock.duration.value / Math.max(this.shown()[0].solution.time.length - 1, 1));
    return this.element;
  }

  /** Starts the motion, unless the address or the reader's system asks for less of it. */
  start(): void {
    keepOnPaper(this.stage);
    const read = () => readWishes(location, this.payload.wishes);
    const wishes = read(), {stage, clock, options} = this.saved;
    applyWishes(wishes, stage, clock, options);
    addEventListener('hashchange', () => applyWishes(read(), stage, clock, options));
    if (wishes.errand) return void runErrand(this.saved, wishes.errand);
    if (wishes.time !== undefined) return;
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.clock.toggle();
  }

  title(): string {
    const names = [...new Set(this.solutions.map((solution) => solution.task.name))];
    if (this.solutions.length === 1 || this.sweeps) return names[0];
    const labels = this.solutions.map((solution) => solution.label).join(' · ');
    return names.length === 1 ? `${names[0]}: ${labels}` : labels;
  }

  private evidence(shown: Shown[]): HTMLElement[] {
    const convergence = convergenceCharts(shown);
    const parts: (HTMLElement|null)[] = shown.length === 1 ? this.evidenceOf(shown[0].solution) : [];
    if (convergence.length > 0) {
      const tables = shown.length === 1 ? [refinementTable(shown[0].solution), startsTable(shown[0].solution)] : [];
      parts.push(section('convergence', 'Convergence', this.convergence.element, ...tables));
      this.convergence.show(convergence);
    }
    const files = shown.flatMap(
        ({solution}) => (solution.task.text ? [details(`Task file of ${solution.label}`, solution.task.text)] : []));
    if (files.length > 0) parts.push(section('task', 'Task', ...files));
    return parts.filter((part): part is HTMLElement => part !== null);
  }

  private evidenceOf(solution: Solution): (HTMLElement|null)[] {
    const cost = costTable(solution);
    const checked = solution.verification !== undefined || solution.simulation === undefined;
    return [
      workSection(solution), limitsSection(solution), checked ? verificationSection(solution) : null,
      cost ? section('cost', 'Cost', cost, parameterTable(solution)) : null
    ];
  }
}

/** A few functions for scripts and tests that look at the page: `verne.screenPosition('link2')`. */
function scripting(stage: Stage, clock: Clock) {
  return {
    seek: (time: number) => clock.seek(time),
    time: () => clock.time.value,
    window: () => clock.window.value,
    playing: () => clock.playing.value,
    camera: () => stage.cameraState(),
    ground: (figure = 0) => stage.groundHeight(figure),
    linkPosition: (link: string, figure = 0) => stage.linkPosition(link, figure)?.toArray() ?? null,
    screenPosition: (link: string, figure = 0) => {
      const p = stage.linkPosition(link, figure);
      return p ? stage.screenPosition(p, figure).toArray() : null;
    },
    companionPosition: (which: number, link: string) => stage.companionPosition(which, link),
    jointForce: (joint: string, figure = 0) => stage.jointForce(joint, figure)?.toArray() ?? null,
    drawing: () => ({...stage.statistics, lowered: stage.lowered}),
  };
}

export function reportPage(payload: ReportPayload): {element: HTMLElement; title: string; start: () => void} {
  if (!Array.isArray(payload.solutions) || payload.solutions.length === 0)
    throw new DataError('The report holds no solution.');
  const solutions = payload.solutions.map(
      ({label, solution, meshes}) => readSolution(solution, label, meshTable(meshes, payload.meshes)));
  if (!payload.front) differing(solutions).forEach((label, i) => (solutions[i].label = label));
  const [{solution: raw, meshes}] = payload.solutions;
  const repeated = solutions.length === 1 ? repetitions(solutions[0], raw, meshTable(meshes, payload.meshes)) : null;
  const report =
      repeated ? new Report(repeated.solutions, {...payload, front: repeated.front}) : new Report(solutions, payload);
  return {element: report.build(), title: `${report.title()} – Verne`, start: () => report.start()};
}
