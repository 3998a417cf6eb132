import { Failure } from '@cairn/base/failure.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx, WriteTx } from '@cairn/sync/store.ts';
import type { ImportTask } from './csv-row.ts';
import { createTask, removeTask, type TaskChanges } from './save-task.ts';
import {
  changedSince,
  changeTaskForNow,
  takeBack,
  taskFields,
  valuesOf,
  type TaskChange,
  type TaskField,
} from './take-back.ts';
import { mayMove } from './task-status.ts';

type ImportContext = {
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
 * What became of one row. `change`: what a changed task was before, and was given; `gave`: what a task was made with; `kept`: here already and left alone or the same; `refused`: its
 * present state does not allow the change.
 */
export type TaskImportResult =
  | { result: 'made'; id: string; gave: TaskChanges }
  | { result: 'changed'; id: string; change: TaskChange }
  | { result: 'kept'; id: string }
  | { result: 'refused' };

type ImportOwner = Pick<ImportContext, 'organizationId' | 'by'>;

const isHere = (row: Row<'tasks'> | undefined, { organizationId }: ImportOwner): row is Row<'tasks'> =>
  row !== undefined && row.deleted_at === null && row.organization_id === organizationId;

/** The task a row stands for: the one it names, or the one the same person brought under that name before. */
async function present(tx: Tx, task: ImportTask, whose: ImportOwner): Promise<Row<'tasks'> | undefined> {
  const named = task.taskId === null ? undefined : await tx.get('tasks', task.taskId);
  if (isHere(named, whose)) return named;
  if (task.externalId === null) return undefined;
  const rows = await tx.range('tasks', 'external', task.externalId, task.externalId);
  return rows.find(row => isHere(row, whose) && row.created_by === whose.by);
}

/** How many of these rows stand for tasks that are here already. @param key names the reading of the file */
export const presentCount = (rows: readonly ImportTask[], whose: ImportOwner, key: string): Query<number> => ({
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
export async function bringTasks(
  tx: WriteTx,
  tasks: readonly ImportTask[],
  bringing: ImportContext,
): Promise<TaskImportResult[]> {
  // Asked for together: one after the other, a thousand rows would take a thousand trips to the database.
  const known = await Promise.all(tasks.map(task => present(tx, task, bringing)));
  const results: TaskImportResult[] = [];
  for (const [index, task] of tasks.entries()) results.push(await bringOne(tx, known[index], { task, bringing }));
  return results;
}

type RowImport = { task: ImportTask; bringing: ImportContext };

async function bringOne(tx: WriteTx, known: Row<'tasks'> | undefined, bring: RowImport): Promise<TaskImportResult> {
  try {
    if (!known) return await made(tx, await make(tx, bring));
    if (bring.bringing.known === 'leave') return { result: 'kept', id: known.id };
    return await changeKnown(tx, known, bring);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'storage_full') throw error;
    return { result: 'refused' };
  }
}

async function made(tx: WriteTx, id: string): Promise<TaskImportResult> {
  const row = await tx.get('tasks', id);
  if (!row) throw new Failure('not_found', `bringTasks: no task ${id}`);
  return { result: 'made', id, gave: valuesOf(row, taskFields) };
}

async function make(tx: WriteTx, { task, bringing }: RowImport): Promise<string> {
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
async function changeKnown(tx: WriteTx, known: Row<'tasks'>, { task, bringing }: RowImport): Promise<TaskImportResult> {
  const { by, manages, at } = bringing;
  const changes = differing(known, task);
  if (Object.keys(changes).length === 0) return { result: 'kept', id: known.id };
  if (changes.status !== undefined && !mayMove(known.status, changes.status)) return { result: 'refused' };
  const change = await changeTaskForNow(tx, { id: known.id, changes, by, manages, at });
  return { result: 'changed', id: known.id, change };
}

function differing(known: Row<'tasks'>, task: ImportTask): TaskChanges {
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

type UndoContext = Pick<ImportContext, 'by' | 'manages' | 'at'>;

/** A task of which an import was not taken back, or not wholly. */
export type LeftTask = {
  title: string;
  /** What somebody changed since; none where the task itself could not go back. */
  fields: TaskField[];
};

/**
 * Takes back what an import did: what it made goes unless somebody changed it since, and of what it changed goes back what is
 * still as the import left it.
 *
 * @returns what stays as somebody changed, ended or moved it meanwhile
 */
export async function undoImport(
  tx: WriteTx,
  imported: readonly TaskImportResult[],
  undoing: UndoContext,
): Promise<LeftTask[]> {
  const left: LeftTask[] = [];
  for (const each of imported) left.push(...(await undoOne(tx, each, undoing)));
  return left;
}

async function undoOne(tx: WriteTx, each: TaskImportResult, undoing: UndoContext): Promise<LeftTask[]> {
  if (each.result !== 'made' && each.result !== 'changed') return [];
  const task = await tx.get('tasks', each.id);
  // Gone already: nothing of the import is left of it.
  if (!task || task.deleted_at !== null) return [];
  const { title } = task;
  try {
    const fields = each.result === 'made' ? changedSince(task, each.gave) : await takeBack(tx, each.change, undoing);
    if (each.result === 'made' && fields.length === 0) await removeTask(tx, each.id);
    return fields.length > 0 ? [{ title, fields }] : [];
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'storage_full') throw error;
    return [{ title, fields: [] }];
  }
}
