import { BackendError } from '../transport/backend.ts';
import { DigestRound } from '../pull/digest-round.ts';
import type { SyncStatus } from '../outbox/outbox-item.ts';
import type { FirstPages } from '../pull/first-pages.ts';
import { remapCollidingIds } from '../outbox/id-remap.ts';
import type { SendDebounce } from '../push/send-debounce.ts';
import { submitOrphanedEdits } from '../recovery/submit-orphaned-edits.ts';
import type { RetryLoop } from './retry-loop.ts';
import { openNudges } from './nudges.ts';
import { pullAll } from '../pull/pull.ts';
import { pushAll } from '../push/push.ts';
import { Receipts } from '../push/receipts.ts';
import type { Session } from '../store/session.ts';
import type { Progress } from '../push/uploads.ts';
import { isStalled } from './watchdog.ts';

/** Work written by other tabs is noticed by itself within this time (ms), whatever became of their message. */
export const POLL = 5000;
const PULL_EVERY = 60_000;
/** So often in one round new ids are given to what the server took for somebody else's. */
const MAX_REMAPS = 50;

export type Phase = SyncStatus['phase'];

export type LeaderHooks = {
  onPhase(loop: 'records' | 'files', phase: Phase): void;
  /** Whether the last call reached the server. */
  onReached(reached: boolean): void;
  onProgress(progress: Progress): void;
  refreshToken(): Promise<void>;
};

type CycleParts = { debounce: SendDebounce; first: FirstPages | null; onBatch: () => void };

/** A round of the records' retry loop: push, pull, receipt; and what it remembers from one round to the next. */
export class SyncCycle {
  private readonly session: Session;
  private readonly hooks: LeaderHooks;
  private readonly onBatch: () => void;
  private readonly debounce: SendDebounce;
  private readonly nudges: ReturnType<typeof openNudges>;
  private readonly digest: DigestRound;
  private readonly receipts: Receipts;
  private pullWanted = true;
  private first: FirstPages | null;
  /** Whether a call of the last pull, or of the comparison behind it, failed: the line or the server, whichever it was. */
  private hasBroken = false;
  private lastPull = 0;
  private lastPush: number;

  constructor(session: Session, hooks: LeaderHooks, { debounce, first, onBatch }: CycleParts) {
    this.session = session;
    this.hooks = hooks;
    this.onBatch = onBatch;
    this.debounce = debounce;
    this.first = first;
    this.receipts = new Receipts(session);
    this.lastPush = session.platform.clock.now();
    this.nudges = openNudges(session, () => this.wantPull());
    this.digest = new DigestRound(session);
  }

  acknowledged(): void {
    this.receipts.acknowledged();
  }

  wantPull(): void {
    this.pullWanted = true;
  }

  listen(listener: () => void): () => void {
    return this.nudges.listen(listener);
  }

  async isStalled(loop: RetryLoop | undefined): Promise<boolean> {
    if (!loop) return false;
    const sending = { lastAttempt: this.lastPush, patience: loop.patience(), isResting: loop.isResting() };
    return isStalled(this.session, sending);
  }

  /** Without a network the socket would only knock in vain; the next pull listens again. */
  unsubscribe(): void {
    this.forgetFirst();
    this.receipts.away();
    this.nudges.unsubscribe();
  }

  async records(signal: AbortSignal, heartbeat: () => void): Promise<number> {
    try {
      return await this.round(signal, heartbeat);
    } catch (error) {
      this.receipts.away();
      this.forgetFirst();
      throw error;
    }
  }

  /** What was asked for before something was sent, or failed to be, or before the network went, is of another time. */
  private forgetFirst(): void {
    this.first?.close();
    this.first = null;
  }

  private async round(signal: AbortSignal, heartbeat: () => void): Promise<number> {
    const { session, hooks } = this;
    // What is being gathered has a round of its own. A round that comes of a nudge would send it one by one: each
    // save sent brings the nudge of its own change, and with it the next round.
    const sent = this.debounce.isWaiting() ? 0 : await this.push(signal, heartbeat);
    if (sent > 0) {
      this.forgetFirst();
      this.acknowledged();
      // The rows of files are with the server now: their bytes need not wait for that loop's next look.
      this.onBatch();
    }
    const due = session.platform.clock.now() - this.lastPull >= PULL_EVERY;
    const isMoved = sent > 0 || this.pullWanted;
    // Whatever becomes of a hand-over, what others did comes in.
    const submitting = isMoved ? await Promise.allSettled([submitOrphanedEdits(session, signal)]) : [];
    if (isMoved || due) await this.pull(signal, heartbeat);
    for (const outcome of submitting) {
      if (outcome.status !== 'rejected') continue;
      this.pullWanted = true;
      throw outcome.reason;
    }
    hooks.onReached(true);
    if (sent > 0 || isMoved || due) this.receipts.reached();
    return Math.max(0, Math.min(POLL, (await this.receipts.round(signal)) ?? POLL));
  }

  /** @returns how many mutations were answered */
  private async push(signal: AbortSignal, heartbeat: () => void): Promise<number> {
    const { session, hooks } = this;
    this.debounce.begun();
    const send = () =>
      pushAll(session, signal, () => {
        this.lastPush = session.platform.clock.now();
        hooks.onPhase('records', 'pushing');
        heartbeat();
        this.onBatch();
      });
    let sent = await send();
    // A group names one taken id at a time. A server that takes every id for another's must not hold the retry loop for ever.
    for (let turn = 0; turn < MAX_REMAPS && (sent > 0 || this.pullWanted); turn += 1) {
      if (!(await remapCollidingIds(session, signal, heartbeat))) break;
      sent += await send();
    }
    return sent;
  }

  private async pull(signal: AbortSignal, heartbeat: () => void): Promise<void> {
    this.hooks.onPhase('records', 'pulling');
    this.pullWanted = false;
    try {
      const begin = { isBreaking: this.hasBroken, first: this.first };
      this.first = null;
      const { scopes, isNews, hasLeft } = await pullAll(this.session, signal, heartbeat, begin);
      this.hasBroken = false;
      // The network may have gone while the answer came in.
      if (this.session.platform.network.online()) this.nudges.follow(scopes);
      this.lastPull = this.session.platform.clock.now();
      await this.digest.run(signal, heartbeat, isNews);
      // What was set aside before, or waits behind such an edit, only the loss itself told of.
      if (hasLeft) await submitOrphanedEdits(this.session, signal);
    } catch (error) {
      this.pullWanted = true;
      this.hasBroken = error instanceof BackendError;
      throw error;
    }
  }
}
