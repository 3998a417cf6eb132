import type { HabitDay, HabitRule } from './habit.ts';

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

/** How much of a numeric target the sum of its days is, 0 to 1. */
function partOfTarget(sum: number, { target, target_kind }: HabitRule): number {
  const wanted = target ?? 0;
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
 * both numbers of "n in m days" are doubled. "At most" begins at 1.
 */
export function strengths(rule: HabitRule, days: readonly HabitDay[]): number[] {
  const frequency = frequencyOf(rule);
  const doubled = rule.kind === 'yes_no' && frequency < 1 ? 2 : 1;
  const window = rule.per_days * doubled;
  const counted = days.map(({ standing, amount }) => {
    if (rule.kind === 'number') return standing === 'done' ? (amount ?? 0) : 0;
    return standing === 'done' ? 1 : 0;
  });
  let strength = rule.kind === 'number' && rule.target_kind === 'at_most' ? 1 : 0;
  let sum = 0;
  return days.map(({ standing }, index) => {
    sum += counted[index] ?? 0;
    if (index >= window) sum -= counted[index - window] ?? 0;
    if (standing === 'skip') return strength;
    const part = rule.kind === 'number' ? partOfTarget(sum, rule) : Math.min(1, sum / (rule.times * doubled));
    strength = nextStrength(frequency, strength, part);
    return strength;
  });
}

/** Whether a day's own amount meets a numeric target by itself; of "at most" only where something was said. */
function meets({ standing, amount }: HabitDay, { kind, target, target_kind }: HabitRule): boolean {
  if (kind === 'yes_no') return standing === 'done';
  if (standing !== 'done') return false;
  return target_kind === 'at_most' ? (amount ?? 0) <= (target ?? 0) : (amount ?? 0) >= (target ?? 0);
}

export type Streaks = {
  /** Days in a row up to today, which may itself still be open; skipped and paused days neither break nor lengthen it. */
  present: number;
  longest: number;
};

/**
 * How many days in a row a habit was kept: done, done by rule; skipped days are passed over.
 *
 * @param days every day up to today, the oldest first
 */
export function streaks(rule: HabitRule, days: readonly HabitDay[]): Streaks {
  let run = 0;
  let longest = 0;
  let present = 0;
  days.forEach((day, index) => {
    if (day.standing === 'rule' || meets(day, rule)) run += 1;
    else if (day.standing !== 'skip' && !(index === days.length - 1 && day.standing === 'unknown')) run = 0;
    longest = Math.max(longest, run);
    present = run;
  });
  return { present, longest };
}
