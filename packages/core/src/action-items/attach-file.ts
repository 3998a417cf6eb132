import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { keepFile, type NewFile } from '../media/keep-file.ts';
import { isEnded } from './action-status.ts';

export type AttachFile = {
  actionId: string;
  file: NewFile;
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
  const { organization_id, site_id } = item;
  await keepFile(tx, file, { organization_id, site_id, captured_at: at, captured_by: by });
  const others = Array.isArray(item.media_ids) ? item.media_ids : [];
  await tx.change('action_items', actionId, { media_ids: [...others, file.id] });
}
