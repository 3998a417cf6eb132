import { compareCodes } from '@cairn/base/order.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { renewedRows } from '../renewed-rows.ts';
import { inSpace, type Space, spaceKey } from '../spaces/space.ts';
import { isEnded } from './task-status.ts';

type DueItem = { due_at: string | null; id: string };
const msOf = ({ due_at: due }: DueItem): number => (due === null ? Number.MAX_SAFE_INTEGER : Date.parse(due));

/** The earliest due first, those without a date last. */
export const byTaskDue = (a: DueItem, b: DueItem): number => msOf(a) - msOf(b) || compareCodes(a.id, b.id);

/** Open tasks that somebody has to do, or that they made and nobody has, by due date. */
export const openTasksOf = (tx: Tx, userId: string): Promise<Row<'tasks'>[]> =>
  tx.range('tasks', 'whose', `${userId}/`, `${userId}/\uffff`);

/** Tasks a person ended from `since` (ISO 8601) on. */
export async function tasksEndedBy(tx: Tx, space: Space, userId: string, since: string): Promise<Row<'tasks'>[]> {
  const { organizationId } = space;
  const rows = await tx.range('tasks', 'ended', `${organizationId}/${since}`, `${organizationId}/\uffff`);
  return rows.filter(row => row.ended_by === userId && row.status === 'done' && inSpace(row, space));
}

/** Open tasks of a space, the earliest due first. */
export function openTasks(space: Space): Query<Row<'tasks'>[]> {
  const { organizationId } = space;
  return {
    key: `tasks/openTasks/${spaceKey(space)}`,
    tables: ['tasks'],
    async read(tx) {
      const rows = await tx.range('tasks', 'open', `${organizationId}/`, `${organizationId}/\uffff`);
      return rows.filter(row => inSpace(row, space)).toSorted(byTaskDue);
    },
    renew: (before, changed, tx) =>
      renewedRows(tx, before, changed, {
        table: 'tasks',
        belongs: row => !isEnded(row.status) && inSpace(row, space),
        order: byTaskDue,
      }),
  };
}

/** Ended tasks of a space, ended last first. @param limit how many at most */
export function endedTasks(space: Space, limit: number): Query<Row<'tasks'>[]> {
  return {
    key: `tasks/endedTasks/${spaceKey(space)}/${limit}`,
    tables: ['tasks'],
    read: tx => tx.latest('tasks', 'ended', limit, row => inSpace(row, space)),
  };
}

/** Tasks of a space that fall due on these days (YYYY-MM-DD, both included), in whatever state, by due date. */
export function tasksBetween(space: Space, from: string, to: string): Query<Row<'tasks'>[]> {
  const { organizationId } = space;
  return {
    key: `tasks/tasksBetween/${spaceKey(space)}/${from}/${to}`,
    tables: ['tasks'],
    async read(tx) {
      const rows = await tx.range('tasks', 'day', `${organizationId}/${from}`, `${organizationId}/${to}`);
      return rows.filter(row => inSpace(row, space)).toSorted(byTaskDue);
    },
  };
}

export type OpenedTask = {
  task: Row<'tasks'>;
  steps: Row<'task_items'>[];
  parent: Row<'tasks'> | null;
  children: Row<'tasks'>[];
  /** What has to be done before it, as far as it is on this device. */
  needs: Row<'tasks'>[];
};

/** One task with its steps and its kin; null when it is not on this device. */
export function openedTask(id: string): Query<OpenedTask | null> {
  return {
    key: `tasks/openedTask/${id}`,
    tables: ['tasks', 'task_items'],
    async read(tx) {
      const task = await tx.get('tasks', id);
      if (!task || task.deleted_at !== null) return null;
      const [steps, children, parent] = await Promise.all([
        tx.range('task_items', 'task', `${id}/`, `${id}/\uffff`),
        tx.range('tasks', 'parent', id, id),
        task.parent_id === null ? undefined : tx.get('tasks', task.parent_id),
      ]);
      const needs = await Promise.all(textsIn(task.needs_ids).map(other => tx.get('tasks', other)));
      const isThere = (row: { deleted_at: string | null } | undefined): boolean => row?.deleted_at === null;
      return {
        task,
        steps: steps.filter(isThere),
        parent: parent && isThere(parent) ? parent : null,
        children: children.filter(isThere).toSorted(byTaskDue),
        needs: needs.filter(row => row !== undefined).filter(isThere),
      };
    },
  };
}

/** A person's saved views, by name. */
export const taskViews: Query<Row<'task_views'>[]> = {
  key: 'tasks/taskViews',
  tables: ['task_views'],
  async read(tx) {
    const rows = await tx.all('task_views');
    return rows.filter(row => row.deleted_at === null).toSorted((a, b) => a.name.localeCompare(b.name));
  },
};
