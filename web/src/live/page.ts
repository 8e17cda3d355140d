/** `verne view MODEL`: sliders for every joint; the program computes what follows from them. */
import {applyWishes, readWishes} from '../address';
import {Clock} from '../clock';
import {h, section} from '../dom';
import {runErrand} from '../film/errand';
import {savingPanel, type Subject as Saved} from '../film/panel';
import {keepOnPaper} from '../film/print';
import {number} from '../format';
import {footer, topBar} from '../frame';

import type {LivePayload, Slider} from '../payload';
import {Figure, type OverlayName} from '../scene/figure';
import {Stage} from '../scene/stage';
import {meshTable, readModel, type Solution} from '../solution';
import {ViewOptions} from '../report/transport';
import {HeatMap} from './heat_map';
import {NumberTable} from './number_table';

/** What the server answers for a configuration. */
interface State {
  link_poses: Record<string, number[]>;
  com: number[];
  gravity_torques: number[];
  joint_wrenches: Record<string, number[]>;
  mass_matrix: number[][];
}

const kFreeAngle = Math.PI, kFreeLength = 1;

function reach(slider: Slider): [number, number] {
  const free = slider.unit === 'rad' ? kFreeAngle : kFreeLength;
  return [Math.max(slider.lower ?? -free, -10), Math.min(slider.upper ?? free, 10)];
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
    joint_wrenches:
        Object.fromEntries(Object.entries(state.joint_wrenches).map(([joint, wrench]) => [joint, [wrench]])),
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

async function ask(values: number[]): Promise<State> {
  const answer = await fetch(
      'api/state', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({values})});
  if (!answer.ok) throw new Error((await answer.text()) || `the program answered ${answer.status}`);
  return (await answer.json()) as State;
}

class LiveView {
  readonly element = h('div', {class: 'report live'});
  private readonly clock = new Clock();
  private readonly stage = new Stage(this.clock);
  private readonly values: number[];
  private readonly massMatrix: HeatMap;
  private wrenches?: NumberTable;
  private readonly results = h('div', {class: 'sections'});
  private readonly message = h('p', {class: 'note', role: 'alert', hidden: true});
  private figure?: Figure;
  private readonly optionsPlace = h('div');
  private readonly torques: HTMLElement[];
  private busy = false;
  private again = false;

  constructor(private readonly payload: LivePayload) {
    this.values = payload.sliders.map((slider) => {
      const [low, high] = reach(slider);
      return Math.min(Math.max(slider.home, low), high);
    });
    this.torques = payload.sliders.map(() => h('output'));
    this.massMatrix = new HeatMap(payload.sliders.map((slider) => slider.name));
    const model = readModel(payload.model, 'model');
    this.element.append(
        topBar(model.name || 'Model'), this.message,
        h('div', {class: 'workbench'}, h('div', {class: 'theatre'}, this.stage.element, this.optionsPlace),
          h('div', {class: 'plots'}, this.sliders())),
        this.results, footer(payload.program, true));
    Object.assign(window, {
      verne: {
        linkPosition: (link: string) => this.stage.linkPosition(link)?.toArray() ?? null,
        values: () => [...this.values],
        camera: () => this.stage.cameraState(),
        screenPosition: (link: string) => {
          const p = this.stage.linkPosition(link);
          return p ? this.stage.screenPosition(p).toArray() : null;
        },
      }
    });
  }

  /** Asks for the present values; while an answer is under way only the newest wish is kept. */
  async refresh(): Promise<void> {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    try {
      do {
        this.again = false;
        this.show(await ask([...this.values]));
      } while (this.again);
      this.message.hidden = true;
    } catch (error) {
      this.message.textContent =
          `No answer from the program: ${error instanceof Error ? error.message : String(error)}. Is it still running?`;
      this.message.hidden = false;
    }
    this.busy = false;
  }

  private sliders(): HTMLElement {
    const rows = this.payload.sliders.map((slider, i) => {
      const [low, high] = reach(slider);
      const value = h('output', {}, `${number(this.values[i], 3)} ${slider.unit}`);
      const input = h('input', {
        type: 'range',
        min: low,
        max: high,
        step: 'any',
        value: this.values[i],
        'aria-label': `${slider.name} (${slider.unit})`,
        input: () => {
          this.values[i] = Number(input.value);
          value.textContent = `${number(this.values[i], 3)} ${slider.unit}`;
          void this.refresh();
        }
      });
      return {
        input,
        row: h('div', {class: 'slider'}, h('span', {title: slider.name}, slider.name), input, value, this.torques[i])
      };
    });
    const reset =
        h('button', {
          type: 'button',
          class: 'small',
          click: () => rows.forEach(({input}, i) => {
            const home = this.payload.sliders[i].home;
            input.value = String(Math.min(Math.max(home, Number(input.min)), Number(input.max)));
            input.dispatchEvent(new Event('input'));
          })
        },
          'Back to zero');
    const titles =
        h('div', {class: 'slider quiet'}, h('span', {}, 'joint'), h('span'), h('span', {class: 'number'}, 'position'),
          h('span', {class: 'number'}, 'to hold still'));
    return section(
        'joints', 'Joints', titles,
        h('div', {class: 'sliders', tabindex: 0, role: 'group', 'aria-label': 'Sliders'}, ...rows.map(({row}) => row)),
        reset);
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
    const usable: OverlayName[] = ['joint_forces', 'com', 'frames', 'collisions'];
    const available = this.figure.available().filter((name) => usable.includes(name));
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
    for (const [joint, wrench] of Object.entries(state.joint_wrenches))
      figure.solution.joint_wrenches[joint][0] = wrench;
    figure.solution.com![0] = state.com;
    this.stage.refresh();
  }

  private showResults(state: State): void {
    const {sliders} = this.payload;
    const largest = Math.max(...state.gravity_torques.map(Math.abs), 0);
    sliders.forEach(
        (slider, i) =>
            (this.torques[i].textContent = `${rounded(state.gravity_torques[i], largest)} ${slider.effort_unit}`));
    this.massMatrix.show(state.mass_matrix);
    this.wrenches ??= this.addResults(Object.keys(state.joint_wrenches));
    const most = Math.max(...Object.values(state.joint_wrenches).flat().map(Math.abs), 0);
    this.wrenches.show(Object.values(state.joint_wrenches).map((w) => w.map((x) => rounded(x, most))));
  }

  private addResults(joints: string[]): NumberTable {
    const wrenches = new NumberTable(
        'What the parent exerts on the child, in the child-side joint frame (N, N·m)',
        ['joint', 'fx', 'fy', 'fz', 'mx', 'my', 'mz'], joints);
    this.results.replaceChildren(
        section('mass-matrix', 'Mass matrix', this.massMatrix.element),
        section('wrenches', 'Joint wrenches at rest', wrenches.element));
    return wrenches;
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
    start: () => void view.refresh()
  };
}
