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

export function footer(program: string): HTMLElement {
  return h(
      'footer', {}, h('p', {}, `Made by ${program}. This file holds all it needs and loads nothing.`),
      h('details', {}, h('summary', {}, 'Licences of what this page contains'), h('pre', {tabindex: 0}, notices)));
}
