import type { LocalDatabase } from './database.ts';
import { closeWithPassword, openWithPassword, SealFailure, type PasswordSealed } from './password-seal.ts';
import { metaOf } from './session.ts';

const DATA_KEY = 'data_key';
/** Bytes of a data key: AES 256. */
const KEY_BYTES = 32;

/** A random key per person, on this device only as their password has closed it. */
export interface DataKeys {
  /** Whether this device can tell the person by their password with no network. */
  has(owner: string): Promise<boolean>;
  /**
   * Keeps a key that this password opens: the one that is there, else a new one. Call it when the server has just
   * accepted the password.
   * @throws {SealFailure} `encrypt`, `store`
   */
  keep(owner: string, password: string): Promise<void>;
  /**
   * The person's key, 32 bytes.
   * @throws {SealFailure} `decrypt` when this is not the password, or there is no key
   */
  open(owner: string, password: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** The data keys of a device; they go with `forgetPerson`. */
export function openDataKeys(db: LocalDatabase): DataKeys {
  const kept = async (owner: string) =>
    metaOf<PasswordSealed>(await db.transaction(['meta'], 'readonly'), owner, DATA_KEY);
  const open = async (owner: string, password: string) => {
    const sealed = await kept(owner);
    if (!sealed) throw new SealFailure('decrypt');
    return openWithPassword(sealed, password);
  };
  return {
    has: async owner => (await kept(owner)) !== undefined,
    open,
    async keep(owner, password) {
      const isKnown = await open(owner, password).then(
        () => true,
        () => false,
      );
      if (isKnown) return;
      // Another password than before: what the old key closed is lost without the old password, wherever it is kept.
      const value = await closeWithPassword(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), password);
      try {
        const tx = await db.transaction(['meta'], 'readwrite', 'strict');
        await tx.objectStore('meta').put({ owner, name: DATA_KEY, value });
        await tx.done;
      } catch (cause) {
        throw new SealFailure('store', { cause });
      }
    },
  };
}
