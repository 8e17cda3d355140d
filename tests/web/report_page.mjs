// Reports on made-up solutions, opened in one browser: what the tests of the report's page share.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after} from 'node:test';

import {launch, makeData, run, solution} from './support.mjs';

export const folder = makeData();
export const browser = await launch();
after(() => browser.close());

/** The address of the report on a solution. */
export function report(name) {
  run('report', folder(name));
  return `file://${join(folder(name), 'report.html')}`;
}

/** A report on the two-link arm's solution after `change`. */
export function changedReport(name, change) {
  const data = solution(folder('two_link'));
  change(data);
  mkdirSync(folder(name));
  writeFileSync(join(folder(name), 'solution.json'), JSON.stringify(data));
  return report(name);
}

/** Moves the slider as a hand would: the value and the event. */
export async function scrub(page, time) {
  await page.locator('#scrubber').evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  }, time);
}

export async function stageBox(page) { return page.locator('.stage canvas[role=img]').boundingBox(); }

export async function pointCounts(page, id) {
  return (await page.locator(`#plot-${id}`).getAttribute('data-points')).split(' ').map(Number);
}
