import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { MOST_FILE_BYTES } from '../media/file-limits.ts';
import { isEnded } from './action-status.ts';

export type AttachFile = {
  actionId: string;
  file: {
    /** A fresh id. */
    id: string;
    bytes: ArrayBuffer;
    /** e.g. image/jpeg, application/pdf */
    mime: string;
    /** Hex, over `bytes`. Worked out before the write: nothing else may be awaited in it. */
    sha256: string;
    /** px; null for what is no picture. */
    width: number | null;
    height: number | null;
  };
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Keeps a photo or file with an action item, and queues it for the server.
 *
 * @throws {Failure} `not_found`; `stale_version` when the item is closed; `invalid` for an empty
 * file, and for one the server would not take
 */
export async function attachFile(tx: WriteTx, { actionId, file, by, at }: AttachFile): Promise<void> {
  const item = await tx.get('action_items', actionId);
  if (!item || item.deleted_at !== null) throw new Failure('not_found', `attachFile: no action item ${actionId}`);
  if (isEnded(item.status)) throw new Failure('stale_version', `attachFile: ${actionId} is ${item.status}`);
  const size = file.bytes.byteLength;
  if (size === 0 || size > MOST_FILE_BYTES) throw new Failure('invalid', `attachFile: ${file.id} has ${size} bytes`);
  await tx.put('media', {
    id: file.id,
    organization_id: item.organization_id,
    site_id: item.site_id,
    inspection_id: null,
    question: null,
    kind: file.mime.startsWith('image/') ? 'photo' : 'file',
    mime: file.mime,
    bytes: file.bytes.byteLength,
    sha256: file.sha256,
    width: file.width,
    height: file.height,
    captured_at: at,
    captured_by: by,
  });
  await tx.putBytes(file.id, file.bytes);
  const others = Array.isArray(item.media_ids) ? item.media_ids : [];
  await tx.change('action_items', actionId, { media_ids: [...others, file.id] });
}
