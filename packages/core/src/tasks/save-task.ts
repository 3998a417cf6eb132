import { Failure } from '@cairn/base/failure.ts';
import type { Draft, Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { cleanLabels } from './labels.ts';
import { followUp } from './save-series.ts';
import { dueFields, type TaskDue } from './task-due.ts';
import {
  isEnded,
  mayEnd,
  mayNameReviewer,
  mayMove,
  maySetDue,
  missingForDone,
  needsReason,
  type TaskPriority,
  type TaskStatus,
} from './task-status.ts';

export type CreateTask = {
  /** A fresh id. */
  id: string;
  organizationId: string;
  playbookId: string | null;
  title: string;
  notes?: string | null;
  priority?: TaskPriority;
  due?: TaskDue | null;
  assigneeId?: string | null;
  siteId?: string | null;
  parentId?: string | null;
  labels?: readonly string[];
  status?: TaskStatus;
  statusReason?: string | null;
  source?: Row<'tasks'>['source_type'];
  /** The record it comes from, where `source` says of which kind. */
  sourceId?: string;
  /** What it is called where it was brought from. */
  externalId?: string | null;
  /** YYYY-MM-DD. */
  startDay?: string | null;
  /** Minutes. */
  estimateMinutes?: number | null;
  by: string;
  /** ISO 8601. */
  at: string;
};

/** @throws {Failure} `invalid` without a title, or without the reason its state asks for */
export async function createTask(tx: WriteTx, task: CreateTask): Promise<void> {
  const title = task.title.trim();
  const status = task.status ?? 'todo';
  if (title === '') throw new Failure('invalid', `createTask: ${task.id} has no title`);
  await tx.put('tasks', {
    id: task.id,
    organization_id: task.organizationId,
    playbook_id: task.playbookId,
    site_id: task.siteId ?? null,
    parent_id: task.parentId ?? null,
    title: title.slice(0, 300),
    notes: task.notes?.trim() || null,
    priority: task.priority ?? 'none',
    ...dueFields(task.due ?? null),
    assignee_id: task.assigneeId ?? null,
    labels: cleanLabels(task.labels ?? []),
    source_type: task.source ?? 'manual',
    source_id: task.sourceId ?? null,
    ...(task.externalId !== undefined && { external_id: task.externalId }),
    ...(task.startDay !== undefined && { start_day: task.startDay }),
    ...(task.estimateMinutes !== undefined && { estimate_minutes: task.estimateMinutes }),
    created_by: task.by,
    ...statusFields(status, task.statusReason ?? null, task),
  });
}

/** What to change; what is left out stays. */
export type TaskChanges = {
  title?: string;
  notes?: string | null;
  status?: TaskStatus;
  /** Why it is blocked or not applicable. */
  reason?: string | null;
  priority?: TaskPriority;
  due?: TaskDue | null;
  /** YYYY-MM-DD. */
  startDay?: string | null;
  assigneeId?: string | null;
  reviewerId?: string | null;
  watcherIds?: readonly string[];
  labels?: readonly string[];
  needsIds?: readonly string[];
  /** Minutes. */
  estimateMinutes?: number | null;
  evidenceRequired?: boolean;
};

/** `manages`: whether the person holds `task.manage`. `at`: ISO 8601. */
export type ChangeTask = { id: string; changes: TaskChanges; by: string; manages: boolean; at: string };

/**
 * Changes a task.
 *
 * @throws {Failure} `not_found`; `invalid` for an empty title or where "done" misses its evidence, a step or its reviewer, or a
 * state its reason; `stale_version` for a move its state does not allow; `not_allowed` for an end or a day that is its reviewer's,
 * and for a reviewer once work has begun
 */
export async function changeTask(tx: WriteTx, { id, changes, by, manages, at }: ChangeTask): Promise<void> {
  const task = await tx.get('tasks', id);
  if (!task || task.deleted_at !== null) throw new Failure('not_found', `changeTask: no task ${id}`);
  if (changes.title?.trim() === '') throw new Failure('invalid', `changeTask: ${id} would have no title`);
  const { status } = changes;
  if (status !== undefined && !mayMove(task.status, status)) {
    throw new Failure('stale_version', `changeTask: ${id} cannot go from ${task.status} to ${status}`);
  }
  if (status === 'done' && task.status !== 'done') {
    const steps = await tx.range('task_items', 'task', `${id}/`, `${id}/\uffff`);
    const missing = missingForDone(task, steps, { by, manages });
    if (missing.length > 0) throw new Failure('invalid', `changeTask: ${id} misses ${missing.join(', ')}`);
  }
  const ends = status !== undefined && isEnded(status) && status !== task.status;
  if ((ends && !mayEnd(task, by, manages)) || (changes.due !== undefined && !maySetDue(task, by, manages))) {
    throw new Failure('not_allowed', `changeTask: that of ${id} is its reviewer's`);
  }
  if (
    changes.reviewerId !== undefined &&
    changes.reviewerId !== task.reviewer_id &&
    !mayNameReviewer(task, by, manages)
  ) {
    throw new Failure('not_allowed', `changeTask: who reviews ${id} stays`);
  }
  const fields = {
    ...plainFields(changes),
    ...(status !== undefined && status !== task.status && statusFields(status, changes.reason ?? null, { by, at })),
  };
  if (Object.keys(fields).length > 0) await tx.change('tasks', id, fields);
  if (status !== undefined && isEnded(status) && !isEnded(task.status)) await followUp(tx, task, { by, at });
}

function plainFields(changes: TaskChanges): Partial<Draft<'tasks'>> {
  return {
    ...(changes.title !== undefined && { title: changes.title.trim().slice(0, 300) }),
    ...(changes.notes !== undefined && { notes: changes.notes?.trim() || null }),
    ...(changes.priority !== undefined && { priority: changes.priority }),
    ...(changes.due !== undefined && dueFields(changes.due)),
    ...(changes.startDay !== undefined && { start_day: changes.startDay }),
    ...(changes.assigneeId !== undefined && { assignee_id: changes.assigneeId }),
    ...(changes.reviewerId !== undefined && { reviewer_id: changes.reviewerId }),
    ...(changes.watcherIds !== undefined && { watcher_ids: [...new Set(changes.watcherIds)] }),
    ...(changes.labels !== undefined && { labels: cleanLabels(changes.labels) }),
    ...(changes.needsIds !== undefined && { needs_ids: [...new Set(changes.needsIds)] }),
    ...(changes.estimateMinutes !== undefined && { estimate_minutes: changes.estimateMinutes }),
    ...(changes.evidenceRequired !== undefined && { evidence_required: changes.evidenceRequired }),
  };
}

function statusFields(status: TaskStatus, reason: string | null, { by, at }: { by: string; at: string }) {
  const why = reason?.trim().slice(0, 2000) || null;
  if (needsReason(status) && why === null) throw new Failure('invalid', `a task that is ${status} needs a reason`);
  const ended = isEnded(status);
  return {
    status,
    status_reason: needsReason(status) ? why : null,
    ended_at: ended ? at : null,
    ended_by: ended ? by : null,
  };
}

/** Takes a task away. Its sub-tasks stand alone from then on. @throws {Failure} `not_found` */
export async function removeTask(tx: WriteTx, id: string): Promise<void> {
  const task = await tx.get('tasks', id);
  if (!task || task.deleted_at !== null) throw new Failure('not_found', `removeTask: no task ${id}`);
  await tx.remove('tasks', id);
}
