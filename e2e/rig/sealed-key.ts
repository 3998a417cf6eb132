import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import type { Page } from '@playwright/test';

/** What a password has closed on the device, byte for byte as it lies in its database. */
export type SealedKey = { salt: number[]; iv: number[]; body: number[] };

/** The data key of whoever is signed in, as it lies in `meta`. */
export const sealedKey = (page: Page): Promise<SealedKey> =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
      opening.onsuccess = () => resolve(opening.result);
    });
    type Kept = { name: string; value: { salt: Uint8Array; iv: Uint8Array; body: Uint8Array } };
    const all = await new Promise<Kept[]>((resolve, reject) => {
      const asked = db.transaction('meta').objectStore('meta').getAll();
      asked.onsuccess = () => resolve(asked.result as Kept[]);
      asked.onerror = () => reject(new Error('meta cannot be read'));
    });
    db.close();
    const kept = all.find(({ name }) => name === 'data_key');
    if (!kept) throw new Error('no data key lies on this device');
    const { salt, iv, body } = kept.value;
    return { salt: [...salt], iv: [...iv], body: [...body] };
  });

/** Opens it with Node's own cryptography: PBKDF2, SHA-256, so many rounds, then AES-GCM with 256 bits. */
export function openSealedKey({ salt, iv, body }: SealedKey, password: string, rounds: number): Buffer {
  const key = pbkdf2Sync(password, Buffer.from(salt), rounds, 32, 'sha256');
  const bytes = Buffer.from(body);
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
}
