// What a pointer does on the plots of a report: node plots.mjs VERNE MAKE_SOLUTIONS ARTIFACTS
import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {browser, folder, report} from './report_page.mjs';
import {accessibilityProblems, open, screenshot, solution} from './support.mjs';

const shown = (text) => Number(text.replace('−', '-'));
const near = (a, b, miss, words) => assert.ok(Math.abs(a - b) <= miss, `${words ?? ''} ${a} instead of ${b}`);

/** The number of pixels from the left of a plot at which a line of it stands. */
async function placeOf(page, plot, line) {
  return page.locator(`#plot-${plot} .${line}`)
      .evaluate(
          (element) => element.hidden ?
              null :
              element.getBoundingClientRect().left - element.parentElement.getBoundingClientRect().left);
}

test('hover, click, drag, wheel and legend', async () => {
  const {page, problems, close} = await open(browser, report('two_link'));
  const data = solution(folder('two_link'));
  const over = page.locator('#plot-velocities .u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox(), y = box.y + box.height / 2;
  const at = (part) => page.mouse.move(box.x + part * box.width, y);
  const time = () => page.evaluate(() => globalThis.verne.time());
  const window = () => page.evaluate(() => globalThis.verne.window());

  // Values under the pointer, and one cursor in all plots and the picture.
  const k = 60, part = data.time[k];
  await at(part);
  const values = await page.locator('#plot-velocities .tip b').allInnerTexts();
  values.forEach((text, i) => near(shown(text), data.v[k][i], 0.03, 'under the pointer'));
  const torques = await page.locator('#plot-torques .legend output').allInnerTexts();
  torques.forEach((text, i) => near(shown(text), data.tau[k][i], 0.03, 'in another plot'));
  for (const plot of ['positions', 'torques', 'energy', 'wrench-force']) {
    const width = await page.locator(`#plot-${plot} .u-over`).evaluate((element) => element.clientWidth);
    near(await placeOf(page, plot, 'cursor'), part * width, 1.5, plot);
  }
  const link = await page.evaluate(() => globalThis.verne.linkPosition('link2'));
  link.forEach((x, i) => near(x, data.link_poses.link2[k][i], 0.005, 'in the picture'));
  assert.equal(await time(), 0, 'hovering sets no time');
  await screenshot(page, 'plots_hover', false);

  await page.mouse.click(box.x + 0.25 * box.width, y);
  near(await time(), 0.25, 0.005);
  await at(0.4);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, y, {steps: 3});
  await page.mouse.up();
  const [from, to] = await window();
  near(from, 0.4, 0.005), near(to, 0.6, 0.005);
  near(await time(), 0.25, 0.005, 'a drag sets no time');
  await at(0.5);
  near(shown((await page.locator('#plot-velocities .tip .quiet').innerText()).split(': ')[1]), 0.5, 0.003);
  assert.equal(await placeOf(page, 'velocities', 'now'), null, 'the time is out of what is shown');
  await page.mouse.dblclick(box.x + 0.5 * box.width, y);
  assert.equal(await window(), null);

  await page.keyboard.down('Shift');
  await at(0.1);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.7 * box.width, y, {steps: 3});
  near(await time(), 0.7, 0.005);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  assert.equal(await window(), null);

  await page.mouse.wheel(0, 60);
  await page.waitForFunction(() => scrollY > 0);
  assert.equal(await window(), null, 'the plain wheel scrolls');
  await page.mouse.wheel(0, -60);
  await page.waitForFunction(() => scrollY === 0);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await page.waitForFunction(() => globalThis.verne.window() !== null);
  const zoomed = await window();
  near(zoomed[1] - zoomed[0], 0.8, 1e-6);
  await page.getByRole('button', {name: 'Show all of Joint velocities'}).click();
  assert.equal(await window(), null);

  await page.locator('#plot-velocities .legend').getByRole('button', {name: 'elbow'}).click();
  await at(0.3);
  assert.equal(await page.locator('#plot-velocities .tip b').count(), 1);
  await page.locator('#plot-velocities .legend').getByRole('button', {name: 'elbow'}).click();
  await page.getByRole('button', {name: 'Enlarge Joint torques'}).click();
  assert.equal(await page.locator('#plot-torques .uplot').evaluate((element) => element.offsetHeight), 480);
  await page.getByRole('button', {name: 'Enlarge Joint torques'}).click();
  assert.deepEqual(problems, []);
  await close();
});

