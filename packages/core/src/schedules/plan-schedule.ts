import type { Row } from '@cairn/schema';
import { readSchedule } from '../occurrences/read-schedule.ts';
import {
  type Occurrence,
  occurrenceAfterDone,
  occurrenceOn,
  occurrencesSince,
  type Schedule,
} from '../occurrences/schedule.ts';

/** Days ahead for which inspections are made: what lies further is worked out where it is looked at. */
export const MADE_AHEAD_DAYS = 35;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

type ScheduleRow = Pick<
  Row<'schedules'>,
  | 'id'
  | 'recurrence'
  | 'start_day'
  | 'due_time'
  | 'zone'
  | 'based_on'
  | 'opens_minutes'
  | 'closes_minutes'
  | 'state'
  | 'active_since'
  | 'deleted_at'
>;

/** What has come of a schedule so far. */
export type ScheduleHistory = {
  /** How many were done or missed. */
  done: number;
  /** The latest day of an inspection that fell due already, YYYY-MM-DD. */
  settledDay: string | null;
  /** The latest inspection of it; `endedAt`: when it was done or missed, ISO 8601. */
  last: { day: string; open: boolean; endedAt: string | null } | null;
};

/** One inspection that is to be there: its id is the same wherever it is planned. Instants are ISO 8601. */
export type PlannedInspection = {
  id: string;
  day: string;
  due_at: string;
  opens_at: string | null;
  closes_at: string | null;
};

/**
 * The inspections of a schedule that are to be there at an instant: what fell due since the last look, and what falls due in
 * the next 35 days, at least one. None while it is paused, has ended, or its rule cannot be read.
 *
 * @param now ISO 8601
 */
export function planOf(row: ScheduleRow, history: ScheduleHistory, now: string): PlannedInspection[] {
  const schedule = readSchedule(row);
  if (!schedule || row.state !== 'active' || row.deleted_at !== null) return [];
  if (schedule.basedOn === 'completed') {
    const next = nextByCompletion(schedule, row, history, now);
    return next ? [made(row, next, null)] : [];
  }
  const all = [...occurrencesSince(schedule, row.active_since, now)];
  const ahead = Date.parse(now) + MADE_AHEAD_DAYS * DAY_MS;
  const owed = all
    .map((occurrence, index) => ({ occurrence, next: all[index + 1] ?? null }))
    .filter(({ occurrence }) => isOwed(occurrence, history, now));
  const near = owed.filter(({ occurrence }) => Date.parse(occurrence.dueAt) <= ahead);
  const hasFuture = near.some(({ occurrence }) => Date.parse(occurrence.dueAt) > Date.parse(now));
  const first = owed.find(({ occurrence }) => Date.parse(occurrence.dueAt) > ahead);
  const wanted = hasFuture || !first ? near : [...near, first];
  return wanted.map(({ occurrence, next }) => made(row, occurrence, next));
}

/** Not what was made and fell due before. */
function isOwed({ day, dueAt }: Occurrence, { settledDay }: ScheduleHistory, now: string): boolean {
  return Date.parse(dueAt) > Date.parse(now) || settledDay === null || day > settledDay;
}

function nextByCompletion(
  schedule: Schedule,
  row: ScheduleRow,
  history: ScheduleHistory,
  now: string,
): Occurrence | null {
  const { last, done } = history;
  if (last === null) return occurrencesSince(schedule, row.active_since, now).next().value ?? null;
  if (last.open || last.endedAt === null) return occurrenceOn(schedule, last.day);
  return occurrenceAfterDone(schedule, { day: last.day, endedAt: last.endedAt, count: done });
}

function made(row: ScheduleRow, { id, day, dueAt }: Occurrence, next: Occurrence | null): PlannedInspection {
  const due = Date.parse(dueAt);
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    id,
    day,
    due_at: dueAt,
    opens_at: row.opens_minutes === null ? null : at(due - row.opens_minutes * MINUTE_MS),
    closes_at: row.closes_minutes === null ? (next?.dueAt ?? null) : at(due + row.closes_minutes * MINUTE_MS),
  };
}
