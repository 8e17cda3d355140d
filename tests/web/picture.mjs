// What can be done with the picture of a report: node picture.mjs VERNE MAKE_SOLUTIONS ARTIFACTS
import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {browser, folder, report} from './report_page.mjs';
import {accessibilityProblems, open, project, run, screenshot, solution, work} from './support.mjs';

const near = (a, b, miss, words) => assert.ok(Math.abs(a - b) <= miss, `${words ?? ''} ${a} instead of ${b}`);
const joint = (page) => page.evaluate(() => globalThis.verne.joint());

/** A place on the second link alone. */
async function onSecondLink(page) {
  const [a, b] = await page.evaluate(() => ['link1', 'link2'].map((l) => globalThis.verne.screenPosition(l)));
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

test('links and curves light up together, links are hidden and found', async () => {
  const {page, problems, close} = await open(browser, report('two_link'));
  await page.evaluate(() => globalThis.verne.seek(0.5));
  const [x, y] = await onSecondLink(page);
  await page.mouse.click(x, y);
  assert.equal(await joint(page), 'elbow');
  assert.equal(await page.getByLabel('Joint whose wrench is shown').inputValue(), 'elbow');
  await page.locator('.outliner summary').click();
  const row = (name) => page.locator('.outline').getByRole('button', {name, exact: true});
  assert.equal(await row('link2').getAttribute('aria-pressed'), 'true');
  // The other way round: a name in a legend.
  await page.locator('#plot-torques .legend').getByRole('button', {name: 'shoulder'}).click();
  assert.equal(await joint(page), 'shoulder');
  assert.equal(await row('link1').getAttribute('aria-pressed'), 'true');
  await page.locator('#plot-torques .legend').getByRole('button', {name: 'shoulder'}).click();
  assert.equal(await joint(page), null);
  // What is hidden cannot be clicked.
  await page.getByLabel('Show link2').uncheck();
  await page.evaluate(() => scrollTo(0, 0));
  const again = await onSecondLink(page);
  await page.mouse.click(...again);
  assert.equal(await joint(page), null);
  await page.getByLabel('Only link2').click();
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.click(...(await onSecondLink(page)));
  assert.equal(await joint(page), 'elbow');
  await page.getByLabel('Find links').fill('ink1');
  assert.deepEqual(await page.locator('.outline:visible .name').allInnerTexts(), ['link1']);
  await page.getByRole('button', {name: 'Show all', exact: true}).click();
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test('arrows and arcs have values, colours a legend', async () => {
  const {page, problems, close} = await open(browser, report('two_link'));
  const data = solution(folder('two_link')), k = 40;
  await page.evaluate((t) => globalThis.verne.seek(t), data.time[k]);
  await page.getByRole('checkbox', {name: /^Joint forces/}).check();
  await page.getByRole('checkbox', {name: 'Joint moments'}).check();
  for (const name of ['Joint axes', 'Inertia ellipsoids']) await page.getByRole('checkbox', {name}).check();
  const words = page.locator('.stage-values span:not([hidden])');
  await words.first().waitFor();
  const texts = await words.allInnerTexts();
  const norm = (name, from) => Math.hypot(...data.joint_wrenches[name][k].slice(from, from + 3));
  const told = (unit) => texts.filter((t) => t.endsWith(` ${unit}`)).map((t) => Number(t.split(' ')[0]));
  near(Math.max(...told('N')), Math.max(norm('shoulder', 0), norm('elbow', 0)), 0.01, 'force');
  near(Math.max(...told('N·m')), Math.max(norm('shoulder', 3), norm('elbow', 3)), 0.01, 'moment');
  await page.getByLabel('Colours').selectOption('force');
  const most = Math.max(
      ...['shoulder', 'elbow'].flatMap((name) => data.joint_wrenches[name].map((w) => Math.hypot(...w.slice(0, 3)))));
  near(Number(/([\d.]+) N/.exec(await page.locator('.ramp').innerText())[1]), most, 0.01);
  await page.getByLabel('Colours').selectOption('use');
  assert.match(await page.locator('.ramp').innerText(), /100 % of a limit/);
  await screenshot(page, 'picture_values', false);
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test('solutions in one picture, on one ground', async () => {
  run('report', folder('two_link'), folder('slower'), '-o', join(work, 'ghost.html'));
  const {page, problems, close} = await open(browser, `file://${join(work, 'ghost.html')}`);
  await page.getByLabel('In one picture').check();
  assert.deepEqual(await page.locator('.together li').allInnerTexts(), ['reach_slower']);
  const slower = solution(folder('slower')), k = 120;
  await page.evaluate((t) => globalThis.verne.seek(t), slower.time[k]);
  const ghost = await page.evaluate(() => globalThis.verne.companionPosition(0, 'link2'));
  ghost.forEach((x, i) => near(x, slower.link_poses.link2[k][i], 1e-9, 'the other solution'));
  await screenshot(page, 'picture_ghost', false);
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
  const fan = await open(browser, report('front'));
  const ground = await fan.page.evaluate(() => globalThis.verne.ground());
  await fan.page.getByLabel('All 4 in one picture').check();
  assert.deepEqual(await fan.page.locator('.together li').allInnerTexts(), ['u = 0.1', 'u = 0.2', 'u = 0.3']);
  await fan.page.getByRole('button', {name: 'Show u = 0.2'}).click();
  assert.equal(await fan.page.evaluate(() => globalThis.verne.ground()), ground);
  assert.equal(
      await fan.page.evaluate(() => globalThis.verne.companionPosition(3, 'link2')?.length ?? null).catch(() => null),
      null);
  await fan.close();
});

test('payloads while they are carried, margins of obstacles', async () => {
  const data = solution(folder('two_link')), last = data.time.length - 1;
  const turned = {type: 'sphere', radius: 0.05, position: [0.1, 0.25, 0], rotation: [0, 0, 0, 1], link: 'link2'};
  data.payloads = [{...turned, from: data.time[100], until: data.time[last]}, {...turned, link: 'nobody'}, 7];
  data.obstacles = [{type: 'box', position: [0.6, 0.6, 0], size: [0.1, 0.1, 0.1], margin: 0.04}, {type: 'sphere'}];
  mkdirSync(folder('carries'));
  writeFileSync(join(folder('carries'), 'solution.json'), JSON.stringify(data));
  const {page, problems, close} = await open(browser, report('carries'));
  // Where the payload is, by the link's pose (a turn about z) and a camera of our own.
  const place = async (k) => {
    await page.evaluate((t) => {
      globalThis.verne.seek(t);
      globalThis.verne.screenPosition('link2');  // draws: only what is drawn can be clicked
    }, data.time[k]);
    const [x, y, z, , , qz, qw] = data.link_poses.link2[k], turn = 2 * Math.atan2(qz, qw), [a, b] = turned.position;
    const point = [x + a * Math.cos(turn) - b * Math.sin(turn), y + a * Math.sin(turn) + b * Math.cos(turn), z];
    const box = await page.locator('.stage canvas[role=img]').boundingBox();
    return project(point, await page.evaluate(() => globalThis.verne.camera()), box);
  };
  await page.mouse.click(...(await place(150)));
  assert.equal(await joint(page), 'elbow', 'it belongs to the link that carries it');
  await page.mouse.click(...(await place(50)));
  assert.equal(await joint(page), null, 'it is not carried yet');
  await page.getByRole('checkbox', {name: /^Collision shapes, margins/}).check();
  await screenshot(page, 'picture_payload', false);
  assert.deepEqual(problems, []);
  await close();
});
