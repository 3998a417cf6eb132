import type { Page } from '@playwright/test';

/** A record, or an entry of the queue, as it lies in the browser. */
export type Stored = Record<string, unknown>;

/** Everything in one store of the device's database, past the app. */
export const storedIn = (page: Page, store: string): Promise<Stored[]> =>
  page.evaluate(async name => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
      opening.onsuccess = () => resolve(opening.result);
    });
    const rows = await new Promise<Stored[]>((resolve, reject) => {
      const asked = db.transaction(name).objectStore(name).getAll();
      asked.onsuccess = () => resolve(asked.result as Stored[]);
      asked.onerror = () => reject(new Error(`${name} cannot be read`));
    });
    db.close();
    return rows;
  }, store);
