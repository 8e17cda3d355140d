/** `verne view MODEL`: sliders for every joint; the program computes what follows from them. */
import {applyWishes, readWishes} from '../address';
import {Clock} from '../clock';
import {h, section} from '../dom';
import {runErrand} from '../film/errand';
import {savingPanel, type Subject as Saved} from '../film/panel';
import {keepOnPaper} from '../film/print';
import {kMissing, number} from '../format';
import {footer, topBar} from '../frame';

import type {LivePayload} from '../payload';
import {movingJoint, Outliner} from '../report/outliner';
import {Figure, type OverlayName} from '../scene/figure';
import {Stage} from '../scene/stage';
import {meshTable, readModel} from '../read_solution';
import type {Solution} from '../solution';
import {ViewOptions} from '../report/transport';
import {Signal} from '../signal';
import {HeatMap} from './heat_map';
import {JointPanel, type Wish} from './joints';
import {NumberTable} from './number_table';

/** What the server answers for a configuration; what it cannot compute has no entries. */
interface State {
  link_poses: Record<string, number[]>;
  com: number[];
  /** Of each joint that moves, loops closed. */
  positions: Record<string, number[]>;
  gravity_torques: number[];
  joint_wrenches: Record<string, number[]>;
  loop_wrenches: Record<string, number[]>;
  mass_matrix: number[][];
  notes: string[];
}

/** The program is there, and says why it cannot show that. */
class Refusal extends Error {}

const kOverlaysOfPostures: OverlayName[] =
    ['joint_forces', 'joint_moments', 'com', 'frames', 'axes', 'inertias', 'collisions'];

const kNoWrench: (number|null)[] = Array(6).fill(null);

/** Joints of the tree, and those that close loops. */
function wrenchesOf(state: State): [string, number[]][] {
  return [...Object.entries(state.joint_wrenches), ...Object.entries(state.loop_wrenches)];
}

/** The model at one instant, in the form of a solution with one frame, so that the same figure draws it. */
function stillSolution(payload: LivePayload, state: State): Solution {
  return {
    label: '',
    task: {name: ''},
    model: readModel(payload.model, 'model', meshTable(payload.meshes?.meshes, payload.meshes?.data)),
    status: '',
    duration: 1,
    costs: [],
    time: [0],
    coordinates: [],
    link_poses: Object.fromEntries(Object.entries(state.link_poses).map(([link, pose]) => [link, [pose]])),
    joint_wrenches: Object.fromEntries(wrenchesOf(state).map(([name, wrench]) => [name, [wrench]])),
    com: [state.com],
    energy: {},
    phases: [],
    limits: [],
    design: [],
    slopes: [],
    undetermined: {},
    ground_reaction: {},
    foot_prints: [],
    obstacles: [],
    payloads: [],
    targets: [],
    convergence: [],
    refinement: [],
    violations: [],
    starts: [],
    gaps: 0,
  };
}

async function ask(wish: Wish): Promise<State> {
  const answer = await fetch(
      'api/state', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(wish)});
  if (answer.status === 400) throw new Refusal((await answer.text()).replace(/^error: /, ''));
  if (!answer.ok) throw new Error((await answer.text()) || `the program answered ${answer.status}`);
  return (await answer.json()) as State;
}

class LiveView {
  readonly element = h('div', {class: 'report live'});
  private readonly clock = new Clock();
  private readonly stage = new Stage(this.clock);
  private readonly joint = new Signal<string|null>(null);
  private readonly panel: JointPanel;
  private readonly massMatrix: HeatMap;
  private wrenches?: {names: string[]; table: NumberTable};
  private readonly results = h('div', {class: 'sections'});
  private readonly message = h('p', {class: 'note', role: 'alert', hidden: true});
  private figure?: Figure;
  private readonly optionsPlace = h('div');
  /** What the program has not been asked yet. */
  private wish: Wish|null = null;
  private busy = false;

  constructor(private readonly payload: LivePayload) {
    this.panel = new JointPanel(payload.sliders, payload.states, this.joint, (wish) => void this.refresh(wish));
    this.massMatrix = new HeatMap(payload.sliders.map((slider) => slider.name));
    const model = readModel(payload.model, 'model');
    const outliner = new Outliner(model, (links) => this.stage.hide(links), this.joint);
    this.stage.picked.onChange(({link}) => (this.joint.value = movingJoint(model, link)));
    this.joint.onChange((joint) => this.stage.choose(joint));
    this.element.append(
        topBar(model.name || 'Model'), this.message,
        h('div', {class: 'workbench'},
          h('div', {class: 'theatre'}, this.stage.element, this.optionsPlace, outliner.element),
          h('div', {class: 'plots'}, this.panel.element)),
        this.results, footer(payload.program, true));
    Object.assign(window, {
      verne: {
        linkPosition: (link: string) => this.stage.linkPosition(link)?.toArray() ?? null,
        values: () => [...this.panel.values],
        joint: () => this.joint.value,
        camera: () => this.stage.cameraState(),
        screenPosition: (link: string) => {
          const p = this.stage.linkPosition(link);
          return p ? this.stage.screenPosition(p).toArray() : null;
        },
      }
    });
  }

