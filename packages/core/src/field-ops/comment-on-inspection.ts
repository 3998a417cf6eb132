import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { Tx, WriteTx } from '@cairn/sync/store.ts';

/** Longest comment, in characters. */
export const COMMENT_LENGTH = 4000;

export type InspectionComment = {
  /** A fresh id. */
  id: string;
  inspectionId: string;
  /** Path of the question it is about; null for the whole inspection. */
  question: string | null;
  body: string;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Says something at a question of an inspection, or of the whole.
 *
 * @throws {Failure} `not_found` for the inspection; `invalid` for a text that is empty or too long
 */
export async function commentOn(tx: WriteTx, comment: InspectionComment): Promise<void> {
  const body = comment.body.trim();
  if (body === '' || body.length > COMMENT_LENGTH) throw new Failure('invalid', 'commentOn: empty or too long');
  const inspection = await tx.get('inspections', comment.inspectionId);
  if (!inspection || inspection.deleted_at !== null) {
    throw new Failure('not_found', `commentOn: no inspection ${comment.inspectionId}`);
  }
  await tx.put('inspection_comments', {
    id: comment.id,
    organization_id: inspection.organization_id,
    site_id: inspection.site_id,
    inspection_id: inspection.id,
    question: comment.question,
    body,
    author_id: comment.by,
    round: inspection.round,
    written_at: comment.at,
  });
}

/**
 * Ticks a comment off, or opens it again.
 *
 * @param tick `at`: device time, ISO 8601; null opens it again
 * @throws {Failure} `not_found`
 */
export async function resolveComment(tx: WriteTx, tick: { id: string; by: string; at: string | null }): Promise<void> {
  const resolved = { resolved_at: tick.at, resolved_by: tick.at === null ? null : tick.by };
  await tx.change('inspection_comments', tick.id, resolved);
}

/** Comments on one inspection, the oldest first. */
export async function commentRows(tx: Tx, inspectionId: string): Promise<Row<'inspection_comments'>[]> {
  const rows = await tx.range('inspection_comments', 'inspection', `${inspectionId}/`, `${inspectionId}/\uffff`);
  return rows.filter(({ deleted_at: deleted }) => deleted === null);
}

/** The log of one inspection, the oldest first. */
export const eventRows = (tx: Tx, inspectionId: string): Promise<Row<'inspection_events'>[]> =>
  tx.range('inspection_events', 'inspection', `${inspectionId}/`, `${inspectionId}/\uffff`);
