import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { presenceRows } from '../on-site/witness.ts';
import { answerRows, mediaRows, openInspection } from './inspection-rows.ts';

/**
 * Throws a draft away with its answers and photos. One that was scheduled stays to be done. Ask the person first.
 *
 * @throws {Failure} `not_found`; `stale_version` when it is not a draft any more
 */
export async function discardInspection(tx: WriteTx, inspectionId: string): Promise<void> {
  const inspection = await openInspection(tx, inspectionId, 'discardInspection');
  if (inspection.status !== 'in_progress') {
    throw new Failure('stale_version', `discardInspection: inspection ${inspectionId} is ${inspection.status}`);
  }
  const answers = await answerRows(tx, inspectionId);
  const media = await mediaRows(tx, inspectionId);
  for (const { id } of answers) await tx.remove('inspection_answers', id);
  for (const { id } of media) await tx.remove('media', id);
  if (inspection.due_at === null) {
    // What the server has goes there with its inspection; what it never had would be refused without one.
    for (const { id, received_at: received } of await presenceRows(tx, inspectionId)) {
      if (received === null) await tx.remove('presence_entries', id);
    }
    await tx.remove('inspections', inspectionId);
  } else await tx.change('inspections', inspectionId, { status: 'scheduled', started_at: null, conducted_by: null });
}
