import type { Clock } from '@cairn/base/clock.ts';
import { cursorsIn } from '../store/cursors.ts';
import { asking, PagesAhead } from './pages-ahead.ts';
import { ownerRange } from '../store/read-tx.ts';
import type { Session } from '../store/session.ts';

type UnfencedSession = Omit<Session, 'epoch'>;

/** Longest (ms) they may wait for whoever stores them: a device that has nothing to do asks as often. */
const MAX_AGE_MS = 60_000;

/**
 * The first pages of a device that has none, asked for while it gets ready to store them: until then the lead is taken, the copy beside
 * the database looked at and the queue read, one after the other.
 */
export class FirstPages {
  private readonly clock: Clock;
  private readonly asked: number;
  private pages: PagesAhead | null;
  private onHeartbeat = () => {};

  /** @param signal ends them */
  constructor(session: UnfencedSession, signal: AbortSignal) {
    this.clock = session.platform.clock;
    this.asked = this.clock.now();
    this.pages = new PagesAhead(
      asking(session, () => this.onHeartbeat(), false),
      signal,
    );
    // Whoever wants them asks once more, on a line that is there by then.
    this.pages.begin().catch(() => this.close());
  }

  /**
   * They are those of a pull now, which ends them.
   *
   * @returns null where there are none any more, and where they were asked for too long ago
   */
  within(signal: AbortSignal, onHeartbeat: () => void): PagesAhead | null {
    if (Math.abs(this.clock.now() - this.asked) > MAX_AGE_MS) this.close();
    const { pages } = this;
    this.pages = null;
    this.onHeartbeat = onHeartbeat;
    pages?.heed(signal);
    return pages;
  }

  /** Nobody wants them: nothing of them is kept. */
  close(): void {
    this.pages?.close();
    this.pages = null;
  }
}

/**
 * Asks for the first pages where they are the next thing to ask for: nothing has come yet, and nothing waits to be sent, which goes
 * before anything comes.
 */
export async function askFirst(session: UnfencedSession, signal: AbortSignal): Promise<FirstPages | null> {
  const { db, owner, platform } = session;
  if (!platform.network.online()) return null;
  const tx = await db.transaction(['meta', 'sync_queue'], 'readonly');
  const waiting = tx.objectStore('sync_queue').index('order').count(ownerRange(owner));
  const [cursors, count] = await Promise.all([cursorsIn(tx, owner), waiting]);
  const isFirst = Object.keys(cursors).length === 0 && count === 0 && !signal.aborted;
  return isFirst ? new FirstPages(session, signal) : null;
}
