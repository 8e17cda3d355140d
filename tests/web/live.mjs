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
  await page.waitForSelector('#mass-matrix canvas');
  const sliders = await page.locator('.sliders input').count();
  const size = await page.locator('#mass-matrix canvas').evaluate(({width, height}) => [width, height]);
  assert.deepEqual(size, [sliders, sliders]);
  await page.getByLabel('Joint forces').check();
  await screenshot(page, 'live_humanoid_dark');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
  await view.stop();
});

/** Entry (i, j) of a heat map as a colour, 'x' where it is that of zero. */
function shades(page) {
  return page.locator('#mass-matrix canvas').evaluate((canvas) => {
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return Array.from({length: canvas.width * canvas.width}, (_, k) => [...data.slice(4 * k, 4 * k + 3)].join());
  });
}

test('a moving base: names, a mass matrix without noise, rows that keep their height, all in sight', async () => {
  const view = await startView(model('arm7'), '--floating-base');
  const {page, problems, close} = await open(browser, view.address);
  await page.waitForSelector('#mass-matrix canvas');
  const names = await page.locator('.sliders .slider span').allInnerTexts();
  assert.deepEqual(names.slice(0, 6).map((name) => name.split('.').at(-1)), ['x', 'y', 'z', 'rx', 'ry', 'rz']);
  // A free body's mass matrix has exact zeros between two directions of its base: the first three rows.
  const colours = await shades(page), n = Math.sqrt(colours.length);
  assert.equal(colours[1], colours[n], 'zero on both sides of the diagonal');
  assert.equal(colours[1], colours[2]);
  assert.match(await page.locator('footer').innerText(), /asks that program, on this machine, and nobody else/);
  const base = names[0].replace(/\.x$/, '');
  const row = page.locator('.sliders .slider').nth(3), before = (await row.boundingBox()).height;
  const turn = page.getByLabel(`${base}.rx (rad)`, {exact: true});
  const cell = await page.locator('#wrenches td').first().elementHandle();
  for (const value of [-3.14159, 1e-5, 0.12345]) {
    await turn.evaluate((slider, v) => {
      slider.value = String(v);
      slider.dispatchEvent(new Event('input', {bubbles: true}));
    }, value);
    await page.waitForFunction((v) => Math.abs(globalThis.verne.values()[3] - v) < 1e-9, value);
    assert.equal((await row.boundingBox()).height, before);
  }
  assert.equal(await cell.evaluate((element) => element.isConnected), true, 'tables are filled anew, not built anew');
  await page.getByLabel(`${base}.y (m)`, {exact: true}).evaluate((slider) => {
    slider.value = '1';
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  });
  const last = 'link7';
  await page.waitForFunction((link) => globalThis.verne.linkPosition(link)[1] > 0.7, last);
  const [x, y] = await page.evaluate((link) => globalThis.verne.screenPosition(link), last);
  const box = await page.locator('.stage canvas[role=img]').boundingBox();
  assert.ok(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height, `${[x, y]}`);
  await screenshot(page, 'live_moving_base');
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
  assert.doesNotMatch(await page.locator('footer').innerText(), /loads nothing/);
  assert.deepEqual(problems, []);
  await close();
  await view.stop();
});
