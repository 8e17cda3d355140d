/** Buttons and sliders for time and view. */
import {type Clock, kSpeeds} from '../clock';
import {h} from '../dom';
import {number} from '../format';
import type {View} from '../scene/extent';
import {type Figure, kOverlays, type OverlayName} from '../scene/figure';
import {type Colouring, kColourings, kRamp} from '../scene/paint';
import type {Stage} from '../scene/stage';
import type {Signal} from '../signal';
import type {Phase} from '../solution';

/** Where one phase ends and the next begins, above the slider of time. */
function phaseMarks(phases: Phase[], duration: number): HTMLElement[] {
  return phases.map((phase, i) => {
    const mark = h('span', {class: i === 0 ? 'phase' : 'phase border', title: phase.name}, phase.name);
    mark.style.left = `${(100 * phase.start) / duration}%`;
    mark.style.width = `${(100 * (phase.end - phase.start)) / duration}%`;
    return mark;
  });
}

export function transportBar(clock: Clock, phases: Signal<Phase[]>): HTMLElement {
  const play = h('button', {type: 'button', class: 'play', click: () => clock.toggle()});
  clock.playing.watch((playing) => {
    play.textContent = playing ? '❚❚' : '▶';
    play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
  });
  const scrubber = h('input', {
    type: 'range',
    min: 0,
    step: 'any',
    value: 0,
    'aria-label': 'Time',
    id: 'scrubber',
    input: () => clock.seek(Number(scrubber.value))
  });
  const readout = h('output', {class: 'time', 'aria-live': 'off'});
  clock.duration.watch((duration) => (scrubber.max = String(duration)));
  clock.time.watch((time) => {
    scrubber.value = String(time);
    readout.textContent = `${time.toFixed(3)} s`;
    scrubber.setAttribute('aria-valuetext', `${time.toFixed(3)} seconds`);
  });
  const speed =
      h('select', {'aria-label': 'Speed', change: () => (clock.speed.value = Number(speed.value))},
        ...kSpeeds.map((s) => h('option', {value: s, selected: s === 1}, `${number(s)}×`)));
  clock.speed.watch((value) => (speed.value = String(value)));
  const marks = h('div', {class: 'phases', 'aria-hidden': 'true'});
  phases.watch((now) => {
    marks.hidden = now.length === 0;
    marks.replaceChildren(...phaseMarks(now, clock.duration.value));
  });
  return h('div', {class: 'transport'}, play, h('div', {class: 'timeline'}, marks, scrubber), readout, speed);
}

/** A choice of what colours mean, with a legend. */
function colourChoice(stage: Stage, {paint}: Figure): HTMLElement|null {
  const available = paint.available();
  if (available.length < 2) return null;
  const legend = h('span', {class: 'ramp', hidden: true});
  const select =
      h('select', {
        'aria-label': 'Colours',
        change: () => {
          const colouring = select.value as Colouring, ends = paint.ends(colouring);
          stage.colourBy(colouring);
          legend.hidden = ends === null;
          const bar = h('span', {class: 'ramp-bar', 'aria-hidden': 'true'});
          bar.style.background = `linear-gradient(90deg, ${kRamp.join(', ')})`;
          const over = colouring === 'use' ? h('span', {class: 'over'}, 'red: more') : null;
          legend.replaceChildren(
              ...(ends ? [ends.low, bar, `${ends.high} ${ends.unit} `, ...(over ? [over] : [])] : []));
        }
      },
        ...available.map((name) => h('option', {value: name}, kColourings[name])));
  return h('span', {class: 'colours'}, h('label', {}, 'Colours: ', select), legend);
}

const kViews: [View, string][] = [['perspective', '3D'], ['side', 'Side'], ['front', 'Front'], ['top', 'Top']];

/** Which overlays are on; the page keeps it when figures are exchanged. */
export class ViewOptions {
  readonly element: HTMLElement;
  private readonly boxes = new Map<OverlayName, HTMLInputElement>();
  private readonly followBox: HTMLInputElement;

  constructor(private readonly stage: Stage, figure: Figure, available: OverlayName[], initially: OverlayName[]) {
    const views = kViews.map(
        ([view, name]) => h('button', {type: 'button', class: 'small', click: () => stage.look(view)}, name));
    const boxes = available.map((name) => {
      const box = h(
          'input', {type: 'checkbox', checked: initially.includes(name), change: () => stage.show(name, box.checked)});
      this.boxes.set(name, box);
      return h('label', {}, box, ` ${kOverlays[name]}${figure.note(name)}`);
    });
    this.followBox = h('input', {type: 'checkbox', change: () => stage.follow(this.followBox.checked)});
    const without = figure.linksWithoutShapes;
    const note = without === 0 ?
        null :
        h('p', {class: 'quiet meshes'},
          `Rods stand for ${
              without === 1 ? 'one link, whose mesh was' : `${without} links, whose meshes were`} not found.`);
    this.element =
        h('div', {class: 'view-options'},
          h('span', {class: 'buttons', role: 'group', 'aria-label': 'View from'}, ...views), ...boxes,
          h('label', {}, this.followBox, ' Follow'), colourChoice(stage, figure), note);
  }

  /** Puts the choices to effect, after new figures came to the stage. */
  apply(): void {
    for (const [name, box] of this.boxes) this.stage.show(name, box.checked);
  }

  /** Overlays that are on. */
  shown(): OverlayName[] { return [...this.boxes].filter(([, box]) => box.checked).map(([name]) => name); }

  /** Has these overlays on, and no others. */
  choose(names: OverlayName[]): void {
    for (const [name, box] of this.boxes) box.checked = names.includes(name);
    this.apply();
  }

  toggle(name: OverlayName): void { this.boxes.get(name)?.click(); }

  follow(): void {
    if (!this.followBox.checked) this.toggleFollow();
  }

  toggleFollow(): void { this.followBox.click(); }
}
