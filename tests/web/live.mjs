// `verne view` in a real browser: node live.mjs VERNE MAKE_SOLUTIONS ARTIFACTS
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, test} from 'node:test';

import {accessibilityProblems, endViews, launch, linkPositions, makeData, open, root, screenshot, startView} from './support.mjs';

const folder = makeData();
const browser = await launch();
after(async () => {
  endViews();
  await browser.close();
});
const model = (name) => join(root, 'models', `${name}.yaml`);

async function slide(page, name, value) {
  await page.getByLabel(`${name} (rad)`, {exact: true}).evaluate((slider, v) => {
    slider.value = String(v);
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  }, value);
}

test('sliders move the model as forward kinematics does', async () => {
  const view = await startView(model('two_link'));
  const {page, problems, close} = await open(browser, view.address);
  await page.waitForSelector('#mass-matrix td');
  const before = await page.locator('#mass-matrix td').allInnerTexts();
  await slide(page, 'shoulder', 0.5);
  await slide(page, 'elbow', -1.2);
  await page.waitForFunction((old) => document.querySelectorAll('#mass-matrix td')[0].innerText !== old, before[0]);
  const values = await page.evaluate(() => globalThis.verne.values());
  const expected = linkPositions(model('two_link'), values);
  await page.waitForFunction(([x]) => Math.abs(globalThis.verne.linkPosition('link2')[0] - x) < 1e-12, expected.link2);
  const seen = await page.evaluate(() => globalThis.verne.linkPosition('link2'));
  seen.forEach((x, i) => assert.ok(Math.abs(x - expected.link2[i]) < 1e-12));
  await screenshot(page, 'live_two_link');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
  assert.equal(await view.stop(), 130);
});

test('a humanoid with a free base', async () => {
  const view = await startView(model('humanoid'));
  const {page, problems, close} = await open(browser, view.address, {scheme: 'dark'});
  await page.waitForSelector('#mass-matrix td');
  const sliders = await page.locator('.sliders input').count();
  assert.equal(await page.locator('#mass-matrix td').count(), sliders * sliders);
  await page.getByLabel('Joint forces').check();
  await screenshot(page, 'live_humanoid_dark');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
  await view.stop();
});

test('says when the program is gone', async () => {
  const view = await startView(model('two_link'));
  const {page, close} = await open(browser, view.address);
  await page.waitForSelector('#mass-matrix td');
  await view.stop();
  await slide(page, 'elbow', 1);
  await page.waitForSelector('[role=alert]:not([hidden])');
  assert.match(await page.locator('[role=alert]').innerText(), /No answer from the program/);
  await close();
});

test('a folder shows its report', async () => {
  const view = await startView(folder('two_link'));
  const {page, problems, close} = await open(browser, view.address);
  assert.equal(await page.title(), 'reach – Verne');
  assert.deepEqual(problems, []);
  await close();
  await view.stop();
});
