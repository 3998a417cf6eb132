import { addDays } from '@cairn/base/local-day.ts';
import type { GoalPause } from './goal.ts';

/** The last weeks, the oldest first: whether something moved in each. Paused days are in none. */
export type Momentum = { weeks: boolean[]; moved: number };

const WEEKS = 4;
const WEEK_DAYS = 7;
/** How far back days count for a goal that was never paused. */
export const MOMENTUM_DAYS = WEEKS * WEEK_DAYS;
/** How far back days are looked for of one that was; a goal that was paused for longer has no momentum to show. */
export const REACH_DAYS = 400;

export type MomentumRequest = {
  /** The days (YYYY-MM-DD) something was done for the goal, in any order. */
  acts: readonly string[];
  pauses: readonly Pick<GoalPause, 'from_day' | 'until_day'>[];
  /** The day it began, and today (YYYY-MM-DD). */
  startedOn: string;
  today: string;
};

/**
 * In how many of the last four weeks something moved. A week is seven days that were not paused, counted back from today; the
 * one that is not full yet, at the goal's beginning, counts too. An act on a paused day counts for the week around it.
 */
export function momentum({ acts, pauses, startedOn, today }: MomentumRequest): Momentum {
  const done = new Set(acts);
  const isPaused = (day: string) =>
    pauses.some(({ from_day: from, until_day: until }) => from <= day && (until === null || day <= until));
  const weeks: boolean[] = [];
  let days = 0;
  let moved = false;
  for (let back = 0; back < REACH_DAYS && weeks.length < WEEKS; back += 1) {
    const day = addDays(today, -back);
    if (day < startedOn) break;
    moved ||= done.has(day);
    if (isPaused(day)) continue;
    days += 1;
    if (days < WEEK_DAYS) continue;
    weeks.unshift(moved);
    days = 0;
    moved = false;
  }
  if (days > 0 && weeks.length < WEEKS) weeks.unshift(moved);
  return { weeks, moved: weeks.filter(Boolean).length };
}
