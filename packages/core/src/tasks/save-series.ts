import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import { addDays } from '@cairn/base/local-day.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Draft, Row } from '@cairn/schema';
import type { Tx, WriteTx } from '@cairn/sync/store.ts';
import { parseRecurrence, printRecurrence } from '../occurrences/recurrence.ts';
import { readSchedule } from '../occurrences/read-schedule.ts';
import { ruleWithLastDays, withLastDays } from '../occurrences/short-months.ts';
import { ruleFrom } from '../occurrences/split-rule.ts';
import { type Occurrence, occurrenceAfterDone } from '../occurrences/schedule.ts';
import { cleanLabels } from './labels.ts';
import { nextDates } from '../occurrences/next-dates.ts';
import { dueFields } from './task-due.ts';
import type { TaskPriority } from './task-status.ts';

/** How many tasks of a new series a device makes itself; the server makes those of 13 months. */
const PREDICTED = 4;
/** Of a series, as the server bounds them. */
const MAX_STEPS = 50;

export type SeriesStep = { title: string; required: boolean };

export type CreateSeries = {
  /** A fresh id. */
  id: string;
  organizationId: string;
  playbookId: string | null;
  title: string;
  notes?: string | null;
  priority?: TaskPriority;
  labels?: readonly string[];
  assigneeId?: string | null;
  /** Who looks at each when it is done. */
  reviewerId?: string | null;
  evidenceRequired?: boolean;
  estimateMinutes?: number | null;
  /** What each begins with, in their order; at most 50. */
  steps?: readonly SeriesStep[];
  siteId?: string | null;
  /** RRULE. */
  recurrence: string;
  /** YYYY-MM-DD. */
  startDay: string;
  /** HH:MM; null: by the end of the day. */
  time: string | null;
  /** IANA name. */
  zone: string;
  basedOn?: Row<'task_series'>['based_on'];
  by: string;
  /** ISO 8601. */
  at: string;
};

/**
 * Makes a series and its next tasks, with the ids the server gives them too.
 *
 * @throws {Failure} `invalid` without a title, with a rule that cannot be read, or one that has no day left
 */
export async function createSeries(tx: WriteTx, series: CreateSeries): Promise<void> {
  const title = series.title.trim().slice(0, 300);
  if (title === '') throw new Failure('invalid', `createSeries: ${series.id} has no title`);
  if (!parseRecurrence(series.recurrence).ok) throw new Failure('invalid', `createSeries: ${series.id} has no rule`);
  const row = {
    id: series.id,
    organization_id: series.organizationId,
    playbook_id: series.playbookId,
    site_id: series.siteId ?? null,
    title,
    notes: series.notes?.trim() || null,
    priority: series.priority ?? 'none',
    labels: cleanLabels(series.labels ?? []),
    assignee_id: series.assigneeId ?? null,
    reviewer_id: series.reviewerId ?? null,
    evidence_required: series.evidenceRequired ?? false,
    estimate_minutes: series.estimateMinutes ?? null,
    steps: [...(series.steps ?? [])].slice(0, MAX_STEPS),
    recurrence: ruleWithLastDays(series.recurrence, series.startDay),
    start_day: series.startDay,
    due_time: series.time,
    zone: series.zone,
    based_on: series.basedOn ?? 'scheduled',
    created_by: series.by,
  } satisfies Draft<'task_series'>;
  const next = nextDates(row, series.at, row.based_on === 'completed' ? 1 : PREDICTED);
  if (next.length === 0) throw new Failure('invalid', `createSeries: ${series.id} has no day left`);
  await tx.put('task_series', row);
  for (const occurrence of next) await putOccurrence(tx, row, occurrence, series.by);
}

type SeriesFields = Pick<
  Row<'task_series'>,
  | 'id'
  | 'organization_id'
  | 'playbook_id'
  | 'site_id'
  | 'title'
  | 'notes'
  | 'priority'
  | 'assignee_id'
  | 'due_time'
  | 'zone'
> &
  Pick<Row<'task_series'>, 'reviewer_id' | 'evidence_required' | 'estimate_minutes' | 'labels' | 'steps'> &
  Partial<Pick<Row<'task_series'>, 'created_by'>>;

async function putOccurrence(tx: WriteTx, series: SeriesFields, { id, day }: Occurrence, by: string): Promise<void> {
  if (await tx.get('tasks', id)) return;
  await tx.put('tasks', {
    id,
    organization_id: series.organization_id,
    playbook_id: series.playbook_id,
    site_id: series.site_id,
    title: series.title,
    notes: series.notes,
    priority: series.priority,
    labels: series.labels,
    assignee_id: series.assignee_id,
    reviewer_id: series.reviewer_id,
    evidence_required: series.evidence_required,
    estimate_minutes: series.estimate_minutes,
    ...dueFields({ day, time: series.due_time, zone: series.zone }),
    series_id: series.id,
    occurs_on: day,
    // Whose the series is, as the server says.
    created_by: series.created_by ?? by,
  });
  for (const step of stepsIn(series)) {
    await tx.put('task_items', {
      id: derivedId(id, `step/${step.position}`),
      organization_id: series.organization_id,
      task_id: id,
      ...step,
      created_by: by,
    });
  }
}

/** The steps of a series, by their places among all; what has no words is none, as on the server. */
function stepsIn({ steps }: Pick<Row<'task_series'>, 'steps'>): (SeriesStep & { position: number })[] {
  const all = Array.isArray(steps) ? steps : [];
  return all.flatMap((step, position) => {
    const { title, required } = Object(step) as { title?: unknown; required?: unknown };
    return typeof title === 'string' && title.trim() !== '' ? [{ title, required: required === true, position }] : [];
  });
}

