// The report in a real browser: node report.mjs VERNE MAKE_SOLUTIONS ARTIFACTS
import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {browser, changedReport, folder, pointCounts, report, scrub, stageBox} from './report_page.mjs';
import {accessibilityProblems, artifacts, open, root, screenshot, solution, work} from './support.mjs';

/** Presses a button and returns the text of the file that it saves. */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const path = join(work, download.suggestedFilename());
  await download.saveAs(path);
  return readFileSync(path, 'utf8');
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
