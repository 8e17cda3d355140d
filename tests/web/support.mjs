// What the browser tests share: data made by the C++ core, the program, and Debian's Chromium.
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const [verne, makeSolutions, artifacts] = process.argv.slice(2);
const kSkipped = 77;

const fromWeb = createRequire(join(root, 'web', 'package.json'));
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!browserPath || !existsSync(join(root, 'web', 'node_modules', 'playwright-core'))) {
  console.log('SKIPPED: Chromium or playwright-core is missing');
  process.exit(kSkipped);
}
const {chromium} = fromWeb('playwright-core');
const axeSource = readFileSync(fromWeb.resolve('axe-core/axe.min.js'), 'utf8');

export const work = mkdtempSync(join(tmpdir(), 'verne-web-'));
process.on('exit', () => rmSync(work, {recursive: true, force: true}));
mkdirSync(artifacts, {recursive: true});

/** The program's standard output. */
export function run(...words) { return execFileSync(verne, words, {encoding: 'utf8', maxBuffer: 1 << 28}); }

/** Folders with solution.json files, by name. */
export function makeData() {
  execFileSync(makeSolutions, [join(root, 'models'), work]);
  return (name) => join(work, name);
}

export function solution(folder) { return JSON.parse(readFileSync(join(folder, 'solution.json'), 'utf8')); }

/** Positions of all links by the program's forward kinematics, for a row of coordinates. */
export function linkPositions(model, q) {
  const answer = execFileSync(
      verne, ['eval', model, '--want', 'link_poses'], {input: JSON.stringify({q}) + '\n', encoding: 'utf8'});
  const poses = JSON.parse(answer).link_poses;
  return Object.fromEntries(Object.entries(poses).map(([link, pose]) => [link, pose.position]));
}

export async function launch(...more) {
  const flags = [
    '--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--use-angle=swiftshader', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'
  ];
  return chromium.launch({executablePath: browserPath, args: [...flags, ...more]});
}

/** Opens a page and waits until it is filled; `problems` gathers console errors, exceptions and requests elsewhere. */
export async function open(browser, address, {width = 1440, height = 900, scheme = 'light', motion = 'reduce'} = {}) {
  const context = await browser.newContext(
      {viewport: {width, height}, colorScheme: scheme, reducedMotion: motion, acceptDownloads: true});
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address.split('#')[0]) && !/^(data|blob):/.test(url)) problems.push(`request to ${url}`);
  });
  await page.goto(address);
  await page.waitForFunction(() => !document.querySelector('[aria-busy]'));
  return {page, problems, close: () => context.close()};
}

export function screenshot(page, name, fullPage = true) {
  return page.screenshot({path: join(artifacts, `${name}.png`), fullPage});
}

/** Violations of the rules of WCAG 2.2 AA and of good practice that axe-core can check, in words. */
export async function accessibilityProblems(page) {
  await page.evaluate(axeSource);
  const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const result = await page.evaluate((tags) => globalThis.axe.run(document, {runOnly: tags}), runOnly);
  return result.violations.map(
      (v) =>
          `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).slice(0, 4).join(', ')} (${v.nodes[0].failureSummary})`);
}

const minus = (a, b) => a.map((x, i) => x - b[i]);
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((x) => x / Math.hypot(...a));

/** Where a pinhole camera sees a point, in pixels of the page; written apart from the page's own way of doing it. */
export function project(point, camera, box) {
  const look = unit(minus(camera.target, camera.position));
  const right = unit(cross(look, camera.up)), up = cross(right, look);
  const p = minus(point, camera.position), depth = dot(p, look);
  const pixels = box.height / 2 / Math.tan((camera.fov * Math.PI) / 360);
  return [
    box.x + box.width / 2 + (pixels * dot(p, right)) / depth, box.y + box.height / 2 - (pixels * dot(p, up)) / depth
  ];
}

const views = new Set();

/** Ends what a failed test left running, which would keep this process alive. */
export function endViews() {
  for (const child of views) child.kill('SIGKILL');
}

/** A running `verne view`: its address, and an end that returns the exit code. */
export async function startView(...words) {
  const child = spawn(verne, ['view', '--no-browser', ...words], {stdio: ['ignore', 'pipe', 'inherit']});
  views.add(child);
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(String(data)));
    child.once('exit', (code) => reject(new Error(`verne view ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  child.once('exit', () => views.delete(child));
  return {address: line.split(/\s/)[0], stop: () => (child.kill('SIGINT'), ended)};
}
