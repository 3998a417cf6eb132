import { Failure } from '@cairn/base/failure.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Draft, Row } from '@cairn/schema';
import type { Tx, WriteTx } from '@cairn/sync/store.ts';
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
  kind?: Row<'action_items'>['kind'];
  /** Why it happened. */
  rootCause?: string | null;
  /** Day to look whether it worked, YYYY-MM-DD. */
  checkOn?: string | null;
};

export type ChangeActionItem = { id: string; changes: ActionItemChanges; by: string; /** ISO 8601. */ at: string };

/**
 * Changes an action item. An open one that gets an assignee becomes assigned, and open again when it loses them.
 *
 * @throws {Failure} `not_found`; `invalid` for an empty title, or when it would be done without the evidence it asks for;
 *   `stale_version` for a move its state does not allow
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
  if (status !== item.status && CHECKED.includes(status) && (await lacksEvidence(tx, item)))
    throw new Failure('invalid', `changeActionItem: ${id} asks for evidence`);
  const fields: Partial<Draft<'action_items'>> = {
    ...(title !== undefined && { title }),
    ...(changes.description !== undefined && { description: changes.description?.trim() || null }),
    ...(changes.dueAt !== undefined && { due_at: changes.dueAt }),
    ...(changes.assigneeId !== undefined && { assignee_id: changes.assigneeId }),
    ...(changes.priority !== undefined && { priority: changes.priority }),
    ...(changes.kind !== undefined && { kind: changes.kind }),
    ...(changes.rootCause !== undefined && { root_cause: changes.rootCause?.trim().slice(0, 4000) || null }),
    ...(changes.checkOn !== undefined && { check_on: changes.checkOn }),
    ...(status !== item.status && { status, ...closing(status, by, at) }),
    ...(status !== item.status && status === 'ready_for_verification' && { done_by: by }),
  };
  if (Object.keys(fields).length > 0) await tx.change('action_items', id, fields);
}

const CHECKED: readonly ActionStatus[] = ['ready_for_verification', 'closed'];

/** Whether an action item asks for evidence and has none yet: no file of its own, and nothing linked to it. */
async function lacksEvidence(tx: Tx, item: Row<'action_items'>): Promise<boolean> {
  if (!item.evidence_required || textsIn(item.media_ids).length > 0) return false;
  const linked = await tx.range('evidence_links', 'target', item.id, item.id);
  return !linked.some(row => row.target_table === 'action_items' && row.deleted_at === null);
}

function statusAfterAssigning(item: Row<'action_items'>, assigneeId: string | null | undefined): ActionStatus {
  if (assigneeId === undefined) return item.status;
  if (item.status === 'open' && assigneeId !== null) return 'assigned';
  return item.status === 'assigned' && assigneeId === null ? 'open' : item.status;
}

const closing = (status: ActionStatus, by: string, at: string) =>
  isEnded(status) ? { closed_at: at, closed_by: by } : { closed_at: null, closed_by: null };

/** Whether what was done worked. `at`: device time, ISO 8601. */
export type Outcome = { id: string; outcome: 'effective' | 'not_effective'; note: string; by: string; at: string };

/**
 * Says of a closed action item whether it worked; one that did not is open again.
 *
 * @throws {Failure} `not_found`; `stale_version` when it is not closed; `invalid` when it did not work and nobody says what was seen
 */
export async function judgeOutcome(tx: WriteTx, { id, outcome, note, by, at }: Outcome): Promise<void> {
  const item = await tx.get('action_items', id);
  if (!item || item.deleted_at !== null) throw new Failure('not_found', `judgeOutcome: no action item ${id}`);
  if (item.status !== 'closed') throw new Failure('stale_version', `judgeOutcome: ${id} is ${item.status}`);
  const words = note.trim().slice(0, 2000) || null;
  if (outcome === 'not_effective' && words === null)
    throw new Failure('invalid', `judgeOutcome: ${id} needs its reason`);
  await tx.change('action_items', id, {
    outcome,
    outcome_note: words,
    outcome_by: by,
    outcome_at: at,
    ...(outcome === 'not_effective' && { status: 'open', closed_at: null, closed_by: null }),
  });
}
