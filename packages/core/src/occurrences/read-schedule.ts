import type { Row } from '@cairn/schema';
import { parseRecurrence } from './recurrence.ts';
import type { Schedule } from './schedule.ts';

/** The columns that `schedules` and `task_series` have in common; `due_time`: HH:MM, null for the end of the day. */
export type ScheduleColumns = Pick<Row<'schedules'>, 'id' | 'recurrence' | 'start_day' | 'zone' | 'based_on'> & {
  due_time: string | null;
};

/** A row as the rules of occurrences read it; null where its rule cannot be read. */
export function readSchedule(row: ScheduleColumns): Schedule | null {
  const read = parseRecurrence(row.recurrence);
  if (!read.ok) return null;
  return {
    id: row.id,
    recurrence: read.recurrence,
    startDay: row.start_day,
    dueTime: row.due_time ?? '23:59',
    zone: row.zone,
    basedOn: row.based_on,
  };
}
