import { BackendError } from '../transport/backend.ts';
import { DigestRound } from '../pull/digest-round.ts';
import type { SyncStatus } from '../outbox/outbox-item.ts';
import type { FirstPages } from '../pull/first-pages.ts';
import { giveFreshIds } from '../outbox/fresh-ids.ts';
import type { Gather } from '../push/gather.ts';
import { handOver } from '../recovery/hand-over.ts';
import type { Lane } from './lane.ts';
import { openNudges } from './nudges.ts';
import { pullAll } from '../pull/pull.ts';
import { pushAll } from '../push/push.ts';
import { Receipts } from '../push/receipts.ts';
import type { Session } from '../store/session.ts';
import type { Progress } from '../push/uploads.ts';
import { standsStill } from './watchdog.ts';

/** Work written by other tabs is noticed by itself within this time (ms), whatever became of their message. */
export const POLL = 5000;
const PULL_EVERY = 60_000;
/** So often in one round new ids are given to what the server took for somebody else's. */
const FRESH_TURNS = 50;

export type Phase = SyncStatus['phase'];

export type LeaderHooks = {
  onPhase(lane: 'records' | 'files', phase: Phase): void;
  /** Whether the last call reached the server. */
  onReached(reached: boolean): void;
  onProgress(progress: Progress): void;
  refreshToken(): Promise<void>;
};

type RoundParts = { gather: Gather; first: FirstPages | null; onBatch: () => void };

/** The record lane's round: push, pull, receipt; and what it remembers from one round to the next. */
export class Rounds {
  private readonly session: Session;
  private readonly hooks: LeaderHooks;
  private readonly onBatch: () => void;
  private readonly gather: Gather;
  private readonly nudges: ReturnType<typeof openNudges>;
  private readonly digest: DigestRound;
  private readonly receipts: Receipts;
  private pullWanted = true;
  private first: FirstPages | null;
  /** Whether a call of the last pull, or of the comparison behind it, failed: the line or the server, whichever it was. */
  private hasBroken = false;
  private lastPull = 0;
  private lastPush: number;

  constructor(session: Session, hooks: LeaderHooks, { gather, first, onBatch }: RoundParts) {
    this.session = session;
    this.hooks = hooks;
    this.onBatch = onBatch;
    this.gather = gather;
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

  async standsStill(lane: Lane | undefined): Promise<boolean> {
    if (!lane) return false;
    const sending = { lastAttempt: this.lastPush, patience: lane.patience(), isResting: lane.isResting() };
    return standsStill(this.session, sending);
  }

  /** Without a network the socket would only knock in vain; the next pull listens again. */
  deaf(): void {
    this.forgetFirst();
    this.receipts.away();
    this.nudges.deaf();
  }

  async records(signal: AbortSignal, beat: () => void): Promise<number> {
    try {
      return await this.round(signal, beat);
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

  private async round(signal: AbortSignal, beat: () => void): Promise<number> {
    const { session, hooks } = this;
    // What is being gathered has a round of its own. A round that comes of a nudge would send it one by one: each
    // save sent brings the nudge of its own change, and with it the next round.
    const sent = this.gather.isWaiting() ? 0 : await this.push(signal, beat);
    if (sent > 0) {
      this.forgetFirst();
      this.acknowledged();
      // The rows of files are with the server now: their bytes need not wait for the lane's next look.
      this.onBatch();
    }
    const due = session.platform.clock.now() - this.lastPull >= PULL_EVERY;
    const isMoved = sent > 0 || this.pullWanted;
    // Whatever becomes of a hand-over, what others did comes in.
    const handed = isMoved ? await Promise.allSettled([handOver(session, signal)]) : [];
    if (isMoved || due) await this.pull(signal, beat);
    for (const outcome of handed) {
      if (outcome.status !== 'rejected') continue;
      this.pullWanted = true;
      throw outcome.reason;
    }
    hooks.onReached(true);
    if (sent > 0 || isMoved || due) this.receipts.reached();
    return Math.max(0, Math.min(POLL, (await this.receipts.round(signal)) ?? POLL));
  }

  /** @returns how many mutations were answered */
  private async push(signal: AbortSignal, beat: () => void): Promise<number> {
    const { session, hooks } = this;
    this.gather.begun();
    const send = () =>
      pushAll(session, signal, () => {
        this.lastPush = session.platform.clock.now();
        hooks.onPhase('records', 'pushing');
        beat();
        this.onBatch();
      });
    let sent = await send();
    // A group names one taken id at a time. A server that takes every id for another's must not hold the lane for ever.
    for (let turn = 0; turn < FRESH_TURNS && (sent > 0 || this.pullWanted); turn += 1) {
      if (!(await giveFreshIds(session, signal, beat))) break;
      sent += await send();
    }
    return sent;
  }

  private async pull(signal: AbortSignal, beat: () => void): Promise<void> {
    this.hooks.onPhase('records', 'pulling');
    this.pullWanted = false;
    try {
      const begin = { isBreaking: this.hasBroken, first: this.first };
      this.first = null;
      const { scopes, isNews, hasLeft } = await pullAll(this.session, signal, beat, begin);
      this.hasBroken = false;
      // The network may have gone while the answer came in.
      if (this.session.platform.network.online()) this.nudges.follow(scopes);
      this.lastPull = this.session.platform.clock.now();
      await this.digest.run(signal, beat, isNews);
      // What was set aside before, or waits behind such an edit, only the loss itself told of.
      if (hasLeft) await handOver(this.session, signal);
    } catch (error) {
      this.pullWanted = true;
      this.hasBroken = error instanceof BackendError;
      throw error;
    }
  }
}
