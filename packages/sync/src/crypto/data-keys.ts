import type { LocalDatabase } from '../store/database.ts';
import { closeWithPassword, openWithPassword, SealFailure, type PasswordEnvelope } from './password-seal.ts';
import type { SecretSealer } from './seal.ts';
import { metaOf } from '../store/session.ts';

const DATA_KEY = 'data_key';
/** The same key closed by this browser's own, only while the person is signed in. */
const HELD = 'data_key_held';
/** Opened keys of private notes, and what others let this person see: the files that keep them are fetched later than this. */
const GO_ALONG = ['note_keys', 'shared_copies'];
/** Bytes of a data key: AES 256. */
const KEY_BYTES = 32;

/** A random key per person; once they have signed out it is on this device only as their password has closed it. */
export interface DataKeys {
  /** Whether this device can tell the person by their password with no network. */
  has(owner: string): Promise<boolean>;
  /**
   * Keeps a key that this password opens: the one that is there, else a new one. Call it when the server has just
   * accepted the password, also when it was changed by whoever is signed in.
   * @throws {SealFailure} `encrypt`, `store`
   */
  keep(owner: string, password: string): Promise<void>;
  /**
   * The person's key, 32 bytes.
   * @throws {SealFailure} `decrypt` when this is not the password, or there is no key
   */
  open(owner: string, password: string): Promise<Uint8Array<ArrayBuffer>>;
  /** The key of whoever is signed in, and how their password has closed it; null when no password was given here. */
  held(owner: string): Promise<{ key: Uint8Array<ArrayBuffer>; sealed: PasswordEnvelope } | null>;
  /** From here on only the password opens it. */
  letGo(owner: string): Promise<void>;
}

const toText = (key: Uint8Array): string => btoa(String.fromCharCode(...key));
const toKey = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), char => char.charCodeAt(0));

class Keys implements DataKeys {
  private readonly db: LocalDatabase;
  private readonly seal: SecretSealer;

  constructor(db: LocalDatabase, seal: SecretSealer) {
    this.db = db;
    this.seal = seal;
  }

  private async kept<A>(owner: string, name: string): Promise<A | undefined> {
    return metaOf<A>(await this.db.transaction(['meta'], 'readonly'), owner, name);
  }

  private async present(owner: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const closed = await this.kept<string>(owner, HELD);
    const text = closed === undefined ? null : await this.seal.open(closed);
    return text === null ? null : toKey(text);
  }

  async has(owner: string): Promise<boolean> {
    return (await this.kept(owner, DATA_KEY)) !== undefined;
  }

  async open(owner: string, password: string): Promise<Uint8Array<ArrayBuffer>> {
    const sealed = await this.kept<PasswordEnvelope>(owner, DATA_KEY);
    if (!sealed) throw new SealFailure('decrypt');
    return openWithPassword(sealed, password);
  }

  async keep(owner: string, password: string): Promise<void> {
    const known = await this.open(owner, password).catch(() => null);
    // Another password than before: whoever is signed in takes their key along; else it is a new one, and what the old
    // one closed (work that was kept) carries that one with it.
    const key = known ?? (await this.present(owner)) ?? crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    const sealed = known ? null : await closeWithPassword(key, password);
    const held = await this.seal.close(toText(key));
    try {
      const tx = await this.db.transaction(['meta'], 'readwrite', 'strict');
      if (sealed) await tx.objectStore('meta').put({ owner, name: DATA_KEY, value: sealed });
      await tx.objectStore('meta').put({ owner, name: HELD, value: held });
      await tx.done;
    } catch (cause) {
      throw new SealFailure('store', { cause });
    }
  }

  async held(owner: string) {
    const [key, sealed] = await Promise.all([this.present(owner), this.kept<PasswordEnvelope>(owner, DATA_KEY)]);
    return key && sealed ? { key, sealed } : null;
  }

  async letGo(owner: string): Promise<void> {
    const tx = await this.db.transaction(['meta'], 'readwrite', 'strict');
    await tx.objectStore('meta').delete([owner, HELD]);
    for (const name of GO_ALONG) await tx.objectStore('meta').delete([owner, name]);
    await tx.done;
  }
}

/** The data keys of a device; they go with `forgetPerson`. */
export const openDataKeys = (db: LocalDatabase, seal: SecretSealer): DataKeys => new Keys(db, seal);
