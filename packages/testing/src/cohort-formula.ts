import { MAX_RELEASES } from '@cairn/core/wellness/cohort-privacy.ts';

const SUM_DEVIATION = 14;
const COUNT_DEVIATION = 5;
const SUMS = 9;
const COUNTS = 3;

/** The part of the four-week periods in which a person who could be counted is, by a secret draw. */
export const COUNTED_PART = 0.75;
/** μ of one release: the larger of what it says of an answer and of taking part. */
export const RELEASE_MU = Math.sqrt(
  Math.max((SUMS * 4) / SUM_DEVIATION ** 2, SUMS / SUM_DEVIATION ** 2 + COUNTS / COUNT_DEVIATION ** 2),
);

/** The standard normal distribution; error below 2e-7 (Abramowitz and Stegun 1964, 7.1.26). */
export function normal(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const above = (poly * Math.exp((-x * x) / 2)) / 2;
  return x < 0 ? above : 1 - above;
}

/** How much better than by chance somebody is right who saw the person counted this often, 0 to 1. */
const advantage = (counted: number): number => 2 * normal((RELEASE_MU * Math.sqrt(counted)) / 2) - 1;

/** The probability of being counted in `counted` of `releases`. */
function chanceOf(counted: number, releases: number): number {
  let ways = 1;
  for (let n = 0; n < counted; n++) ways = (ways * (releases - n)) / (n + 1);
  return ways * COUNTED_PART ** counted * (1 - COUNTED_PART) ** (releases - counted);
}

/**
 * In what part of the cases, 0.5 to 1, an observer of this many releases is right about one of two cases that were as likely before
 * (below or above the middle in all of them; taking part or not), at most.
 *
 * @param releases of four weeks each, one after the other
 */
export function rightAtMost(releases: number): number {
  let better = 0;
  for (let counted = 1; counted <= releases; counted++) better += chanceOf(counted, releases) * advantage(counted);
  return 0.5 + better / 2;
}

/** The same of all that is ever released of a person: counted as often as anybody may be. */
export const rightInLifeAtMost = (): number => 0.5 + advantage(MAX_RELEASES) / 2;
