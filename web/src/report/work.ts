/** Scores of a person's motion as a piece of work. */
import {h, section, table} from '../dom';
import {kMissing, number, percent} from '../format';
import type {Fatigue, LiftEnd, Solution, Work} from '../solution';

function scoreTable({scores}: Work): HTMLElement|null {
  if (scores.length === 0) return null;
  const rows = scores.map(
      ({name, unit, most, time, mean, meaning}) => [name, number(most), number(time, 3), number(mean, 3), unit, meaning]);
  return table(
      'Scores',
      [
        {title: 'score'}, {title: 'at most', numeric: true}, {title: 'at (s)', numeric: true},
        {title: 'mean over time', numeric: true}, {title: 'unit'}, {title: 'meaning', words: true}
      ],
      rows);
}

function liftTable({lift}: Work): HTMLElement|null {
  if (!lift) return null;
  const row = (name: string, end: LiftEnd) =>
      [name, end.index === null ? 'beyond the equation' : number(end.index, 3), number(end.recommended_weight, 3),
       number(end.horizontal, 3), number(end.vertical, 3), number(end.asymmetry, 3)];
  return table(
      `Lifting index of ${number(lift.load, 3)} kg`,
      [
        {title: 'where'}, {title: 'index', numeric: true}, {title: 'recommended (kg)', numeric: true},
        {title: 'ahead (m)', numeric: true}, {title: 'high (m)', numeric: true}, {title: 'aside (°)', numeric: true}
      ],
      [row('origin', lift.origin), row('destination', lift.destination)]);
}

function zoneTable({zones}: Work): HTMLElement|null {
  if (zones.length === 0) return null;
  const names = [...new Set(zones.map(({zone}) => zone))];
  const rows = [...new Set(zones.map(({of}) => of))].map(
      (of) =>
          [of, ...names.map((name) => {
            const found = zones.find((zone) => zone.of === of && zone.zone === name);
            return found ? percent(found.share) : kMissing;
          })]);
  return table(
      'Time in zones of posture', [{title: 'angle'}, ...names.map((title) => ({title, numeric: true}))], rows);
}

/** More would be nearly rested. */
const kTiredest = 8;

function fatigueTable({fatigue}: Work): HTMLElement|null {
  if (!fatigue) return null;
  const {times, period, endured, weakest} = fatigue;
  const left = (muscles: Fatigue['muscles'][number], part: number) =>
      muscles.capacity[Math.max(0, Math.round(part * muscles.capacity.length) - 1)];
  const rows = [...fatigue.muscles]
                   .sort((a, b) => (left(a, 1) ?? 1) - (left(b, 1) ?? 1))
                   .slice(0, kTiredest)
                   .map(
                       (muscles) =>
                           [`${muscles.joint}, ${muscles.direction}`, muscles.group,
                            ...[0, 0.5, 1].map((part) => percent(left(muscles, part)))]);
  const what = weakest ? `${endured} of ${times} repetitions are endured, then ${weakest} fails` :
                         `all ${times} repetitions are endured`;
  return table(
      `Strength that is left, one repetition every ${number(period)} s: ${what}`,
      [
        {title: 'muscles'}, {title: 'rates of'}, {title: 'after the first', numeric: true},
        {title: 'after half', numeric: true}, {title: 'after all', numeric: true}
      ],
      rows);
}

export function workSection({work}: Solution): HTMLElement|null {
  if (!work) return null;
  const assumed =
      work.assumed.length > 0 ? h('p', {class: 'quiet'}, `Assumed: ${work.assumed.join('; ')}.`) : null;
  return section('work', 'Work', liftTable(work), scoreTable(work), zoneTable(work), fatigueTable(work), assumed);
}
