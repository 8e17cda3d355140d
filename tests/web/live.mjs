// `verne view` in a real browser: node live.mjs VERNE MAKE_SOLUTIONS ARTIFACTS
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';

import {accessibilityProblems, endViews, launch, linkPositions, makeData, open, root, screenshot, startView, work} from './support.mjs';

const folder = makeData();
const browser = await launch();
after(async () => {
  endViews();
  await browser.close();
});
const model = (name) => join(root, 'models', `${name}.yaml`);

/** Turns about z and reaches along x; its hand stands 0.3 m from the axis. */
const kArm = `<mujoco model="arm"><compiler angle="radian"/><worldbody><body name="arm">
  <joint name="turn" axis="0 0 1" range="-0.5 0.5" limited="true"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
  <body name="hand" pos="0.3 0 0"><geom type="box" size="0.03 0.03 0.03"/>
    <body name="tip" pos="0.1 0 0"><joint name="reach" type="slide" axis="1 0 0" range="0 0.2" limited="true"/>
      <geom type="sphere" size="0.03"/></body></body></body></worldbody>
  <keyframe><key name="lifted" qpos="0.4 0.1"/></keyframe></mujoco>`;

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
  const sliders = await page.locator('.sliders input[type=range]').count();
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
  const names = await page.locator('.sliders .name').allInnerTexts();
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

test('numbers, degrees, limits, states, YAML, links', async () => {
  const file = join(work, 'arm.xml');
  writeFileSync(file, kArm);
  const view = await startView(file);
  const {page, problems, close} = await open(browser, view.address);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.waitForSelector('#mass-matrix td');
  const values = () => page.evaluate(() => globalThis.verne.values());
  const settled = (expected) => page.waitForFunction(
      ([x, y]) => Math.hypot(globalThis.verne.linkPosition('hand')[0] - x, globalThis.verne.linkPosition('hand')[1] - y) < 1e-9, expected);
  const place = ([a]) => [0.3 * Math.cos(a), 0.3 * Math.sin(a)];
  const [theatre, panel] = await page.locator('.theatre, .live .plots').evaluateAll((all) => all.map((e) => e.clientWidth));
  assert.ok(Math.abs(theatre / panel - 2) < 0.05, `the picture has two thirds: ${theatre}, ${panel}`);

  // Typed, also beyond a limit, which is said.
  const turn = page.getByRole('spinbutton', {name: 'Position of turn (rad)'});
  await turn.fill('0.25');
  await turn.press('Enter');
  await settled(place([0.25]));
  assert.deepEqual(await values(), [0.25, 0]);
  const row = page.locator('.slider', {hasText: 'turn'});
  assert.deepEqual(await row.locator('.limit').allInnerTexts(), ['−0.5', '0.5']);
  await turn.fill('0.75');
  await turn.press('Enter');
  await settled(place([0.75]));
  assert.deepEqual(await row.locator('.limit').allInnerTexts(), ['−0.5', '0.5 ⚠']);
  await turn.fill('');
  await turn.press('Enter');
  assert.equal(await turn.inputValue(), '0.75', 'no number changes nothing');

  await page.getByLabel('Degrees').check();
  const degrees = page.getByRole('spinbutton', {name: 'Position of turn (°)'});
  assert.equal(await degrees.inputValue(), '42.9718');
  assert.deepEqual(await row.locator('.limit').allInnerTexts(), ['−28.6', '28.6 ⚠']);
  await degrees.fill('-9');
  await degrees.press('Enter');
  await settled(place([-Math.PI / 20]));
  assert.ok(Math.abs((await values())[0] + Math.PI / 20) < 1e-15);
  assert.equal(await page.getByRole('spinbutton', {name: 'Position of reach (m)'}).count(), 1, 'lengths stay metres');

  await page.getByLabel('Go to a state of the model').selectOption('lifted');
  await settled(place([0.4]));
  assert.deepEqual(await values(), [0.4, 0.1]);
  await page.getByRole('button', {name: 'Copy q as YAML'}).click();
  await page.getByRole('button', {name: 'Copied'}).waitFor();
  assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()), 'position:\n  turn: 0.4\n  reach: 0.1\n');
  await page.getByLabel('Find joints').fill('REA');
  assert.deepEqual(await page.locator('.slider:visible .name').allInnerTexts(), ['reach']);
  await page.getByLabel('Find joints').fill('');
  // A click on a link marks its slider.
  await page.mouse.click(...(await page.evaluate(() => globalThis.verne.screenPosition('tip'))));
  assert.equal(await page.evaluate(() => globalThis.verne.joint()), 'reach');
  assert.deepEqual(await page.locator('.slider.chosen .name').allInnerTexts(), ['reach']);
  await screenshot(page, 'live_numbers');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
  await view.stop();
});

test('closed loops: wrenches, branches, what cannot be', async () => {
  const view = await startView(model('four_bar'));
  const {page, problems, close} = await open(browser, view.address, {width: 390, height: 844});
  await page.waitForSelector('#mass-matrix td');
  const names = await page.locator('#wrenches tbody th').allInnerTexts();
  assert.ok(names.some((name) => name.startsWith('closing')), `${names}`);
  assert.equal(await page.locator('#wrenches td').filter({hasText: '–'}).count(), 0);
  const [picture, joints] = await page.locator('.theatre, #joints').evaluateAll((all) => all.map((e) => e.offsetTop));
  assert.ok(picture < joints, 'the picture comes first on a telephone');
  await screenshot(page, 'live_four_bar_phone');
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
