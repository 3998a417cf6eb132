import { isDomError } from '../transport/abandon.ts';
import type { LocalDatabase } from '../store/database.ts';
import { metaOf } from '../store/session.ts';
import { DEVICE } from '../store/stored.ts';

const KEY = 'device_key';
const ALGORITHM = 'AES-GCM';
/** Bytes of the random initialisation vector, as AES-GCM wants it. */
const VECTOR = 12;

/** Closes and opens small secrets with a key that never leaves this browser. */
export interface SecretSealer {
  close(clear: string): Promise<string>;
  /** null when it was sealed with another key: the device database was wiped meanwhile. */
  open(sealed: string): Promise<string | null>;
}

const toText = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), char => char.charCodeAt(0));

/** The device's key, made on first use; two tabs that make it at once end with the same one. */
async function deviceKey(db: LocalDatabase): Promise<CryptoKey> {
  const look = await db.transaction(['meta'], 'readonly');
  const known = await metaOf<CryptoKey>(look, DEVICE, KEY);
  if (known) return known;
  const made = await crypto.subtle.generateKey({ name: ALGORITHM, length: 256 }, false, ['encrypt', 'decrypt']);
  const tx = await db.transaction(['meta'], 'readwrite', 'strict');
  const first = await metaOf<CryptoKey>(tx, DEVICE, KEY);
  if (!first) await tx.objectStore('meta').put({ owner: DEVICE, name: KEY, value: made });
  await tx.done;
  return first ?? made;
}

export function openSeal(db: LocalDatabase): SecretSealer {
  let key: Promise<CryptoKey> | null = null;
  const held = () => (key ??= deviceKey(db));
  return {
    async close(clear) {
      const iv = crypto.getRandomValues(new Uint8Array(VECTOR));
      const text = new TextEncoder().encode(clear);
      const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: ALGORITHM, iv }, await held(), text));
      return `${toText(iv)}.${toText(sealed)}`;
    },
    async open(sealed) {
      const [iv, body] = sealed.split('.');
      if (!iv || !body) return null;
      try {
        const clear = await crypto.subtle.decrypt({ name: ALGORITHM, iv: toBytes(iv) }, await held(), toBytes(body));
        return new TextDecoder().decode(clear);
      } catch (error) {
        if (isDomError(error, 'OperationError') || isDomError(error, 'InvalidCharacterError')) return null;
        throw error;
      }
    },
  };
}
