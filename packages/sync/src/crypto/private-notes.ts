import type { LocalDatabase } from '../store/database.ts';
import { closeWithPassword, openWithPassword, SealFailure } from './password-seal.ts';
import type { SecretSealer } from './seal.ts';
import { metaOf } from '../store/session.ts';

/** Keys of notes that are open here, each closed by this browser's own key; they go with the sign-out (`letGo`). */
const NOTE_KEYS = 'note_keys';
/** Bytes of a note key: AES 256. */
const KEY_BYTES = 32;
const VECTOR_BYTES = 12;

/** A note key as a secret has closed it; base64, as it is kept on the server. */
export type ClosedKey = { salt: string; iv: string; body: string };

export type NoteKey = { id: string; by_password: ClosedKey | null; by_recovery: ClosedKey };

/** Notes that only their person reads: closed on the device with keys the server has never seen. */
export interface PrivateNotes {
  /** Ids of the keys that are open on this device. */
  open(): Promise<ReadonlySet<string>>;
  /**
   * A new key, open here, as the server keeps it.
   * @throws {SealFailure} `encrypt`, `store`
   */
  make(key: { id: string; password: string | null; code: string }): Promise<NoteKey>;
  /**
   * Opens a key on this device. @param secret a password, or a recovery code
   * @throws {SealFailure} `decrypt` when it is neither
   */
  unlock(key: NoteKey, secret: string): Promise<void>;
  /** A key that is open here, closed with another password; null when it is not open. */
  closeKey(id: string, password: string): Promise<ClosedKey | null>;
  /**
   * A text closed for one record. @param at the key's id and the record's
   * @throws {SealFailure} `encrypt` when the key is not open here
   */
  close(at: { key: string; record: string }, text: string): Promise<string>;
  /** The text; null when its key is not open here, or it was closed for another record. */
  read(record: string, closed: string): Promise<string | null>;
}

const toText = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), char => char.charCodeAt(0));

async function closedBy(key: Uint8Array<ArrayBuffer>, secret: string): Promise<ClosedKey> {
  const { salt, iv, body } = await closeWithPassword(key, secret);
  return { salt: toText(salt), iv: toText(iv), body: toText(body) };
}

const openedBy = ({ salt, iv, body }: ClosedKey, secret: string): Promise<Uint8Array<ArrayBuffer>> =>
  openWithPassword({ salt: toBytes(salt), iv: toBytes(iv), body: toBytes(body) }, secret);

/** Letters that are taken for one another when a code is copied by hand. */
const plainCode = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
    .replaceAll(/[^0-9A-Z]/g, '');

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new recovery code: 100 random bits as four groups of five, without letters that look alike. */
export function newRecoveryCode(): string {
  const chars = [...crypto.getRandomValues(new Uint8Array(20))].map(byte => ALPHABET[byte % 32]).join('');
  return chars.replaceAll(/(.{5})(?=.)/g, '$1-');
}

const aesKey = (key: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']);

/** Belongs to the closed text: it opens for no other record. */
const about = (record: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(record);

class Notes implements PrivateNotes {
  private readonly place: { db: LocalDatabase; seal: SecretSealer; owner: string };

  constructor(place: { db: LocalDatabase; seal: SecretSealer; owner: string }) {
    this.place = place;
  }

  private async kept(): Promise<Record<string, string>> {
    const { db, owner } = this.place;
    return (await metaOf<Record<string, string>>(await db.transaction(['meta'], 'readonly'), owner, NOTE_KEYS)) ?? {};
  }

  private async keyOf(id: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const closed = (await this.kept())[id];
    const text = closed === undefined ? null : await this.place.seal.open(closed);
    return text === null ? null : toBytes(text);
  }

  private async keep(id: string, key: Uint8Array): Promise<void> {
    const { db, seal, owner } = this.place;
    const closed = await seal.close(toText(key));
    try {
      const tx = await db.transaction(['meta'], 'readwrite', 'strict');
      const known = (await metaOf<Record<string, string>>(tx, owner, NOTE_KEYS)) ?? {};
      await tx.objectStore('meta').put({ owner, name: NOTE_KEYS, value: { ...known, [id]: closed } });
      await tx.done;
    } catch (cause) {
      throw new SealFailure('store', { cause });
    }
  }

  async open(): Promise<ReadonlySet<string>> {
    const ids = Object.keys(await this.kept());
    const keys = await Promise.all(ids.map(id => this.keyOf(id)));
    return new Set(ids.filter((_, index) => keys[index] !== null));
  }

  async make({ id, password, code }: { id: string; password: string | null; code: string }): Promise<NoteKey> {
    const key = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    const [byPassword, byRecovery] = await Promise.all([
      password === null ? null : closedBy(key, password),
      closedBy(key, plainCode(code)),
    ]);
    await this.keep(id, key);
    return { id, by_password: byPassword, by_recovery: byRecovery };
  }

  async unlock({ id, by_password, by_recovery }: NoteKey, secret: string): Promise<void> {
    const byPassword = by_password && (await openedBy(by_password, secret).catch(() => null));
    await this.keep(id, byPassword ?? (await openedBy(by_recovery, plainCode(secret))));
  }

  async closeKey(id: string, password: string): Promise<ClosedKey | null> {
    const key = await this.keyOf(id);
    return key && closedBy(key, password);
  }

  async close({ key: id, record }: { key: string; record: string }, text: string): Promise<string> {
    const key = await this.keyOf(id);
    if (!key) throw new SealFailure('encrypt');
    const iv = crypto.getRandomValues(new Uint8Array(VECTOR_BYTES));
    const options = { name: 'AES-GCM', iv, additionalData: about(record) };
    const body = await crypto.subtle.encrypt(options, await aesKey(key), new TextEncoder().encode(text));
    return `1.${id}.${toText(iv)}.${toText(new Uint8Array(body))}`;
  }

  async read(record: string, closed: string): Promise<string | null> {
    const [format, id = '', iv = '', body = ''] = closed.split('.');
    const key = format === '1' ? await this.keyOf(id) : null;
    if (!key) return null;
    try {
      const options = { name: 'AES-GCM', iv: toBytes(iv), additionalData: about(record) };
      return new TextDecoder().decode(await crypto.subtle.decrypt(options, await aesKey(key), toBytes(body)));
    } catch (error) {
      // Closed for another record, or a bit has changed: there is nothing to read.
      if (error instanceof DOMException) return null;
      throw error;
    }
  }
}

/** The private notes of one person on this device. */
export const openPrivateNotes = (place: { db: LocalDatabase; seal: SecretSealer; owner: string }): PrivateNotes =>
  new Notes(place);
