import {BufferGeometry, Float32BufferAttribute, Group, Mesh, MeshBasicMaterial, RingGeometry, Vector3} from 'three';

import {colour} from '../palette';
import {type FootPrint, weightOf} from '../solution';

import {Arrows} from './arrows';
import {modelBox, span} from './extent';

import {type Instant, interpolated} from './motion';
import {kTrail, type Label, largestForce, type Overlay, type Subject, trails} from './overlays';

/** The arrow of a force as large as the model's weight, as a part of the model's height. */
const kWeight = 0.5;
/** How dense a foot print is: those of phases lie one on another. */
const kPrint = 0.3;
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

/** What a support leaves on the ground: the area that touched it; of two points, a strip between them. */
function printOf({corners}: FootPrint, support: number, up: Vector3, width: number): Mesh {
  let outline = corners.map((corner) => new Vector3().fromArray(corner));
  if (outline.length === 2) {
    const [a, b] = outline, aside = b.clone().sub(a).cross(up).setLength(width / 2);
    outline = [a.clone().add(aside), a.clone().sub(aside), b.clone().sub(aside), b.clone().add(aside)];
  }
  const fan = outline.slice(2).flatMap((corner, k) => [outline[0], outline[k + 1], corner]);  // hulls are convex
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(fan.flatMap((corner) => corner.toArray()), 3));
  return new Mesh(geometry, new MeshBasicMaterial({color: colour(support), side: 2, opacity: kPrint}));
}

/**
 * The force on each support at its centre of pressure, the zero-moment point, the ways of both on the ground, and the
 * foot prints of the supports.
 */
export function groundForces({solution, motion, axes, size}: Subject): Overlay|null {
  const supports = Object.values(solution.ground_reaction);
  const {model, zmp, foot_prints: prints} = solution;
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
  const names = Object.keys(solution.ground_reaction);
  const steps = prints.filter(({support}) => names.includes(support))
                    .map((print) => printOf(print, names.indexOf(print.support), axes.up, 3 * kTrail * size));
  object.add(...layered(steps, centres, ways, [ring], arrows.map(({mesh}) => mesh)));
  const point = new Vector3(), vector = new Vector3();
  let labels: Label[] = [];
  const update = (instant: Instant) => {
    labels = [];
    supports.forEach(({force, centre}, i) => {
      arrows[i].begin();
      arrows[i].add(point.fromArray(interpolated(centre, instant)), vector.fromArray(interpolated(force, instant)));
      arrows[i].finish();
      if (point.toArray().every(Number.isFinite)) labels.push({at: arrows[i].tip(), value: vector.length(), unit: 'N'});
    });
    const place = zmp ? interpolated(zmp, instant) : [NaN];
    ring.visible = place.every(Number.isFinite);
    if (ring.visible) ring.position.fromArray(place);
  };
  return {object, update, labels: () => labels};
}
