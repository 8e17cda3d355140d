import {h, table} from '../dom';

/** A table of numbers whose cells stay while what is in them changes many times a second. */
export class NumberTable {
  readonly element: HTMLElement;
  private readonly cells: HTMLElement[][];

  constructor(caption: string, titles: string[], rows: string[]) {
    this.cells = rows.map(() => titles.slice(1).map(() => h('span')));
    const columns = titles.map((title, i) => ({title, numeric: i > 0}));
    this.element = table(caption, columns, rows.map((row, i) => [row, ...this.cells[i]]));
  }

  show(rows: string[][]): void {
    rows.forEach((row, i) => row.forEach((text, j) => {
      const cell = this.cells[i][j];
      if (cell.textContent !== text) cell.textContent = text;
    }));
  }
}
