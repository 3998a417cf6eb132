import type { IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import { createStores, RECORD_STORES, type CairnMobile } from './database-schema.ts';
import { keyOf } from './record-key.ts';
import { DEVICE, type StoredRecord } from './stored.ts';

type FirstRecord = Pick<StoredRecord, 'id' | 'type' | 'data' | 'lastSync' | 'isDirty' | 'syncPriority'>;
type UpgradeTx = IDBPTransaction<CairnMobile, StoreNames<CairnMobile>[], 'versionchange'>;

/** v1 knew one person and no owner; the session's token lay there in clear and is not taken over. */
function adopt(store: string, record: FirstRecord, person: string): StoredRecord | null {
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

/** Version 1 (the eleven stores with six-field records) to version 2, inside the versionchange transaction. */
export async function upgradeFromFirst(db: IDBPDatabase<CairnMobile>, tx: UpgradeTx): Promise<void> {
  const present = RECORD_STORES.filter(name => db.objectStoreNames.contains(name));
  const kept = new Map<(typeof RECORD_STORES)[number], FirstRecord[]>();
  for (const name of present) kept.set(name, await tx.objectStore(name).getAll());
  const user = kept.get('users')?.find(record => record.id === 'current_user');
  const person = typeof user?.data['id'] === 'string' ? user.data['id'] : DEVICE;

  for (const name of Array.from(db.objectStoreNames)) db.deleteObjectStore(name);
  createStores(db);
  for (const [name, records] of kept) {
    for (const record of records) {
      const adopted = adopt(name, record, person);
      if (adopted) await tx.objectStore(name).put(adopted, keyOf(adopted));
    }
  }
}
