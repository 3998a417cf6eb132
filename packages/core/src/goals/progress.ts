import type { GoalMeasure, Milestone, GoalProgress } from './goal.ts';

/** How far a goal is, 0 to 1, and what says so; `value` in the goal's unit where it is measured. */
export type Progress =
  | { by: 'metric'; part: number; value: number }
  | { by: 'milestones'; part: number; done: number; all: number }
  | { by: 'guess'; part: number };

type Steps = readonly Pick<Milestone, 'done_on'>[];

const clamp = (part: number): number => Math.min(1, Math.max(0, part));

/** Where a measured goal stands: what was said last, before that where it began. */
export function valueOf({ baseline }: GoalMeasure, readings: readonly GoalProgress[]): number {
  return readings.findLast(({ value }) => value !== null)?.value ?? baseline ?? 0;
}

/** Where a measured goal begins and ends, in its unit; null where that tells nothing. */
function endsOf({ metric, baseline: from, target: to }: GoalMeasure): { from: number; to: number } | null {
  return metric === null || from === null || to === null || from === to ? null : { from, to };
}

/**
 * How far a goal is: by its metric, else by its milestones, else by what was guessed last; null while nothing says so. A target
 * below the baseline counts downwards.
 *
 * @param readings the oldest first
 */
export function progressOf(
  measure: GoalMeasure,
  milestones: Steps,
  readings: readonly GoalProgress[],
): Progress | null {
  const ends = endsOf(measure);
  if (ends) {
    const value = valueOf(measure, readings);
    return { by: 'metric', part: clamp((value - ends.from) / (ends.to - ends.from)), value };
  }
  if (milestones.length > 0) {
    const done = milestones.filter(({ done_on: day }) => day !== null).length;
    return { by: 'milestones', part: done / milestones.length, done, all: milestones.length };
  }
  const guess = readings.findLast(({ progress }) => progress !== null)?.progress;
  return guess === undefined || guess === null ? null : { by: 'guess', part: clamp(guess / 100) };
}

/** Whether what was said before `said` cannot change how far a goal is. @param readings the oldest first */
export function tellsProgress(measure: GoalMeasure, milestones: Steps, readings: readonly GoalProgress[]): boolean {
  if (endsOf(measure)) return readings.some(({ value }) => value !== null);
  return milestones.length > 0 || readings.some(({ progress }) => progress !== null);
}

/**
 * How many of a goal's units a week its target asks for, from here to its last day; negative where the target lies below.
 * Null without a metric or a date, or when the date is over.
 *
 * @param today YYYY-MM-DD
 */
export function weeklyPace(
  { metric, target, due_on: due }: GoalMeasure & { due_on: string | null },
  value: number,
  today: string,
): number | null {
  if (metric === null || target === null || due === null) return null;
  const weeks = (Date.parse(due) - Date.parse(today)) / (7 * 86_400_000);
  return weeks > 0 ? (target - value) / Math.max(1, weeks) : null;
}
