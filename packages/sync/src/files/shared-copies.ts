import type { LocalDatabase } from '../store/database.ts';
import type { SecretSealer } from '../crypto/seal.ts';
import { metaOf } from '../store/session.ts';

const SHARED = 'shared_copies';

/** What somebody else granted this person to see, as it was read last; closed by this browser's own key. */
export interface SharedCopies {
  /** null where there is none. @param name the relationship's id */
  get(name: string): Promise<unknown>;
  keep(name: string, copy: unknown): Promise<void>;
  /** Names of all that are kept. */
  names(): Promise<string[]>;
  drop(name: string): Promise<void>;
}

/** The copies of one person; they go with `forgetPerson` and with the sign-out. */
export function openSharedCopies({
  db,
  seal,
  owner,
}: {
  db: LocalDatabase;
  seal: SecretSealer;
  owner: string;
}): SharedCopies {
  const all = async () =>
    (await metaOf<Record<string, string>>(await db.transaction(['meta'], 'readonly'), owner, SHARED)) ?? {};
  const change = async (edit: (copies: Record<string, string>) => Record<string, string>) => {
    const tx = await db.transaction(['meta'], 'readwrite', 'strict');
    const known = (await metaOf<Record<string, string>>(tx, owner, SHARED)) ?? {};
    await tx.objectStore('meta').put({ owner, name: SHARED, value: edit(known) });
    await tx.done;
  };
  return {
    async get(name) {
      const closed = (await all())[name];
      const text = closed === undefined ? null : await seal.open(closed);
      return text === null ? null : (JSON.parse(text) as unknown);
    },
    async keep(name, copy) {
      const closed = await seal.close(JSON.stringify(copy));
      await change(copies => ({ ...copies, [name]: closed }));
    },
    names: async () => Object.keys(await all()),
    drop: name => change(({ [name]: _gone, ...rest }) => rest),
  };
}
