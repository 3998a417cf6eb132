import type { TableName } from '@cairn/schema';
import type { IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import { createStores, RECORD_STORES, type CairnMobile } from './database-schema.ts';
import { newEntry } from './queue-edit.ts';
import { keyOf } from './record-key.ts';
import { isTable, rebuildRecord, writable } from './record.ts';
import { DEVICE, type QueueEntry, type StoredRecord } from './stored.ts';

/** The specified six fields of a record, and the seven of a queue entry. */
type FirstRecord = Pick<StoredRecord, 'id' | 'type' | 'data' | 'lastSync' | 'isDirty' | 'syncPriority'>;
type FirstEntry = Pick<
  QueueEntry,
  'operation' | 'dataType' | 'dataId' | 'data' | 'priority' | 'timestamp' | 'retryCount'
>;
type UpgradeTx = IDBPTransaction<CairnMobile, StoreNames<CairnMobile>[], 'versionchange'>;
type FirstVersionData = { records: Map<(typeof RECORD_STORES)[number], FirstRecord[]>; queue: FirstEntry[] };

const QUEUE = 'sync_queue';

/** v1 knew one person and no owner; the session's token lay there in clear and is not taken over. */
function withOwner(store: string, record: FirstRecord, person: string): StoredRecord | null {
  if (record.id === 'auth_session') return null;
  const device = store === 'settings' || record.id === 'current_user';
  return {
    ...record,
    type: device ? 'setting' : record.type,
    owner: device ? DEVICE : person,
    version: 0,
    scopes: [],
    keys: [],
  };
}

const OPERATIONS: ReadonlySet<string> = new Set(['insert', 'update', 'delete']);

/** What v1 had queued of a record, oldest first; a changed record without an entry of its own goes whole. */
function entriesOf(record: StoredRecord, queue: readonly FirstEntry[]): QueueEntry[] {
  const table = record.type as TableName;
  const edit = { seen: {}, group: null };
  const queued = queue.filter(entry => entry.dataType === table && entry.dataId === record.id);
  if (queued.length === 0) {
    const patch = writable(table, record.data);
    return [newEntry(record, { ...edit, operation: 'insert', patch, now: record.lastSync ?? 0 })];
  }
  // v1 kept no base: where the server stands elsewhere the person is asked, nothing is overwritten unseen.
  return queued.map(({ operation, data, timestamp, retryCount }) => {
    const known = OPERATIONS.has(operation) ? (operation as 'insert' | 'update' | 'delete') : 'update';
    const patch = known === 'delete' ? {} : writable(table, data);
    return { ...newEntry(record, { ...edit, operation: known, patch, now: timestamp }), retryCount };
  });
}

async function storeUpgraded(
  tx: UpgradeTx,
  store: (typeof RECORD_STORES)[number],
  { record, queue }: UpgradedRecord,
): Promise<void> {
  const entries = record.isDirty && isTable(record.type) ? entriesOf(record, queue) : [];
  for (const entry of entries) await tx.objectStore(QUEUE).add(entry);
  const rebuilt = entries.length > 0 ? { ...rebuildRecord(record, record.data, entries), base: null } : record;
  await tx.objectStore(store).put(rebuilt, keyOf(rebuilt));
}

type UpgradedRecord = { record: StoredRecord; queue: readonly FirstEntry[] };

/** Everything version 1 holds. Its queue, where it has one, is read by whatever key it was given. */
async function readFirst(db: IDBPDatabase<CairnMobile>, tx: UpgradeTx): Promise<FirstVersionData> {
  const records: FirstVersionData['records'] = new Map();
  for (const name of RECORD_STORES) {
    if (db.objectStoreNames.contains(name)) records.set(name, await tx.objectStore(name).getAll());
  }
  const queue: FirstEntry[] = db.objectStoreNames.contains(QUEUE) ? await tx.objectStore(QUEUE).getAll() : [];
  return { records, queue: queue.toSorted((a, b) => a.timestamp - b.timestamp) };
}

/**
 * Version 1 (the eleven stores with six-field records) to version 2, inside the versionchange transaction: a death at any
 * point leaves version 1 as it was.
 */
export async function upgradeFromFirst(db: IDBPDatabase<CairnMobile>, tx: UpgradeTx): Promise<void> {
  const { records, queue } = await readFirst(db, tx);
  const user = records.get('users')?.find(record => record.id === 'current_user');
  const person = typeof user?.data['id'] === 'string' ? user.data['id'] : DEVICE;

  for (const name of Array.from(db.objectStoreNames)) db.deleteObjectStore(name);
  createStores(db);
  for (const [name, found] of records) {
    for (const record of found) {
      const owned = withOwner(name, record, person);
      if (owned) await storeUpgraded(tx, name, { record: owned, queue });
    }
  }
}
