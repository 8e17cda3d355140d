/** What all pages have at their top and bottom. */
import notices from '../../THIRD_PARTY_NOTICES?raw';

import {h} from './dom';
import {nextTheme} from './palette';

export function topBar(title: string, help?: HTMLDialogElement): HTMLElement {
  const theme =
      h('button', {type: 'button', click: () => (theme.textContent = `Theme: ${nextTheme()}`)}, 'Theme: automatic');
  const keys = help ? h('button', {type: 'button', click: () => help.showModal()}, 'Keys') : null;
  return h('header', {}, h('h1', {}, title), h('div', {class: 'buttons'}, keys, theme));
}

/** `live`: the page asks the program that served it. */
export function footer(program: string, live = false): HTMLElement {
  const needs = live                ? 'This page asks that program, on this machine, and nobody else.' :
      location.protocol === 'file:' ? 'This file holds all it needs and loads nothing.' :
                                      'This page holds all it needs.';
  return h(
      'footer', {}, h('p', {}, `Made by ${program}. ${needs}`),
      h('details', {}, h('summary', {}, 'Licences of what this page contains'), h('pre', {tabindex: 0}, notices)));
}
