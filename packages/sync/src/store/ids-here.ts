import type { RecordStore } from './database-schema.ts';
import type { DatabaseTx, Mode } from './database.ts';
import { idIn, typeRange } from './record-key.ts';

/** Ids of what lies in a store by itself, of one person and type. Asked for at once, before anything is awaited. */
export async function idsHere(
  tx: DatabaseTx<Mode>,
  store: RecordStore,
  owner: string,
  type: string,
): Promise<string[]> {
  const keys = await tx.objectStore(store).getAllKeys(typeRange(owner, type));
  // A store gives keys back as the bytes without the view that went in.
  return keys.map(key => idIn(key as unknown as ArrayBuffer, owner, type));
}