  /** Asks for a posture; while an answer is under way only the newest wish is kept. */
  async refresh(wish: Wish): Promise<void> {
    // A named state is where later values start from: it is not passed over.
    this.wish = {near: this.wish?.near, ...wish};
    if (this.busy) return;
    this.busy = true;
    while (this.wish) {
      const next = this.wish;
      this.wish = null;
      await this.answer(next);
    }
    this.busy = false;
  }

  start(): void { void this.refresh({values: [...this.panel.values], near: 0}); }

  private async answer(wish: Wish): Promise<void> {
    try {
      const state = await ask(wish);
      this.show(state);
      this.say(state.notes.join(' '));
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.say(
          error instanceof Refusal ? `This posture cannot be shown: ${words}` :
                                     `No answer from the program: ${words}. Is it still running?`);
    }
  }

  private say(words: string): void {
    this.message.textContent = words;
    this.message.hidden = words === '';
  }

  private show(state: State): void {
    if (this.figure)
      this.move(this.figure, state);
    else
      this.makeFigure(state);
    this.showResults(state);
  }

  private makeFigure(state: State): void {
    this.figure = new Figure(stillSolution(this.payload, state), 0);
    this.stage.setFigures([this.figure], {view: 'perspective'});  // a model at rest is often flat
    const available = this.figure.available().filter((name) => kOverlaysOfPostures.includes(name));
    const options = new ViewOptions(this.stage, this.figure, available, []);
    const saved: Saved = {
      stage: this.stage,
      clock: this.clock,
      options,
      program: this.payload.program,
      figure: () => this.figure!,
      duration: () => 0
    };
    this.optionsPlace.append(options.element, savingPanel(saved));
    keepOnPaper(this.stage);
    const wishes = readWishes(location);
    applyWishes(wishes, this.stage, this.clock, options);
    if (wishes.errand) void runErrand(saved, wishes.errand);
  }

  /** Replaces the only frame of the motion, and of what the overlays draw. */
  private move(figure: Figure, state: State): void {
    for (const [link, pose] of Object.entries(state.link_poses)) figure.motion.set(link, [pose]);
    const known = new Map(wrenchesOf(state));
    for (const [name, rows] of Object.entries(figure.solution.joint_wrenches))
      rows[0] = known.get(name) ?? rows[0].map(() => null);
    figure.solution.com![0] = state.com;
    this.stage.refresh();
  }

  private showResults(state: State): void {
    const efforts = state.gravity_torques, largest = Math.max(...efforts.map(Math.abs), 0);
    this.panel.positions = state.positions;
    this.panel.showEfforts(this.payload.sliders.map((_, i) => i < efforts.length ? rounded(efforts[i], largest) : null));
    const wrenches = new Map(wrenchesOf(state)), most = Math.max(...[...wrenches.values()].flat().map(Math.abs), 0);
    if (wrenches.size > 0) this.wrenches ??= this.addResults([...wrenches.keys()]);
    if (state.mass_matrix.length > 0) this.massMatrix.show(state.mass_matrix);
    this.wrenches?.table.show(this.wrenches.names.map((name) => {
      const wrench = wrenches.get(name) ?? kNoWrench;
      return wrench.map((x) => (x === null ? kMissing : rounded(x, most)));
    }));
  }

  private addResults(names: string[]): {names: string[]; table: NumberTable} {
    const {untold, without_motors: motorless} = this.payload;
    const table = new NumberTable(
        'What the parent exerts on the child, in the child-side joint frame (N, N·m)',
        ['joint', 'fx', 'fy', 'fz', 'mx', 'my', 'mz'],
        names.map((name) => (untold.includes(name) ? `${name} (least)` : name)));
    const words = [
      motorless ? `No motor drives ${motorless}: these are the wrenches while something else holds that still, too.` : '',
      names.some((name) => untold.includes(name)) ?
          'Least: parts of the mechanism can hold against each other; the smallest such wrenches are shown.' :
          ''
    ].filter((text) => text !== '');
    this.results.replaceChildren(
        section('mass-matrix', 'Mass matrix', this.massMatrix.element),
        section(
            'wrenches', 'Joint wrenches at rest', table.element,
            ...words.map((text) => h('p', {class: 'quiet'}, text))));
    return {names, table};
  }
}

/** Three digits; what is rounding error beside the largest is zero. */
function rounded(value: number, largest: number): string {
  return number(Math.abs(value) < 1e-9 * largest ? 0 : value, 3);
}

export function livePage(payload: LivePayload): {element: HTMLElement; title: string; start: () => void} {
  const view = new LiveView(payload);
  return {
    element: view.element,
    title: `${readModel(payload.model, 'model').name} – Verne`,
    start: () => view.start()
  };
}
