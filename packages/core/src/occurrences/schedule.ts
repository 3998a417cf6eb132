import { derivedId } from '@cairn/base/id.ts';
import { addDays } from '@cairn/base/local-day.ts';
import { instantOf, wallClock } from '@cairn/base/wall-clock.ts';
import type { Recurrence } from './recurrence.ts';
import { recurringDays } from './recurring-days.ts';
import { addMonths, withLastDays } from './short-months.ts';

/** When something is to be done, again and again. */
export type Schedule = {
  id: string;
  recurrence: Recurrence;
  /** The first day, YYYY-MM-DD, and the time on the clocks there, HH:MM, at which each is due. */
  startDay: string;
  dueTime: string;
  /** IANA name of the place's time zone: a duty at 9:00 stays at 9:00 when the clocks change. */
  zone: string;
  /** `scheduled`: by the calendar, whatever was done. `completed`: counted anew from the day each was done. */
  basedOn: 'scheduled' | 'completed';
};

/** One date of a schedule, at which something is due. */
export type Occurrence = {
  /** The same on every device, so that two that plan it plan one. */
  id: string;
  /** The day on the calendar there, YYYY-MM-DD: what the rule says, for good. */
  day: string;
  /** When it is due, ISO 8601 in UTC. */
  dueAt: string;
};

/** The occurrence of a schedule on a day of its rule. A time that a change of clocks leaves out is the one an hour later. */
export function occurrenceOn({ id, dueTime, zone }: Schedule, day: string): Occurrence {
  const wall = Date.parse(`${day}T${dueTime}:00Z`);
  return { id: derivedId(id, `occurrence/${day}`), day, dueAt: new Date(instantOf(wall, zone)).toISOString() };
}

/** Months ahead for which occurrences are planned: a yearly duty is always in sight. */
export const PLANNED_MONTHS = 13;

/**
 * Every occurrence of a schedule by the calendar, up to 13 months after an instant: also those in the past, for what nobody
 * planned in time is missed, not gone. Each is reckoned when it is asked for.
 *
 * @param now ISO 8601
 * @param after YYYY-MM-DD: only those later than this day; all where left out
 */
export function* plannedOccurrences(schedule: Schedule, now: string, after?: string): Generator<Occurrence> {
  const { recurrence, startDay, zone } = schedule;
  const here = new Date(wallClock(Date.parse(now), zone)).toISOString().slice(0, 10);
  const to = addMonths(here, PLANNED_MONTHS);
  for (const day of recurringDays(withLastDays(recurrence), startDay, to, after)) yield occurrenceOn(schedule, day);
}

/** Days by which the day of a rule and that of the instant it is due at can differ at most: Samoa once left out a whole one. */
const SLACK_DAYS = 3;

/**
 * The occurrences of a schedule by the calendar that are due later than an instant, up to 13 months after now. Each is reckoned
 * when it is asked for, and none that is long past: a rule may have begun in 1970.
 *
 * @param since ISO 8601
 * @param now ISO 8601
 */
export function* occurrencesSince(schedule: Schedule, since: string, now: string): Generator<Occurrence> {
  const begun = Date.parse(since);
  const here = new Date(wallClock(begun, schedule.zone)).toISOString().slice(0, 10);
  for (const each of plannedOccurrences(schedule, now, addDays(here, -SLACK_DAYS))) {
    if (Date.parse(each.dueAt) > begun) yield each;
  }
}

/**
 * The occurrence after one that was done, of a schedule that counts from completion: as if the rule began on the day it was
 * done. One that was done early or late moves all that follow; one done early does not come again on its own day.
 *
 * @param done `day`: whose it was, YYYY-MM-DD. `endedAt`: when it was done, ISO 8601. `count`: how many were done, this one
 * included, for rules that end after so many
 * @returns null when the rule has ended
 */
export function occurrenceAfterDone(
  schedule: Schedule,
  { day, endedAt, count }: { day: string; endedAt: string; count: number },
): Occurrence | null {
  const { count: most } = schedule.recurrence;
  if (most !== undefined && count >= most) return null;
  // By the calendar there: far in the east that day begins half a day before the one of UTC.
  const endedOn = new Date(wallClock(Date.parse(endedAt), schedule.zone)).toISOString().slice(0, 10);
  const next = firstAfter(schedule, endedOn);
  return next && next.day <= day ? firstAfter(schedule, day) : next;
}

/** The first day of the rule after another, as if it began on that one. */
function firstAfter(schedule: Schedule, day: string): Occurrence | null {
  const { count: _, ...recurrence } = schedule.recurrence;
  // The longest gap a rule can have: so many years, and eight for the 29th of February around 2100.
  const to = addDays(day, 366 * (8 + (recurrence.every === 'year' ? 8 * recurrence.interval : recurrence.interval)));
  for (const next of recurringDays(withLastDays(recurrence), day, to))
    if (next > day) return occurrenceOn(schedule, next);
  return null;
}
