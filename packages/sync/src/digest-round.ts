import { digestIsDue, keepDigest, noteFault } from './health.ts';
import { pruneJournal } from './journal.ts';
import type { Session } from './session.ts';

/** Attempts (one a pull) to find every scope standing still, before some are left for the next day. */
const MOST_ATTEMPTS = 10;

/** Compares digests when it is time. One per session: it remembers how often it was put off. */
export class DigestRound {
  private readonly session: Session;
  private attempts = 0;

  constructor(session: Session) {
    this.session = session;
  }

  /** @throws {BackendError} when a call got no answer; it is asked for again with the next pull */
  async run(signal: AbortSignal, onBeat: () => void): Promise<void> {
    const { session } = this;
    if (!(await digestIsDue(session))) return;
    // Once a day: not part of what is loaded before the first paint.
    const { checkDigest } = await import('./digest.ts');
    const { compared, moved, repaired, differing } = await checkDigest(session, signal, onBeat);
    if (repaired > 0) await noteFault(session, 'rows_repaired', repaired);
    if (differing > 0) await noteFault(session, 'rows_differ', differing);
    this.attempts += 1;
    if (moved > 0 && this.attempts < MOST_ATTEMPTS) return;
    this.attempts = 0;
    await keepDigest(session, { at: session.platform.clock.now(), ok: differing === 0, compared, repaired });
    await pruneJournal(session);
  }
}
