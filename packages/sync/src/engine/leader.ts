import { isDomError } from '../transport/abandon.ts';
import { BackendError } from '../transport/backend.ts';
import { NUDGE, QUEUE } from '../store/changes.ts';
import { keepWithinLimit } from '../files/file-wishes.ts';
import { FilesRound } from './files-round.ts';
import { freeSentFiles, FREE_SENT_FILES_AFTER_MS } from '../store/file-cache.ts';
import type { FirstPages } from '../pull/first-pages.ts';
import { noteFault } from '../store/health.ts';
import { every } from '../store/every.ts';
import { SendDebounce } from '../push/send-debounce.ts';
import { unpackIfPossible } from '../store/bulk-load.ts';
import { RetryLoop, type RetryLoopOptions, type LoopPhase } from './retry-loop.ts';
import { noteInterrupted } from '../push/batch.ts';
import { renewOlder } from '../store/older-strings.ts';
import { POLL, SyncCycle, type LeaderHooks, type Phase } from './sync-cycle.ts';
import { FencedError, type Session } from '../store/session.ts';
import type { StorageReserve } from '../files/storage-reserve.ts';
import { noteTables } from '../pull/tables-known.ts';

/** ms between two looks of the watchdog. */
export const WATCH_EVERY = 60_000;
/** Above this share of its storage the device frees files the server has had for a week. */
const LOW_STORAGE_RATIO = 0.8;

export interface Leader {
  /** Resolves when another session took over. */
  readonly fencedOff: Promise<void>;
  /** Resolves when sending stands still though it could go on: begin anew. */
  readonly stalled: Promise<void>;
  stop(): Promise<void>;
}

const shown: Record<LoopPhase, Phase> = {
  working: 'idle',
  idle: 'idle',
  waiting: 'waiting',
  paused_auth: 'paused_auth',
};

/** `first`: what the first pull has asked for already. */
export type LeaderBegin = { reserve: StorageReserve; first: FirstPages | null };

/** Runs the loops of the one tab that speaks with the server for this person. */
export async function startLeader(
  session: Session,
  hooks: LeaderHooks,
  { reserve, first }: LeaderBegin,
): Promise<Leader> {
  // What was stored packed before the last leader died is unpacked also where no pull follows: there may be no network.
  const beginning = [freeWhenLow(session), unpackIfPossible(session), noteTables(session)];
  const [setAside] = await Promise.all([noteInterrupted(session), ...beginning]);
  if (setAside > 0) await noteFault(session, 'set_aside', setAside);
  // What was on its way when the last leader died is not any more.
  session.changes.emit([QUEUE]);
  const { promise: fencedOff, resolve: overtaken } = Promise.withResolvers<void>();
  const { promise: stalled, resolve: stall } = Promise.withResolvers<void>();
  const start = (name: LoopName, work: RetryLoopOptions['work']) =>
    openLoop(session, hooks, { name, work, reserve, onFenced: overtaken });
  const loops: Partial<Record<LoopName, RetryLoop>> = {};
  const debounce = new SendDebounce(session.platform.clock, () => loops.records?.wake(false));
  const cycle = new SyncCycle(session, hooks, { debounce, first, onBatch: () => loops.files?.wake(false) });
  const files = new FilesRound(session, hooks);
  loops.records = start('records', (signal, heartbeat) => cycle.records(signal, heartbeat));
  loops.files = start('files', async (signal, heartbeat) => {
    if ((await files.run(signal, heartbeat)) > 0) {
      await keepWithinLimit(session);
      cycle.acknowledged();
      loops.records?.wake(false);
    }
    return POLL;
  });
  const look = async () => {
    if (!(await cycle.isStalled(loops.records))) return;
    await noteFault(session, 'restarted', 1);
    stall();
  };
  const onWatch = () => void look().catch(reportUnlessFenced);
  return { fencedOff, stalled, stop: wireWakeups(session, { loops, cycle, debounce, onWatch }) };
}

type RetryLoopSettings = Pick<RetryLoopOptions, 'work' | 'onFenced'> & { name: LoopName; reserve: StorageReserve };

function openLoop(
  session: Session,
  hooks: LeaderHooks,
  { name, work, reserve, onFenced }: RetryLoopSettings,
): RetryLoop {
  const { clock, network } = session.platform;
  return new RetryLoop({
    clock,
    random: () => session.platform.random(),
    work,
    refreshToken: () => hooks.refreshToken(),
    offline: () => !network.online(),
    onFenced,
    onStuck: () => void noteFault(session, 'restarted', 1).catch(reportUnlessFenced),
    onPhase(phase, error) {
      // A fault of ours, not of the network: backing off must not hide it.
      if (error instanceof TypeError) globalThis.reportError?.(error);
      // What came, or what an answer says of the queue, does not fit: the next attempt finds room.
      if (isDomError(error, 'QuotaExceededError')) reserve.freeSpace().catch(reportFailure);
      if (phase === 'idle') reserve.refill().catch(reportFailure);
      if (error) hooks.onReached(!(error instanceof BackendError && error.kind === 'network'));
      hooks.onPhase(name, shown[phase]);
    },
  });
}

/** When room gets short, what the server has had for a week goes. */
async function freeWhenLow({ db, platform }: Session): Promise<void> {
  if ((await platform.storageRatio()) > LOW_STORAGE_RATIO)
    await freeSentFiles(db, platform.clock.now() - FREE_SENT_FILES_AFTER_MS);
}

type LoopName = 'records' | 'files';
type RetryLoops = Partial<Record<LoopName, RetryLoop>>;

type SyncParts = { loops: RetryLoops; cycle: SyncCycle; debounce: SendDebounce; onWatch: () => void };

/** What wakes the retry loops. @returns what stops all of it */
function wireWakeups(session: Session, { loops, cycle, debounce, onWatch }: SyncParts): () => Promise<void> {
  const wakeBoth = (urgent: boolean) => {
    debounce.due();
    cycle.wantPull();
    loops.records?.wake(urgent);
    loops.files?.wake(urgent);
  };
  const stops = [
    () => debounce.stop(),
    session.platform.network.onChange(event => {
      if (event === 'offline') cycle.unsubscribe();
      else if (event === 'hidden') debounce.now();
      else wakeBoth(session.platform.network.online());
    }),
    session.changes.on(names => {
      if (names.has(NUDGE)) wakeBoth(true);
      else if (names.has(QUEUE)) debounce.saved();
      if (names.has('user_preferences')) wishesChanged(session, loops);
    }),
    every(session, WATCH_EVERY, onWatch),
    every(session, WATCH_EVERY, () => Object.values(loops).forEach(loop => loop.watch())),
    every(session, WATCH_EVERY, () => void renewOlder(session).catch(reportFailure)),
    cycle.listen(() => loops.records?.wake(false)),
  ];
  return async () => {
    for (const stop of stops) stop();
    await Promise.all(Object.values(loops).map(loop => loop.stop()));
  };
}

/** The person wants files to go, or to be kept, differently from now on. */
function wishesChanged(session: Session, loops: RetryLoops): void {
  loops.files?.wake(false);
  keepWithinLimit(session).catch(reportFailure);
}

const reportUnlessFenced = (error: unknown): void => {
  if (!(error instanceof FencedError)) reportFailure(error);
};

const reportFailure = (error: unknown): void => globalThis.reportError?.(error);
