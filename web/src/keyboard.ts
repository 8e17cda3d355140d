/** Keys for those who do not like mice. */
import type {Clock} from './clock';
import {h} from './dom';
import {nextTheme} from './palette';
import {zoomAbout} from './plots/pointer';
import type {ViewOptions} from './report/transport';
import type {Stage} from './scene/stage';

const kKeys: [string, string][] = [
  ['Space', 'play or pause'],
  ['← →', 'one frame back or on; with Shift ten'],
  ['Home End', 'first or last frame'],
  ['− +', 'slower or faster'],
  ['I O 0', 'plots: closer about the time, further, the whole motion'],
  ['1 2 3 4', '3D, side, front, top view'],
  ['F', 'follow the model'],
  ['G', 'snapshots'],
  ['J', 'joint forces'],
  ['R', 'ground reactions'],
  ['C', 'centre of mass'],
  ['T', 'light, dark or as the system'],
  ['?', 'these keys'],
];

/** Of the part of the plots that is shown, for a key. */
const kZoom = 1.5;

export function helpDialog(): HTMLDialogElement {
  const rows = kKeys.map(([key, meaning]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, meaning)));
  const dialog =
      h('dialog', {'aria-label': 'Keys'}, h('h2', {}, 'Keys'), h('dl', {class: 'keys'}, ...rows),
        h('button', {type: 'button', click: () => dialog.close()}, 'Close'));
  return dialog;
}

export function listenToKeys(
    clock: Clock, stage: Stage, options: ViewOptions, help: HTMLDialogElement, frame: () => number): void {
  const actions: Record<string, (shift: boolean) => void> = {
    ' ': () => clock.toggle(),
    ArrowLeft: (shift) => clock.seek(clock.time.value - frame() * (shift ? 10 : 1)),
    ArrowRight: (shift) => clock.seek(clock.time.value + frame() * (shift ? 10 : 1)),
    Home: () => clock.seek(0),
    End: () => clock.seek(clock.duration.value),
    '-': () => clock.shiftSpeed(-1),
    '+': () => clock.shiftSpeed(1),
    i: () => zoomAbout(clock, clock.time.value, 1 / kZoom, [0, clock.duration.value]),
    o: () => zoomAbout(clock, clock.time.value, kZoom, [0, clock.duration.value]),
    '0': () => void (clock.window.value = null),
    '1': () => stage.look('perspective'),
    '2': () => stage.look('side'),
    '3': () => stage.look('front'),
    '4': () => stage.look('top'),
    f: () => options.toggleFollow(),
    g: () => options.toggle('ghosts'),
    j: () => options.toggle('joint_forces'),
    r: () => options.toggle('ground_forces'),
    c: () => options.toggle('com'),
    t: () => void nextTheme(),
    '?': () => help.showModal(),
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    // Where keys have a meaning of their own, that meaning stays.
    const target = event.target as HTMLElement;
    if (target.matches('select, textarea, input:not([type=range]):not([type=checkbox])')) return;
    if (target.matches('button, input, summary, [role=button], a') && [' ', 'Enter'].includes(event.key)) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action(event.shiftKey);
  });
}
