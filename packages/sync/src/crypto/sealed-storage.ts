import type { LocalDatabase } from '../store/database.ts';
import type { KeyValue } from '../transport/platform.ts';
import type { SecretSealer } from './seal.ts';
import { metaOf } from '../store/session.ts';
import { DEVICE } from '../store/stored.ts';

/** The storage shape supabase-js takes for its session; values lie sealed in the database and in localStorage. */
export interface SealedStorage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
}

type Options = { db: LocalDatabase; prefix: string; keyValue: KeyValue; seal: SecretSealer };

/**
 * Values sealed with the device's key, in the device's database and mirrored in localStorage (R4.03).
 *
 * The database is the truth: browsers write localStorage down seconds later, so a phone that dies would come back with a
 * refresh token that was used up long ago, or with none, and the person would be signed out in the field.
 */
export function openSealedStorage({ db, prefix, keyValue, seal }: Options): SealedStorage {
  const nameOf = (key: string) => `sealed/${prefix}${key}`;
  return {
    async getItem(key) {
      const tx = await db.transaction(['meta'], 'readonly');
      const sealed = (await metaOf<string>(tx, DEVICE, nameOf(key))) ?? keyValue.getItem(prefix + key);
      return sealed === null ? null : seal.open(sealed);
    },
    async setItem(key, value) {
      const sealed = await seal.close(value);
      const tx = await db.transaction(['meta'], 'readwrite', 'strict');
      await tx.objectStore('meta').put({ owner: DEVICE, name: nameOf(key), value: sealed });
      await tx.done;
      keyValue.setItem(prefix + key, sealed);
    },
    async removeItem(key) {
      const tx = await db.transaction(['meta'], 'readwrite', 'strict');
      await tx.objectStore('meta').delete([DEVICE, nameOf(key)]);
      await tx.done;
      keyValue.removeItem(prefix + key);
    },
  };
}
