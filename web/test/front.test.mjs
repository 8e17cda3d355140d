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
const {competing, viewsOf} = await server.ssrLoadModule('/src/report/front.ts');

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

/** The solutions of the rows, as far as results need them. */
const solutionsOf = (front) => front.rows.map(
    ({duration, cost, costs}) =>
        ({duration, cost, costs, time: [0, 1], coordinates: [], joint_wrenches: {}, limits: [], energy: {}}));
const titles = (front) => viewsOf(front, solutionsOf(front)).map(({title}) => title);

test('only a sweep of weights of costs that compete is a Pareto front', () => {
  const front = sweep({time: 0.1, energy: 0.9}, {time: 0.2, energy: 0.8});
  assert.deepEqual(competing(front), ['time', 'energy']);
  const [{x, y}] = viewsOf(front, solutionsOf(front));
  assert.deepEqual([x.title, y.title], ['time (s)', 'energy (J)']);
  assert.equal(competing(sweep({time: 1}, {time: 1})), null);
  assert.equal(competing(sweep({time: 1, energy: 1}, {time: 1, energy: 1})), null);
  // Both fall together: nothing is had for anything.
  assert.equal(competing(sweep({time: 0.2, energy: 0.9}, {time: 0.1, energy: 0.8})), null);
  const third = sweep({time: 0.1, energy: 0.1, effort: 0.9}, {time: 0.2, energy: 0.2, effort: 0.8});
  assert.deepEqual(competing(third), ['time', 'effort']);
});

test('results over the parameter: not the duration twice, what is missing not at all', () => {
  const times = sweep({time: 1}, {time: 1});
  assert.deepEqual(titles(times), ['duration (s) over limit']);
  const [{x, y}] = viewsOf(times, solutionsOf(times));
  assert.deepEqual(times.rows.map(x.of), [10, 11]);
  assert.deepEqual(times.rows.map(y.of), [2, 1.9]);
  assert.deepEqual(
      titles(sweep({time: 1, energy: 1}, {time: 1, energy: 1})),
      ['cost over limit', 'duration (s) over limit', 'time (s) over limit', 'energy (J) over limit']);
});

test('motions that are found anew as somebody tires are rows to choose from', async () => {
  const {repetitions} = await server.ssrLoadModule('/src/report/repetitions.ts');
  const {readSolution} = await server.ssrLoadModule('/src/read_solution.ts');
  const poses = {arm: [[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1]]};
  const motion = (angle) => ({time: [0, 1], q: [[0], [angle]], link_poses: poses});
  const raw = {
    format: 'verne-solution/1', status: 'solved', cost: 2, duration: 1, model: {name: 'arm', links: [{name: 'arm'}]},
    verification: {limit_excess: 0}, limits: [{kind: 'effort'}], ...motion(0.5),
    work: {
      scores: [{name: 'RULA'}], zones: [], assumed: [],
      adapted: [
        {from: 10, found: true, status: 'acceptable', cost: 3, motion: motion(0.4)}, {from: 20, found: false, cost: null}
      ]
    }
  };
  const found = repetitions(readSolution(raw, 'first'), raw, []);
  assert.deepEqual(found.front.rows.map(({value, cost, status}) => [value, cost, status]), [
    [1, 2, 'solved'], [11, 3, 'acceptable']
  ]);
  const [first, later] = found.solutions;
  assert.equal(first.q[1][0], 0.5);
  assert.equal(later.q[1][0], 0.4);
  assert.deepEqual([later.limits, later.verification, later.work.scores], [[], undefined, []]);
  raw.work.adapted = [];
  assert.equal(repetitions(readSolution(raw, 'first'), raw, []), null);
});