/**
 * Makes the task that follows one that was just ended, where its series counts from completion.
 *
 * @param at when it ended, ISO 8601
 */
export async function followUp(tx: WriteTx, task: Row<'tasks'>, { by, at }: { by: string; at: string }): Promise<void> {
  if (task.series_id === null || task.occurs_on === null) return;
  const series = await tx.get('task_series', task.series_id);
  if (!series || series.deleted_at !== null || series.state !== 'active' || series.based_on !== 'completed') return;
  const schedule = readSchedule(series);
  const made = await tx.range('tasks', 'series', `${series.id}/`, `${series.id}/\uffff`);
  const done = made.filter(each => each.ended_at !== null && each.deleted_at === null).length;
  const next = schedule && occurrenceAfterDone(schedule, { day: task.occurs_on, endedAt: at, count: done });
  if (!next) return;
  await putOccurrence(tx, series, next, by);
}

/** Ends a series on the day before `from` (YYYY-MM-DD): what nobody began from then on goes. @throws {Failure} `not_found` */
export async function endSeries(tx: WriteTx, id: string, from: string): Promise<void> {
  const series = await tx.get('task_series', id);
  if (!series || series.deleted_at !== null) throw new Failure('not_found', `endSeries: no series ${id}`);
  const read = parseRecurrence(series.recurrence);
  const until = addDays(from, -1);
  if (!read.ok || until < series.start_day) {
    await tx.change('task_series', id, { state: 'ended' });
  } else {
    const { count: _, ...rule } = read.recurrence;
    await tx.change('task_series', id, { recurrence: printRecurrence({ ...rule, until }) });
  }
  const later = await tx.range('tasks', 'series', `${id}/${from}`, `${id}/\uffff`);
  for (const task of later) if (task.status === 'todo' && task.deleted_at === null) await tx.remove('tasks', task.id);
}

export type ChangeFollowing = {
  seriesId: string;
  /** The day from which the change holds, YYYY-MM-DD. */
  from: string;
  /** Of the series that goes on from there. A fresh one. */
  newId: string;
  changes: Partial<Pick<CreateSeries, 'title' | 'recurrence' | 'time' | 'basedOn'>>;
  /** What follows has everything else as this task of the series has it, its steps included. */
  likeTaskId?: string | null;
  by: string;
  /** ISO 8601. */
  at: string;
};

/**
 * Changes a task of a series and all that follow it: the series ends the day before, another one goes on from there. What was
 * done stays with the first.
 *
 * @throws {Failure} `not_found`; `invalid` as in `createSeries`
 */
export async function changeFollowing(tx: WriteTx, change: ChangeFollowing): Promise<void> {
  const series = await tx.get('task_series', change.seriesId);
  if (!series || series.deleted_at !== null) throw new Failure('not_found', `changeFollowing: no ${change.seriesId}`);
  const like = change.likeTaskId ? await likeTask(tx, change.likeTaskId) : null;
  await endSeries(tx, series.id, change.from);
  await createSeries(tx, {
    id: change.newId,
    organizationId: series.organization_id,
    playbookId: series.playbook_id,
    siteId: series.site_id,
    ...(like ?? likeSeries(series)),
    startDay: change.from,
    time: series.due_time,
    zone: series.zone,
    basedOn: series.based_on,
    by: change.by,
    at: change.at,
    ...change.changes,
    recurrence: recurrenceFrom(series, change),
  });
}

/** How a series goes on from a day; one that counts from completion begins to count anew. */
function recurrenceFrom(series: Row<'task_series'>, { from, changes }: ChangeFollowing): string {
  const text = changes.recurrence ?? series.recurrence;
  const [was, next] = [parseRecurrence(series.recurrence), parseRecurrence(text)];
  if (!was.ok || !next.ok || series.based_on === 'completed') return text;
  const split = { rule: withLastDays(was.recurrence), start: series.start_day, from };
  return printRecurrence(ruleFrom(split, withLastDays(next.recurrence)));
}

type Likeness = Pick<
  CreateSeries,
  | 'title'
  | 'notes'
  | 'priority'
  | 'labels'
  | 'assigneeId'
  | 'reviewerId'
  | 'evidenceRequired'
  | 'estimateMinutes'
  | 'steps'
>;

const likenessOf = (row: Row<'tasks'> | Row<'task_series'>): Omit<Likeness, 'steps'> => ({
  title: row.title,
  notes: row.notes,
  priority: row.priority,
  labels: textsIn(row.labels),
  assigneeId: row.assignee_id,
  reviewerId: row.reviewer_id,
  evidenceRequired: row.evidence_required,
  estimateMinutes: row.estimate_minutes,
});

const likeSeries = (series: Row<'task_series'>): Likeness => ({
  ...likenessOf(series),
  steps: stepsIn(series).map(({ title, required }) => ({ title, required })),
});

/** @throws {Failure} `not_found` */
async function likeTask(tx: Tx, id: string): Promise<Likeness> {
  const task = await tx.get('tasks', id);
  if (!task || task.deleted_at !== null) throw new Failure('not_found', `changeFollowing: no task ${id}`);
  const items = await tx.range('task_items', 'task', `${id}/`, `${id}/\uffff`);
  const steps = items
    .filter(item => item.deleted_at === null)
    .toSorted((a, b) => a.position - b.position)
    .map(({ title, required }) => ({ title, required }));
  return { ...likenessOf(task), steps };
}
