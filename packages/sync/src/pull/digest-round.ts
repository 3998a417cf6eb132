import { DIGEST_ASKED, digestDue, keepDigest, noteFault } from '../store/health.ts';
import { pruneJournal } from '../push/journal.ts';
import type { Session } from '../store/session.ts';
import { ensureReserve } from '../files/storage-reserve.ts';
import { untilAborted } from '../transport/until-aborted.ts';

/** Attempts (one a pull) to find every scope standing still, before some are left for the next day. */
const MAX_ATTEMPTS = 10;

/** ms after the start of the app that belong to its person: nothing is compared unasked, and no room laid aside. */
const GRACE_MS = 10_000;
/** Longest a comparison waits for a pull that brings nothing, ms. It reads all that is on the device. */
const MAX_WAIT_MS = 600_000;

/**
 * Compares digests when it is time, not while something comes in: a minute after the start or later, the first time. One per
 * session: it remembers how often it was put off.
 */
export class DigestRound {
  private readonly session: Session;
  private readonly began: number;
  private attempts = 0;
  private dueSince: number | null = null;

  constructor(session: Session) {
    this.session = session;
    this.began = session.platform.clock.now();
  }

  /**
   * After each pull.
   *
   * @param isNews whether that pull brought anything: it will not have been all
   * @throws {BackendError} when a call got no answer; it is asked for again with the next pull
   */
  async run(signal: AbortSignal, onHeartbeat: () => void, isNews: boolean): Promise<void> {
    const { session } = this;
    const { clock } = session.platform;
    const due = await digestDue(session);
    const isSettling = Math.abs(clock.now() - this.began) < GRACE_MS;
    if (!due || (isSettling && due !== DIGEST_ASKED)) return;
    this.dueSince ??= clock.now();
    const isLate = Math.abs(clock.now() - this.dueSince) >= MAX_WAIT_MS;
    if (isNews && !isLate && due !== DIGEST_ASKED) return;
    // Once a day: not part of what is loaded before the first paint.
    const { checkDigest } = await untilAborted(signal, () => import('./digest.ts'));
    const { compared, moved, repaired, differing } = await checkDigest(session, signal, onHeartbeat);
    if (repaired > 0) await noteFault(session, 'rows_repaired', repaired);
    if (differing > 0) await noteFault(session, 'rows_differ', differing);
    this.attempts += 1;
    if (moved > 0 && this.attempts < MAX_ATTEMPTS) return;
    this.attempts = 0;
    this.dueSince = null;
    await keepDigest(session, { at: clock.now(), ok: differing === 0, compared, repaired });
    await pruneJournal(session);
    // Without it everything works until the storage is full; the next day tries again.
    await ensureReserve(session);
  }
}
