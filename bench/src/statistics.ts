/** The q-th quantile (0..1) by linear interpolation; NaN of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

export type Spread = { median: number; low: number; high: number };

export const spreadOf = (values: readonly number[]): Spread => ({
  median: quantile(values, 0.5),
  low: Math.min(...values),
  high: Math.max(...values),
});

/** Ratios of what was measured in the same repetition, a over b. */
export const ratios = (a: readonly number[], b: readonly number[]): Spread =>
  spreadOf(a.map((value, index) => value / (b[index] ?? Number.NaN)));
