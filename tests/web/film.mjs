// Films, pictures and models that a report gives away, and addresses that lead into it:
// node film.mjs VERNE MAKE_SOLUTIONS ARTIFACTS
import assert from 'node:assert/strict';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {inflateSync} from 'node:zlib';

import {browser, folder, report} from './report_page.mjs';
import {accessibilityProblems, artifacts, browserPath, linkPositions, open, root, run, screenshot, solution, verne, work} from './support.mjs';

const near = (a, b, miss, words) => assert.ok(Math.abs(a - b) <= miss, `${words ?? ''} ${a} instead of ${b}`);

/** Presses a button of the panel for what can be saved; the bytes of the file. */
async function saved(page, name) {
  await page.locator('.saving').evaluate((panel) => (panel.open = true));
  const button = page.getByRole('button', {name, exact: true});
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const path = join(artifacts, `film_${download.suggestedFilename()}`);
  await download.saveAs(path);
  return readFileSync(path);
}

/** The boxes of an MP4 file, by their paths; those that hold others are opened. */
function boxesOf(bytes, at = 0, end = bytes.length, path = '', out = new Map()) {
  while (at < end) {
    const size = bytes.readUInt32BE(at), name = path + bytes.toString('latin1', at + 4, at + 8);
    assert.ok(size >= 8 && at + size <= end, `${name} is whole`);
    out.set(name, bytes.subarray(at + 8, at + size));
    if (/(moov|trak|mdia|minf|stbl)$/.test(name)) boxesOf(bytes, at + 8, at + size, `${name}/`, out);
    at += size;
  }
  return out;
}

/** Codec, size in pixels and times (s) of the frames of an MP4 file with one track (ISO/IEC 14496-12). */
function readMp4(bytes) {
  const boxes = boxesOf(bytes), track = 'moov/trak/mdia/', table = `${track}minf/stbl/`;
  assert.ok([...boxes.keys()].indexOf('moov') < [...boxes.keys()].indexOf('mdat'), 'starts before all has come');
  const head = boxes.get(`${track}mdhd`), scale = head.readUInt32BE(head[0] === 1 ? 20 : 12);
  const kind = boxes.get(`${table}stsd`), steps = boxes.get(`${table}stts`), times = [];
  let time = 0;
  for (let i = 0; i < steps.readUInt32BE(4); ++i) {
    for (let k = 0; k < steps.readUInt32BE(8 + 8 * i); ++k, time += steps.readUInt32BE(12 + 8 * i))
      times.push(time / scale);
  }
  const size = [kind.readUInt16BE(8 + 32), kind.readUInt16BE(8 + 34)];
  return {codec: kind.toString('latin1', 12, 16), size, times};
}

/** Codec and times (s) of the frames of a WebM file (RFC 8794, RFC 9559). */
function readWebm(bytes) {
  const film = {codec: '', times: []};
  let scale = 1e6, cluster = 0;
  const number = (at, length) => bytes.readUIntBE(at, length);
  const walk = (at, end) => {
    while (at < end) {
      let length = Math.clz32(bytes[at]) - 23;
      const id = number(at, length);
      at += length;
      length = Math.clz32(bytes[at]) - 23;
      const size = Number(BigInt(`0x${bytes.toString('hex', at, at + length)}`) & ((1n << BigInt(7 * length)) - 1n));
      at += length;
      if ([0x18538067, 0x1f43b675, 0x1549a966, 0x1654ae6b, 0xae].includes(id)) walk(at, at + size);
      if (id === 0x2ad7b1) scale = number(at, size);
      if (id === 0x86) film.codec = bytes.toString('latin1', at, at + size);
      if (id === 0xe7) cluster = number(at, size);
      if (id === 0xa3) film.times.push(((cluster + bytes.readInt16BE(at + 1)) * scale) / 1e9);
      at += size;
    }
  };
  walk(0, bytes.length);
  return film;
}

/** What a browser makes of a film: its length, size, and how much pictures at two times differ (0 to 255). */
async function played(bytes, type) {
  const page = await browser.newPage();
  const seen = await page.evaluate(async ([data, kind]) => {
    const video = document.createElement('video');
    video.muted = true;
    video.src = `data:${kind};base64,${data}`;
    const at = (time) => new Promise((resolve, reject) => {
      video.onseeked = resolve;
      video.onerror = () => reject(new Error(video.error.message));
      video.currentTime = time;
    });
    const pixels = async (time) => {
      await at(time);
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight), pen = canvas.getContext('2d');
      pen.drawImage(video, 0, 0);
      return pen.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const a = await pixels(0.01), b = await pixels(video.duration / 2);
    const most = a.reduce((all, x, i) => Math.max(all, Math.abs(x - b[i])), 0);
    return {seconds: video.duration, size: [video.videoWidth, video.videoHeight], most};
  }, [bytes.toString('base64'), type]);
  await page.close();
  return seen;
}

