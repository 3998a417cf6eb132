import type { Page } from '@playwright/test';

/** What of a device can be broken: keys from a password, and what becomes of rows of its database. */
export type DeviceFault = 'deriveKey' | 'keepKey' | 'forget';

/** Goes into the page: what is named in `window.broken` fails as a broken browser or a full disk makes it fail. */
function breakable(): void {
  const broken = new Set<string>();
  Object.assign(window, { broken });
  const { deriveKey } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.deriveKey = function (...given: Parameters<typeof deriveKey>) {
    if (broken.has('deriveKey')) return Promise.reject(new DOMException('no key', 'OperationError'));
    return deriveKey.apply(this, given);
  };
  const failing = (is: boolean) => {
    if (is) throw new DOMException('the disk is full', 'QuotaExceededError');
  };
  const { put, delete: remove } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...given) {
    const { name } = Object(given[0]) as { name?: unknown };
    failing(broken.has('keepKey') && name === 'data_key');
    return put.apply(this, given);
  };
  IDBObjectStore.prototype.delete = function (...given) {
    failing(broken.has('forget') && ['settings', 'users'].includes(this.name));
    return remove.apply(this, given);
  };
}

/** Every document opened from now on can be broken. */
export const makeBreakable = (page: Page): Promise<unknown> => page.context().addInitScript(breakable);

export const breakDevice = (page: Page, what: DeviceFault): Promise<void> =>
  page.evaluate(each => {
    (window as unknown as { broken: Set<string> }).broken.add(each);
  }, what);

export const restoreDevice = (page: Page): Promise<void> =>
  page.evaluate(() => (window as unknown as { broken: Set<string> }).broken.clear());

/** A disk with a bad spot: of every record of this table on the device the content is gone. */
export const spoil = (page: Page, table: string): Promise<number> =>
  page.evaluate(async type => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(new Error('cairn_mobile did not open')));
    });
    let spoiled = 0;
    const stores = [...db.objectStoreNames];
    const tx = db.transaction(stores, 'readwrite');
    for (const name of stores) {
      const walking = tx.objectStore(name).openCursor();
      walking.addEventListener('success', () => {
        const cursor = walking.result;
        if (!cursor) return;
        const record = Object(cursor.value) as { type?: string; data?: unknown };
        if (record.type === type && record.data !== undefined) {
          spoiled += 1;
          cursor.update({ ...record, data: null });
        }
        cursor.continue();
      });
    }
    await new Promise((resolve, reject) => {
      tx.addEventListener('complete', resolve);
      tx.addEventListener('abort', () => reject(tx.error ?? new Error('nothing was spoiled')));
    });
    db.close();
    return spoiled;
  }, table);
