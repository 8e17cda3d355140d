// The page of a study in a real browser: node study.mjs VERNE MAKE_SOLUTIONS ARTIFACTS
import assert from 'node:assert/strict';
import {copyFileSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';

import {accessibilityProblems, endViews, launch, open, root, run, screenshot, startView, work} from './support.mjs';

const browser = await launch();
after(async () => {
  endViews();
  await browser.close();
});

copyFileSync(join(root, 'models', 'two_link.yaml'), join(work, 'two_link.yaml'));
writeFileSync(join(work, 'study.yaml'), `format: verne-study/1
simulate: {model: two_link.yaml, time: 0.1, state: {v: [1, bend]}, samples: 11}
parameters: {bend: {between: [0, 1]}, model.link2.mass: {between: [0.2, 2]}}
sample: {saltelli: 16}
keep: {solutions: best 2}
`);
run('study', join(work, 'study.yaml'), '-o', join(work, 'study'), '--threads', '1');
const address = `file://${join(work, 'study', 'study.html')}`;

test('points are shown, chosen on an axis, and lead to their motions', async () => {
  const {page, problems} = await open(browser, address);
  const status = page.locator('#parallel [role=status]');
  assert.match(await status.textContent(), /^64 points/);
  const box = await page.locator('.parallel').boundingBox();
  const [, , width, height] = (await page.locator('.parallel').getAttribute('viewBox')).split(' ').map(Number);
  const at = (x, y) => [box.x + (x / width) * box.width, box.y + (y / height) * box.height];
  await page.mouse.move(...at(60, 30));
  await page.mouse.down();
  await page.mouse.move(...at(60, 165));
  await page.mouse.up();
  const left = Number((await status.textContent()).match(/^(\d+) of 64 points lie/)[1]);
  assert.ok(left > 24 && left < 40, `${left} points in the upper half of an even sample`);
  assert.equal(await page.locator('.point-line.out').count(), 64 - left);
  await page.getByRole('button', {name: 'Choose all'}).click();
  assert.equal(await page.locator('.point-line.out').count(), 0);
  assert.equal(await page.locator('.fan-line').count(), 64);
  assert.equal(await page.locator('.fan-median').count(), 1);
  const upright = (await page.locator('.fan-median').getAttribute('d')).match(/[\d.]+ [\d.]+/g);
  assert.equal(upright.length, 101);
  await page.getByLabel('Curve').selectOption('effort.elbow');
  await page.locator('.fan-line').nth(7).dispatchEvent('click');
  assert.match(await page.locator('#chosen .lead').textContent(), /^Point 7 /);
  assert.match(await page.locator('#chosen').textContent(), /verne study DIR --point 7/);
  await page.locator('.mark.kept').first().dispatchEvent('click');
  const link = page.locator('#chosen a');
  assert.ok(existsSync(join(work, 'study', await link.getAttribute('href'))));
  const bars = page.locator('#sensitivity .index.total');
  assert.equal(await bars.count(), 2);
  assert.deepEqual(await accessibilityProblems(page), []);
  await screenshot(page, 'study');
  assert.deepEqual(problems, []);
});

test('`verne view` has the motion of every point', async () => {
  const view = await startView(join(work, 'study'));
  const {page, problems, close} = await open(browser, view.address);
  await page.locator('.fan-line').nth(9).dispatchEvent('click');
  await page.locator('#chosen a').click();
  await page.waitForSelector('.report canvas, .report svg');
  assert.match(page.url(), /points\/000009\/report.html$/);
  assert.deepEqual(problems, []);
  await close();
  assert.equal(await view.stop(), 130);
});

test('in a frame of a notebook, which lets it keep nothing', async () => {
  const quoted = readFileSync(join(work, 'study', 'study.html'), 'utf8').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const path = join(work, 'notebook.html');
  writeFileSync(path, `<!doctype html><html lang="en"><title>notebook</title><iframe sandbox="allow-scripts" srcdoc="${quoted}"></iframe></html>`);
  const {page, problems, close} = await open(browser, `file://${path}`);
  const status = page.frameLocator('iframe').locator('#parallel [role=status]');
  await status.waitFor();
  assert.match(await status.textContent(), /^64 points/);
  assert.equal(await page.frameLocator('iframe').locator('.problem').count(), 0);
  assert.deepEqual(problems, []);
  await close();
});
