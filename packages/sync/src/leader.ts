import { BackendError } from './backend.ts';
import { NUDGE, QUEUE } from './changes.ts';
import type { SyncStatus } from './engine.ts';
import { freeSentFiles, KEEP_SENT_FILES } from './kept-files.ts';
import { startLane, type Lane, type LanePhase } from './lane.ts';
import { noteInterrupted } from './batch.ts';
import { pullAll } from './pull.ts';
import { pushAll } from './push.ts';
import { receiptRound } from './receipts.ts';
import type { Session } from './session.ts';
import { uploadAll, type Progress } from './uploads.ts';

/** Work written by other tabs is noticed by itself within this time (ms), whatever became of their message. */
const POLL = 5000;
const PULL_EVERY = 60_000;
const WATCH_EVERY = 60_000;
/** Above this share of its storage the device frees files the server has had for a week. */
const SHORT_OF_ROOM = 0.8;

type Phase = SyncStatus['phase'];

export type LeaderHooks = {
  onPhase(lane: 'records' | 'files', phase: Phase): void;
  /** Whether the last call reached the server. */
  onReached(reached: boolean): void;
  onProgress(progress: Progress | null): void;
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
  const { clock, network, random } = session.platform;
  await noteInterrupted(session);
  if ((await session.platform.storageTaken()) > SHORT_OF_ROOM) {
    await freeSentFiles(session.db, clock.now() - KEEP_SENT_FILES);
  }
  let overtaken = () => {};
  const fencedOff = new Promise<void>(resolve => (overtaken = resolve));
  const lanes: Partial<Record<'records' | 'files', Lane>> = {};
  const start = (name: 'records' | 'files', work: Parameters<typeof startLane>[0]['work']): Lane =>
    startLane({
      clock,
      random,
      work,
      refreshToken: hooks.refreshToken,
      onFenced: overtaken,
      onPhase(phase, error) {
        if (error) hooks.onReached(!(error instanceof BackendError && error.kind === 'network'));
        hooks.onPhase(name, shown[phase]);
      },
    });

  const rounds = openRounds(session, hooks, () => lanes.files?.wake(false));
  lanes.records = start('records', rounds.records);
  lanes.files = start('files', async (signal, onBeat) => {
    const onProgress = (progress: Progress | null) => {
      if (progress) hooks.onPhase('files', 'uploading');
      hooks.onProgress(progress);
    };
    const done = await uploadAll(session, signal, { onBeat, onProgress });
    if (done > 0) rounds.acknowledged();
    if (done > 0) lanes.records?.wake(false);
    return POLL;
  });

  const wakeBoth = (urgent: boolean) => {
    rounds.wantPull();
    lanes.records?.wake(urgent);
    lanes.files?.wake(urgent);
  };
  const stops = [
    network.onChange(event => event !== 'offline' && wakeBoth(true)),
    session.changes.on(names => {
      if (names.has(NUDGE)) wakeBoth(true);
      else if (names.has(QUEUE)) lanes.records?.wake(false);
    }),
    every(session, WATCH_EVERY, () => Object.values(lanes).forEach(lane => lane.watch())),
    rounds.listen(() => lanes.records?.wake(false)),
  ];
  return {
    fencedOff,
    async stop() {
      for (const stop of stops) stop();
      await Promise.all(Object.values(lanes).map(lane => lane.stop()));
    },
  };
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
function openRounds(session: Session, hooks: LeaderHooks, onBatch: () => void) {
  const { clock } = session.platform;
  let pullWanted = true;
  let lastPull = 0;
  let quietSince = clock.now();
  let receiptDue = 0;
  const nudges = openNudges(session, () => {
    pullWanted = true;
  });

  async function pull(signal: AbortSignal, beat: () => void): Promise<void> {
    hooks.onPhase('records', 'pulling');
    pullWanted = false;
    try {
      nudges.follow(await pullAll(session, signal, beat));
      lastPull = clock.now();
    } catch (error) {
      pullWanted = true;
      throw error;
    }
  }

  async function receipt(signal: AbortSignal): Promise<number> {
    if (clock.now() >= receiptDue) {
      const wait = await receiptRound(session, signal, quietSince);
      receiptDue = clock.now() + (wait ?? 0);
      return wait ?? POLL;
    }
    return receiptDue - clock.now();
  }

  return {
    acknowledged() {
      quietSince = clock.now();
      receiptDue = 0;
    },
    wantPull: () => void (pullWanted = true),
    listen: nudges.listen,
    async records(signal: AbortSignal, beat: () => void): Promise<number> {
      const sent = await pushAll(session, signal, () => {
        hooks.onPhase('records', 'pushing');
        beat();
        onBatch();
      });
      if (sent > 0) this.acknowledged();
      if (sent > 0 || pullWanted || clock.now() - lastPull >= PULL_EVERY) await pull(signal, beat);
      hooks.onReached(true);
      return Math.max(0, Math.min(POLL, await receipt(signal)));
    },
  };
}

/** Follows the person's scopes; when they change the subscription does too. */
function openNudges({ backend }: Session, onNudge: () => void) {
  let followed = '';
  let stop = () => {};
  let wake = () => {};
  return {
    follow(scopes: string[]) {
      const wanted = scopes.toSorted().join(' ');
      if (wanted === followed) return;
      followed = wanted;
      stop();
      stop = backend.onNudge(scopes, () => {
        onNudge();
        wake();
      });
    },
    listen(listener: () => void) {
      wake = listener;
      return () => {
        wake = () => {};
        stop();
      };
    },
  };
}
