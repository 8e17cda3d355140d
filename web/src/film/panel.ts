/** Films, pictures and models to take away. */
import {hashOf} from '../address';
import type {Clock} from '../clock';
import {download, h} from '../dom';
import {fileName} from '../format';
import type {ViewOptions} from '../report/transport';
import type {Figure} from '../scene/figure';
import type {Stage} from '../scene/stage';
import {chooseCodec, type Container} from './container';
import {type FilmOrder, record} from './film';
import {glbOf} from './glb';

/** What is saved, and how long it lasts: zero for what stands still. */
export interface Subject {
  stage: Stage;
  clock: Clock;
  options: ViewOptions;
  program: string;
  figure(): Figure;
  duration(): number;
}

const kSizes = ['1280 × 720', '1920 × 1080', '854 × 480', '720 × 720', '720 × 1280'];
/** Seconds of a turn around what stands still. */
export const kTurn = 4;

function choice(label: string, values: string[], chosen = values[0]): HTMLSelectElement {
  return h(
      'select', {'aria-label': label},
      ...values.map((value) => h('option', {value, selected: value === chosen}, value)));
}

async function containersHere(): Promise<Container[]> {
  const picture = {width: 1280, height: 720, fps: 30};
  const mp4 = await chooseCodec('mp4', picture), webm = await chooseCodec('webm', picture);
  // MP4 with VP9 is played by browsers only, which play WebM as well.
  return [...(mp4?.name === 'H.264' ? ['mp4' as const] : []), ...(webm ? ['webm' as const] : [])];
}

/** A button that makes a film, with a way to end that early. */
function filmRow(subject: Subject): HTMLElement {
  const size = choice('Size of the film', kSizes), fps = choice('Frames a second', ['30', '25', '50', '60']);
  const container = h('select', {'aria-label': 'Format of the film'});
  const still = subject.duration() <= 0;
  const turn = h('input', {type: 'checkbox', checked: still, disabled: still});
  const said = h('output', {class: 'quiet', 'aria-live': 'polite'});
  const button = h('button', {type: 'button', class: 'small', disabled: true, click: () => void save()}, 'Save film');
  let work: AbortController|null = null;

  async function save(): Promise<void> {
    if (work) return work.abort();
    const [width, height] = size.value.split(' × ').map(Number), made = new AbortController();
    const order: FilmOrder = {
      container: container.value as Container,
      width,
      height,
      fps: Number(fps.value),
      speed: subject.clock.speed.value,
      turn: turn.checked,
      seconds: kTurn
    };
    work = made;
    button.textContent = 'Stop';
    const told = (done: number, of: number) => (said.textContent = `frame ${done} of ${of}`);
    try {
      const {blob, frames} = await record(subject.stage, order, subject.duration(), told, made.signal);
      download(`${fileName(subject.figure().solution.model.name)}.${order.container}`, blob);
      said.textContent = `${frames} frames, ${(blob.size / 1e6).toFixed(1)} MB`;
    } catch (error) {
      said.textContent = made.signal.aborted ? 'stopped' : error instanceof Error ? error.message : String(error);
    }
    button.textContent = 'Save film';
    work = null;
  }

  void containersHere().then((here) => {
    container.append(...here.map((name) => h('option', {value: name}, name === 'mp4' ? 'MP4' : 'WebM')));
    button.disabled = here.length === 0;
    if (here.length === 0) said.textContent = 'This browser cannot encode films.';
  });
  return h(
      'div', {class: 'saving-row'}, button, size, fps, h('span', {class: 'quiet'}, 'frames a second'), container,
      h('label', {}, turn, ' turn around'), said);
}

/** What is seen, so many times as large as on the screen. */
export async function still(stage: Stage, times: number, transparent: boolean): Promise<Blob> {
  const {clientWidth, clientHeight} = stage.element;
  const easel =
      stage.easel({width: times * clientWidth, height: times * clientHeight, transparent, letters: 12 * times});
  try {
    easel.draw(stage.time);
    return await new Promise((resolve, reject) => {
      easel.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
    });
  } finally {
    easel.close();
  }
}

function stillRow({stage, figure}: Subject): HTMLElement {
  const times = choice('Size of the picture', ['1×', '2×', '3×', '4×'], '2×');
  const transparent = h('input', {type: 'checkbox'}), said = h('output', {class: 'quiet', 'aria-live': 'polite'});
  const name = () => `${fileName(figure().solution.model.name)}.png`;
  const save = () => still(stage, parseInt(times.value), transparent.checked)
                         .then(
                             (blob) => (download(name(), blob), said.textContent = ''),
                             (error: Error) => (said.textContent = error.message));
  return h(
      'div', {class: 'saving-row'},
      h('button', {type: 'button', class: 'small', click: () => void save()}, 'Save picture'), times,
      h('span', {class: 'quiet'}, 'of the screen'), h('label', {}, transparent, ' transparent'), said);
}

function otherRow({stage, clock, options, figure, program}: Subject): HTMLElement {
  const said = h('output', {class: 'quiet', 'aria-live': 'polite'});
  const saveModel = () => {
    const {subject, bodies, solution} = figure();
    const file = glbOf(subject, bodies, program);
    download(`${fileName(solution.model.name)}.glb`, new Blob([file], {type: 'model/gltf-binary'}));
  };
  const link = () => {
    history.replaceState(null, '', hashOf(clock.time.value, stage.standpoint(), options.shown()));
    navigator.clipboard?.writeText(location.href)
        .then(() => (said.textContent = 'copied'), () => (said.textContent = 'in the address bar'));
  };
  return h(
      'div', {class: 'saving-row'}, h('button', {type: 'button', class: 'small', click: saveModel}, 'Save model (GLB)'),
      h('button', {type: 'button', class: 'small', click: link}, 'Link to this view'), said);
}

export function savingPanel(subject: Subject): HTMLElement {
  return h(
      'details', {class: 'saving'}, h('summary', {}, 'Save a film, picture or model'), filmRow(subject),
      stillRow(subject), otherRow(subject));
}
