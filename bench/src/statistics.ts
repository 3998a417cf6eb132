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

/**
 * The straight line through points [x, y] by least squares: its slope, and how far the true one may be from it with 95 %
 * confidence, for independent errors.
 */
export function slopeOf(points: readonly (readonly [number, number])[]): { slope: number; bound: number } {
  const n = points.length;
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / n;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  const slope = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread;
  const rest = points.reduce((sum, point) => sum + (point[1] - y - slope * (point[0] - x)) ** 2, 0);
  // 2: the quantile of Student's distribution for the sixty or more samples of ten minutes.
  return { slope, bound: 2 * Math.sqrt(rest / (n - 2) / spread) };
}
