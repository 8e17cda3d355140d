/** Curves from a file: CSV by RFC 4180, with names in the first record and growing numbers in the first column. */
import {DataError} from '../payload';

export interface CsvColumn {
  name: string;
  values: (number|null)[];
}

export interface CsvTable {
  /** The name of the first column. */
  along: string;
  x: number[];
  columns: CsvColumn[];
}

const kNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Records of fields; a quote may stand at the ends of a field only, and doubled inside of quotes. */
function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [], i = 0, line = 1;
  const fail = (why: string) => new DataError(`line ${line}: ${why}`);
  const quoted = () => {
    let field = '';
    const begin = line;
    for (i += 1;; ++i) {
      if (i >= text.length) throw new DataError(`line ${begin}: a quote is not closed`);
      if (text[i] === '\n') line += 1;
      if (text[i] !== '"')
        field += text[i];
      else if (text[i + 1] === '"')
        field += text[i++];
      else
        break;
    }
    i += 1;
    if (i < text.length && !/[,\r\n]/.test(text[i]))
      throw fail('a comma or the end of the line is expected after a quote');
    return field;
  };
  const plain = () => {
    const end = text.slice(i).search(/[,\r\n]/), field = end < 0 ? text.slice(i) : text.slice(i, i + end);
    if (field.includes('"')) throw fail(`a quote inside of the field ${JSON.stringify(field)}`);
    i += field.length;
    return field;
  };
  while (i < text.length) {
    record.push(text[i] === '"' ? quoted() : plain());
    if (text[i] === ',') {
      i += 1;
      if (i < text.length) continue;
      record.push('');
    }
    if (text[i] === '\r' && text[i + 1] !== '\n') throw fail('a carriage return without a line feed');
    i += text[i] === '\r' ? 2 : 1;
    line += 1;
    records.push(record);
    record = [];
  }
  return records;
}

function numberOf(field: string, row: number, name: string): number|null {
  const text = field.trim();
  if (text === '') return null;
  if (!kNumber.test(text) || !Number.isFinite(Number(text)))
    throw new DataError(
        `record ${row}, column ${JSON.stringify(name)}: a number is expected, found ${JSON.stringify(field)}`);
  return Number(text);
}

/** Throws DataError, which says where the file is not as it should be. */
export function readCsv(text: string): CsvTable {
  const [head, ...rows] = recordsOf(text.replace(/^\uFEFF/, ''));
  if (!head || rows.length < 2) throw new DataError('a line of names and at least two of numbers are expected');
  if (head.length < 2) throw new DataError('line 1: at least two columns are expected, with commas between');
  rows.forEach((row, k) => {
    if (row.length !== head.length)
      throw new DataError(`record ${k + 2}: ${row.length} fields where the first has ${head.length}`);
  });
  const columns =
      head.map((name, i) => ({name: name.trim(), values: rows.map((row, k) => numberOf(row[i], k + 2, name))}));
  const x = columns[0].values;
  x.forEach((value, k) => {
    if (value === null || (k > 0 && value <= x[k - 1]!))
      throw new DataError(`record ${k + 2}: the first column must have numbers that grow`);
  });
  return {along: columns[0].name, x: x as number[], columns: columns.slice(1)};
}
