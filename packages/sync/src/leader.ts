import { BackendError } from './backend.ts';
import { NUDGE, QUEUE } from './changes.ts';
import type { SyncStatus } from './engine.ts';
import { filesMayGo, keepWithinLimit } from './file-wishes.ts';
import { freeSentFiles, KEEP_SENT_FILES } from './kept-files.ts';
import { handOver } from './hand-over.ts';
import { Lane, type LaneOptions, type LanePhase } from './lane.ts';
import { noteInterrupted } from './batch.ts';
import { pullAll } from './pull.ts';
import { pushAll } from './push.ts';
import { receiptRound } from './receipts.ts';
import type { Session } from './session.ts';
import { uploadAll, type Progress } from './uploads.ts';

/** Work written by other tabs is noticed by itself within this time (ms), whatever became of their message. */
const POLL = 5000;
const PULL_EVERY = 60_000;
/** The first nudge is followed at once; those of the next ms (a colleague's device sending a day's work) as one. */
const GATHER_NUDGES = 250;
const WATCH_EVERY = 60_000;
/** Above this share of its storage the device frees files the server has had for a week. */
const SHORT_OF_ROOM = 0.8;

type Phase = SyncStatus['phase'];

export type LeaderHooks = {
  onPhase(lane: 'records' | 'files', phase: Phase): void;
  /** Whether the last call reached the server. */
  onReached(reached: boolean): void;
  onProgress(progress: Progress): void;
  refreshToken(): Promise<void>;
};

export interface Leader {
  /** Resolves when another session took over. */
  readonly fencedOff: Promise<void>;
  stop(): Promise<void>;
}

const shown: Record<LanePhase, Phase> = {
  working: 'idle',
  idle: 'idle',
  waiting: 'waiting',
  paused_auth: 'paused_auth',
};

/** Runs the loops of the one tab that speaks with the server for this person. */
export async function startLeader(session: Session, hooks: LeaderHooks): Promise<Leader> {
  const { clock } = session.platform;
  await noteInterrupted(session);
  if ((await session.platform.storageTaken()) > SHORT_OF_ROOM) {
    await freeSentFiles(session.db, clock.now() - KEEP_SENT_FILES);
  }
  const { promise: fencedOff, resolve: overtaken } = Promise.withResolvers<void>();
  const start = (name: LaneName, work: LaneOptions['work']) =>
    new Lane({
      clock,
      random: () => session.platform.random(),
      work,
      refreshToken: () => hooks.refreshToken(),
      offline: () => !session.platform.network.online(),
      onFenced: overtaken,
      onPhase(phase, error) {
        // A fault of ours, not of the network: backing off must not hide it.
        if (error instanceof TypeError) globalThis.reportError?.(error);
        if (error) hooks.onReached(!(error instanceof BackendError && error.kind === 'network'));
        hooks.onPhase(name, shown[phase]);
      },
    });
  const lanes: Partial<Record<LaneName, Lane>> = {};
  const rounds = new Rounds(session, hooks, () => lanes.files?.wake(false));
  lanes.records = start('records', (signal, beat) => rounds.records(signal, beat));
  lanes.files = start('files', async (signal, beat) => {
    if ((await filesRound(session, hooks, signal, beat)) > 0) {
      await keepWithinLimit(session);
      rounds.acknowledged();
      lanes.records?.wake(false);
    }
    return POLL;
  });
  return { fencedOff, stop: steer(session, lanes, rounds) };
}

type LaneName = 'records' | 'files';
type Lanes = Partial<Record<LaneName, Lane>>;

async function filesRound(session: Session, hooks: LeaderHooks, signal: AbortSignal, onBeat: () => void) {
  if (!(await filesMayGo(session))) return 0;
  return uploadAll(session, signal, {
    onBeat,
    onProgress(progress) {
      if (progress.sent !== null) hooks.onPhase('files', 'uploading');
      hooks.onProgress(progress);
    },
  });
}

/** What wakes the lanes. @returns what stops all of it */
function steer(session: Session, lanes: Lanes, rounds: Rounds): () => Promise<void> {
  const wakeBoth = (urgent: boolean) => {
    rounds.wantPull();
    lanes.records?.wake(urgent);
    lanes.files?.wake(urgent);
  };
  const stops = [
    session.platform.network.onChange(event => {
      if (event === 'offline') rounds.deaf();
      else wakeBoth(session.platform.network.online());
    }),
    session.changes.on(names => {
      if (names.has(NUDGE)) wakeBoth(true);
      else if (names.has(QUEUE)) lanes.records?.wake(false);
      if (names.has('user_preferences')) wishesChanged(session, lanes);
    }),
    every(session, WATCH_EVERY, () => Object.values(lanes).forEach(lane => lane.watch())),
    rounds.listen(() => lanes.records?.wake(false)),
  ];
  return async () => {
    for (const stop of stops) stop();
    await Promise.all(Object.values(lanes).map(lane => lane.stop()));
  };
}

