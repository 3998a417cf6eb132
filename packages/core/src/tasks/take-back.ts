import { Failure } from '@cairn/base/failure.ts';
import { splitTakeBack } from '@cairn/base/take-back.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { changeTask, type ChangeTask, type TaskChanges } from './save-task.ts';
import { mayMove } from './task-status.ts';

/** What of a task goes back or stays by itself: a due date is one thing, and so is a state with its reason. */
export const taskFields = [
  'title',
  'notes',
  'status',
  'priority',
  'due',
  'startDay',
  'assigneeId',
  'reviewerId',
  'watcherIds',
  'labels',
  'needsIds',
  'estimateMinutes',
  'evidenceRequired',
] as const satisfies readonly (keyof TaskChanges)[];
export type TaskField = (typeof taskFields)[number];

/** What one change gave the fields of a task, and what they were before. */
export type TaskChange = { id: string; was: TaskChanges; gave: TaskChanges };

const readers: { [Field in TaskField]: (row: Row<'tasks'>) => Pick<TaskChanges, Field | 'reason'> } = {
  title: row => ({ title: row.title }),
  notes: row => ({ notes: row.notes }),
  status: row => ({ status: row.status, reason: row.status_reason }),
  priority: row => ({ priority: row.priority }),
  due: ({ due_day: day, due_time: time, due_zone: zone }) => ({
    due: day === null ? null : { day, time, zone: zone ?? 'UTC' },
  }),
  startDay: row => ({ startDay: row.start_day }),
  assigneeId: row => ({ assigneeId: row.assignee_id }),
  reviewerId: row => ({ reviewerId: row.reviewer_id }),
  watcherIds: row => ({ watcherIds: textsIn(row.watcher_ids) }),
  labels: row => ({ labels: textsIn(row.labels) }),
  needsIds: row => ({ needsIds: textsIn(row.needs_ids) }),
  estimateMinutes: row => ({ estimateMinutes: row.estimate_minutes }),
  evidenceRequired: row => ({ evidenceRequired: row.evidence_required }),
};

/** These fields of a task as it is. */
export const valuesOf = (row: Row<'tasks'>, fields: readonly TaskField[]): TaskChanges =>
  Object.assign({}, ...fields.map(field => readers[field](row)));

const isSame = (one: TaskChanges, other: TaskChanges, field: TaskField): boolean =>
  JSON.stringify(one[field] ?? null) === JSON.stringify(other[field] ?? null) &&
  (field !== 'status' || (one.reason ?? null) === (other.reason ?? null));

/** Which of the fields a task was given are others by now. */
export const changedSince = (row: Row<'tasks'>, gave: TaskChanges): TaskField[] =>
  taskFields.filter(field => gave[field] !== undefined && !isSame(valuesOf(row, [field]), gave, field));

/**
 * Changes a task, and answers what is needed to take exactly that back.
 *
 * @throws {Failure} as `changeTask` does
 */
export async function changeTaskForNow(tx: WriteTx, change: ChangeTask): Promise<TaskChange> {
  const { id, changes } = change;
  const before = await tx.get('tasks', id);
  await changeTask(tx, change);
  const after = await tx.get('tasks', id);
  if (!before || !after) throw new Failure('not_found', `changeTaskForNow: no task ${id}`);
  const fields = taskFields.filter(field => changes[field] !== undefined);
  return { id, was: valuesOf(before, fields), gave: valuesOf(after, fields) };
}

/**
 * Takes a change of a task back: only fields that still have what the change gave them. What somebody changed since stays theirs, and
 * so does a state that cannot be left for the one before.
 *
 * @returns the fields that stay as they are
 * @throws {Failure} `not_found`, and whatever `changeTask` refuses of the rest
 */
export async function takeBack(
  tx: WriteTx,
  { id, was, gave }: TaskChange,
  { by, manages, at }: Pick<ChangeTask, 'by' | 'manages' | 'at'>,
): Promise<TaskField[]> {
  const task = await tx.get('tasks', id);
  if (!task || task.deleted_at !== null) throw new Failure('not_found', `takeBack: no task ${id}`);
  const given = taskFields.filter(field => gave[field] !== undefined);
  const { back, left } = splitTakeBack(
    given,
    { was, gave, now: valuesOf(task, given) },
    {
      isSame,
      mayReturn: field => field !== 'status' || was.status === undefined || mayMove(task.status, was.status),
    },
  );
  const changes: TaskChanges = Object.fromEntries(back.map(field => [field, was[field]]));
  if (back.includes('status')) changes.reason = was.reason ?? null;
  if (back.length > 0) await changeTask(tx, { id, changes, by, manages, at });
  return left;
}
