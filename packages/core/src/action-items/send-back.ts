import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { writeComment } from '../comments/write-comment.ts';
import { changeActionItem } from './change-action-item.ts';

export type SendActionBack = {
  id: string;
  /** What is missing, in words. */
  reason: string;
  /** A fresh id of the comment that says so. */
  commentId: string;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Says that an action item needs more work, and what is missing, as a comment on it. Write it with `together`.
 *
 * @throws {Failure} `invalid` without words; else as `changeActionItem` and `writeComment`
 */
export async function sendActionBack(tx: WriteTx, { id, reason, commentId, by, at }: SendActionBack): Promise<void> {
  if (reason.trim() === '') throw new Failure('invalid', `sendActionBack: ${id} without a reason`);
  await changeActionItem(tx, { id, changes: { status: 'needs_revision' }, by, at });
  await writeComment(tx, { id: commentId, subject: { table: 'action_items', id }, body: reason, by, at });
}
