import { readSchedule, type ScheduleColumns } from './read-schedule.ts';
import { type Occurrence, occurrencesSince } from './schedule.ts';

/**
 * The next dates of a rule for whoever looks at it, the nearest first. Counted from completion, only the first is certain: the
 * others stand as if each were done when it is due.
 *
 * @param now ISO 8601
 * @param count how many at most
 */
export function nextDates(row: ScheduleColumns, now: string, count: number): Occurrence[] {
  const schedule = readSchedule(row);
  if (!schedule) return [];
  const next: Occurrence[] = [];
  if (count < 1) return next;
  for (const each of occurrencesSince(schedule, now, now)) if (next.push(each) === count) break;
  return next;
}
