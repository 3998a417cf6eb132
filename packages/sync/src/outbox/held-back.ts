import { finish } from '../transport/abandon.ts';
import type { LocalDatabase } from '../store/database.ts';
import type { OutboxItem, SyncStatus } from './outbox-item.ts';
import { filesThatMayGo, mayGo } from '../files/file-wishes.ts';
import type { Platform } from '../transport/platform.ts';
import { readQueueInChunks } from '../store/queue-chunks.ts';
import { keyAt } from '../store/record-key.ts';

type DeviceScope = { db: LocalDatabase; owner: string; platform: Platform };

/** Why files that wait are not sent although there is a network. */
export async function whyFilesWait(place: DeviceScope, pendingFiles: number): Promise<Pick<SyncStatus, 'filesWait'>> {
  const which = pendingFiles === 0 ? 'all' : await filesThatMayGo(place);
  if (which === 'all') return {};
  const { db, owner } = place;
  const entries = await readQueueInChunks(db, owner, await db.transaction(['sync_queue'], 'readonly'));
  const isHeld = entries.some(
    ({ operation, state, dataId }) => operation === 'upload' && state !== 'failed' && !mayGo(which, dataId),
  );
  return isHeld ? { filesWait: 'wifi' } : {};
}

async function mimesOf({ db, owner }: DeviceScope, ids: readonly string[]): Promise<Map<string, string>> {
  const tx = await db.transaction(['media'], 'readonly');
  const asked = Promise.all(ids.map(id => tx.objectStore('media').get(keyAt(owner, 'media', id))));
  finish(tx);
  const rows = await asked;
  return new Map(
    rows.flatMap(row => (row && typeof row.data['mime'] === 'string' ? [[row.id, row.data['mime']] as const] : [])),
  );
}

/** Items of the outbox, those of files with what each is and why it stays. */
export async function withFileFacts(place: DeviceScope, items: OutboxItem[]): Promise<OutboxItem[]> {
  const media = items.filter(({ table }) => table === 'media');
  if (media.length === 0) return items;
  const [mimes, which] = await Promise.all([
    mimesOf(
      place,
      media.map(({ recordId }) => recordId),
    ),
    filesThatMayGo(place),
  ]);
  return items.map(item => {
    if (item.table !== 'media') return item;
    const mime = mimes.get(item.recordId);
    const isHeld = item.kind === 'file' && item.state !== 'failed' && !mayGo(which, item.recordId);
    return { ...item, ...(mime !== undefined && { mime }), ...(isHeld && { waits: 'wifi' as const }) };
  });
}
