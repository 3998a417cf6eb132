/** Two things of one day; both must be known. */
export type Pair = { day: string; x: number; y: number };

export type Correlation = {
  /** Pearson's r, −1 to 1. */
  r: number;
  /** Between what it lies in 99 of 100 such samples. */
  from: number;
  to: number;
  /** Days behind it, and how many independent ones they are worth: a day resembles the one before. */
  n: number;
  worth: number;
};

/** Independent days below which nothing is said. */
export const MIN_DAYS = 14;
/** Of a thing that is or is not: days of each kind. */
export const MIN_DAYS_EACH = 5;
/** Two-sided 99 %: several things are looked at side by side, and one in twenty would fit by chance. */
const Z = 2.575829;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function pearson(xs: readonly number[], ys: readonly number[]): number | null {
  const [mx, my] = [mean(xs), mean(ys)];
  let [xy, xx, yy] = [0, 0, 0];
  for (const [index, x] of xs.entries()) {
    const [dx, dy] = [x - mx, (ys[index] ?? my) - my];
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy);
}

/** How much a row of days resembles itself a step later; never negative, which would make few days worth more. */
const likeness = (values: readonly number[]): number => Math.max(0, pearson(values.slice(0, -1), values.slice(1)) ?? 0);

/**
 * How two things go together, with its uncertainty: Fisher's interval over as many independent days as the days are worth
 * (Bartlett). It says nothing about what causes what.
 *
 * @returns null where there are too few days, or one of the two never changes
 */
export function correlation(pairs: readonly Pair[]): Correlation | null {
  const rows = pairs.toSorted((a, b) => a.day.localeCompare(b.day));
  if (rows.length < MIN_DAYS) return null;
  const [xs, ys] = [rows.map(({ x }) => x), rows.map(({ y }) => y)];
  const r = pearson(xs, ys);
  if (r === null) return null;
  const both = likeness(xs) * likeness(ys);
  const worth = Math.floor((rows.length * (1 - both)) / (1 + both));
  if (worth < MIN_DAYS) return null;
  const bounded = Math.min(Math.max(r, -0.9999), 0.9999);
  const [z, half] = [Math.atanh(bounded), Z / Math.sqrt(worth - 3)];
  return { r, from: Math.tanh(z - half), to: Math.tanh(z + half), n: rows.length, worth };
}

/** Whether an interval leaves no doubt about the direction. */
export const isClear = ({ from, to }: Correlation): boolean => from > 0 || to < 0;
