// Reports on several solutions: node comparison.mjs VERNE MAKE_SOLUTIONS ARTIFACTS
import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {browser, folder, pointCounts, report, scrub} from './report_page.mjs';
import {accessibilityProblems, open, run, screenshot, solution, work} from './support.mjs';

test('compares solutions side by side', async () => {
  run('report', folder('two_link'), folder('slower'), '-o', join(work, 'both.html'));
  const {page, problems, close} = await open(browser, `file://${join(work, 'both.html')}`);
  assert.deepEqual(await page.locator('.stage-labels .label').allInnerTexts(), ['reach', 'reach_slower']);
  assert.deepEqual(await pointCounts(page, 'positions'), [200, 150, 200, 150]);
  const row = page.locator('.beside tbody tr', {has: page.getByRole('rowheader', {name: 'duration (s)'})});
  assert.deepEqual(await row.locator('td').allInnerTexts(), ['1', '1.5 +50 %']);
  await scrub(page, 1.2);
  // The first has ended at 1 s, the second is under way.
  const slower = solution(folder('slower'));
  const [first, second] = await page.evaluate(() => [0, 1].map((i) => globalThis.verne.linkPosition('link2', i)));
  const end = solution(folder('two_link')).link_poses.link2[199];
  assert.ok(Math.hypot(...first.map((x, i) => x - end[i])) < 1e-9);
  const k = slower.time.findIndex((t) => t > 1.2),
        [a, b] = [slower.link_poses.link2[k - 1], slower.link_poses.link2[k]];
  second.forEach((x, i) => assert.ok(x >= Math.min(a[i], b[i]) - 1e-9 && x <= Math.max(a[i], b[i]) + 1e-9));
  await screenshot(page, 'comparison');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test('solutions of one task are told apart by their parameters', async () => {
  const slow = solution(folder('two_link'));
  slow.task.parameters = {amplitude: 0.5, other: 1};
  slow.verification.limit_excess = -0.023;
  mkdirSync(folder('half'));
  writeFileSync(join(folder('half'), 'solution.json'), JSON.stringify(slow));
  run('report', folder('two_link'), folder('half'), '-o', join(work, 'same_task.html'));
  const {page, close} = await open(browser, `file://${join(work, 'same_task.html')}`);
  assert.deepEqual(
      await page.locator('.stage-labels .label').allInnerTexts(), ['amplitude = 1', 'amplitude = 0.5, other = 1']);
  assert.equal(await page.title(), 'reach: amplitude = 1 · amplitude = 0.5, other = 1 – Verne');
  const row = (title) =>
      page.locator('.beside tbody tr', {has: page.getByRole('rowheader', {name: title, exact: true})});
  assert.equal(await row('limit excess').locator('td').nth(1).innerText(), 'none');
  assert.deepEqual(await row('amplitude').locator('td').allInnerTexts(), ['1', '0.5']);
  await close();
});

test('a point of the front selects its solution', async () => {
  const {page, problems, close} = await open(browser, report('front'));
  const points = page.locator('#front .point');
  assert.equal(await points.count(), 4);
  const duration = () => page.locator('.tile dd').first().innerText();
  assert.equal(await duration(), '1 s');
  await points.nth(2).click();
  assert.equal(await duration(), '1.2 s');
  assert.match(await page.locator('#front [role=status]').innerText(), /u = 0.2/);
  await points.nth(3).focus();
  await page.keyboard.press('Enter');
  assert.equal(await duration(), '1.3 s');
  await page.getByRole('button', {name: 'Show u = 0.1'}).click();
  assert.equal(await duration(), '1.1 s');
  assert.equal(await page.locator('#front .point.chosen').count(), 1);
  assert.ok((await page.locator('#front svg').textContent()).includes('energy (J)'), 'axes have units');
  // Plots that were replaced while out of sight fit their place.
  for (const plot of await page.locator('.plot').all()) {
    const [inside, outside] = await plot.evaluate((box) => [box.querySelector('.uplot').offsetWidth, box.clientWidth]);
    assert.equal(inside, outside);
  }
  await screenshot(page, 'front');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});
