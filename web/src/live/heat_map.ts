import {h} from '../dom';
import {number} from '../format';
import {token} from '../palette';

type Colour = [number, number, number];

/** A colour of the style sheet, which are written #rrggbb. */
function parsed(name: string): Colour {
  const code = parseInt(token(name).slice(1), 16);
  return [code >> 16, (code >> 8) & 255, code & 255];
}

/** Blue for negative, orange for positive entries; the fourth root of the size, so that small ones can be seen. */
function shades(matrix: number[][]): Colour[][] {
  const most = Math.max(0, ...matrix.flat().map(Math.abs));
  const [negative, positive, paper] = ['negative', 'positive', 'panel'].map(parsed);
  return matrix.map((row) => row.map((value): Colour => {
    const part = most > 0 ? (Math.abs(value) / most) ** 0.25 : 0, full = value < 0 ? negative : positive;
    return paper.map((dim, i) => Math.round(dim + part * (full[i] - dim))) as Colour;
  }));
}

/** What is rounding error beside the diagonal is zero, whatever the units of the joints. */
function cleaned(matrix: number[][]): number[][] {
  const kNoise = 1e-12;
  return matrix.map(
      (row, i) => row.map(
          (value, j) => Math.abs(value) < kNoise * Math.sqrt(Math.abs(matrix[i][i] * matrix[j][j])) ? 0 : value));
}

const kWrittenUpTo = 9;

/** A matrix as a picture that is drawn anew as often as it changes; small ones also show their numbers. */
export class HeatMap {
  readonly element: HTMLElement;
  private matrix: number[][] = [];
  private readonly readout = h('p', {class: 'quiet', role: 'status'});
  private readonly cells: {box: HTMLElement; text: HTMLElement}[][] = [];
  private readonly picture = h('canvas', {class: 'heat', role: 'img', 'aria-label': 'Entries of the mass matrix'});

  constructor(private readonly names: string[]) {
    const size = names.length;
    const units = 'kg·m², kg·m or kg, by the units of the joints';
    const place = {class: 'table', tabindex: 0, role: 'group', 'aria-label': 'Entries of the mass matrix'};
    if (size <= kWrittenUpTo) {
      this.element =
          h('div', place, h('table', {class: 'heat'}, h('caption', {}, units), this.tableBody()), this.readout);
      return;
    }
    this.picture.width = this.picture.height = size;
    this.picture.style.width = `${size * Math.min(Math.max(Math.floor(480 / size), 7), 22)}px`;
    this.picture.addEventListener('pointermove', (event) => this.tell(event));
    this.picture.addEventListener('pointerleave', () => this.writeSize());
    this.element = h('div', place, h('p', {class: 'heat-title'}, units), this.picture, this.readout);
  }

  show(matrix: number[][]): void {
    this.matrix = cleaned(matrix);
    if (this.matrix.length > kWrittenUpTo)
      this.draw();
    else
      this.write();
    this.writeSize();
  }

  private writeSize(): void {
    const most = Math.max(0, ...this.matrix.flat().map(Math.abs)), size = this.matrix.length;
    this.readout.textContent = `${size} × ${size}, largest entry ${number(most)}`;
  }

  private tableBody(): HTMLElement {
    const rows = this.names.map((name) => {
      const row = this.names.map(() => {
        const text = h('span');
        return {box: h('td', {}, text), text};
      });
      this.cells.push(row);
      return h('tr', {}, h('th', {scope: 'row'}, name), ...row.map(({box}) => box));
    });
    return h('tbody', {}, ...rows);
  }

  private write(): void {
    const colours = shades(this.matrix);
    this.cells.forEach((row, i) => row.forEach(({box, text}, j) => {
      box.style.background = `rgb(${colours[i][j].join(' ')})`;
      box.title = `${this.names[i]}, ${this.names[j]}: ${number(this.matrix[i][j])}`;
      text.textContent = number(this.matrix[i][j], 3);
    }));
  }

  private draw(): void {
    const size = this.matrix.length, pixels = new ImageData(size, size);
    shades(this.matrix).flat().forEach((colour, k) => pixels.data.set([...colour, 255], 4 * k));
    this.picture.getContext('2d')!.putImageData(pixels, 0, 0);
  }

  /** The entry under the pointer. */
  private tell(event: PointerEvent): void {
    const size = this.matrix.length, cell = this.picture.clientWidth / size;
    const i = Math.min(Math.floor(event.offsetY / cell), size - 1),
          j = Math.min(Math.floor(event.offsetX / cell), size - 1);
    if (i < 0 || j < 0) return;
    this.readout.textContent = `${this.names[i]}, ${this.names[j]}: ${number(this.matrix[i][j])}`;
  }
}
