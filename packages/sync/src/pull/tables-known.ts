import { columns } from '@cairn/schema';
import { unlessFull } from '../transport/abandon.ts';
import { cursorsIn } from '../store/cursors.ts';
import { DIGEST_DUE } from '../store/health.ts';
import { fenced, metaOf, type Session } from '../store/session.ts';

const TABLES = Object.keys(columns);
/** The tables the app knew when it last led here. */
const TABLES_KNOWN = 'tables_known';

type LeaderSession = Pick<Session, 'db' | 'owner' | 'epoch'>;

/**
 * After an update that brings tables: an earlier build left their rows out of what it was sent, and its cursors have passed
 * them. They come with the next comparison. With no room to note it the next start does: what waits is sent all the same.
 */
export async function noteTables(session: LeaderSession): Promise<void> {
  await unlessFull(note(session));
}

const note = (session: LeaderSession): Promise<void> =>
  fenced(session, { stores: [] }, async tx => {
    const { owner } = session;
    const meta = tx.objectStore('meta');
    const known = new Set(await metaOf<string[]>(tx, owner, TABLES_KNOWN));
    if (TABLES.every(table => known.has(table))) return;
    const hasPulled = Object.keys(await cursorsIn(tx, owner)).length > 0;
    await meta.put({ owner, name: TABLES_KNOWN, value: TABLES });
    const due = await metaOf(tx, owner, DIGEST_DUE);
    if (hasPulled && due === undefined) await meta.put({ owner, name: DIGEST_DUE, value: true });
  });
