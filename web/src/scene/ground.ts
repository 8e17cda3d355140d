import {Group, Mesh, MeshBasicMaterial, RingGeometry, Vector3} from 'three';

import {colour} from '../palette';
import {weightOf} from '../solution';

import {Arrows} from './arrows';
import {modelBox, span} from './extent';

import {type Instant, interpolated} from './motion';
import {kTrail, largestForce, type Overlay, type Subject, trails} from './overlays';

/** The arrow of a force as large as the model's weight, as a part of the model's height. */
const kWeight = 0.5;
/** In the palette: a grey, since supports have its other colours, as their curves have. */
const kZmpColour = 6;

/** Above the bodies, which would hide the ground under them; each layer above those before. */
function layered(...layers: Mesh[][]): Mesh[] {
  layers.forEach((layer, i) => {
    for (const mesh of layer) {
      mesh.renderOrder = i + 1;
      Object.assign(mesh.material, {depthTest: false, transparent: true});
    }
  });
  return layers.flat();
}

/** The force on each support at its centre of pressure, the zero-moment point, and the ways of both on the ground. */
export function groundForces({solution, motion, axes, size}: Subject): Overlay|null {
  const supports = Object.values(solution.ground_reaction);
  const {model, zmp} = solution;
  if (supports.length === 0 && !zmp) return null;
  const height = span(modelBox(model, motion), axes.up) || size;
  const unit = weightOf(model) ?? Math.max(largestForce(supports.map(({force}) => force)), 1e-9);
  const arrows = supports.map((_, i) => new Arrows(1, colour(i), (kWeight * height) / unit, 0.018 * size));
  const ring = new Mesh(
      new RingGeometry(0.014 * size, 0.022 * size, 28), new MeshBasicMaterial({color: colour(kZmpColour), side: 2}));
  ring.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), axes.up);
  const object = new Group();
  // On one foot, the zero-moment point is its centre of pressure, and is seen as a thin line in the way of that.
  const centres = supports.flatMap(({centre}, i) => trails(centre, colour(i), 1.5 * kTrail * size));
  const ways = trails(zmp ?? [], colour(kZmpColour), 0.5 * kTrail * size);
  object.add(...layered(centres, ways, [ring], arrows.map(({mesh}) => mesh)));
  const point = new Vector3(), vector = new Vector3();
  const update = (instant: Instant) => {
    supports.forEach(({force, centre}, i) => {
      arrows[i].begin();
      arrows[i].add(point.fromArray(interpolated(centre, instant)), vector.fromArray(interpolated(force, instant)));
      arrows[i].finish();
    });
    const place = zmp ? interpolated(zmp, instant) : [NaN];
    ring.visible = place.every(Number.isFinite);
    if (ring.visible) ring.position.fromArray(place);
  };
  return {object, update};
}
