import { Failure } from '@cairn/base/failure.ts';
import type { Draft, Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { type ActionStatus, isEnded, mayMove } from './action-status.ts';

/** What to change; what is left out stays. */
export type ActionItemChanges = {
  title?: string;
  description?: string | null;
  /** ISO 8601. */
  dueAt?: string | null;
  assigneeId?: string | null;
  priority?: Row<'action_items'>['priority'];
  status?: ActionStatus;
};

export type ChangeActionItem = { id: string; changes: ActionItemChanges; by: string; /** ISO 8601. */ at: string };

/**
 * Changes an action item. An open one that gets an assignee becomes assigned, and open again when it loses them.
 *
 * @throws {Failure} `not_found`; `invalid` for an empty title; `stale_version` for a move its state does not allow
 */
export async function changeActionItem(tx: WriteTx, { id, changes, by, at }: ChangeActionItem): Promise<void> {
  const item = await tx.get('action_items', id);
  if (!item || item.deleted_at !== null) throw new Failure('not_found', `changeActionItem: no action item ${id}`);
  const title = changes.title?.trim();
  if (title === '') throw new Failure('invalid', `changeActionItem: ${id} would have no title`);
  const status = changes.status ?? statusAfterAssigning(item, changes.assigneeId);
  if (!mayMove(item.status, status)) {
    throw new Failure('stale_version', `changeActionItem: ${id} cannot go from ${item.status} to ${status}`);
  }
  const fields: Partial<Draft<'action_items'>> = {
    ...(title !== undefined && { title }),
    ...(changes.description !== undefined && { description: changes.description?.trim() || null }),
    ...(changes.dueAt !== undefined && { due_at: changes.dueAt }),
    ...(changes.assigneeId !== undefined && { assignee_id: changes.assigneeId }),
    ...(changes.priority !== undefined && { priority: changes.priority }),
    ...(status !== item.status && { status, ...closing(status, by, at) }),
  };
  if (Object.keys(fields).length > 0) await tx.change('action_items', id, fields);
}

function statusAfterAssigning(item: Row<'action_items'>, assigneeId: string | null | undefined): ActionStatus {
  if (assigneeId === undefined) return item.status;
  if (item.status === 'open' && assigneeId !== null) return 'assigned';
  return item.status === 'assigned' && assigneeId === null ? 'open' : item.status;
}

const closing = (status: ActionStatus, by: string, at: string) =>
  isEnded(status) ? { closed_at: at, closed_by: by } : { closed_at: null, closed_by: null };
