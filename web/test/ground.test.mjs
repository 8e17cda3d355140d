// What the page makes of reactions and strides, without a browser: node --test ground.test.mjs
import assert from 'node:assert/strict';
import {dirname, join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {Box3, Matrix4, Vector3} from 'three';
import {createServer} from 'vite';

// As much of a browser as colours ask for.
const events = new EventTarget();
Object.assign(globalThis, {
  document: {documentElement: {dataset: {theme: 'light'}}},
  getComputedStyle: () => ({getPropertyValue: () => '#808080'}),
  matchMedia: () => ({matches: false, addEventListener: () => undefined}),
  addEventListener: (...words) => events.addEventListener(...words),
});

const server = await createServer({
  root: join(dirname(fileURLToPath(import.meta.url)), '..'),
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: {noDiscovery: true},
  server: {middlewareMode: true, hmr: false, ws: false, watch: null},
});
after(() => server.close());
const {readSolution} = await server.ssrLoadModule('/src/read_solution.ts');
const {chartsOf, defaultCoordinates, fullName, someNotTold, wrenchCharts} =
    await server.ssrLoadModule('/src/plots/curves.ts');
const {strideCharts} = await server.ssrLoadModule('/src/plots/stride.ts');
const {bandPaths, bandValues} = await server.ssrLoadModule('/src/plots/bands.ts');
const {groundCharts} = await server.ssrLoadModule('/src/plots/ground.ts');
const {Figure} = await server.ssrLoadModule('/src/scene/figure.ts');
const {colour} = await server.ssrLoadModule('/src/palette.ts');

const kNowhere = [null, null, null];
const kMass = 50, kWeight = 50 * 9.81, kHeight = 1.6;

/** A body that stands on two feet, the left one from frame 2 to 3 and from frame 5 on; up is y. */
function walker() {
  const pose = (x, y, z) => Array.from({length: 7}, (_, k) => [x + 0.1 * k, y, z, 0, 0, 0, 1]);
  const link = (name, parent) => ({name, parent, joint: {name: `to_${name}`, type: 'free'}, visuals: []});
  return {
    format: 'verne-solution/1',
    time: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
    model: {
      name: 'walker',
      mass: kMass,
      gravity: [0, -9.81, 0],
      links: [link('foot_r', null), link('foot_l', 'foot_r'), link('head', 'foot_r')],
      contacts: [],
    },
    phases: [{name: 'right', start: 0, end: 0.2}, {name: 'both', start: 0.2, end: 0.6}],
    link_poses: {foot_r: pose(0, 0.3, 0.1), foot_l: pose(0.2, 0.3, -0.1), head: pose(0.1, 0.3 + kHeight, 0)},
    ground_reaction: {
      foot_r: {
        force: [0, 1, 2, 3, 4, 5, 6].map((k) => [10 * k, 600 - 10 * k, -k]),
        centre: [0, 1, 2, 3, 4, 5, 6].map((k) => [0.01 * k, 0, 0.1]),
        moment: [0, 1, 2, 3, 4, 5, 6],
      },
      foot_l: {
        force: [[0, 0, 0], [0, 0, 0], [30, 400, 0], [30, 440, 0], [0, 0, 0], [0, 300, 0], [0, 310, 0]],
        centre: [kNowhere, kNowhere, [0.3, 0, -0.1], [0.31, 0, -0.1], kNowhere, [0.9, 0, -0.1], [0.93, 0, -0.1]],
        moment: [0, 0, 0, 0, 0, 0, 0],
      },
    },
    zmp: [kNowhere, [0, 0, 0.1], [0.1, 0, 0], [0.12, 0, 0], [0.14, 0, 0.1], [0.5, 0, 0], [0.52, 0, 0]],
  };
}

const read = (raw) => readSolution(raw, 'walk');
const shown = (...raws) => raws.map((raw, index) => ({solution: readSolution(raw, `walk ${index}`), index}));
const near = (a, b, tolerance = 1e-6) =>
    assert.ok(a.every((x, i) => Math.abs(x - b[i]) < tolerance) && a.length === b.length, `${a} instead of ${b}`);

test('centres that do not exist are no gaps, forces are', () => {
  assert.equal(read(walker()).gaps, 0);
  const raw = walker();
  raw.ground_reaction.foot_r.force[3] = kNowhere;
  raw.ground_reaction.foot_l.moment[1] = null;
  assert.equal(read(raw).gaps, 4);
});

test('what has not the form of a reaction is left out', () => {
  const change = (alter) => {
    const raw = walker();
    alter(raw);
    return read(raw);
  };
  const supports = ({ground_reaction: reactions}) => Object.keys(reactions);
  const {force, centre} = walker().ground_reaction.foot_r;
  assert.deepEqual(supports(change((raw) => raw.ground_reaction.foot_r.force.pop())), ['foot_l']);
  assert.deepEqual(supports(change((raw) => delete raw.ground_reaction.foot_l.centre)), ['foot_r']);
  assert.deepEqual(
      supports(change((raw) => (raw.ground_reaction.foot_r = force.map((f) => [...f, 0, 0, 0])))), ['foot_l']);
  assert.deepEqual(supports(change((raw) => (raw.ground_reaction = null))), []);
  assert.equal(change((raw) => (raw.zmp = centre.map(([x, , z]) => [x, z]))).zmp, undefined);
  assert.equal(change((raw) => (raw.zmp[2] = null)).zmp, undefined);
  const silent = groundCharts([{solution: change((raw) => delete raw.ground_reaction.foot_l.moment), index: 0}]);
  assert.deepEqual(silent.find(({id}) => id === 'ground-moment').curves.map(({name}) => name), ['foot_r']);
});

test('plots: the vertical force first, a curve for each support, in newtons and body weights', () => {
  const charts = groundCharts(shown(walker()));
  assert.deepEqual(charts.map(({id}) => id), ['ground-y', 'ground-x', 'ground-z', 'ground-moment']);
  assert.deepEqual(
      charts.map(({title, unit}) => `${title} (${unit})`),
      ['Vertical ground force, y (N)', 'Ground force, x (N)', 'Ground force, z (N)', 'Ground moment (N·m)']);
  assert.deepEqual(charts[0].curves.map(({name}) => name), ['foot_r', 'foot_l']);
  assert.deepEqual(charts[0].curves[1].values, [0, 0, 400, 440, 0, 300, 310]);
  assert.deepEqual(charts[1].curves[0].values, [0, 10, 20, 30, 40, 50, 60]);
  assert.deepEqual(charts.map(({second}) => second?.unit), ['body weights', 'body weights', 'body weights', undefined]);
  near([charts[0].second.size], [kWeight]);
  assert.deepEqual(charts[0].phases.map(({name}) => name), ['right', 'both']);
  const upright = walker();
  upright.model.gravity = [0, 0, -9.81];
  assert.equal(groundCharts(shown(upright))[0].title, 'Vertical ground force, z');
});

test('plots: body weights only where they are one and the same', () => {
  const heavy = walker(), unknown = walker(), floating = walker();
  heavy.model.mass = 80;
  delete unknown.model.mass;
  floating.model.gravity = [0, 0, 0];
  assert.equal(groundCharts(shown(walker(), heavy))[0].second, undefined);
  assert.equal(groundCharts(shown(unknown))[0].second, undefined);
  assert.equal(groundCharts(shown(floating))[0].second, undefined);
  assert.ok(groundCharts(shown(walker(), walker()))[0].second);
  assert.deepEqual(
      groundCharts(shown(walker(), heavy))[0].curves.map(fullName),
      ['foot_r · walk 0', 'foot_r · walk 1', 'foot_l · walk 0', 'foot_l · walk 1']);
});

test('solutions without a ground have neither plots nor arrows', () => {
  const raw = walker();
  delete raw.ground_reaction;
  delete raw.zmp;
  assert.deepEqual(groundCharts(shown(raw)), []);
  assert.deepEqual(chartsOf(shown(raw), []), []);
  assert.ok(!new Figure(read(raw), 0).available().includes('ground_forces'));
});

/** The overlay's meshes by colour; arrows as where they begin and end. */
function drawn(figure, time) {
  figure.show('ground_forces', true);
  figure.update(time);
  const group = figure.scene.children[figure.scene.children.length - 1];
  const of = (kind) =>
      group.children.filter(({geometry, isInstancedMesh}) => (isInstancedMesh ? 'arrow' : geometry.type) === kind);
  const ends = (mesh) => Array.from({length: mesh.count}, (_, i) => {
    const place = new Matrix4();
    mesh.getMatrixAt(i, place);
    return [-0.5, 0.5].map((z) => new Vector3(0, 0, z).applyMatrix4(place).toArray());
  });
  return {group, arrows: of('arrow').map(ends), trails: of('TubeGeometry'), ring: of('RingGeometry')[0]};
}

test('arrows stand on the centres of pressure, half as long as the model is high for its weight', () => {
  const raw = walker(), figure = new Figure(read(raw), 0);
  const {foot_r: right, foot_l: left} = raw.ground_reaction;
  const perNewton = (0.5 * kHeight) / kWeight;
  const check = ([from, to], centre, force) => {
    near(from, centre);
    near(to, centre.map((x, i) => x + perNewton * force[i]));
  };
  for (const k of [2, 3, 6]) {
    const {arrows: [[first], [second]]} = drawn(figure, raw.time[k]);
    check(first, right.centre[k], right.force[k]);
    check(second, left.centre[k], left.force[k]);
  }
  const between = drawn(figure, 0.25).arrows;
  check(between[1][0], [0.305, 0, -0.1], [30, 420, 0]);
});

test('there is no arrow where there is no force, nor on the way there', () => {
  const figure = new Figure(read(walker()), 0);
  for (const time of [0, 0.1, 0.15, 0.35, 0.4, 0.45]) {
    assert.deepEqual(drawn(figure, time).arrows.map((ends) => ends.length), [1, 0], `at ${time} s`);
  }
});

test('a model whose weight is not known has its longest arrow half as high', () => {
  const raw = walker();
  delete raw.model.mass;
  const [[[from, to]]] = drawn(new Figure(read(raw), 0), 0).arrows;
  near([to[1] - from[1]], [0.5 * kHeight], 1e-2);
});

test('ways on the ground break off where there is no force', () => {
  const {trails} = drawn(new Figure(read(walker()), 0), 0);
  const reach = (mesh) => {
    const {min, max} = new Box3().setFromObject(mesh);
    return [min.x, max.x];
  };
  const of = (index) => trails.filter(({material}) => `#${material.color.getHexString()}` === colour(index)).map(reach);
  const close = (ways, expected) => {
    assert.equal(ways.length, expected.length);
    ways.forEach((way, i) => near(way, expected[i], 0.015));
  };
  close(of(0), [[0, 0.06]]);
  close(of(1), [[0.3, 0.31], [0.9, 0.93]]);
  close(of(6), [[0, 0.52]]);
});

test('foot prints lie where supports stand, in their colours', () => {
  const raw = walker();
  raw.foot_prints = [
    {support: 'foot_r', start: 0, end: 0.2, corners: [[0, 0, 0], [0.2, 0, 0], [0.2, 0, 0.1], [0, 0, 0.1]]},
    {support: 'foot_l', start: 0.2, end: 0.6, corners: [[1, 0, 0], [1, 0, 0.1]]},
    {support: 'hand', start: 0, end: 1, corners: [[1, 0, 0], [1, 0, 0.1]]},  // of no reaction
    {support: 'foot_l', start: 0.2, end: 0.6, corners: [[1, 0, null], [1, 0, 0.1]]},
    {support: 'foot_l', start: 0.2, end: 0.6},
  ];
  const {group} = drawn(new Figure(read(raw), 0), 0);
  const prints = group.children.filter(({geometry}) => geometry.type === 'BufferGeometry' && !geometry.index);
  assert.equal(prints.length, 2);
  assert.deepEqual(prints.map(({material}) => `#${material.color.getHexString()}`), [colour(0), colour(1)]);
  const area = ({geometry}) => {
    const p = geometry.getAttribute('position'), at = (k) => new Vector3().fromBufferAttribute(p, k);
    let sum = 0;
    for (let k = 0; k < p.count; k += 3) {
      sum += at(k + 1).sub(at(k)).cross(at(k + 2).sub(at(k))).length() / 2;
    }
    return sum;
  };
  near([area(prints[0])], [0.02]);
  const strip = new Box3().setFromObject(prints[1]);
  near([strip.min.z, strip.max.z, (strip.min.x + strip.max.x) / 2], [0, 0.1, 1]);
  assert.ok(strip.max.x - strip.min.x > 0.005 && strip.max.y < 1e-9);
});

test('the ring is at the zero-moment point, where there is one', () => {
  const figure = new Figure(read(walker()), 0);
  assert.equal(drawn(figure, 0).ring.visible, false);
  const {ring} = drawn(figure, 0.25);
  assert.ok(ring.visible);
  near(ring.position.toArray(), [0.11, 0, 0]);
  // It lies flat: its own z axis is up.
  near(new Vector3(0, 0, 1).applyQuaternion(ring.quaternion).toArray(), [0, 1, 0]);
});

test('the floor is where the ground pushes, whichever way is up', () => {
  for (const turn of [(row) => row, ([x, y, z, ...more]) => [x, -z, y, ...more]]) {
    const raw = walker();
    raw.model.gravity = turn(raw.model.gravity);
    for (const [link, rows] of Object.entries(raw.link_poses)) raw.link_poses[link] = rows.map(turn);
    const figure = new Figure(read(raw), 0);
    assert.equal(figure.floorHeight(), 0);
    near(figure.axes.up.toArray(), turn([0, 1, 0]));
  }
});

test('the floor stays where it is when the model moves below it', () => {
  const raw = walker();
  raw.ground_reaction = {}, raw.model.contacts = [];
  const solution = read(raw), figure = new Figure(solution, 0), height = figure.floorHeight();
  const floor = figure.scene.children.find((child) => child.children.some(({type}) => type === 'GridHelper'));
  near([floor.position.dot(figure.axes.up)], [height]);
  for (const [link, rows] of Object.entries(solution.link_poses))
    figure.motion.set(link, rows.map(([x, y, ...more]) => [x, y - 2, ...more]));
  assert.ok(figure.outgrown());
  assert.equal(figure.floorHeight(), height);
  near([floor.position.dot(figure.axes.up)], [height]);
});

test('colours follow the theme', () => {
  const figure = new Figure(read(walker()), 0);
  const colours = () => drawn(figure, 0.2).trails.map(({material}) => `#${material.color.getHexString()}`);
  assert.deepEqual(colours(), [0, 1, 1, 6].map((i) => colour(i, false)));
  document.documentElement.dataset.theme = 'dark';
  events.dispatchEvent(new Event('themechange'));
  assert.deepEqual(colours(), [0, 1, 1, 6].map((i) => colour(i, true)));
  document.documentElement.dataset.theme = 'light';
});

test('a stride has its curves in percent, and measured ones behind those that they measure', () => {
  const stride = {
    percent: [0, 50, 100],
    curves: [
      {name: 'hip_flexion_r_deg', unit: 'deg', values: [20, -10, 20]},
      {name: 'pelvis_tilt_deg', unit: 'deg', values: [1, 2, 1]},
      {name: 'grf_vertical_r_BW', unit: 'BW', values: [0, 1]},  // too short
    ],
  };
  const shown = [{solution: readSolution({...walker(), stride}, 'walker'), index: 0}];
  assert.deepEqual(strideCharts(shown).map(({id}) => id), ['stride-hip']);
  const measured = {
    file: 'people.csv',
    percent: [0, 100],
    curves: [
      {name: 'hip_flexion_l_deg', of: 'hip_flexion_r_deg', mean: [25, 25], sd: [2, 3]},
      {name: 'pelvis_tilt', of: 'pelvis_tilt_deg', mean: [0, null]},
      {name: 'speed', of: 'speed_r_deg', mean: [1, 1]},
    ],
    likeness: [[]],
  };
  const charts = strideCharts(shown, measured);
  assert.deepEqual(charts.map(({id}) => id), ['stride-hip', 'stride-pelvis_tilt_deg']);
  const [hip, tilt] = charts;
  assert.deepEqual(hip.curves[0].values, [20, -10, 20]);
  assert.equal(hip.unit, 'deg');
  assert.deepEqual(bandValues(hip.bands), [23, 27, 22, 28]);
  const same = (v) => v;
  assert.equal(bandPaths(hip.bands[0], same, same).area, 'M0.00 27.00L100.00 28.00L100.00 22.00L0.00 23.00Z');
  assert.deepEqual(bandPaths(tilt.bands[0], same, same), {middle: 'M0.00 0.00', area: ''});
  assert.equal(readSolution(walker(), 'walker').stride, undefined);
});

test('components of reactions that the motion does not tell are marked', () => {
  const raw = walker();
  const rows = raw.time.map((t) => [t, 2, 3, 4, 5, 6]);
  raw.joint_wrenches = {to_head: rows};
  raw.loop_wrenches = {closing: rows};
  raw.coordinates = [{name: 'head', joint: 'to_head', unit: 'rad', effort_unit: 'N·m'}];
  raw.undetermined = {joint_wrenches: {to_head: ['mx']}, loop_wrenches: {closing: ['fz', 'my'], odd: 3}};
  const shown = [{solution: readSolution(raw, 'mechanism'), index: 0}];
  const names = (charts) => charts.map(({curves}) => curves.map(({name}) => name));
  assert.deepEqual(names(wrenchCharts(shown, 'closing')), [['x', 'y', 'z (least)'], ['x', 'y (least)', 'z']]);
  const norms = chartsOf(shown, ['head']).filter(({id}) => id.startsWith('joint-'));
  assert.deepEqual(names(norms), [['to_head'], ['to_head (least)']]);
  assert.ok(someNotTold(shown, 'closing') && someNotTold(shown, 'to_head'));
  delete raw.undetermined;
  const told = [{solution: readSolution(raw, 'mechanism'), index: 0}];
  assert.deepEqual(names(wrenchCharts(told, 'closing')), [['x', 'y', 'z'], ['x', 'y', 'z']]);
  assert.ok(!someNotTold(told, 'closing'));
});

test('curves to begin with are of joints that move, however hard others are held', () => {
  const names = Array.from({length: 9}, (_, i) => `joint${i}`);
  const solution = {
    coordinates: names.map((name) => ({name, joint: name})),
    limits: [],
    tau: [names.map((_, i) => i)],
    v: [names.map((_, i) => (i === 8 ? 0 : 0.1))],
  };
  assert.deepEqual(defaultCoordinates([solution]), names.slice(2, 8));
});