test('a film of the page has a frame for each time, and plays', async () => {
  const {page, problems, close} = await open(browser, report('two_link'));
  await page.locator('.saving').evaluate((panel) => (panel.open = true));
  await page.getByLabel('Size of the film').selectOption('854 × 480');
  await page.getByLabel('Frames a second').selectOption('25');
  await page.locator('.transport').getByLabel('Speed').selectOption('2');
  assert.deepEqual(await accessibilityProblems(page), []);
  const before = await page.evaluate(() => globalThis.verne.camera());
  const bytes = await saved(page, 'Save film'), film = readMp4(bytes);
  // One second of motion, twice as fast: from 0 to 0.5 s, both ends shown.
  assert.equal(film.codec, 'avc1');
  assert.deepEqual(film.size, [854, 480]);
  assert.equal(film.times.length, 14);
  film.times.forEach((time, k) => near(time, k / 25, 1e-9, 'time of a frame'));
  const seen = await played(bytes, 'video/mp4');
  assert.deepEqual(seen.size, [854, 480]);
  near(seen.seconds, 14 / 25, 1e-3);
  assert.ok(seen.most > 50, 'something moves');
  assert.deepEqual(await page.evaluate(() => globalThis.verne.camera()), before, 'the picture is as it was');
  assert.deepEqual(problems, []);
  await close();
});

function film(...words) { return spawnSync(verne, ['film', ...words], {encoding: 'utf8'}); }

test('verne film: a solution as MP4, a model from all sides as WebM', async () => {
  const mp4 = join(artifacts, 'reach.mp4');
  const made = film(folder('slower'), '-o', mp4, '--size', '320x240', '--fps', '10', '--view', 'front');
  assert.equal(made.status, 0, made.stderr);
  assert.match(made.stdout, /reach\.mp4 {2}\(16 frames, 1\.60 s, H\.264, /);
  const {size, times} = readMp4(readFileSync(mp4));
  assert.deepEqual(size, [320, 240]);
  assert.deepEqual(times.map((t) => t.toFixed(6)), Array.from({length: 16}, (_, k) => (k / 10).toFixed(6)));
  const webm = join(artifacts, 'model.webm');
  const words = [join(root, 'models', 'two_link.yaml'), '-o', webm, '--size', '160x120', '--fps', '5', '--dark'];
  assert.equal(film(...words).status, 0);
  const turn = readWebm(readFileSync(webm));
  assert.equal(turn.codec, 'V_VP9');
  assert.deepEqual(turn.times, Array.from({length: 20}, (_, k) => k / 5));
  assert.ok((await played(readFileSync(webm), 'video/webm')).most > 50);
});

test('verne film: what is wrong or missing is said before the work', () => {
  const out = (name) => join(work, name), bin = join(work, 'bin');
  mkdirSync(bin);
  const cases = [
    [2, /ends with \.mp4, \.webm or \.gif/, ['-o', out('x.avi')]],
    [2, /even numbers from 16 to 4096/, ['-o', out('x.mp4'), '--size', '641x480']],
    [2, /six numbers/, ['-o', out('x.mp4'), '--camera', '1,2,3']],
    [2, /hundredths/, ['-o', out('x.gif'), '--fps', '30']],
    [3, /apt-get install chromium/, ['-o', out('x.mp4')]],
  ];
  for (const [status, words, options] of cases) {
    const made = spawnSync(verne, ['film', folder('two_link'), ...options], {encoding: 'utf8', env: {PATH: bin}});
    assert.equal(made.status, status, made.stderr);
    assert.match(made.stderr, words);
  }
  symlinkSync(browserPath, join(bin, 'chromium'));
  const made = spawnSync(verne, ['film', folder('two_link'), '-o', out('x.gif')], {encoding: 'utf8', env: {PATH: bin}});
  assert.equal(made.status, 3);
  assert.match(made.stderr, /apt-get install ffmpeg/);
  assert.deepEqual(readdirSync(work).filter((name) => /^\.?x\./.test(name)), [], 'nothing is left behind');
});

test('verne film: Ctrl-C ends the browser, too, and leaves nothing', async () => {
  const temporary = join(work, 'temporary'), target = join(work, 'long.mp4');
  mkdirSync(temporary);
  const child = spawn(verne, ['film', folder('two_link'), '-o', target, '--speed', '0.01'], {
    stdio: 'ignore',
    env: {...process.env, TMPDIR: temporary},
  });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const browsers = () => readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'latin1').includes(temporary);
    } catch {
      return false;  // has just ended
    }
  });
  while (browsers().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGINT');
  assert.equal(await ended, 130);
  assert.deepEqual(readdirSync(temporary), []);
  while (browsers().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));  // helpers end by themselves
  assert.ok(!existsSync(target));
});

