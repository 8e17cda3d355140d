/** What a mouse, a pen or a finger does on a plot. */
import type uPlot from 'uplot';
import type {Domain} from '../clock';
import {h} from '../dom';

/** A pointer that moved by less, in pixels, was not dragged. */
const kClick = 4;
/** Of the part that is shown, for a step of the wheel. */
const kStep = 1.25;
/** The smallest part of the axis that can be shown. */
const kSmallest = 1e-4;

export interface PointerActions {
  /** A click, or a drag with Shift or a finger. */
  seek(x: number): void;
  /** All of the axis. */
  whole(): [number, number];
}

/** The part of an axis between two ends, or all of it where that is not less. */
export function chosenWindow(from: number, to: number, [low, high]: [number, number]): [number, number]|null {
  const least = Math.max(Math.min(from, to), low), most = Math.min(Math.max(from, to), high);
  if (most - least < kSmallest * (high - low)) return null;
  return least <= low && most >= high ? null : [least, most];
}

/** Makes what is shown smaller or larger by a factor; the place x stays where it is. */
export function zoomAbout(domain: Domain, x: number, factor: number, whole: [number, number]): void {
  const [low, high] = domain.window.value ?? whole;
  const next = chosenWindow(x + (low - x) * factor, x + (high - x) * factor, whole);
  if (next || factor > 1) domain.window.value = next;
}

/**
 * Hovering moves the pointer of all plots; a click seeks, a drag shows the part that it spans and a double click all
 * again; a drag with Shift, or of a finger, scrubs. The wheel zooms with Ctrl; without, it scrolls the page.
 */
export function listenToPointer(plot: uPlot, domain: Domain, actions: PointerActions): void {
  const {over} = plot;
  const span = h('div', {class: 'span', hidden: true});
  over.append(span);
  let begin: number|null = null, scrubs = false, dragged = false;
  const place = (event: MouseEvent) => event.clientX - over.getBoundingClientRect().left;
  const at = (pixels: number) => plot.posToVal(pixels, 'x');
  const cancel = () => {
    begin = null;
    span.hidden = true;
  };
  over.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    over.setPointerCapture(event.pointerId);
    [begin, dragged, scrubs] = [place(event), false, event.shiftKey || event.pointerType === 'touch'];
    if (scrubs) actions.seek(at(begin));
  });
  over.addEventListener('pointermove', (event) => {
    const x = place(event);
    if (event.pointerType !== 'touch') domain.pointer.value = at(Math.min(Math.max(x, 0), over.clientWidth));
    if (begin === null) return;
    if (scrubs) return actions.seek(at(x));
    dragged ||= Math.abs(x - begin) > kClick;
    span.hidden = !dragged;
    span.style.left = `${Math.min(begin, x)}px`;
    span.style.width = `${Math.abs(x - begin)}px`;
  });
  over.addEventListener('pointerup', (event) => {
    if (begin === null) return;
    if (dragged)
      domain.window.value = chosenWindow(at(begin), at(place(event)), actions.whole()) ?? domain.window.value;
    else if (!scrubs)
      actions.seek(at(begin));
    cancel();
  });
  over.addEventListener('pointercancel', cancel);
  over.addEventListener('pointerleave', () => (domain.pointer.value = null));
  over.addEventListener('dblclick', () => (domain.window.value = null));
  over.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomAbout(domain, at(place(event)), event.deltaY < 0 ? 1 / kStep : kStep, actions.whole());
  }, {passive: false});
}
