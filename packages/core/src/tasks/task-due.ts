import { instantOf } from '@cairn/base/wall-clock.ts';

/** When something is due, as it was said. */
export type TaskDue = {
  /** YYYY-MM-DD on the calendar of the zone. */
  day: string;
  /** HH:MM on the clocks there; null: by the end of the day. */
  time: string | null;
  /** IANA name. */
  zone: string;
};

/** The columns of a due date; `due_at` as the server works it out: ISO 8601 in UTC. */
export function dueFields(due: TaskDue | null) {
  if (due === null) return { due_day: null, due_time: null, due_zone: null, due_at: null };
  const wall = Date.parse(`${due.day}T${due.time === null ? '23:59:59' : `${due.time}:00`}Z`);
  return {
    due_day: due.day,
    due_time: due.time,
    due_zone: due.zone,
    due_at: new Date(instantOf(wall, due.zone)).toISOString(),
  };
}
