/** Numbers for people. */

export const kMissing = '–';

/** About `digits` significant digits, with a true minus sign; `–` for what is missing. */
export function number(value: number|null|undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return kMissing;
  const size = Math.abs(value);
  const text = value === 0       ? '0' :
      size < 1e-3 || size >= 1e6 ? exponential(value, digits) :
                                   trimmed(value.toPrecision(digits));
  return text.replaceAll('-', '−');
}

function trimmed(text: string): string {
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : String(Number(text));
}

function exponential(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(Math.min(digits - 1, 2)).split('e');
  return `${trimmed(mantissa)}e${Number(exponent)}`;
}

export function percent(fraction: number|null|undefined): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return kMissing;
  return `${(100 * fraction).toFixed(fraction < 0.0995 ? 1 : 0)} %`;
}

export function interval(from: number, to: number): string { return `${number(from, 3)}–${number(to, 3)}`; }

/** A name for a downloaded file: letters, digits, dash and underscore only. */
export function fileName(...words: string[]): string {
  return words.join('-').toLowerCase().replace(/[^a-z0-9_]+/g, '-').replace(/^-+|-+$/g, '') || 'verne';
}
