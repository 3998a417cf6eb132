import type { JSHandle, Page } from '@playwright/test';

/** A record, or an entry of the queue, as it lies in the browser. */
export type StoredRow = Record<string, unknown>;

/** Everything in one store of the device's database, past the app. */
export const storedIn = (page: Page, store: string): Promise<StoredRow[]> =>
  page.evaluate(async name => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
      opening.onsuccess = () => resolve(opening.result);
    });
    const rows = await new Promise<StoredRow[]>((resolve, reject) => {
      const asked = db.transaction(name).objectStore(name).getAll();
      asked.onsuccess = () => resolve(asked.result as StoredRow[]);
      asked.onerror = () => reject(new Error(`${name} cannot be read`));
    });
    db.close();
    return rows;
  }, store);

/** Records of a store with their keys, which are bytes and stay in the page. */
type StoreSnapshot = JSHandle<{ keys: IDBValidKey[]; values: unknown[] }>;

/** Puts these records, or none, in place of all of a store, past the app; answers what lay there, to be put back in the same way. */
export const replaceAll = (page: Page, store: string, records: StoreSnapshot | null = null): Promise<StoreSnapshot> =>
  page.evaluateHandle(
    async ([name, next]) => {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open('cairn_mobile');
        opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
        opening.onsuccess = () => resolve(opening.result);
      });
      const tx = db.transaction(name, 'readwrite');
      const place = tx.objectStore(name);
      const [keys, values] = [place.getAllKeys(), place.getAll()];
      place.clear();
      for (const [at, value] of next?.values.entries() ?? [])
        place.put(value, ...(place.keyPath === null ? [next?.keys[at]] : []));
      await new Promise<void>((resolve, reject) => {
        tx.oncomplete = () => resolve();
        tx.onabort = () => reject(new Error(`${name} cannot be written`));
      });
      db.close();
      return { keys: keys.result, values: values.result as unknown[] };
    },
    [store, records] as const,
  );
