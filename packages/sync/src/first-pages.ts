import { cursorsIn } from './cursors.ts';
import { asking, PagesAhead } from './pages-ahead.ts';
import { ownerRange } from './read-tx.ts';
import type { Session } from './session.ts';

type Place = Omit<Session, 'epoch'>;

/**
 * The first pages of a device that has none, asked for while it gets ready to store them: until then the lead is taken, the copy beside
 * the database looked at and the queue read, one after the other.
 */
export class FirstPages {
  private readonly pages: PagesAhead;
  private onBeat = () => {};

  /** @param signal ends them */
  constructor(session: Place, signal: AbortSignal) {
    this.pages = new PagesAhead(
      asking(session, () => this.onBeat(), false),
      signal,
    );
    this.pages.begin();
  }

  /** They are those of a pull now, and end with it. */
  within(signal: AbortSignal, onBeat: () => void): PagesAhead {
    this.onBeat = onBeat;
    signal.addEventListener('abort', () => this.close(), { once: true });
    return this.pages;
  }

  /** Nobody wants them. */
  close(): void {
    this.pages.close();
  }
}

/**
 * Asks for the first pages where they are the next thing to ask for: nothing has come yet, and nothing waits to be sent, which goes
 * before anything comes.
 */
export async function askFirst(session: Place, signal: AbortSignal): Promise<FirstPages | null> {
  const { db, owner, platform } = session;
  if (!platform.network.online()) return null;
  const tx = await db.transaction(['meta', 'sync_queue'], 'readonly');
  const waiting = tx.objectStore('sync_queue').index('order').count(ownerRange(owner));
  const [cursors, count] = await Promise.all([cursorsIn(tx, owner), waiting]);
  const isFirst = Object.keys(cursors).length === 0 && count === 0 && !signal.aborted;
  return isFirst ? new FirstPages(session, signal) : null;
}
