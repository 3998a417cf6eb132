import { BEGINNING_BYTES, beginsAsPicture } from '@cairn/base/file-beginning.ts';
import { newId } from '@cairn/base/id.ts';
import { attachFile } from '@cairn/core/action-items/attach-file.ts';
import { addPhoto } from '@cairn/core/inspections/add-photo.ts';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { dropSharedFile, type SharedFile } from '@cairn/sync/files/shared-files.ts';
import type { Store } from '@cairn/sync/store.ts';
import { asWished, photoWishes } from '../../shared/media/photo-wishes.ts';
import { sha256Hex, sizeOf } from '../../shared/media/picture-facts.ts';

export type Destination =
  | { kind: 'action_item'; id: string }
  | { kind: 'inspection'; id: string; form: CompiledForm; question: string };

/**
 * Makes one shared file part of a record. It waits until the record has it: a death between the two leaves it twice,
 * never lost.
 *
 * @throws {Failure} as `attachFile` and `addPhoto`
 */
export async function attachShared(store: Store, shared: SharedFile, to: Destination): Promise<void> {
  const type = shared.mime || 'application/octet-stream';
  const given = new Blob([shared.bytes], { type });
  const isPicture = beginsAsPicture(new Uint8Array(shared.bytes, 0, Math.min(BEGINNING_BYTES, given.size)));
  const kept = isPicture ? await asWished(given, await photoWishes(store)) : { bytes: shared.bytes, mime: type };
  const { bytes, mime } = kept;
  const sha256 = await sha256Hex(bytes);
  const size = await sizeOf(new Blob([bytes], { type: mime }));
  const file = { id: newId(), bytes, mime, sha256, ...size };
  const who = { by: store.owner, at: shared.at };
  await store.write('share.attach', tx =>
    to.kind === 'action_item'
      ? attachFile(tx, { actionId: to.id, file, ...who })
      : addPhoto(tx, { inspectionId: to.id, form: to.form, question: to.question, photo: file, ...who }),
  );
  await dropSharedFile(store.owner, shared.id);
}
