/** Curves of files that were dropped on the page, in the plots that they belong to. */
import type {ChartData, Curve} from './curves';
import {fullName} from './curves';
import type {CsvTable} from './csv';

export interface DroppedFile {
  name: string;
  table: CsvTable;
}

/** A dash that the palette gives to few: what was dropped is told apart by its name in any case. */
const kDash = 7;

/** `name (unit)` as plots are saved, `tau.name` as in motion.csv. */
function belongs(column: string, chart: ChartData): Curve|undefined {
  const unit = chart.unit ? ` (${chart.unit})` : '';
  return chart.curves.find((curve) => column === fullName(curve) + unit || column === curve.key);
}

/** Whether the file has the same horizontal axis. */
function isAlong({along}: CsvTable, chart: ChartData): boolean {
  return chart.timed ? /^time\b|^t$/i.test(along) : along === chart.xLabel;
}

/** The plots with what files have for them; columns that no plot has are plots of their own, by their units. */
export function withDropped(charts: ChartData[], files: DroppedFile[]): ChartData[] {
  const result = charts.map((chart) => ({...chart, curves: [...chart.curves]}));
  const rest = new Map<string, ChartData>();
  for (const [f, {name: file, table}] of files.entries()) {
    const known = result.filter((chart) => isAlong(table, chart));
    for (const {name, values} of table.columns) {
      const home = known.find((chart) => belongs(name, chart)), twin = home && belongs(name, home);
      const curve = {time: table.x, values, dash: kDash};
      if (home && twin) {
        home.curves.push({...twin, ...curve, of: undefined, name: `${twin.name} · ${file}`, limits: undefined});
        continue;
      }
      const unit = /\(([^()]*)\)$/.exec(name)?.[1] ?? '', id = `dropped-${f}-${rest.size}`, key = `${f} ${unit}`;
      if (!rest.has(key))
        rest.set(key, {
          id,
          title: `From ${file}`,
          unit,
          xLabel: table.along,
          timed: /^time\b|^t$/i.test(table.along),
          curves: []
        });
      const place = rest.get(key)!.curves.length;
      rest.get(key)!.curves.push({...curve, name: name.replace(/ *\([^()]*\)$/, ''), colour: place, dash: place});
    }
  }
  return [...result, ...rest.values()];
}
