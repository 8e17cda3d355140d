import 'uplot/dist/uPlot.min.css';
import './style.css';

import {h} from './dom';
import {livePage} from './live/page';
import {DataError, readPayload} from './payload';
import {reportPage} from './report/page';
import {studyPage} from './study/page';

function showProblem(error: unknown): HTMLElement {
  const known = error instanceof DataError;
  return h(
      'div', {class: 'problem', role: 'alert'},
      h('h1', {}, known ? 'This report cannot be shown' : 'Something went wrong in this page'),
      h('p', {}, error instanceof Error ? error.message : String(error)));
}

async function main(): Promise<void> {
  const page = document.getElementById('page')!;
  try {
    const payload = await readPayload();
    const {element, title, start} = payload.kind === 'report' ? reportPage(payload) :
        payload.kind === 'study'                               ? studyPage(payload) :
                                                                 livePage(payload);
    page.replaceChildren(element);
    document.title = title;
    start();
  } catch (error) {
    page.replaceChildren(showProblem(error));
  }
  page.removeAttribute('aria-busy');
}

void main();
