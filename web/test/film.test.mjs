// Times of films and addresses, without a browser: node --test film.test.mjs
import assert from 'node:assert/strict';
import {dirname, join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';
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
const {framesOf} = await server.ssrLoadModule('/src/film/film.ts');
const {readWishes, hashOf} = await server.ssrLoadModule('/src/address.ts');

const order = {
  container: 'mp4',
  width: 640,
  height: 480,
  fps: 10,
  speed: 1,
  turn: false,
  seconds: 4
};

test('frames of a motion are at exact times and end with its end', () => {
  assert.deepEqual(framesOf(order, 0.3).map(({time}) => time), [0, 1 / 10, 2 / 10, 3 / 10]);
  assert.deepEqual(framesOf(order, 0.25).map(({time}) => time), [0, 0.1, 0.2, 0.25]);
  const slow = framesOf({...order, speed: 0.25}, 1);
  assert.equal(slow.length, 41);
  slow.forEach(({time}, k) => assert.ok(Math.abs(time - k / 40) < 1e-12));
  assert.equal(framesOf({...order, fps: 30}, 2).length, 61, 'rounding adds no frame');
});

test('a turn around what stands still can be repeated', () => {
  const frames = framesOf({...order, turn: true}, 0);
  assert.equal(frames.length, 40);
  frames.forEach(({time, turn}, k) => assert.ok(time === 0 && Math.abs(turn - (2 * Math.PI * k) / 40) < 1e-12));
});

test('addresses say what is shown; what is wrong in them is passed over', () => {
  const read = (search, hash = '') => readWishes({search, hash});
  assert.deepEqual(read(''), {follow: false, embed: false});
  const inside = readWishes({search: '', hash: '#t=2'}, 'embed&t=1');
  assert.deepEqual(inside, {time: 2, follow: false, embed: true}, 'the address goes before what the page was made with');
  assert.deepEqual(read('?embed', '#t=0.5&view=side&camera=1,2,3,-4,5e-1,0&show=com,none,paths&theme=dark&follow'), {
    time: 0.5,
    view: 'side',
    look: {position: [1, 2, 3], target: [-4, 0.5, 0]},
    show: ['com', 'paths'],
    follow: true,
    theme: 'dark',
    embed: true
  });
  const wrong = ['?t=', '?t=x', '?t=Infinity', '?view=toString', '?camera=1,2', '?camera=1,2,3,4,5,', '?theme=pink'];
  for (const search of wrong) assert.deepEqual(read(search), {follow: false, embed: false}, search);
  const look = {position: [1, 2, 1 / 3], target: [0, -1e-9, 0]};
  assert.deepEqual(read('', hashOf(0.25, look, ['com'])), {
    time: 0.25,
    look: {position: [1, 2, 0.333333], target: [0, -1e-9, 0]},
    show: ['com'],
    follow: false,
    embed: false
  });
});
