/** What the address of the page asks for: `report.html?embed#t=0.5&view=side&camera=…` shows one thing at one time. */
import type {Clock} from './clock';
import {setTheme} from './palette';
import type {ViewOptions} from './report/transport';
import {kOverlays, type OverlayName} from './scene/figure';
import type {Look} from './scene/camera';
import type {View} from './scene/extent';
import type {Stage} from './scene/stage';

const kViews = new Map<string, View>([['3d', 'perspective'], ['side', 'side'], ['front', 'front'], ['top', 'top']]);

export interface Wishes {
  time?: number;
  view?: View;
  look?: Look;
  /** Overlays that are on; all others are off. */
  show?: OverlayName[];
  follow: boolean;
  theme?: 'light'|'dark';
  /** Only the picture, to be put into another page. */
  embed: boolean;
  /** What the program that opened the page wants of it. */
  errand?: URLSearchParams;
}

/** Finite numbers with commas between; null where it is anything else. */
function numbers(text: string|null, count: number): number[]|null {
  const parts = text?.split(',') ?? [];
  const values = parts.map(Number);
  return values.length === count && parts.every((part) => part.trim() !== '') && values.every(Number.isFinite) ?
      values :
      null;
}

/** What cannot be understood is passed over: a picture is better than a complaint about its address. */
export function readWishes({search, hash}: {search: string; hash: string}, others = ''): Wishes {
  const parts = [search, hash.replace(/^#/, ''), others].map((part) => new URLSearchParams(part));
  const all = new URLSearchParams(parts.flatMap((part) => [...part]));
  const time = numbers(all.get('t'), 1), camera = numbers(all.get('camera'), 6), theme = all.get('theme');
  const view = all.get('view') ?? '';
  const shown =
      all.get('show')?.split(',').filter((name): name is OverlayName => Object.keys(kOverlays).includes(name));
  return {
    ...(time ? {time: time[0]} : {}),
    ...(kViews.has(view) ? {view: kViews.get(view)} : {}),
    ...(camera ? {look: {position: camera.slice(0, 3), target: camera.slice(3)}} : {}),
    ...(shown ? {show: shown} : {}),
    follow: all.has('follow'),
    ...(theme === 'light' || theme === 'dark' ? {theme} : {}),
    embed: all.has('embed'),
    ...(all.has('errand') ? {errand: all} : {}),
  };
}

export function applyWishes(wishes: Wishes, stage: Stage, clock: Clock, options: ViewOptions): void {
  const {theme, view, look, show, time} = wishes;
  document.documentElement.classList.toggle('embed', wishes.embed);
  if (theme) setTheme(theme);
  if (show) options.choose(show);
  if (view) stage.look(view);
  if (look) stage.lookFrom(look);
  if (wishes.follow) options.follow();
  if (time === undefined) return;
  clock.playing.value = false;
  clock.seek(time);
}

/** The part of an address that leads back to this time, camera and overlays. */
export function hashOf(time: number, {position, target}: Look, shown: OverlayName[]): string {
  const short = (x: number) => String(Number(x.toPrecision(6)));
  const parts =
      [`t=${short(time)}`, `camera=${[...position, ...target].map(short).join(',')}`, `show=${shown.join(',')}`];
  return '#' + parts.join('&');
}
