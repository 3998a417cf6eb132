import { textsIn } from '@cairn/base/texts-in.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { keepFile, type NewFile } from '../media/keep-file.ts';
import { newAnswer, questionAt } from './answer-question.ts';
import type { CompiledForm } from '../forms/definition/compiled-form.ts';
import { answerId, openInspection } from './inspection-rows.ts';
import { witness } from '../on-site/witness.ts';

export type Photo = NewFile & {
  /** The photo this is a marked copy of; that one stays as it is. */
  drawnOn?: string;
  /** ms, of a sound recorded in the app. */
  durationMs?: number;
  /** Said beside the answer: it stands for no photo or file the form asks for. */
  isVoiceNote?: boolean;
};

export type AddPhoto = {
  inspectionId: string;
  form: CompiledForm;
  question: string;
  photo: Photo;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Keeps a photo, a sound or a file with the answer to a question, and queues it for the server.
 *
 * @throws {Failure} `not_found` for the inspection or question; `stale_version` when the inspection is finished; `invalid` for
 * an empty file, and for one larger than the server takes
 */
export async function addPhoto(tx: WriteTx, { inspectionId, form, question, photo, by, at }: AddPhoto): Promise<void> {
  const inspection = await openInspection(tx, inspectionId, 'addPhoto');
  questionAt(form, question);
  const before = await tx.get('inspection_answers', answerId(inspectionId, question));
  const { organization_id, site_id } = inspection;
  await keepFile(tx, photo, {
    organization_id,
    site_id,
    inspection_id: inspectionId,
    question,
    drawn_on: photo.drawnOn ?? null,
    duration_ms: photo.durationMs ?? null,
    captured_at: at,
    captured_by: by,
  });
  const list = photo.isVoiceNote ? 'voice_ids' : 'media_ids';
  const others = textsIn(before?.[list] ?? []).filter(id => id !== photo.id);
  await tx.put('inspection_answers', {
    ...(before ?? newAnswer(inspection, question)),
    [list]: [...others, photo.id],
    answered_by: by,
    answered_at: at,
  });
  if (form.form.presence) {
    const facts = { media: photo.id, question, sha256: photo.sha256 };
    await witness(tx, inspection, { by, at }, [{ kind: 'photo', facts }]);
  }
}
