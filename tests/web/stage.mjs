// The moving picture of a report: what is drawn is where the library has it: node stage.mjs VERNE MAKE_SOLUTIONS ARTIFACTS
import assert from 'node:assert/strict';
import {statSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {browser, folder, pointCounts, report, scrub, stageBox} from './report_page.mjs';
import {accessibilityProblems, launch, linkPositions, open, project, root, screenshot, solution} from './support.mjs';

async function checkLinksOnScreen(page, name, model, frames) {
  const data = solution(folder(name));
  for (const frame of frames) {
    await scrub(page, data.time[frame]);
    const expected = linkPositions(join(root, 'models', `${model}.yaml`), data.q[frame]);
    const box = await stageBox(page), camera = await page.evaluate(() => globalThis.verne.camera());
    const links = Object.keys(expected).filter((link) => data.link_poses[link]);
    const seen = await page.evaluate((names) => names.map((name) => globalThis.verne.screenPosition(name)), links);
    assert.ok(links.length > 1);
    links.forEach((link, i) => {
      const wanted = project(expected[link], camera, box);
      const miss = Math.hypot(seen[i][0] - wanted[0], seen[i][1] - wanted[1]);
      assert.ok(miss < 0.5, `${link} at frame ${frame}: ${seen[i]} instead of ${wanted}`);
    });
  }
}

test('two-link arm: links are where forward kinematics puts them', async () => {
  const {page, close} = await open(browser, report('two_link'));
  await checkLinksOnScreen(page, 'two_link', 'two_link', [0, 57, 199]);
  await close();
});

/** Newton: what the shoulder exerts on the arm is its mass times the acceleration of its centre of mass. */
test('two-link arm: joint forces point where they act', async () => {
  const {page, close} = await open(browser, report('two_link'));
  const {time, com, model} = solution(folder('two_link'));
  const step = time[1] - time[0];
  for (const k of [30, 80, 150]) {
    await scrub(page, time[k]);
    const force = await page.evaluate(() => globalThis.verne.jointForce('shoulder'));
    const expected = [0, 1, 2].map((i) => (model.mass * (com[k + 1][i] - 2 * com[k][i] + com[k - 1][i])) / step ** 2);
    const miss = Math.hypot(...force.map((x, i) => x - expected[i]));
    assert.ok(miss < 1e-3 * Math.hypot(...expected), `${force} instead of ${expected}`);
  }
  await close();
});

/** Half way along the second link is something at the time, and nothing later. */
async function checkSecondLinkIsDrawn(page) {
  for (const name of ['Snapshots', 'Paths']) await page.getByLabel(name).uncheck();
  // Which no other part covers.
  const middle = async () => {
    const [a, b] = await page.evaluate(() => ['link1', 'link2'].map((l) => globalThis.verne.screenPosition(l)));
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  const colourAt = async ([x, y]) => (await page.screenshot({
                                       clip: {x: Math.round(x) - 1, y: Math.round(y) - 1, width: 3, height: 3}
                                     })).toString('base64');
  await scrub(page, 0);
  const place = await middle(), on = await colourAt(place);
  await scrub(page, 1);
  const off = await colourAt(place), again = await colourAt(await middle());
  assert.notEqual(on, off);
  assert.notEqual(again, off);
}

test('two-link arm: pixels move with the scrubber', async () => {
  const {page, close} = await open(browser, report('two_link'));
  await checkSecondLinkIsDrawn(page);
  assert.equal(await page.locator('.meshes').count(), 0);
  await close();
});

test('meshes are drawn where the library has their links', async () => {
  const {page, problems, close} = await open(browser, report('meshed'));
  await checkSecondLinkIsDrawn(page);
  assert.equal(await page.locator('.meshes').count(), 0);
  await page.getByLabel('Collision shapes').check();
  await page.evaluate(() => globalThis.verne.screenPosition('link2'));  // draws
  assert.deepEqual(problems, [], 'there are no obstacles whose margins could be drawn');
  await close();
});

test('a link whose mesh is missing is a rod beside others with shapes, and the page says so', async () => {
  const {page, close} = await open(browser, report('mesh'));
  assert.deepEqual(
      await page.locator('.meshes').allInnerTexts(), ['Rods stand for one link, whose mesh was not found.']);
  await checkSecondLinkIsDrawn(page);
  await close();
});

test('the camera stays above the ground and keeps all in sight', async () => {
  const {page, close} = await open(browser, report('two_link'));
  const box = await stageBox(page);
  const inSight = async () => {
    const [x, y] = await page.evaluate(() => globalThis.verne.screenPosition('link2')), now = await stageBox(page);
    assert.ok(
        x > now.x && x < now.x + now.width && y > now.y && y < now.y + now.height,
        `${[x, y]} in ${Object.values(now)}`);
  };
  await page.setViewportSize({width: 420, height: 900});
  await page.waitForTimeout(100);
  await inSight();
  await page.setViewportSize({width: 1440, height: 900});
  await page.waitForTimeout(100);
  await page.mouse.move(box.x + 300, box.y + 400);
  await page.mouse.down();
  await page.mouse.move(box.x + 310, box.y + 50, {steps: 4});
  await page.mouse.up();
  const {position, target} = await page.evaluate(() => globalThis.verne.camera());
  assert.ok(position[2] >= target[2] - 1e-9, 'not from below');
  await close();
});

test('human with 55 degrees of freedom', async () => {
  const address = report('human');
  assert.ok(statSync(join(folder('human'), 'report.html')).size < 6e6);
  const {page, problems, close} = await open(browser, address);
  await checkLinksOnScreen(page, 'human', 'human55', [40, 160]);
  const counts = await pointCounts(page, 'torques');
  assert.equal(counts.length, 6);
  assert.ok(counts.every((n) => n === 200));
  await page.locator('.joints summary').click();
  await page.locator('.joints').getByRole('button', {name: 'All'}).click();
  assert.equal((await pointCounts(page, 'velocities')).length, 52);
  assert.equal((await pointCounts(page, 'velocities-linear')).length, 3);
  await page.locator('.joints').getByRole('button', {name: 'Default'}).click();
  for (const name of ['Snapshots', /Joint forces, longest \d+ N/, 'Frames', 'Follow'])
    await page.getByRole('checkbox', {name}).check();
  await screenshot(page, 'human_light');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test('the motion plays, in reduced quality where drawing is slow', async () => {
  const started = Date.now();
  const {page, close} = await open(browser, report('human'), {motion: 'no-preference'});
  await page.waitForFunction(() => globalThis.verne.drawing().frames > 5 && globalThis.verne.time() > 0);
  console.log(`# moving after ${Date.now() - started} ms`);
  assert.ok((await page.evaluate(() => globalThis.verne.drawing().lowered)) >= 2, 'software rendering is noticed');
  await close();
});

test('without WebGL the rest of the page is there', async () => {
  const plain = await launch('--disable-3d-apis');
  const {page, close} = await open(plain, report('two_link'));
  assert.match(await page.locator('.stage').innerText(), /has no WebGL: outlines/);
  // What the second link covers is not the colour of the paper, and is when the link has moved on.
  const [a, b] = await page.evaluate(() => ['link1', 'link2'].map((l) => globalThis.verne.screenPosition(l)));
  const colour = () => page.locator('.stage canvas[role=img]').evaluate((canvas, [x, y]) => {
    const box = canvas.getBoundingClientRect();
    return [...canvas.getContext('2d').getImageData(x - box.left, y - box.top, 1, 1).data].join();
  }, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
  const on = await colour();
  await scrub(page, 1);
  await page.evaluate(() => globalThis.verne.screenPosition('link2'));
  assert.notEqual(await colour(), on);
  assert.deepEqual(await pointCounts(page, 'positions'), [200, 200]);
  await close();
  await plain.close();
});
