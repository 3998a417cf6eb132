import type { Json } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';

/** What a secret has closed, as it is kept: base64. */
type SealedSecret = { salt: string; iv: string; body: string };

const textOf = (fields: Record<string, Json | undefined>, name: string): string | null => {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
};

/** A closed key out of its column; null when the column holds none. */
export function closedKeyOf(json: Json | null): SealedSecret | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const [salt, iv, body] = ['salt', 'iv', 'body'].map(name => textOf(json, name));
  return salt && iv && body ? { salt, iv, body } : null;
}

export type KeepNoteKey = {
  userId: string;
  /** The present instant, ISO 8601. */
  at: string;
  key: { id: string; by_password: SealedSecret | null; by_recovery: SealedSecret };
};

/** Keeps a new key for private notes, closed by the person's password and by their recovery code. */
export async function keepNoteKey(tx: WriteTx, { userId, at, key }: KeepNoteKey): Promise<void> {
  await tx.put('note_keys', { ...key, user_id: userId, made_at: at });
}

/** The same key, opened by another password from here on. */
export async function closeNoteKeyAnew(tx: WriteTx, id: string, byPassword: SealedSecret): Promise<void> {
  await tx.change('note_keys', id, { by_password: byPassword });
}
