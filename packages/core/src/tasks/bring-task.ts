import { Failure } from '@cairn/base/failure.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Row } from '@cairn/schema';
import type { Tx, WriteTx } from '@cairn/sync/store.ts';
import { changeTask, createTask, type TaskChanges } from './save-task.ts';
import { mayMove } from './task-status.ts';
import type { BroughtTask } from './tasks-csv.ts';

type Bringing = {
  task: BroughtTask;
  /** For a new one. */
  id: string;
  organizationId: string;
  playbookId: string | null;
  by: string;
  /** Holds `task.manage`. */
  manages: boolean;
  /** ISO 8601. */
  at: string;
};

/** What became of one row. */
export type Brought = 'made' | 'changed' | 'same';

/** The task a row stands for: brought with that external id before by the same person, or of that id. */
async function present(tx: Tx, { task, organizationId, by }: Bringing): Promise<Row<'tasks'> | undefined> {
  if (task.externalId === null) return undefined;
  const named = await tx.range('tasks', 'external', task.externalId, task.externalId);
  const isIt = (row: Row<'tasks'>) => row.deleted_at === null && row.organization_id === organizationId;
  const own = named.find(row => isIt(row) && row.created_by === by);
  if (own) return own;
  const same = await tx.get('tasks', task.externalId);
  return same && isIt(same) ? same : undefined;
}

/**
 * Makes the task of one row, or changes the one it stands for where it differs: the same file brought twice changes nothing.
 *
 * @throws {Failure} as `createTask` and `changeTask` do; `stale_version` for a state that does not follow from the present one
 */
export async function bringTask(tx: WriteTx, bringing: Bringing): Promise<Brought> {
  const { task, id, organizationId, playbookId, by, manages, at } = bringing;
  const known = await present(tx, bringing);
  if (!known) {
    const { reason, externalId, startDay, estimateMinutes, ...rest } = task;
    await createTask(tx, {
      ...rest,
      statusReason: reason ?? null,
      source: 'import',
      id,
      organizationId,
      playbookId,
      by,
      at,
    });
    const more = {
      ...(externalId !== null && { external_id: externalId }),
      ...(startDay !== undefined && { start_day: startDay }),
      ...(estimateMinutes !== undefined && { estimate_minutes: estimateMinutes }),
    };
    if (Object.keys(more).length > 0) await tx.change('tasks', id, more);
    return 'made';
  }
  const changes = differing(known, task);
  if (Object.keys(changes).length === 0) return 'same';
  if (changes.status !== undefined && !mayMove(known.status, changes.status))
    throw new Failure('stale_version', `bringTask: ${known.id} cannot go to ${changes.status}`);
  await changeTask(tx, { id: known.id, changes, by, manages, at });
  return 'changed';
}

function differing(known: Row<'tasks'>, task: BroughtTask): TaskChanges {
  const { due } = task;
  const sameDue =
    due === undefined ||
    (known.due_day === (due?.day ?? null) &&
      known.due_time === (due?.time ?? null) &&
      (due === null || known.due_zone === due.zone));
  return {
    ...(task.title !== known.title && { title: task.title }),
    ...(task.notes !== undefined && task.notes !== known.notes && { notes: task.notes }),
    ...(task.status !== undefined &&
      task.status !== known.status && { status: task.status, reason: task.reason ?? null }),
    ...(task.priority !== undefined && task.priority !== known.priority && { priority: task.priority }),
    ...(!sameDue && due !== undefined && { due }),
    ...(task.startDay !== undefined && task.startDay !== known.start_day && { startDay: task.startDay }),
    ...(task.assigneeId !== undefined && task.assigneeId !== known.assignee_id && { assigneeId: task.assigneeId }),
    ...(task.labels !== undefined &&
      task.labels.join('\n') !== textsIn(known.labels).join('\n') && { labels: task.labels }),
    ...(task.estimateMinutes !== undefined &&
      task.estimateMinutes !== known.estimate_minutes && { estimateMinutes: task.estimateMinutes }),
  };
}
