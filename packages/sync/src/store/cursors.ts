import type { Cursor } from '../transport/backend.ts';
import type { DatabaseTx, LocalDatabase, Mode } from './database.ts';
import { metaOf } from './session.ts';

/** How far each scope was read, by scope. */
export type Cursors = Record<string, Cursor>;

export const CURSORS = 'cursors';

export const cursorsIn = async (tx: DatabaseTx<Mode>, owner: string): Promise<Cursors> =>
  (await metaOf<Cursors>(tx, owner, CURSORS)) ?? {};

export async function cursorsOf({ db, owner }: { db: LocalDatabase; owner: string }): Promise<Cursors> {
  return cursorsIn(await db.transaction(['meta'], 'readonly'), owner);
}
