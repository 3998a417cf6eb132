import { textsIn } from '@cairn/base/texts-in.ts';
import type { Json } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { answerId, openInspection } from './inspection-rows.ts';
import { witness } from '../on-site/witness.ts';

export type RemovePhoto = {
  inspectionId: string;
  question: string;
  mediaId: string;
  /** Who takes it away and when (device time), where the form asks for proof of presence. */
  witnessed?: { by: string; at: string };
};

/**
 * Takes a photo, a file or a voice note away from an answer. One that is already gone is no error.
 *
 * @throws {Failure} `not_found` for the inspection; `stale_version` when it is finished
 */
export async function removePhoto(
  tx: WriteTx,
  { inspectionId, question, mediaId, witnessed }: RemovePhoto,
): Promise<void> {
  const inspection = await openInspection(tx, inspectionId, 'removePhoto');
  const id = answerId(inspectionId, question);
  const answer = await tx.get('inspection_answers', id);
  const without = (ids: Json) => textsIn(ids).filter(other => other !== mediaId);
  if (answer) {
    const left = { media_ids: without(answer.media_ids), voice_ids: without(answer.voice_ids) };
    await tx.change('inspection_answers', id, left);
  }
  const media = await tx.get('media', mediaId);
  if (!media) return;
  await tx.remove('media', mediaId);
  if (witnessed) {
    await witness(tx, inspection, witnessed, [{ kind: 'photo_removed', facts: { media: mediaId, question } }]);
  }
}
