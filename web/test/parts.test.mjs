// Parts of the page that need no browser: node --test parts.test.mjs
import assert from 'node:assert/strict';
import {dirname, join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {Matrix4, Vector3} from 'three';
import {createServer} from 'vite';

Object.assign(globalThis, {matchMedia: () => ({matches: false, addEventListener: () => undefined})});

const server = await createServer({
  root: join(dirname(fileURLToPath(import.meta.url)), '..'),
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: {noDiscovery: true},
  server: {middlewareMode: true, hmr: false, ws: false, watch: null},
});
after(() => server.close());
const load = (name) => server.ssrLoadModule(`/src/${name}.ts`);
const {readCsv} = await load('plots/csv');
const {splitStill, isAllZero} = await load('plots/still');
const {chosenWindow} = await load('plots/pointer');
const {useOf} = await load('scene/use');
const {principal} = await load('scene/ellipsoid');
const {hull} = await load('scene/flat');

test('CSV is read as RFC 4180 says', () => {
  const {along, x, columns} = readCsv('t,"a ""b"", c (N)",d\r\n0,1,\r\n"0.5",-2e-3,"3"');
  assert.equal(along, 't');
  assert.deepEqual(x, [0, 0.5]);
  assert.deepEqual(columns, [{name: 'a "b", c (N)', values: [1, -2e-3]}, {name: 'd', values: [null, 3]}]);
  assert.equal(readCsv('t,"a\nb"\n0,1\n1,2\n').columns[0].name, 'a\nb');
});

test('what is no CSV is refused with its place', () => {
  const cases = [
    ['', /a line of names/],
    ['t,a\n0,1\n', /at least two of numbers/],
    ['t\n0\n1\n', /two columns/],
    ['t,a\n0,1\n1\n', /record 3: 1 fields where the first has 2/],
    ['t,a\n0,1,2\n1,2\n', /record 2: 3 fields/],
    ['t,a\n0,"1\n1,2\n', /line 2: a quote is not closed/],
    ['t,a\n0,"1"2\n1,2\n', /line 2: a comma/],
    ['t,a\n0,1"\n1,2\n', /line 2: a quote inside/],
    ['t,a\r0,1\r1,2\r', /line 1: a carriage return/],
    ['t,a\n0,x\n1,2\n', /record 2, column "a": a number is expected, found "x"/],
    ['t,a\n0,0x10\n1,2\n', /found "0x10"/],
    ['t,a\n0,1e999\n1,2\n', /found "1e999"/],
    ['t,a\n0,NaN\n1,2\n', /found "NaN"/],
    ['t,a\n0,1\n0,2\n', /record 3: the first column must have numbers that grow/],
    ['t,a\n,1\n0,2\n', /record 2: the first column/],
  ];
  for (const [text, message] of cases) assert.throws(() => readCsv(text), message, JSON.stringify(text));
});

test('held joints and zero curves are told apart from those that move', () => {
  const curve = (name, ...values) => ({name, time: [0, 1, 2], values, colour: 0, dash: 0});
  const curves =
      [curve('moves', 0, 1, 2), curve('held', 3, 3, 3), curve('zero', 0, 1e-12, 0), curve('gap', null, 1, 2)];
  const positions = splitStill({curves, foldsHeld: true});
  assert.deepEqual(positions.moving.map(({name}) => name), ['moves', 'gap']);
  assert.equal(positions.words, '1 held, 1 zero');
  assert.equal(splitStill({curves}).words, '1 zero', 'a constant torque is told');
  assert.equal(splitStill({curves: [curves[1]], foldsHeld: true}).moving.length, 1, 'something is always shown');
  assert.ok(isAllZero({curves: [curves[2]]}));
  assert.ok(!isAllZero({curves}));
});

test('a part of an axis', () => {
  assert.deepEqual(chosenWindow(0.7, 0.2, [0, 1]), [0.2, 0.7]);
  assert.deepEqual(chosenWindow(-3, 0.5, [0, 1]), [0, 0.5]);
  assert.equal(chosenWindow(-1, 2, [0, 1]), null);
  assert.equal(chosenWindow(0.5, 0.5, [0, 1]), null);
});

test('the use of limits is as the program counts it', () => {
  assert.equal(useOf(5, {lower: -10, upper: 10}), 0.5);
  assert.ok(Math.abs(useOf(0, {lower: -3.9, upper: 0.8}) - 1.55 / 2.35) < 1e-12);
  assert.equal(useOf(-4, {lower: null, upper: 2}), 0);
  assert.equal(useOf(3, {lower: null, upper: 2}), 1.5);
  assert.equal(useOf(-3, {lower: -2, upper: null}), 1.5);
});

test('the ellipsoid of an inertia has that inertia', () => {
  const half = [0.3, 0.2, 0.1], mass = 4, turn = new Matrix4().makeRotationAxis(new Vector3(1, 2, 3).normalize(), 0.7);
  const square = half.map((a) => a * a), own = [square[1] + square[2], square[0] + square[2], square[0] + square[1]];
  const R = [0, 1, 2].map((i) => [0, 1, 2].map((j) => turn.elements[4 * j + i]));
  const entry = (i, j) => (mass / 5) * [0, 1, 2].reduce((sum, k) => sum + R[i][k] * own[k] * R[j][k], 0);
  const inertia = [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
  const {elements} = principal({mass, com: [1, 2, 3], inertia});
  const columns = [0, 1, 2].map((k) => new Vector3(...elements.slice(4 * k, 4 * k + 3)));
  assert.deepEqual(
      columns.map((c) => c.length()).sort().map((x) => x.toFixed(9)), [...half].sort().map((x) => x.toFixed(9)));
  for (const column of columns) {
    const k = half.findIndex((a) => Math.abs(a - column.length()) < 1e-9);
    const axis = new Vector3(R[0][k], R[1][k], R[2][k]);
    assert.ok(Math.abs(Math.abs(axis.dot(column)) - half[k]) < 1e-9);
  }
  assert.deepEqual(elements.slice(12, 15), [1, 2, 3]);
  assert.equal(principal({mass: 0, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}), null);
  assert.equal(principal({mass: 1, com: [0, 0, 0], inertia: [1, 1, 3, 0, 0, 0]}), null, 'no body has it');
});

test('outlines are convex hulls', () => {
  const outline = hull([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.5, 0]]);
  assert.deepEqual(outline.map(([x, y]) => `${x} ${y}`).sort(), ['0 0', '0 1', '1 0', '1 1']);
});
