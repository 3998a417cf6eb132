import type { WriteTx } from '@cairn/sync/store.ts';
import { textsIn } from './answers.ts';
import { answerId, openInspection } from './inspection-rows.ts';

/**
 * Takes a photo away from an answer. One that is already gone is no error.
 *
 * @throws {Failure} `not_found` for the inspection; `stale_version` when it is finished
 */
export async function removePhoto(
  tx: WriteTx,
  { inspectionId, question, mediaId }: { inspectionId: string; question: string; mediaId: string },
): Promise<void> {
  await openInspection(tx, inspectionId, 'removePhoto');
  const id = answerId(inspectionId, question);
  const answer = await tx.get('inspection_answers', id);
  const left = textsIn(answer?.media_ids ?? []).filter(other => other !== mediaId);
  if (answer) await tx.change('inspection_answers', id, { media_ids: left });
  const media = await tx.get('media', mediaId);
  if (media) await tx.remove('media', mediaId);
}
