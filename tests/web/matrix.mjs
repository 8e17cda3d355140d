// Every kind of page on a screen and a telephone, light and dark: node matrix.mjs VERNE MAKE_SOLUTIONS ARTIFACTS [ROBOTS]
// By scripts/campaign.sh pages; too long for every day. ROBOTS holds robots with meshes (../shared/robots).
import assert from 'node:assert/strict';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';

import {accessibilityProblems, endViews, launch, makeData, open, root, run, screenshot, solution, startView, work} from './support.mjs';

const folder = makeData();
const browser = await launch();
after(async () => {
  endViews();
  await browser.close();
});

const kLooks = [
  {name: 'light', width: 1440, height: 900, scheme: 'light'},
  {name: 'dark', width: 1440, height: 900, scheme: 'dark'},
  {name: 'phone', width: 390, height: 844, scheme: 'light'},
  {name: 'phone_dark', width: 390, height: 844, scheme: 'dark'},
];

/** How many colours the picture has: a blank one has few. */
async function colours(page) {
  const picture = (await page.locator('.stage canvas[role=img]').first().screenshot()).toString('base64');
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
    const pen = new OffscreenCanvas(64, 64).getContext('2d');
    pen.drawImage(bitmap, 0, 0, 64, 64);
    const {data} = pen.getImageData(0, 0, 64, 64);
    return new Set(Array.from({length: 64 * 64}, (_, k) => data.slice(4 * k, 4 * k + 3).join())).size;
  }, picture);
}

/** What a page is to be like, however it is looked at. */
async function look(name, address, ready) {
  for (const {name: how, ...size} of kLooks) {
    const {page, problems, close} = await open(browser, address, size);
    if (ready) await page.waitForSelector(ready);
    assert.ok(await colours(page) > 3, `${name}, ${how}: nothing is drawn`);
    await screenshot(page, `matrix_${name}_${how}`);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(beyond <= 0, `${name}, ${how}: ${beyond} pixels too wide`);
    assert.deepEqual(await accessibilityProblems(page), [], `${name}, ${how}`);
    assert.deepEqual(problems, [], `${name}, ${how}`);
    await close();
  }
}

function report(name, ...folders) {
  const page = join(work, `${name}.html`);
  run('report', ...folders, '-o', page);
  return `file://${page}`;
}

/** A solution that was changed in some way. */
function changed(name, change) {
  const data = solution(folder('two_link'));
  change(data);
  const file = join(work, `${name}.json`);
  writeFileSync(file, JSON.stringify(data));
  return file;
}

const kPages = {
  solution: () => report('solution', folder('two_link')),
  human: () => report('human', folder('human')),
  meshes: () => report('meshes', folder('meshed')),
  sweep: () => report('sweep', folder('front')),
  comparison: () => report('comparison', folder('two_link'), folder('slower')),
  simulation: () => report('simulation', changed('simulation', (data) => {
    Object.assign(data, {status: 'simulated', verification: undefined});
    data.simulation = {torques: 'zero', tolerance: 1e-9, asked_duration: 1, energy_drift: 1e-12, energy_scale: 1};
  })),
  not_found: () => report('not_found', changed('not_found', (data) => {
    Object.assign(data, {status: 'not_found', message: 'no motion was found'});
    data.conflict = {parts: ['end', 'duration'], missed: 'end of elbow', amount: 0.5, unit: 'rad', certain: false, starts: 3};
    data.violations = [{constraint: 'end of elbow', value: 0.5, bound: 1, unit: 'rad'}];
  })),
};

for (const [name, make] of Object.entries(kPages)) test(`page: ${name}`, () => look(name, make()));

async function view(name, ...words) {
  const server = await startView(...words);
  await look(name, server.address, '#mass-matrix');
  await server.stop();
}

for (const name of ['arm7', 'four_bar', 'gough_stewart', 'humanoid']) {
  test(`view: ${name}`, () => view(name, join(root, 'models', `${name}.yaml`)));
}

const kRobots = {
  panda: 'example-robot-data/robots/panda_description/urdf/panda.urdf',
  talos: 'example-robot-data/robots/talos_data/robots/talos_reduced.urdf',
  pr2: 'example-robot-data/robots/pr2_description/urdf/pr2.urdf',
  hyq: 'example-robot-data/robots/hyq_description/robots/hyq_no_sensors.urdf',
  allegro: 'example-robot-data/robots/allegro_hand_description/urdf/allegro_left_hand.urdf',
  bolt: 'example-robot-data/robots/bolt_description/robots/bolt.urdf',
  iiwa: 'menagerie/kuka_iiwa_14/iiwa14.xml',
};
const robots = process.argv[5] ?? join(root, '..', 'shared', 'robots');
for (const [name, path] of Object.entries(kRobots)) {
  test(`robot: ${name}`, {skip: existsSync(join(robots, path)) ? false : 'its files are not here'}, async () => {
    await view(name, join(robots, path));
  });
}
