import { millionths } from './amounts.ts';
import { type HabitDay, type HabitRule, isKept } from './habit.ts';

/** Days in which strength halves with nothing done, for a daily habit. */
const HALF_LIFE_DAYS = 13;

/** How often a habit is wanted: times a day, 0 to 1. */
const frequencyOf = ({ times, per_days, kind }: HabitRule): number => (kind === 'number' ? 1 : times) / per_days;

/**
 * Strength after one more day.
 *
 * @param before strength until then, 0 to 1 @param part how much of the habit was done, 0 to 1
 * Source: Loop Habit Tracker, Score.compute: s' = s·m + part·(1 − m) with m = 0.5^(√frequency / 13).
 */
export function nextStrength(frequency: number, before: number, part: number): number {
  const kept = 0.5 ** (Math.sqrt(frequency) / HALF_LIFE_DAYS);
  return before * kept + part * (1 - kept);
}

/** How much of a numeric target the sum of its days is, 0 to 1. @param sum in millionths */
function partOfTarget(sum: number, { target, target_kind }: HabitRule): number {
  const wanted = millionths(target);
  if (target_kind === 'at_most') {
    if (wanted === 0) return sum > 0 ? 0 : 1;
    return Math.min(1, Math.max(0, 1 - (sum - wanted) / wanted));
  }
  return wanted > 0 ? Math.min(1, sum / wanted) : 1;
}

/**
 * Strength at the end of each day, 0 to 1; decays gently, and stands still over skipped and paused days.
 *
 * @param days every day from the habit's first, the oldest first, without gaps
 * Source: Loop Habit Tracker, ScoreList.recompute: done days in a rolling window; for yes/no habits wanted less than daily
 * both numbers of "n in m days" are doubled. "At most" begins at 1. Skipped days are as if they never were: the window is one
 * of days that count, as Loop has it since 2025.
 */
export function strengths(rule: HabitRule, days: readonly HabitDay[]): number[] {
  const frequency = frequencyOf(rule);
  const doubled = rule.kind === 'yes_no' && frequency < 1 ? 2 : 1;
  const size = rule.per_days * doubled;
  const isNumber = rule.kind === 'number';
  let strength = isNumber && rule.target_kind === 'at_most' ? 1 : 0;
  let sum = 0;
  const window: number[] = [];
  return days.map(({ status, amount }) => {
    if (status === 'skip') return strength;
    const counts = isNumber ? millionths(amount) : Number(status === 'done');
    sum += counts;
    if (window.push(counts) > size) sum -= window.shift() ?? 0;
    const part = isNumber ? partOfTarget(sum, rule) : Math.min(1, sum / (rule.times * doubled));
    strength = nextStrength(frequency, strength, part);
    return strength;
  });
}

export type Streaks = {
  /** Days in a row up to today, which may itself still be open; skipped and paused days neither break nor lengthen it. */
  present: number;
  longest: number;
};

/**
 * How many days in a row a habit was kept: done, done by rule; skipped days are passed over, and those whose target can still
 * be met.
 *
 * @param days every day up to today, the oldest first
 */
export function streaks(_rule: HabitRule, days: readonly HabitDay[]): Streaks {
  let run = 0;
  let longest = 0;
  for (const day of days) {
    if (isKept(day)) run += 1;
    else if (day.status !== 'skip' && !day.isOpen) run = 0;
    longest = Math.max(longest, run);
  }
  return { present: run, longest };
}
