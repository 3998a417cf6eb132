import type { LocalDatabase } from './database.ts';
import { metaOf } from './session.ts';

/** Where the comparison with the server leaves its word in `meta`. */
const DIGEST = 'digest';

/** When the device last compared what it holds with the server (ms since 1970), and whether the two were equal then. */
export type LastDigest = { at: number; ok: boolean; repaired: number };

/** @returns null while none was made */
export async function lastDigestOf(db: LocalDatabase, owner: string): Promise<LastDigest | null> {
  return (await metaOf<LastDigest>(await db.transaction(['meta'], 'readonly'), owner, DIGEST)) ?? null;
}
