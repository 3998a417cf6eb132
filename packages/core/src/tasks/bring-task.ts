import { Failure } from '@cairn/base/failure.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx, WriteTx } from '@cairn/sync/store.ts';
import type { BroughtTask } from './csv-row.ts';
import { changeTask, createTask, removeTask, type TaskChanges } from './save-task.ts';
import { mayMove } from './task-status.ts';

type Bringing = {
  organizationId: string;
  playbookId: string | null;
  by: string;
  /** Holds `task.manage`. */
  manages: boolean;
  /** What becomes of a row whose task is here already. */
  known: 'leave' | 'change';
  newId: () => string;
  /** ISO 8601. */
  at: string;
};

/**
 * What became of one row. `back`: what a changed task was before; `kept`: here already and left alone or the same; `refused`: its
 * present state does not allow the change.
 */
export type Brought =
  | { result: 'made'; id: string }
  | { result: 'changed'; id: string; back: TaskChanges }
  | { result: 'kept'; id: string }
  | { result: 'refused' };

type Whose = Pick<Bringing, 'organizationId' | 'by'>;

const isHere = (row: Row<'tasks'> | undefined, { organizationId }: Whose): row is Row<'tasks'> =>
  row !== undefined && row.deleted_at === null && row.organization_id === organizationId;

/** The task a row stands for: the one it names, or the one the same person brought under that name before. */
async function present(tx: Tx, task: BroughtTask, whose: Whose): Promise<Row<'tasks'> | undefined> {
  const named = task.taskId === null ? undefined : await tx.get('tasks', task.taskId);
  if (isHere(named, whose)) return named;
  if (task.externalId === null) return undefined;
  const rows = await tx.range('tasks', 'external', task.externalId, task.externalId);
  return rows.find(row => isHere(row, whose) && row.created_by === whose.by);
}

/** How many of these rows stand for tasks that are here already. @param key names the reading of the file */
export const presentCount = (rows: readonly BroughtTask[], whose: Whose, key: string): Query<number> => ({
  key: `tasks/presentCount/${key}`,
  tables: ['tasks'],
  async read(tx) {
    const found = await Promise.all(rows.map(task => present(tx, task, whose)));
    return found.filter(row => row !== undefined).length;
  },
});

/**
 * Brings some rows in one write. One that is refused keeps no other from being taken: it is refused before anything of it is
 * written.
 *
 * @throws {Failure} `storage_full`: then nothing of this write is kept
 */
export async function bringTasks(tx: WriteTx, tasks: readonly BroughtTask[], bringing: Bringing): Promise<Brought[]> {
  // Asked for together: one after the other, a thousand rows would take a thousand trips to the database.
  const known = await Promise.all(tasks.map(task => present(tx, task, bringing)));
  const results: Brought[] = [];
  for (const [index, task] of tasks.entries()) results.push(await bringOne(tx, known[index], { task, bringing }));
  return results;
}

type Bring = { task: BroughtTask; bringing: Bringing };

async function bringOne(tx: WriteTx, known: Row<'tasks'> | undefined, bring: Bring): Promise<Brought> {
  try {
    if (!known) return { result: 'made', id: await make(tx, bring) };
    if (bring.bringing.known === 'leave') return { result: 'kept', id: known.id };
    return await changeKnown(tx, known, bring);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'storage_full') throw error;
    return { result: 'refused' };
  }
}

async function make(tx: WriteTx, { task, bringing }: Bring): Promise<string> {
  const { organizationId, playbookId, by, at } = bringing;
  const { taskId: _, reason, steps = [], ...rest } = task;
  const id = bringing.newId();
  const whole = { ...rest, statusReason: reason ?? null, source: 'import' as const };
  await createTask(tx, { ...whole, id, organizationId, playbookId, by, at });
  for (const [position, { title, required, done }] of steps.entries()) {
    await tx.put('task_items', {
      id: bringing.newId(),
      organization_id: organizationId,
      task_id: id,
      title,
      required,
      position,
      created_by: by,
      done_at: done ? at : null,
      done_by: done ? by : null,
    });
  }
  return id;
}

/** Changes what differs; its steps and its place stay. */
async function changeKnown(tx: WriteTx, known: Row<'tasks'>, { task, bringing }: Bring): Promise<Brought> {
  const { by, manages, at } = bringing;
  const changes = differing(known, task);
  if (Object.keys(changes).length === 0) return { result: 'kept', id: known.id };
  if (changes.status !== undefined && !mayMove(known.status, changes.status)) return { result: 'refused' };
  await changeTask(tx, { id: known.id, changes, by, manages, at });
  return { result: 'changed', id: known.id, back: asBefore(known, changes) };
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

/** What gives a task back what `changes` took from it. */
function asBefore(known: Row<'tasks'>, changes: TaskChanges): TaskChanges {
  const { due_day: day, due_time: time, due_zone: zone } = known;
  return {
    ...(changes.title !== undefined && { title: known.title }),
    ...(changes.notes !== undefined && { notes: known.notes }),
    ...(changes.status !== undefined && { status: known.status, reason: known.status_reason }),
    ...(changes.priority !== undefined && { priority: known.priority }),
    ...(changes.due !== undefined && { due: day === null ? null : { day, time, zone: zone ?? 'UTC' } }),
    ...(changes.startDay !== undefined && { startDay: known.start_day }),
    ...(changes.assigneeId !== undefined && { assigneeId: known.assignee_id }),
    ...(changes.labels !== undefined && { labels: textsIn(known.labels) }),
    ...(changes.estimateMinutes !== undefined && { estimateMinutes: known.estimate_minutes }),
  };
}

type Undoing = Pick<Bringing, 'by' | 'manages' | 'at'>;

/**
 * Takes back what an import did: what it made goes, what it changed is as before, its state where that may be left again.
 *
 * @returns how many stay as the import left them, since somebody ended, removed or moved them meanwhile
 */
export async function undoBrought(tx: WriteTx, brought: readonly Brought[], undoing: Undoing): Promise<number> {
  let left = 0;
  for (const each of brought) if (!(await undoOne(tx, each, undoing))) left += 1;
  return left;
}

async function undoOne(tx: WriteTx, each: Brought, { by, manages, at }: Undoing): Promise<boolean> {
  if (each.result !== 'made' && each.result !== 'changed') return true;
  const task = await tx.get('tasks', each.id);
  // Gone already: nothing of the import is left of it.
  if (!task || task.deleted_at !== null) return true;
  try {
    if (each.result === 'made') await removeTask(tx, each.id);
    else {
      const { status, reason: _, ...rest } = each.back;
      const goesBack = status === undefined || mayMove(task.status, status);
      const changes = goesBack ? each.back : rest;
      await changeTask(tx, { id: each.id, changes, by, manages, at });
      return goesBack;
    }
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'storage_full') throw error;
    return false;
  }
}
