// The report in a real browser: node report.mjs VERNE MAKE_SOLUTIONS ARTIFACTS
import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';

import {accessibilityProblems, artifacts, launch, linkPositions, makeData, open, project, root, run, screenshot, solution, work} from './support.mjs';

const folder = makeData();
const browser = await launch();
after(() => browser.close());

function report(name) {
  run('report', folder(name));
  return `file://${join(folder(name), 'report.html')}`;
}

/** A report on the two-link arm's solution after `change`. */
function changedReport(name, change) {
  const data = solution(folder('two_link'));
  change(data);
  mkdirSync(folder(name));
  writeFileSync(join(folder(name), 'solution.json'), JSON.stringify(data));
  return report(name);
}

/** Presses a button and returns the text of the file that it saves. */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const path = join(work, download.suggestedFilename());
  await download.saveAs(path);
  return readFileSync(path, 'utf8');
}

/** Moves the slider as a hand would: the value and the event. */
async function scrub(page, time) {
  await page.locator('#scrubber').evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  }, time);
}

async function stageBox(page) { return page.locator('.stage canvas[role=img]').boundingBox(); }

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

async function pointCounts(page, id) {
  return (await page.locator(`#plot-${id}`).getAttribute('data-points')).split(' ').map(Number);
}

test('two-link arm: opens without errors and needs nothing else', async () => {
  const {page, problems, close} = await open(browser, report('two_link'));
  assert.equal(await page.title(), 'reach – Verne');
  assert.match(await page.locator('.lead').innerText(), /solved[^]*two_link, 2 degrees of freedom, 1 kg/);
  assert.match(await page.locator('.command').innerText(), /verne predict tasks\/reach.yaml -o out/);
  await screenshot(page, 'two_link_light');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

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

test('phases are marked in plots, on the slider and in the summary', async () => {
  const address = changedReport('phases', (data) => {
    data.phases = [{name: 'fetch', start: 0, end: 0.4}, {name: 'carry', start: 0.4, end: 1}];
  });
  const {page, problems, close} = await open(browser, address);
  assert.equal(await page.locator('.phase-list').innerText(), 'Phases: fetch 0–0.4 s, carry 0.4–1 s');
  assert.deepEqual(await page.locator('.transport .phase').allInnerTexts(), ['fetch', 'carry']);
  const [mark, slider] =
      [await page.locator('.phase.border').boundingBox(), await page.locator('#scrubber').boundingBox()];
  assert.ok(
      Math.abs(mark.x - (slider.x + 8 + 0.4 * (slider.width - 16))) < 1.5, 'the border is where the slider is then');
  assert.match(
      await page.locator('#plot-torques .plot').getAttribute('aria-label'), /fetch from 0 s, carry from 0.4 s/);
  // A line of one pixel at 0.4 s in the plot, where the plot without phases has none.
  const column = (at) => page.locator('#plot-power canvas').evaluate((canvas, part) => {
    const over = canvas.closest('.uplot').querySelector('.u-over').getBoundingClientRect(),
          box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width, x = Math.round((over.left - box.left + part * over.width) * scale) - 1;
    const top = Math.round((over.top - box.top) * scale), height = Math.round(over.height * scale);
    const {data} = canvas.getContext('2d').getImageData(x, top, 3, height);
    let rows = 0;
    for (let k = 0; k < height; ++k)
      if ([0, 1, 2].some((i) => data[4 * (3 * k + i) + 3] > 60)) rows += 1;
    return rows / height;
  }, at);
  assert.ok((await column(0.4)) > 0.95);
  assert.ok((await column(0.47)) < 0.5);
  const svg = await saved(page, page.locator('#plot-torques').getByRole('button', {name: 'SVG'}));
  assert.match(svg, />fetch<[^]*>carry</);
  await screenshot(page, 'phases');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

/** Whether anything is drawn at the very top left of the area of a plot, where no curve is. */
async function cornerIsShaded(page, plot) {
  return page.locator(`#plot-${plot} canvas`).evaluate((canvas) => {
    const over = canvas.closest('.uplot').querySelector('.u-over').getBoundingClientRect(),
          box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    const place = [(over.left - box.left) * scale + 8, (over.top - box.top) * scale + 2].map(Math.round);
    return canvas.getContext('2d').getImageData(place[0], place[1], 1, 1).data[3] > 0;
  });
}

test('names of the gait cycle keep their words whole', async () => {
  const percent = [0, 50, 100], values = [0, 1, 0];
  const angles = ['r', 'l'].map((side) => ({name: `ankle_angle_${side}_deg`, unit: 'deg', values}));
  const forces = ['hip', 'knee'].map((joint) => ({name: `joint_force_${joint}_r_BW`, unit: 'BW', values}));
  const {page, problems, close} = await open(browser, changedReport('stride', (data) => {
                                               data.stride = {percent, curves: [...angles, ...forces]};
                                             }));
  const names = (plot) => page.locator(`#plot-stride-${plot} .legend .name`).allInnerTexts();
  assert.deepEqual(await names('ankle'), ['right', 'left']);
  assert.deepEqual(await names('joint-forces'), ['hip', 'knee']);
  const title = page.locator('#plot-stride-ankle figcaption > span').first();
  assert.equal(await title.innerText(), 'Ankle dorsiflexion (deg)');
  const longest = await title.evaluate((span) => {
    const range = document.createRange(), at = span.textContent.indexOf('dorsiflexion');
    range.setStart(span.firstChild, at), range.setEnd(span.firstChild, at + 'dorsiflexion'.length);
    return range.getClientRects().length;
  });
  assert.equal(longest, 1, 'the word stands on one line');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test('frames that were asked for: the farthest first, others folded', async () => {
  const {page, close} = await open(browser, changedReport('frames', (data) => {
                                     data.verification.frames = Array.from(
                                         {length: 30}, (_, k) => ({frame: `toe${k}`, time: 0.1, position: k / 1e4}));
                                   }));
  const rows = page.getByRole('group', {name: 'Frames, and how far from what was asked for'}).locator('tbody th');
  assert.deepEqual((await rows.allInnerTexts()).slice(0, 2), ['toe29', 'toe28']);
  assert.ok(await rows.count() < 12);
  await page.getByRole('button', {name: 'Show all 30'}).click();
  assert.equal(await rows.count(), 30);
  await close();
});

test('limits that joints do not share are lines of their own colour', async () => {
  const limit = (of, bound) =>
      ({kind: 'effort', of, lower: -bound, upper: bound, unit: 'N·m', utilisation: 1, active: []});
  const apart = await open(browser, changedReport('apart', (data) => {
                             data.limits = [limit('shoulder', 0.5), limit('elbow', 1.3)];
                           }));
  assert.equal(await cornerIsShaded(apart.page, 'torques'), false, 'the elbow may go where the shoulder may not');
  const own = await saved(apart.page, apart.page.locator('#plot-torques').getByRole('button', {name: 'SVG'}));
  const colours = [...own.matchAll(/<line class="limit"[^>]* stroke="(#[0-9a-f]+)"/g)].map((match) => match[1]);
  assert.deepEqual([...new Set(colours)], ['#0072b2', '#d55e00']);
  await apart.page.locator('#plot-torques .legend li').first().hover();
  await apart.page.waitForTimeout(100);
  assert.equal(await cornerIsShaded(apart.page, 'torques'), true, 'of the one that is pointed at');
  await apart.close();
  const shared = await open(browser, changedReport('shared', (data) => {
                              data.limits = [limit('shoulder', 1), limit('elbow', 1)];
                            }));
  assert.equal(await cornerIsShaded(shared.page, 'torques'), true);
  await shared.close();
});

test('noise is not magnified', async () => {
  const {page, close} = await open(browser, changedReport('noise', (data) => {
                                     data.limits = [];
                                     data.tau = data.tau.map((_, k) => [10 - 0.008 * (k % 2), 9.996]);
                                   }));
  const svg = await saved(page, page.locator('#plot-torques').getByRole('button', {name: 'SVG'}));
  const heights = [...svg.match(/<path d="(M[^"]*)"/)[1].matchAll(/ (\d+\.\d+)/g)].map((match) => Number(match[1]));
  assert.ok(Math.max(...heights) - Math.min(...heights) < 5, 'a part in a thousand is a straight line');
  await close();
});

test('the reasons why a task is not solved come first', async () => {
  const {page, close} =
      await open(browser, changedReport('infeasible', (data) => {
                   data.status = 'infeasible';
                   data.violations = Array.from(
                       {length: 20}, (_, k) => ({constraint: `effort of elbow at ${k}`, value: 12, bound: 10}));
                 }));
  const reasons = page.getByText('What could not be met, worst first');
  assert.equal(await reasons.count(), 1);
  assert.ok((await reasons.boundingBox()).y < 300);
  assert.ok((await stageBox(page)).y < 900, 'the motion is still on the first screen');
  await page.getByRole('button', {name: 'Show all 20'}).click();
  assert.ok(await page.getByText('effort of elbow at 19').isVisible());
  assert.deepEqual(await accessibilityProblems(page), []);
  await close();
});

test('what is solved is nowhere said to fail', async () => {
  const of = async (name, status, change) => {
    const {page, close} = await open(browser, changedReport(name, (data) => {
                                       data.status = status;
                                       change(data.verification);
                                     }));
    const badges = await page.locator('.badge').allTextContents();
    await close();
    return badges.map((text) => text.trim());
  };
  const unproven = await of ('unproven', 'solved', (check) => {
    check.limit_excess = check.limit_tolerance;
    check.certified = {position: false, velocity: true, acceleration: null};
  });
  assert.deepEqual(unproven, ['✓ solved', '✓ holds', '! not proven', '✓ proven']);
  const certified = {position: null, velocity: null, acceleration: null};
  const exceed = (check) => Object.assign(check, {limit_excess: 5e-4, limit_tolerance: 1e-6, certified});
  assert.deepEqual(await of ('tolerated', 'acceptable', exceed), ['✓ solved to acceptable accuracy', '! tolerated']);
  assert.ok((await of ('exceeded', 'not_verified', exceed)).includes('✗ fails'));
  const [status] = await of ('not_found', 'not_found', exceed);
  assert.equal(status, '✗ no motion was found that does what was asked for');
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

test('wide tables show that they go on', async () => {
  const {page, close} = await open(browser, report('two_link'), {width: 390, height: 844});
  const wide = await page.locator('.table').evaluateAll(
      (tables) =>
          tables.filter((t) => t.scrollWidth > t.clientWidth + 1).map((t) => getComputedStyle(t).backgroundAttachment));
  assert.ok(wide.length > 0);
  // Two shadows at the edges, and two covers that scroll away from them.
  for (const attachment of wide) assert.equal(attachment, 'local, local, scroll, scroll');
  await close();
});

test('plots show every point, gaps are noted', async () => {
  const {page, close} = await open(browser, report('two_link'));
  const data = solution(folder('two_link'));
  assert.deepEqual(await pointCounts(page, 'positions'), [200, 200]);
  const present = [0, 1].map((i) => data.tau.filter((row) => row[i] !== null).length);
  assert.deepEqual(present, [198, 200]);
  assert.deepEqual(await pointCounts(page, 'torques'), present);
  assert.deepEqual(await pointCounts(page, 'wrench-force'), [200, 200, 200]);
  assert.match(await page.locator('[role=note]').first().innerText(), /4 values of this solution are not numbers/);
  await close();
});

test('values in the legend are the data at the time', async () => {
  const {page, close} = await open(browser, report('two_link'));
  const data = solution(folder('two_link'));
  await scrub(page, data.time[80]);
  const shown = await page.locator('#plot-velocities output').allInnerTexts();
  shown.forEach((text, i) => assert.ok(Math.abs(Number(text.replace('−', '-')) - data.v[80][i]) < 0.01, text));
  await close();
});

test('keyboard and plots set the time', async () => {
  const {page, close} = await open(browser, report('two_link'));
  const time = () => page.evaluate(() => globalThis.verne.time());
  await page.keyboard.press('End');
  assert.equal(await time(), 1);
  await page.keyboard.press('ArrowLeft');
  assert.ok(Math.abs((await time()) - 198 / 199) < 1e-9);
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  assert.equal(await page.evaluate(() => globalThis.verne.playing()), true);
  await page.keyboard.press(' ');
  const over = await page.locator('#plot-torques .u-over').boundingBox();
  await page.mouse.click(over.x + 0.25 * over.width, over.y + 20);
  assert.ok(Math.abs((await time()) - 0.25) < 0.01);
  await page.keyboard.press('?');
  assert.ok(await page.locator('dialog[open]').isVisible());
  await close();
});

test('saves plots and pictures', async () => {
  const {page, close} = await open(browser, report('two_link'));
  const data = solution(folder('two_link'));
  const save = async (button) => {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const path = join(work, download.suggestedFilename());
    await download.saveAs(path);
    return path;
  };
  const plot = page.locator('#plot-torques');
  const csv = readFileSync(await save(plot.getByRole('button', {name: 'CSV'})), 'utf8').trim().split('\n');
  assert.equal(csv.length, 201);
  assert.equal(csv[0], 'time (s),shoulder (N·m),elbow (N·m)');
  assert.deepEqual(csv[81].split(',').map(Number), [data.time[80], ...data.tau[80]]);
  assert.equal(csv[4].split(',')[1], '');
  const svg = readFileSync(await save(plot.getByRole('button', {name: 'SVG'})), 'utf8');
  assert.match(svg, /^<svg [^]*>Joint torques<[^]*>N·m<[^]*<\/svg>$/);
  const png = readFileSync(await save(plot.getByRole('button', {name: 'PNG'})));
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  writeFileSync(join(artifacts, 'saved_plot.png'), png);
  await page.getByText('Save a film, picture or model').click();
  const still = readFileSync(await save(page.getByRole('button', {name: 'Save picture'})));
  assert.ok(still.length > 5000);
  writeFileSync(join(artifacts, 'saved_picture.png'), still);
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

test('dark, and on a telephone', async () => {
  const dark = await open(browser, report('human'), {scheme: 'dark'});
  await screenshot(dark.page, 'human_dark');
  assert.deepEqual(await accessibilityProblems(dark.page), []);
  await dark.close();
  const phone = await open(browser, report('two_link'), {width: 390, height: 844});
  const overflow = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
  await screenshot(phone.page, 'two_link_phone');
  assert.deepEqual(await accessibilityProblems(phone.page), []);
  await phone.close();
});

test('the motion plays, in reduced quality where drawing is slow', async () => {
  const started = Date.now();
  const {page, close} = await open(browser, report('human'), {motion: 'no-preference'});
  await page.waitForFunction(() => globalThis.verne.drawing().frames > 5 && globalThis.verne.time() > 0);
  console.log(`# moving after ${Date.now() - started} ms`);
  assert.ok((await page.evaluate(() => globalThis.verne.drawing().lowered)) >= 2, 'software rendering is noticed');
  await close();
});

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

test('names that look like markup stay text', async () => {
  const {page, problems, close} = await open(browser, report('hostile'));
  await page.waitForTimeout(200);
  assert.equal(await page.title(), '<i>task</i> – Verne');
  assert.equal(await page.locator('.report img, .report b, .report i, .report script').count(), 0);
  assert.match(await page.locator('.lead').innerText(), /<img src=x onerror/);
  assert.ok((await page.locator('#plot-positions .legend').innerText()).includes('</script><b>shoulder'));
  await screenshot(page, 'hostile');
  assert.deepEqual(problems, []);
  await close();
});

test('a solution with the least that is needed', async () => {
  const {format, time, model, link_poses} = solution(folder('two_link'));
  mkdirSync(folder('bare'));
  writeFileSync(
      join(folder('bare'), 'solution.json'), JSON.stringify({format, time, model, link_poses, some_later_key: 1}));
  const {page, problems, close} = await open(browser, report('bare'));
  assert.match(await page.locator('#verification').innerText(), /says nothing about its verification/);
  assert.ok(await page.evaluate(() => globalThis.verne.screenPosition('link2')));
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test('in a frame of a notebook, which lets it reach nothing', async () => {
  report('two_link');
  const text = readFileSync(join(folder('two_link'), 'report.html'), 'utf8');
  const quoted = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const path = join(work, 'notebook.html');
  const frame =
      `<iframe sandbox="allow-scripts allow-downloads" width="1000" height="700" srcdoc="${quoted}"></iframe>`;
  writeFileSync(path, `<!doctype html><html lang="en"><title>notebook</title>${frame}</html>`);
  const {page, problems, close} = await open(browser, `file://${path}`);
  const inside = page.frameLocator('iframe');
  await inside.locator('#plot-positions .u-over').waitFor();
  assert.equal(await inside.locator('h1').innerText(), 'reach');
  // The wish for less motion may come to such a frame after the page has begun to move: both are right. Nor may the
  // motion's end come between what is read.
  const content = await (await page.locator('iframe').elementHandle()).contentFrame();
  const [before, after, time] = await content.evaluate(() => {
    const button = document.querySelector('.play'), said = [button.ariaLabel];
    button.click();
    globalThis.verne.seek(0.25);
    return [...said, button.ariaLabel, globalThis.verne.time()];
  });
  assert.deepEqual([before, after].sort(), ['Pause', 'Play']);
  assert.equal(time, 0.25);
  assert.deepEqual(problems, []);
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

test('damaged pages say so', async () => {
  report('two_link');
  const page0 = readFileSync(join(folder('two_link'), 'report.html'), 'utf8');
  const payload = /type="application\/gzip">[A-Za-z0-9+/=]*</;
  const cases = [
    ['type="application/gzip">@VERNE_PAYLOAD@<', /template without data/],
    ['type="application/gzip">AAAA<', /damaged/],
    ['type="application/gzip">H4sIAAAAAAAAA6tWyk6tVLJSKkotyC8qUaoFAH1VXX8TAAAA<', /unknown kind|damaged|no solution/],
  ];
  for (const [text, message] of cases) {
    const path = join(work, 'damaged.html');
    writeFileSync(path, page0.replace(payload, text));
    const {page, close} = await open(browser, `file://${path}`);
    assert.match(await page.locator('[role=alert]').innerText(), message);
    await close();
  }
});

test('licences are in the page', async () => {
  const {page, close} = await open(browser, report('two_link'));
  const text = await page.locator('footer pre').textContent();
  for (const name of ['three', 'uplot']) {
    const licence = readFileSync(join(root, 'web', 'node_modules', name, 'LICENSE'), 'utf8').trim();
    assert.ok(text.includes(licence), `the licence of ${name}`);
  }
  await close();
});
