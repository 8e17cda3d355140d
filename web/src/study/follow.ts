/** Keeps the page of a study that is being computed up to date, and what was chosen on it. */
import {h} from '../dom';
import type {StudyPayload} from '../payload';
import type {Range} from '../plots/axes';
import type {Signal} from '../signal';
import {type Brushes, type Row, StudyData} from './data';

/** How often a page on the disk is loaded anew, and how often `verne view` is asked. */
const kReloadMilliseconds = 10_000, kAskMilliseconds = 1000;

/** `verne view` has the motion of every point; a file on the disk those that were kept. */
export const isServed = location.protocol.startsWith('http');

interface Kept {
  name: string;
  scroll: number;
  brushes: [number, Range][];
  point: number|null;
  selects: string[];
}

const key = () => `verne study ${location.pathname}`;

/** Frames that may reach nothing have no storage either: their pages begin anew. */
function storage(): Storage|null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

function selects(): HTMLSelectElement[] { return [...document.querySelectorAll<HTMLSelectElement>('main select')]; }

function keep(name: string, brushes: Signal<Brushes>, chosen: Signal<Row|null>): void {
  const kept: Kept = {
    name,
    scroll: scrollY,
    brushes: [...brushes.value],
    point: chosen.value?.point ?? null,
    selects: selects().map(({value}) => value),
  };
  storage()?.setItem(key(), JSON.stringify(kept));
}

/** What was chosen before the page was loaded anew. */
export function restore(data: StudyData, brushes: Signal<Brushes>, chosen: Signal<Row|null>): void {
  const text = storage()?.getItem(key());
  storage()?.removeItem(key());
  if (!text) return;
  const kept = JSON.parse(text) as Kept, now = selects();
  if (kept.name !== data.payload.name) return;
  if (kept.selects.length === now.length) {
    now.forEach((select, k) => {
      select.value = kept.selects[k];
      select.dispatchEvent(new Event('change'));
    });
  }
  brushes.value = new Map(kept.brushes.filter(([axis]) => axis < data.axes.length));
  chosen.value = data.rows.find(({point}) => point === kept.point) ?? null;
  scrollTo(0, kept.scroll);
}

/** Until the study has ended. `said` tells where it was interrupted. */
export function follow({name, running}: StudyPayload, brushes: Signal<Brushes>, chosen: Signal<Row|null>, said: HTMLElement): void {
  if (!running) return;
  const reload = () => {
    keep(name, brushes, chosen);
    location.reload();
  };
  if (!isServed) {
    setTimeout(reload, kReloadMilliseconds);
    return;
  }
  let first: string|null = null;
  const ask = async () => {
    try {
      const answer = await fetch('api/study', {method: 'POST', body: '{}'});
      const now = (await answer.json()) as {running: boolean; version: string};
      first ??= now.version;
      if (now.version !== first) return reload();
      if (!now.running) said.replaceChildren(h('p', {class: 'note'}, 'The study was interrupted. The same command continues it.'));
      else said.replaceChildren();
    } catch {
      said.replaceChildren(h('p', {class: 'note'}, '`verne view` has ended: this page is no longer up to date.'));
    }
    setTimeout(() => void ask(), kAskMilliseconds);
  };
  void ask();
}
