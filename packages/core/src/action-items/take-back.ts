import { Failure } from '@cairn/base/failure.ts';
import { splitTakeBack } from '@cairn/base/take-back.ts';
import type { Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { mayMove } from './action-status.ts';
import { changeActionItem, type ActionItemChanges, type ChangeActionItem } from './change-action-item.ts';

/** What of an action item goes back or stays by itself. */
export const actionFields = [
  'title',
  'description',
  'dueAt',
  'assigneeId',
  'priority',
  'status',
  'kind',
  'rootCause',
  'checkOn',
] as const satisfies readonly (keyof ActionItemChanges)[];
export type ActionField = (typeof actionFields)[number];
type Values = Required<ActionItemChanges>;

/** What one change made of an action item, and what it was before. */
export type ActionChange = { id: string; was: Values; gave: Values };

/** The fields of an action item as it is. */
export const actionValues = (row: Row<'action_items'>): Values => ({
  title: row.title,
  description: row.description,
  dueAt: row.due_at,
  assigneeId: row.assignee_id,
  priority: row.priority,
  status: row.status,
  kind: row.kind,
  rootCause: row.root_cause,
  checkOn: row.check_on,
});

/** Server and device write one moment in two ways. */
const comparable = (values: Values, field: ActionField): unknown =>
  field === 'dueAt' && values.dueAt !== null ? Date.parse(values.dueAt) : values[field];
const isSame = (one: Values, other: Values, field: ActionField): boolean =>
  comparable(one, field) === comparable(other, field);

async function itemOf(tx: WriteTx, id: string): Promise<Row<'action_items'>> {
  const item = await tx.get('action_items', id);
  if (!item || item.deleted_at !== null) throw new Failure('not_found', `take back: no action item ${id}`);
  return item;
}

/**
 * Changes an action item, and answers what is needed to take exactly that back, the state that followed from an assignment
 * included.
 *
 * @throws {Failure} as `changeActionItem` does
 */
export async function changeActionForNow(tx: WriteTx, change: ChangeActionItem): Promise<ActionChange> {
  const was = actionValues(await itemOf(tx, change.id));
  await changeActionItem(tx, change);
  return { id: change.id, was, gave: actionValues(await itemOf(tx, change.id)) };
}

/**
 * Takes a change of an action item back: only fields that still have what the change gave them. What somebody changed since stays
 * theirs, and so does a state that cannot be left for the one before.
 *
 * @returns the fields that stay as they are
 * @throws {Failure} `not_found`, and whatever `changeActionItem` refuses of the rest
 */
export async function takeActionBack(
  tx: WriteTx,
  { id, was, gave }: ActionChange,
  { by, at }: Pick<ChangeActionItem, 'by' | 'at'>,
): Promise<ActionField[]> {
  const now = actionValues(await itemOf(tx, id));
  const mayReturn = (field: ActionField): boolean => field !== 'status' || mayMove(now.status, was.status);
  const { back, left } = splitTakeBack(actionFields, { was, gave, now }, { isSame, mayReturn });
  // The state is always said: losing its person must not move an item that somebody has gone on with.
  const status = back.includes('status') ? was.status : now.status;
  const changes: ActionItemChanges = { ...Object.fromEntries(back.map(field => [field, was[field]])), status };
  if (back.length > 0) await changeActionItem(tx, { id, changes, by, at });
  return left;
}