test('values under the pointer are whole, wherever it is, and move no names', async () => {
  for (const width of [1440, 390]) {
    const {page, close} = await open(browser, report('human'), {width});
    const over = page.locator('#plot-velocities .u-over');
    await over.scrollIntoViewIfNeeded();
    const names = () => page.locator('#plot-velocities .legend .name')
                            .evaluateAll((all) => all.map((name) => [name.offsetLeft, name.offsetTop]));
    const box = await over.boundingBox(), before = await names();
    for (const part of [0.05, 0.3, 0.45, 0.55, 0.7, 0.95]) {
      await page.mouse.move(box.x + part * box.width, box.y + box.height / 2);
      await page.waitForFunction(() => !document.querySelector('#plot-velocities .tip').hidden);
      const seen = await over.evaluate((plot) => {
        const at = (element) => element.getBoundingClientRect(), all = at(plot), tip = plot.querySelector('.tip');
        return [tip, ...tip.querySelectorAll('b')].every(
            (part) => at(part).left >= all.left - 0.5 && at(part).right <= all.right + 0.5);
      });
      assert.ok(seen, `${part} of a page of ${width}`);
      assert.deepEqual(await names(), before, 'names stay where they are');
    }
    await close();
  }
});

test('two quantities against each other, plots for each joint, what does not move', async () => {
  const data = solution(folder('two_link'));
  mkdirSync(folder('held'));
  data.q.forEach((row) => (row[1] = 0.5));
  data.v.forEach((row) => (row[1] = 0));
  writeFileSync(join(folder('held'), 'solution.json'), JSON.stringify(data));
  const {page, problems, close} = await open(browser, report('held'));
  const fold = page.locator('#plot-positions .fold');
  assert.equal(await fold.innerText(), '+ 1 held');
  assert.equal(await page.locator('#plot-velocities .fold').innerText(), '+ 1 zero');
  await fold.click();
  assert.equal(await page.locator('#plot-positions .legend output').count(), 2);
  await page.locator('.versus summary').click();
  await page.getByLabel('Quantity of the horizontal axis').selectOption('Joint angles: shoulder (rad)');
  await page.getByLabel('Quantity of the vertical axis').selectOption('Joint torques: shoulder (N·m)');
  const points = (await page.locator('.versus-line').getAttribute('d'))
                     .split(/[ML]/)
                     .slice(1)
                     .map((p) => p.split(' ').map(Number));
  const present = data.tau.flatMap((row, k) => (row[0] === null ? [] : [k]));
  assert.equal(points.length, present.length);
  // Straight lines from data to pixels.
  const along = (i, k) => points[present.indexOf(k)][i], [a, b, c] = [20, 100, 180];
  const share = (x) => (x(b) - x(a)) / (x(c) - x(a));
  near(share((k) => along(0, k)), share((k) => data.q[k][0]), 1e-3);
  near(share((k) => along(1, k)), share((k) => data.tau[k][0]), 1e-2);
  await page.getByLabel('Arrangement of the plots').selectOption({label: 'a plot for each joint: efforts'});
  assert.equal(await page.locator('.charts.minis .chart').count(), 2);
  await screenshot(page, 'plots_small');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test('a CSV file adds curves, a bad one says why', async () => {
  const {page, problems, close} = await open(browser, report('two_link'));
  const add = (name, text) => page.getByLabel('Add curves from a CSV file')
                                  .setInputFiles({name, mimeType: 'text/csv', buffer: Buffer.from(text)});
  await add('bad.csv', 'time,"shoulder (N·m)\n0,1\n');
  await page.waitForSelector('[role=alert]:not([hidden])');
  assert.match(await page.locator('[role=alert]').innerText(), /bad\.csv: line 1: a quote is not closed/);
  await add('lab.csv', 'time,tau.shoulder,"EMG, raw (mV)"\r\n0,0.5,1\r\n0.5,0.25,\r\n1,0,3\r\n');
  await page.waitForSelector('text=EMG, raw');
  assert.equal(await page.locator('[role=alert]:not([hidden])').count(), 0);
  const curve = page.locator('#plot-torques .legend li', {hasText: 'shoulder · lab'});
  await page.evaluate(() => globalThis.verne.seek(0.25));
  assert.equal(await curve.locator('output').innerText(), '0.375');
  // Dropped, in place of chosen by the button.
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['time,v.elbow\n0,1\n1,2\n'], 'drop.csv'));
    dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
  });
  await page.waitForSelector('text=elbow · drop');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});
