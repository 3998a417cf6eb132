import { isDomError } from '../transport/abandon.ts';
import { BackendError } from '../transport/backend.ts';
import { NUDGE, QUEUE } from '../store/changes.ts';
import { keepWithinLimit } from '../files/file-wishes.ts';
import { FilesRound } from './files-round.ts';
import { freeSentFiles, KEEP_SENT_FILES } from '../store/kept-files.ts';
import type { FirstPages } from '../pull/first-pages.ts';
import { noteFault } from '../store/health.ts';
import { every } from '../store/every.ts';
import { Gather } from '../push/gather.ts';
import { layDownIfPossible } from '../store/landing.ts';
import { Lane, type LaneOptions, type LanePhase } from './lane.ts';
import { noteInterrupted } from '../push/batch.ts';
import { renewOlder } from '../store/older-strings.ts';
import { POLL, Rounds, type LeaderHooks, type Phase } from './rounds.ts';
import { FencedError, type Session } from '../store/session.ts';
import type { SyncRoom } from '../files/sync-room.ts';
import { noteTables } from '../pull/tables-known.ts';

const WATCH_EVERY = 60_000;
/** Above this share of its storage the device frees files the server has had for a week. */
const SHORT_OF_ROOM = 0.8;

export interface Leader {
  /** Resolves when another session took over. */
  readonly fencedOff: Promise<void>;
  /** Resolves when sending stands still though it could go on: begin anew. */
  readonly stalled: Promise<void>;
  stop(): Promise<void>;
}

const shown: Record<LanePhase, Phase> = {
  working: 'idle',
  idle: 'idle',
  waiting: 'waiting',
  paused_auth: 'paused_auth',
};

/** `first`: what the first pull has asked for already. */
export type LeaderBegin = { room: SyncRoom; first: FirstPages | null };

/** Runs the loops of the one tab that speaks with the server for this person. */
export async function startLeader(session: Session, hooks: LeaderHooks, { room, first }: LeaderBegin): Promise<Leader> {
  // What landed before the last leader died is laid down also where no pull follows: there may be no network.
  const beginning = [lookForRoom(session), layDownIfPossible(session), noteTables(session)];
  const [setAside] = await Promise.all([noteInterrupted(session), ...beginning]);
  if (setAside > 0) await noteFault(session, 'set_aside', setAside);
  // What was on its way when the last leader died is not any more.
  session.changes.emit([QUEUE]);
  const { promise: fencedOff, resolve: overtaken } = Promise.withResolvers<void>();
  const { promise: stalled, resolve: standing } = Promise.withResolvers<void>();
  const start = (name: LaneName, work: LaneOptions['work']) =>
    openLane(session, hooks, { name, work, room, onFenced: overtaken });
  const lanes: Partial<Record<LaneName, Lane>> = {};
  const gather = new Gather(session.platform.clock, () => lanes.records?.wake(false));
  const rounds = new Rounds(session, hooks, { gather, first, onBatch: () => lanes.files?.wake(false) });
  const files = new FilesRound(session, hooks);
  lanes.records = start('records', (signal, beat) => rounds.records(signal, beat));
  lanes.files = start('files', async (signal, beat) => {
    if ((await files.run(signal, beat)) > 0) {
      await keepWithinLimit(session);
      rounds.acknowledged();
      lanes.records?.wake(false);
    }
    return POLL;
  });
  const look = async () => {
    if (!(await rounds.standsStill(lanes.records))) return;
    await noteFault(session, 'restarted', 1);
    standing();
  };
  const onWatch = () => void look().catch(reportUnlessFenced);
  return { fencedOff, stalled, stop: steer(session, { lanes, rounds, gather, onWatch }) };
}

type LaneSettings = Pick<LaneOptions, 'work' | 'onFenced'> & { name: LaneName; room: SyncRoom };

function openLane(session: Session, hooks: LeaderHooks, { name, work, room, onFenced }: LaneSettings): Lane {
  const { clock, network } = session.platform;
  return new Lane({
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
      if (isDomError(error, 'QuotaExceededError')) room.make().catch(reportFailure);
      if (phase === 'idle') room.layBack().catch(reportFailure);
      if (error) hooks.onReached(!(error instanceof BackendError && error.kind === 'network'));
      hooks.onPhase(name, shown[phase]);
    },
  });
}

/** When room gets short, what the server has had for a week goes. */
async function lookForRoom({ db, platform }: Session): Promise<void> {
  if ((await platform.storageTaken()) > SHORT_OF_ROOM) await freeSentFiles(db, platform.clock.now() - KEEP_SENT_FILES);
}

type LaneName = 'records' | 'files';
type Lanes = Partial<Record<LaneName, Lane>>;

type SyncParts = { lanes: Lanes; rounds: Rounds; gather: Gather; onWatch: () => void };

/** What wakes the lanes. @returns what stops all of it */
function steer(session: Session, { lanes, rounds, gather, onWatch }: SyncParts): () => Promise<void> {
  const wakeBoth = (urgent: boolean) => {
    gather.due();
    rounds.wantPull();
    lanes.records?.wake(urgent);
    lanes.files?.wake(urgent);
  };
  const stops = [
    () => gather.stop(),
    session.platform.network.onChange(event => {
      if (event === 'offline') rounds.deaf();
      else if (event === 'hidden') gather.now();
      else wakeBoth(session.platform.network.online());
    }),
    session.changes.on(names => {
      if (names.has(NUDGE)) wakeBoth(true);
      else if (names.has(QUEUE)) gather.saved();
      if (names.has('user_preferences')) wishesChanged(session, lanes);
    }),
    every(session, WATCH_EVERY, onWatch),
    every(session, WATCH_EVERY, () => Object.values(lanes).forEach(lane => lane.watch())),
    every(session, WATCH_EVERY, () => void renewOlder(session).catch(reportFailure)),
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
  keepWithinLimit(session).catch(reportFailure);
}

const reportUnlessFenced = (error: unknown): void => {
  if (!(error instanceof FencedError)) reportFailure(error);
};

const reportFailure = (error: unknown): void => globalThis.reportError?.(error);
