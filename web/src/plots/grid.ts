import type {Domain} from '../clock';
import {h} from '../dom';
import type {Signal} from '../signal';
import {Chart} from './chart';
import type {ChartData} from './curves';

/** A grid of plots that keeps its canvases while their data changes. */
export class ChartGrid {
  readonly element = h('div', {class: 'charts'});
  private readonly charts = new Map<string, Chart>();

  constructor(
      private readonly domain: Domain, private readonly joint: Signal<string|null>, private readonly model: string) {}

  show(all: ChartData[]): void {
    for (const data of all) {
      const chart = this.charts.get(data.id);
      if (chart)
        chart.set(data);
      else
        this.charts.set(data.id, new Chart(data, this.domain, this.joint, this.model));
    }
    this.element.classList.toggle('minis', all.some(({small}) => small === true));
    this.element.replaceChildren(...all.map((data) => this.charts.get(data.id)!.element));
  }
}
