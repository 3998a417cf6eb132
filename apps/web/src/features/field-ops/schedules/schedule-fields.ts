import {
  MAX_INTERVAL,
  parseRecurrence,
  printRecurrence,
  type Recurrence,
  type Weekday,
} from '@cairn/core/occurrences/recurrence.ts';
import { withLastDays } from '@cairn/core/occurrences/short-months.ts';
import type { ScheduleDraft } from '@cairn/core/schedules/save-schedule.ts';
import type { Row } from '@cairn/schema';

/** What stands in the form of a schedule: as typed, before it is a schedule. */
export type ScheduleFields = {
  title: string;
  formId: string;
  /** Empty for none. */
  siteId: string;
  assetId: string;
  /** `person/<id>`, `team/<id>`, or empty for anybody at the place. */
  who: string;
  every: Recurrence['every'];
  interval: number | null;
  weekdays: readonly Weekday[];
  /** What else the rule says, kept as it is. */
  rest: Partial<Recurrence>;
  startDay: string | null;
  dueTime: string | null;
  zone: string;
  until: string | null;
  basedOn: 'scheduled' | 'completed';
  /** Minutes; empty for none. */
  opens: string;
  closes: string;
};

export type FieldsProps = {
  fields: ScheduleFields;
  set: (change: Partial<ScheduleFields>) => void;
  /** Saving was tried: what is missing is said. */
  tried: boolean;
};

/** @param today YYYY-MM-DD */
export function freshFields(today: string, zone: string, siteId: string): ScheduleFields {
  return {
    title: '',
    formId: '',
    siteId,
    assetId: '',
    who: '',
    every: 'day',
    interval: 1,
    weekdays: [],
    rest: {},
    startDay: today,
    dueTime: '09:00',
    zone,
    until: null,
    basedOn: 'scheduled',
    opens: '',
    closes: '',
  };
}

export function fieldsOf(row: Row<'schedules'>): ScheduleFields {
  const read = parseRecurrence(row.recurrence);
  const {
    every,
    interval,
    weekdays = [],
    until,
    ...rest
  } = read.ok ? read.recurrence : { every: 'day' as const, interval: 1 };
  return {
    title: row.title,
    formId: row.form_id,
    siteId: row.site_id ?? '',
    assetId: row.asset_id ?? '',
    who: row.assigned_to ? `person/${row.assigned_to}` : row.assigned_team ? `team/${row.assigned_team}` : '',
    every,
    interval,
    weekdays,
    rest,
    startDay: row.start_day,
    dueTime: row.due_time,
    zone: row.zone,
    until: until ?? null,
    basedOn: row.based_on,
    opens: row.opens_minutes === null ? '' : String(row.opens_minutes),
    closes: row.closes_minutes === null ? '' : String(row.closes_minutes),
  };
}

function recurrenceOf({ every, interval, weekdays, rest, until }: ScheduleFields): Recurrence {
  const days = (every === 'week' || every === 'day') && weekdays.length > 0 ? { weekdays } : {};
  return withLastDays({ ...rest, every, interval: interval ?? 1, ...days, ...(until && { until }) });
}

export const isInterval = (interval: number | null): interval is number =>
  interval !== null && Number.isInteger(interval) && interval >= 1 && interval <= MAX_INTERVAL;

/** Whether its last day lies before its first: it would never come. */
export const endsEarly = ({ startDay, until }: Pick<ScheduleFields, 'startDay' | 'until'>): boolean =>
  startDay !== null && until !== null && until < startDay;

const partOf = (who: string, kind: string): string | null =>
  who.startsWith(`${kind}/`) ? who.slice(kind.length + 1) : null;

/** The schedule as it would be saved; null while something is missing or cannot be. */
export function draftOf(id: string, fields: ScheduleFields): ScheduleDraft | null {
  const { title, formId, startDay, dueTime, interval } = fields;
  if (title.trim() === '' || formId === '' || !startDay || !dueTime) return null;
  if (!isInterval(interval) || endsEarly(fields)) return null;
  return {
    id,
    title,
    form_id: formId,
    site_id: fields.siteId || null,
    asset_id: fields.assetId || null,
    assigned_to: partOf(fields.who, 'person'),
    assigned_team: partOf(fields.who, 'team'),
    recurrence: printRecurrence(recurrenceOf(fields)),
    start_day: startDay,
    due_time: dueTime,
    zone: fields.zone,
    based_on: fields.basedOn,
    opens_minutes: fields.opens === '' ? null : Number(fields.opens),
    closes_minutes: fields.closes === '' ? null : Number(fields.closes),
  };
}
