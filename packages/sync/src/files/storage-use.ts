import { RECORD_STORES, type RecordStore } from '../store/database-schema.ts';
import type { LocalDatabase } from '../store/database.ts';
import { heldFiles } from './held-files.ts';
import { blockOf } from '../store/bulk-block.ts';
import { ownerRange } from '../store/read-tx.ts';
import { recordsOf } from '../store/record-key.ts';
import { BYTES, type Data, type StoredRecord } from '../store/stored.ts';

/** What takes room on the device: a store of records, the bytes of files, maps that were kept, or the work that waits. */
export type StorageArea = RecordStore | 'files' | 'maps' | 'outbox';

/** `bytes` as text would weigh it; what the browser adds for itself is not in it. */
export type StorageUse = { area: StorageArea; records: number; bytes: number };

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const bytesIn = ({ data }: StoredRecord): number =>
  data['bytes'] instanceof ArrayBuffer ? data['bytes'].byteLength : 0;

/** The data of a record, or of all that lie in a block. */
function datasOf(record: StoredRecord): Data[] {
  return (blockOf(record)?.bareRecords() ?? [record]).map(({ data }) => data);
}

function used(area: StorageArea, sizes: readonly number[]): StorageUse[] {
  if (sizes.length === 0) return [];
  return [{ area, records: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }];
}

/** How much each area of one person's copy takes, the largest first. Reads everything: for a page that was asked for it. */
export async function storageUse(db: LocalDatabase, owner: string): Promise<StorageUse[]> {
  const all: StorageUse[] = [];
  for (const store of RECORD_STORES) {
    const tx = await db.transaction([store], 'readonly');
    const records = await tx.objectStore(store).getAll(recordsOf(owner));
    const rows = records.filter(({ type }) => type !== BYTES);
    all.push(...used(store, rows.flatMap(datasOf).map(sizeOf)));
    if (store === 'media') all.push(...used('files', records.filter(({ type }) => type === BYTES).map(bytesIn)));
  }
  all.push(
    ...used(
      'maps',
      [...(await heldFiles({ db, owner })).values()].map(({ have }) => have),
    ),
  );
  const tx = await db.transaction(['sync_queue'], 'readonly');
  const queue = await tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner));
  all.push(
    ...used(
      'outbox',
      queue.map(({ data, base }) => sizeOf([data, base])),
    ),
  );
  return all.toSorted((a, b) => b.bytes - a.bytes);
}