test('addresses lead to a time, a camera and overlays, and to the picture alone', async () => {
  const address = report('two_link');
  const {page, problems, close} = await open(browser, `${address}?t=0.25#view=front&show=paths&theme=dark`);
  assert.equal(await page.evaluate(() => globalThis.verne.time()), 0.25);
  assert.equal(await page.getByLabel('Snapshots').isChecked(), false);
  assert.equal(await page.getByLabel('Paths').isChecked(), true);
  await page.evaluate(() => globalThis.verne.seek(0.75));
  await page.locator('.saving').evaluate((panel) => (panel.open = true));
  await page.getByRole('button', {name: 'Link to this view'}).click();
  const link = await page.evaluate(() => location.href), camera = await page.evaluate(() => globalThis.verne.camera());
  assert.deepEqual(problems, []);
  await close();
  const again = await open(browser, link.replace('?t=0.25', '?embed'));
  assert.equal(await again.page.evaluate(() => globalThis.verne.time()), 0.75);
  const there = await again.page.evaluate(() => globalThis.verne.camera());
  [...camera.position, ...camera.target].forEach((x, i) => near([...there.position, ...there.target][i], x, 1e-5));
  assert.equal(await again.page.locator('.plots').isVisible(), false);
  assert.equal(await again.page.locator('.transport').isVisible(), true);
  const box = await again.page.locator('.stage').boundingBox();
  assert.ok(box.width === 1440 && box.height > 800, JSON.stringify(box));
  await screenshot(again.page, 'film_embed', false);
  assert.deepEqual(await accessibilityProblems(again.page), []);
  assert.deepEqual(again.problems, []);
  await again.close();
});

test('a camera that follows goes as the centre of mass does', async () => {
  const {page, close} = await open(browser, `${report('two_link')}#follow&t=0`);
  const {time, com} = solution(folder('two_link')), k = 120;
  const target = (t) => page.evaluate((at) => {
    globalThis.verne.seek(at);
    globalThis.verne.screenPosition('link2');  // draws
    return globalThis.verne.camera().target;
  }, t);
  const before = await target(0), after = await target(time[k]);
  after.forEach((x, i) => near(x - before[i], com[k][i] - com[0][i], 1e-6, 'way of the camera'));
  await close();
});

/** The images of a PDF: width, height, and how many different bytes each has. */
function imagesOf(pdf) {
  const text = pdf.toString('latin1'), images = [];
  for (const {index, 0: head} of text.matchAll(/<<(?:(?!>>)[^])*?\/Subtype \/Image(?:(?!>>)[^])*?>>\s*stream\r?\n/g)) {
    const value = (name) => Number(new RegExp(`/${name} (\\d+)`).exec(head)[1]), begin = index + head.length;
    const data = pdf.subarray(begin, begin + value('Length'));
    const pixels = head.includes('FlateDecode') ? inflateSync(data) : data;
    images.push({width: value('Width'), height: value('Height'), shades: new Set(pixels).size});
  }
  return images;
}

test('paper keeps the picture', async () => {
  const {page, close} = await open(browser, report('two_link'));
  const pixels = await page.evaluate(() => {
    const {width, height} = document.querySelector('.stage canvas');
    return {width, height};
  });
  const pdf = await page.pdf({path: join(artifacts, 'film_print.pdf'), printBackground: false});
  const ratio = pixels.width / pixels.height;
  const pictures = imagesOf(pdf).filter(({width, height}) => Math.abs(width / height - ratio) < 0.01 * ratio);
  assert.ok(pictures.some(({shades}) => shades > 50), JSON.stringify(imagesOf(pdf)));
  await close();
});

test('a picture twice as fine as the screen, without background', async () => {
  const {page, problems, close} = await open(browser, report('two_link'));
  const {width, height} = await page.locator('.stage').boundingBox();
  await page.locator('.saving').evaluate((panel) => (panel.open = true));
  await page.getByRole('checkbox', {name: 'transparent'}).check();
  const png = await saved(page, 'Save picture');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * Math.round(width), 2 * Math.round(height)]);
  const blank = await browser.newPage();
  const alphas = await blank.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
    pen.drawImage(image, 0, 0);
    const {data: pixels} = pen.getImageData(0, 0, image.width, image.height);
    const counts = {corner: pixels[3], clear: 0, solid: 0};
    for (let i = 3; i < pixels.length; i += 4) counts.clear += pixels[i] === 0, counts.solid += pixels[i] === 255;
    return {...counts, all: pixels.length / 4};
  }, png.toString('base64'));
  assert.equal(alphas.corner, 0);
  assert.ok(alphas.clear > 0.5 * alphas.all && alphas.solid > 0.01 * alphas.all, JSON.stringify(alphas));
  assert.deepEqual(problems, []);
  await blank.close();
  await close();
});

