import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { commentRows } from '../comments/queries.ts';
import { writeComment } from '../comments/write-comment.ts';
import { mayBecome, type Decision } from './inspection-states.ts';

export type ReviewDecision = {
  id: string;
  decision: Decision;
  /** What to say of the whole, kept as a comment; empty for nothing. */
  word: string;
  /** A fresh id for that comment. */
  commentId: string;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Decides on a finished inspection: sends it back, approves or rejects it. Run it in a write with `together: true`, so that
 * a decision never arrives without its reason.
 *
 * @throws {Failure} `not_found`; `stale_version` when it is in no state to be decided on; `invalid` when it is sent back or
 *   rejected and no open comment says why
 */
export async function decideOnInspection(tx: WriteTx, review: ReviewDecision): Promise<void> {
  const inspection = await reviewable(tx, review);
  if (review.word.trim() !== '') {
    await writeComment(tx, {
      id: review.commentId,
      subject: { table: 'inspections', id: inspection.id },
      body: review.word,
      by: review.by,
      at: review.at,
    });
  } else if (review.decision !== 'approved' && !(await hasReason(tx, inspection))) {
    throw new Failure('invalid', `decideOnInspection: ${inspection.id} is ${review.decision} without a reason`);
  }
  await tx.change('inspections', inspection.id, { status: review.decision, reviewed_at: review.at });
}

async function reviewable(tx: WriteTx, { id, decision }: ReviewDecision): Promise<Row<'inspections'>> {
  const inspection = await tx.get('inspections', id);
  if (!inspection || inspection.deleted_at !== null) throw new Failure('not_found', `decideOnInspection: no ${id}`);
  if (!mayBecome(inspection.status, decision)) {
    throw new Failure('stale_version', `decideOnInspection: ${id} is ${inspection.status}`);
  }
  return inspection;
}

async function hasReason(tx: WriteTx, { id, round }: Row<'inspections'>): Promise<boolean> {
  const comments = await commentRows(tx, id);
  return comments.some(row => row.resolved_at === null && row.round === round);
}

/**
 * Closes an inspection that was decided on: it leaves the lists of what is under way.
 *
 * @throws {Failure} `not_found`; `stale_version` while nobody has decided on it
 */
export async function closeInspection(tx: WriteTx, id: string): Promise<void> {
  const inspection = await tx.get('inspections', id);
  if (!inspection || inspection.deleted_at !== null) throw new Failure('not_found', `closeInspection: no ${id}`);
  if (!mayBecome(inspection.status, 'closed')) {
    throw new Failure('stale_version', `closeInspection: ${id} is ${inspection.status}`);
  }
  await tx.change('inspections', id, { status: 'closed' });
}
