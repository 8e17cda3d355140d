/** Plots over the gait cycle, with what was measured behind them. */
import type {Measured} from '../payload';
import type {Stride} from '../solution';
import {type Band, type ChartData, type Shown, Styler} from './curves';

function bothSides(right: string): string[] { return [right, right.replace('_r_', '_l_')]; }

/**
 * Shown whether or not they were measured; those with several names are one plot. Few strides have a left side. The
 * first nine are three by three: hip, knee and ankle by their angles and moments, and the ground.
 */
const kAlways: {id: string; title: string; names: string[]}[] = [
  {id: 'hip', title: 'Hip flexion', names: bothSides('hip_flexion_r_deg')},
  {id: 'knee', title: 'Knee flexion', names: bothSides('knee_angle_r_deg')},
  {id: 'ankle', title: 'Ankle dorsiflexion', names: bothSides('ankle_angle_r_deg')},
  {id: 'hip-moment', title: 'Hip flexion moment', names: bothSides('moment_hip_flexion_r_Nm_per_kg')},
  {id: 'knee-moment', title: 'Knee flexion moment', names: bothSides('moment_knee_angle_r_Nm_per_kg')},
  {id: 'ankle-moment', title: 'Ankle dorsiflexion moment', names: bothSides('moment_ankle_angle_r_Nm_per_kg')},
  {id: 'vertical', title: 'Vertical ground force', names: bothSides('grf_vertical_r_BW')},
  {id: 'fore-aft', title: 'Ground force along the way', names: bothSides('grf_fore_aft_r_BW')},
  {id: 'lateral', title: 'Ground force outwards', names: bothSides('grf_lateral_r_BW')},
  {
    id: 'joint-forces',
    title: 'Internal joint forces, norm',
    names: ['joint_force_hip_r_BW', 'joint_force_knee_r_BW', 'joint_force_ankle_r_BW', 'joint_force_L5S1_BW']
  },
  {
    id: 'joint-forces-left',
    title: 'Internal joint forces on the left, norm',
    names: ['joint_force_hip_l_BW', 'joint_force_knee_l_BW', 'joint_force_ankle_l_BW']
  },
];

/** What a curve of this name is, without its unit. */
function titleOf(name: string): string {
  return name.replace(/_(deg|BW|Nm_per_kg)$/, '').replaceAll('_', ' ').replace(/^\w/, (c) => c.toUpperCase());
}

/** What tells a curve from the others of its plot: the joint of internal forces, else the side. */
function labelOf(name: string): string {
  const joint = /^joint_force_([^_]+)_/.exec(name);
  return joint ? joint[1] : name.includes('_l_') ? 'left' : 'right';
}

function bandsOf(measured: Measured|undefined, names: string[]): Band[] {
  const curves = (measured?.curves ?? []).filter(({of}) => names.includes(of));
  return curves.map(
      ({name, mean, sd}) => ({name: `${name}, measured`, time: measured!.percent, middle: mean, half: sd}));
}

export function strideCharts(shown: Shown[], measured?: Measured): ChartData[] {
  const strides = shown.flatMap(({solution}, which) => (solution.stride ? [{stride: solution.stride, which}] : []));
  const styler = new Styler(shown);
  const known = new Set(strides.flatMap(({stride}) => stride.curves.map(({name}) => name)));
  const always = new Set(kAlways.flatMap(({names}) => names));
  const more = [...new Set((measured?.curves ?? []).map(({of}) => of))]
                   .filter((name) => known.has(name) && !always.has(name))
                   .map((name) => ({id: name, title: titleOf(name), names: [name]}));
  const find = (stride: Stride, name: string) => stride.curves.find((curve) => curve.name === name);
  return [...kAlways, ...more]
      .map(({names, ...plot}) => ({...plot, names: names.filter((name) => known.has(name))}))
      .map(({id, title, names}): ChartData => ({
             id: `stride-${id}`,
             title,
             unit: names.map((name) => strides.map(({stride}) => find(stride, name)?.unit)).flat()[0] ?? '',
             xLabel: 'gait cycle (%)',
             timed: false,
             bands: bandsOf(measured, names),
             curves: names.flatMap((name, place) => strides.flatMap(({stride, which}) => {
               const curve = find(stride, name);
               const label = names.length > 1 ? labelOf(name) : 'predicted';
               return curve ? [{...styler.style(label, place, which), time: stride.percent, values: curve.values}] : [];
             })),
           }))
      .filter(({curves}) => curves.length > 0);
}
