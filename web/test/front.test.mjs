// What the page makes of sweeps, without a browser: node --test front.test.mjs
import assert from 'node:assert/strict';
import {dirname, join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {createServer} from 'vite';

const server = await createServer({
  root: join(dirname(fileURLToPath(import.meta.url)), '..'),
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: {noDiscovery: true},
  server: {middlewareMode: true, hmr: false, ws: false, watch: null},
});
after(() => server.close());
const {axesOf, isParetoFront} = await server.ssrLoadModule('/src/report/front.ts');

/** A sweep of two values, with the weights of the terms in each row. */
const sweep = (...weights) => ({
  parameter: 'limit',
  rows: weights.map((row, i) => ({
                      value: 10 + i,
                      duration: 2 - i / 10,
                      cost: 2 - i / 10,
                      status: 'solved',
                      folder: `0${i}`,
                      costs: Object.entries(row).map(([term, weight]) => ({term, weight, value: 1 + weight})),
                    })),
});

test('only a sweep of weights is a Pareto front', () => {
  const front = sweep({time: 0.1, energy: 0.9}, {time: 0.2, energy: 0.8});
  assert.ok(isParetoFront(front));
  assert.deepEqual(axesOf(front).map((axis) => axis.title), ['time (s)', 'energy (J)']);
  assert.ok(!isParetoFront(sweep({time: 1}, {time: 1})));
  assert.ok(!isParetoFront(sweep({time: 1, energy: 1}, {time: 1, energy: 1})));
});

test('a sweep of a limit shows what it costs, not the duration twice', () => {
  const [x, y] = axesOf(sweep({time: 1}, {time: 1}));
  assert.deepEqual([x.title, y.title], ['limit', 'duration (s)']);
  assert.deepEqual(sweep({time: 1}, {time: 1}).rows.map(x.of), [10, 11]);
  assert.equal(axesOf(sweep({time: 1, energy: 1}, {time: 1, energy: 1}))[1].title, 'cost');
});
