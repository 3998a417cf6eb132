import type { Row } from '@cairn/schema';
import { readSchedule } from '../occurrences/read-schedule.ts';
import {
  type Occurrence,
  occurrenceAfterDone,
  occurrenceOn,
  occurrencesSince,
  type Schedule,
} from '../occurrences/schedule.ts';

export type SeriesRule = Pick<
  Row<'task_series'>,
  'id' | 'recurrence' | 'start_day' | 'due_time' | 'zone' | 'based_on' | 'state' | 'deleted_at'
>;

/** What has come of a series. `last`: its latest task, `endedAt` ISO 8601. */
export type SeriesHistory = {
  /** How many of its tasks have ended. */
  done: number;
  last: { day: string; open: boolean; endedAt: string | null } | null;
};

/**
 * The dates of a series that are to be there, the earliest first: by the calendar those of 13 months, and what fell due since it
 * began; counted from completion, the next one. None once it has ended.
 *
 * @param now ISO 8601
 */
export function seriesPlan(
  series: SeriesRule & Pick<Row<'task_series'>, 'active_since'>,
  history: SeriesHistory,
  now: string,
): Occurrence[] {
  const schedule = readSchedule(series);
  if (!schedule || series.state !== 'active' || series.deleted_at !== null) return [];
  const owed = occurrencesSince(schedule, series.active_since, now);
  if (schedule.basedOn === 'scheduled') return [...owed];
  const next = history.last === null ? (owed.next().value ?? null) : afterLast(schedule, history);
  return next ? [next] : [];
}

function afterLast(schedule: Schedule, { done, last }: SeriesHistory): Occurrence | null {
  if (last === null) return null;
  if (last.open || last.endedAt === null) return occurrenceOn(schedule, last.day);
  return occurrenceAfterDone(schedule, { day: last.day, endedAt: last.endedAt, count: done });
}