/** The person wants files to go, or to be kept, differently from now on. */
function wishesChanged(session: Session, lanes: Lanes): void {
  lanes.files?.wake(false);
  keepWithinLimit(session).catch((error: unknown) => globalThis.reportError?.(error));
}

function every({ platform }: Session, ms: number, callback: () => void): () => void {
  let cancel = () => {};
  const arm = () => {
    cancel = platform.clock.after(ms, () => {
      arm();
      callback();
    });
  };
  arm();
  return () => cancel();
}

/** The record lane's round: push, pull, receipt; and what it remembers from one round to the next. */
class Rounds {
  private readonly session: Session;
  private readonly hooks: LeaderHooks;
  private readonly onBatch: () => void;
  private readonly nudges: ReturnType<typeof openNudges>;
  private pullWanted = true;
  private lastPull = 0;
  private quietSince: number;
  private receiptDue = 0;

  constructor(session: Session, hooks: LeaderHooks, onBatch: () => void) {
    this.session = session;
    this.hooks = hooks;
    this.onBatch = onBatch;
    this.quietSince = session.platform.clock.now();
    this.nudges = openNudges(session, () => this.wantPull());
  }

  acknowledged(): void {
    this.quietSince = this.session.platform.clock.now();
    this.receiptDue = 0;
  }

  wantPull(): void {
    this.pullWanted = true;
  }

  listen(listener: () => void): () => void {
    return this.nudges.listen(listener);
  }

  /** Without a network the socket would only knock in vain; the next pull listens again. */
  deaf(): void {
    this.nudges.deaf();
  }

  async records(signal: AbortSignal, beat: () => void): Promise<number> {
    const { session, hooks } = this;
    const sent = await pushAll(session, signal, () => {
      hooks.onPhase('records', 'pushing');
      beat();
      this.onBatch();
    });
    if (sent > 0) {
      this.acknowledged();
      // The rows of files are with the server now: their bytes need not wait for the lane's next look.
      this.onBatch();
    }
    const due = session.platform.clock.now() - this.lastPull >= PULL_EVERY;
    if (sent > 0 || this.pullWanted) await handOver(session, signal);
    if (sent > 0 || this.pullWanted || due) await this.pull(signal, beat);
    hooks.onReached(true);
    return Math.max(0, Math.min(POLL, await this.receipt(signal)));
  }

  private async pull(signal: AbortSignal, beat: () => void): Promise<void> {
    this.hooks.onPhase('records', 'pulling');
    this.pullWanted = false;
    try {
      const scopes = await pullAll(this.session, signal, beat);
      // The network may have gone while the answer came in.
      if (this.session.platform.network.online()) this.nudges.follow(scopes);
      this.lastPull = this.session.platform.clock.now();
    } catch (error) {
      this.pullWanted = true;
      throw error;
    }
  }

  /** @returns ms until the next look */
  private async receipt(signal: AbortSignal): Promise<number> {
    const now = this.session.platform.clock.now();
    if (now < this.receiptDue) return this.receiptDue - now;
    const wait = await receiptRound(this.session, signal, this.quietSince);
    this.receiptDue = now + (wait ?? 0);
    return wait ?? POLL;
  }
}

/** Follows the person's scopes; when they change the subscription does too. */
function openNudges({ backend, platform: { clock } }: Session, onNudge: () => void) {
  let followed = '';
  let stop = () => {};
  let wake = () => {};
  let wokeAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;
  const wakeNow = () => {
    cancel = null;
    wokeAt = clock.now();
    wake();
  };
  return {
    follow(scopes: string[]) {
      const wanted = scopes.toSorted().join(' ');
      if (wanted === followed) return;
      followed = wanted;
      stop();
      stop = backend.onNudge(scopes, () => {
        onNudge();
        if (cancel) return;
        const wait = wokeAt + GATHER_NUDGES - clock.now();
        if (wait <= 0) wakeNow();
        else cancel = clock.after(wait, wakeNow);
      });
    },
    deaf() {
      stop();
      stop = () => {};
      followed = '';
    },
    listen(listener: () => void) {
      wake = listener;
      return () => {
        wake = () => {};
        cancel?.();
        stop();
      };
    },
  };
}