/** The parts of a binary glTF file, checked as far as its own specification goes for what we write. */
function readGlb(bytes) {
  assert.equal(bytes.toString('latin1', 0, 4), 'glTF');
  assert.equal(bytes.readUInt32LE(4), 2);
  assert.equal(bytes.readUInt32LE(8), bytes.length);
  const length = bytes.readUInt32LE(12), json = JSON.parse(bytes.toString('utf8', 20, 20 + length));
  assert.equal(bytes.toString('latin1', 24 + length, 27 + length), 'BIN');
  const data = bytes.subarray(28 + length);
  assert.equal(data.length, json.buffers[0].byteLength);
  const numbers = (accessor) => {
    const {bufferView, componentType, count, type, min, max} = json.accessors[accessor],
                                                        width = {SCALAR: 1, VEC3: 3, VEC4: 4}[type];
    const {byteOffset, byteLength} = json.bufferViews[bufferView];
    assert.equal(byteLength, 4 * count * width);
    const rows = Array.from({length: count}, (_, k) => Array.from({length: width}, (__, i) => {
      const at = byteOffset + 4 * (width * k + i);
      return componentType === 5126 ? data.readFloatLE(at) : data.readUInt32LE(at);
    }));
    for (const [bound, most] of [[min, Math.min], [max, Math.max]])
      bound?.forEach((x, i) => assert.equal(rows.reduce((all, row) => most(all, row[i]), rows[0][i]), x));
    return rows;
  };
  return {json, numbers};
}

test('the model as glTF moves as the library says, and others can read it', async () => {
  const {page, problems, close} = await open(browser, report('two_link'));
  const bytes = await saved(page, 'Save model (GLB)');
  assert.deepEqual(problems, []);
  await close();
  const {json, numbers} = readGlb(bytes), data = solution(folder('two_link'));
  for (const {primitives} of json.meshes) {
    const {attributes, indices} = primitives[0], points = numbers(attributes.POSITION);
    assert.ok(numbers(indices).every(([i]) => i < points.length));
    for (const normal of numbers(attributes.NORMAL)) near(Math.hypot(...normal), 1, 1e-5);
  }
  // z of the model is y of the file.
  const [x, y, z, w] = json.nodes[0].rotation;
  [[x, -Math.SQRT1_2], [y, 0], [z, 0], [w, Math.SQRT1_2]].forEach(([a, b]) => near(a, b, 1e-12));
  const {samplers, channels} = json.animations[0], node = json.nodes.findIndex(({name}) => name === 'link2');
  const way = channels.find(({target}) => target.node === node && target.path === 'translation');
  const times = numbers(samplers[way.sampler].input), places = numbers(samplers[way.sampler].output);
  assert.equal(times.length, data.time.length);
  for (const k of [0, 57, 199]) {
    near(times[k][0], data.time[k], 1e-6);
    const expected = linkPositions(join(root, 'models', 'two_link.yaml'), data.q[k]).link2;
    expected.forEach((value, i) => near(places[k][i], value, 1e-6));
  }
  // assimp, which the program reads meshes by, sees the arm stretched along x, as it is at first.
  const urdf = join(work, 'glb.urdf');
  writeFileSync(join(work, 'saved.glb'), bytes);
  writeFileSync(
      urdf,
      `<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="saved.glb"/></geometry></visual></link>
    <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>`);
  run('simulate', urdf, '--time', '0.01', '--no-report', '--quiet', '-o', join(work, 'glb'));
  const [mesh] = Object.values(JSON.parse(readFileSync(join(work, 'glb', 'meshes.json'), 'utf8')).data);
  const triangles = mesh.parts.reduce((sum, part) => sum + part.fine.triangles, 0);
  assert.ok(triangles > 100, `${triangles} triangles`);
  assert.equal(mesh.parts.length, json.materials.length);
  near(mesh.low[0], -0.05, 1e-4);
  near(mesh.low[0] + 65535 * mesh.step[0], 0.82, 1e-4);
  execFileSync('rm', ['-rf', join(work, 'glb')]);
});
