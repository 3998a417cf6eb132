import type { DBSchema, IDBPDatabase } from 'idb';
import type { RecordKey } from './record-key.ts';
import type { ConflictRecord, MetaEntry, QueueEntry, StoredRecord } from './stored.ts';

/** The eleven specified stores of records. */
export const RECORD_STORES = [
  'tasks',
  'policies',
  'forms',
  'inspections',
  'training',
  'media',
  'scans',
  'users',
  'settings',
  'lifecycle_status',
  'issue_reports',
] as const;
export type RecordStore = (typeof RECORD_STORES)[number];
export type AnyStore = RecordStore | 'sync_queue' | 'conflicts' | 'meta';

export const ALL_STORES: readonly AnyStore[] = [...RECORD_STORES, 'sync_queue', 'conflicts', 'meta'];

/** The key lies outside the value, see `keyOf`. */
type RecordShape = { key: RecordKey; value: StoredRecord; indexes: { keys: string } };

export interface CairnMobile extends DBSchema {
  tasks: RecordShape;
  policies: RecordShape;
  forms: RecordShape;
  inspections: RecordShape;
  training: RecordShape;
  media: RecordShape;
  scans: RecordShape;
  users: RecordShape;
  settings: RecordShape;
  lifecycle_status: RecordShape;
  issue_reports: RecordShape;
  sync_queue: {
    key: number;
    value: QueueEntry;
    indexes: { order: [string, number, number]; record: RecordKey; group: string };
  };
  conflicts: { key: [string, string]; value: ConflictRecord };
  meta: { key: [string, string]; value: MetaEntry };
}

export function createStores(db: IDBPDatabase<CairnMobile>): void {
  for (const name of RECORD_STORES) {
    db.createObjectStore(name).createIndex('keys', 'keys', { multiEntry: true });
  }
  const queue = db.createObjectStore('sync_queue', { keyPath: 'seq', autoIncrement: true });
  queue.createIndex('order', ['owner', 'priority', 'seq']);
  queue.createIndex('record', 'record');
  queue.createIndex('group', 'group');
  db.createObjectStore('conflicts', { keyPath: ['owner', 'cid'] });
  db.createObjectStore('meta', { keyPath: ['owner', 'name'] });
}
