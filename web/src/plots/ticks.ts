/** Round numbers between two ends, about `count` of them: steps of 1, 2 or 5 times a power of ten. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((k) => k * power >= rough * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({length: Math.max(last - first + 1, 0)}, (_, i) => (first + i) * step);
}

/** Powers of ten, at most about six of them. */
export function logTicks(low: number, high: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / 6));
  return Array.from({length: Math.max(Math.floor((last - first) / step) + 1, 0)}, (_, i) => 10 ** (first + i * step));
}
