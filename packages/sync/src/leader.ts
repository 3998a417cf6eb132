import { isDomError } from './abandon.ts';
import { BackendError } from './backend.ts';
import { NUDGE, QUEUE } from './changes.ts';
import type { SyncStatus } from './engine.ts';
import { keepWithinLimit } from './file-wishes.ts';
import { FilesRound } from './files-round.ts';
import { freeSentFiles, KEEP_SENT_FILES } from './kept-files.ts';
import { DigestRound } from './digest-round.ts';
import { noteFault } from './health.ts';
import { giveFreshIds } from './fresh-ids.ts';
import { every } from './every.ts';
import { Gather } from './gather.ts';
import { handOver } from './hand-over.ts';
import { layDownIfPossible } from './landing.ts';
import { Lane, type LaneOptions, type LanePhase } from './lane.ts';
import { noteInterrupted } from './batch.ts';
import { openNudges } from './nudges.ts';
import { pullAll } from './pull.ts';
import { pushAll } from './push.ts';
import { renewOlder } from './older-strings.ts';
import { Receipts } from './receipts.ts';
import { Fenced, type Session } from './session.ts';
import type { SyncRoom } from './sync-room.ts';
import { noteTables } from './tables-known.ts';
import { standsStill } from './watchdog.ts';
import type { Progress } from './uploads.ts';

/** Work written by other tabs is noticed by itself within this time (ms), whatever became of their message. */
const POLL = 5000;
const PULL_EVERY = 60_000;
const WATCH_EVERY = 60_000;
/** So often in one round new ids are given to what the server took for somebody else's. */
const FRESH_TURNS = 50;
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

/** Runs the loops of the one tab that speaks with the server for this person. */
export async function startLeader(session: Session, hooks: LeaderHooks, room: SyncRoom): Promise<Leader> {
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
  const rounds = new Rounds(session, hooks, { gather, onBatch: () => lanes.files?.wake(false) });
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

type LaneOf = Pick<LaneOptions, 'work' | 'onFenced'> & { name: LaneName; room: SyncRoom };

function openLane(session: Session, hooks: LeaderHooks, { name, work, room, onFenced }: LaneOf): Lane {
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

type Steered = { lanes: Lanes; rounds: Rounds; gather: Gather; onWatch: () => void };

/** What wakes the lanes. @returns what stops all of it */
function steer(session: Session, { lanes, rounds, gather, onWatch }: Steered): () => Promise<void> {
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
  if (!(error instanceof Fenced)) reportFailure(error);
};

const reportFailure = (error: unknown): void => globalThis.reportError?.(error);

/** The record lane's round: push, pull, receipt; and what it remembers from one round to the next. */
class Rounds {
  private readonly session: Session;
  private readonly hooks: LeaderHooks;
  private readonly onBatch: () => void;
  private readonly gather: Gather;
  private readonly nudges: ReturnType<typeof openNudges>;
  private readonly digest: DigestRound;
  private readonly receipts: Receipts;
  private pullWanted = true;
  /** Whether a call of the last pull, or of the comparison behind it, failed: the line or the server, whichever it was. */
  private hasBroken = false;
  private lastPull = 0;
  private lastPush: number;

  constructor(session: Session, hooks: LeaderHooks, { gather, onBatch }: { gather: Gather; onBatch: () => void }) {
    this.session = session;
    this.hooks = hooks;
    this.onBatch = onBatch;
    this.gather = gather;
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
    this.receipts.away();
    this.nudges.deaf();
  }

  async records(signal: AbortSignal, beat: () => void): Promise<number> {
    try {
      return await this.round(signal, beat);
    } catch (error) {
      this.receipts.away();
      throw error;
    }
  }

  private async round(signal: AbortSignal, beat: () => void): Promise<number> {
    const { session, hooks } = this;
    // What is being gathered has a round of its own. A round that comes of a nudge would send it one by one: each
    // save sent brings the nudge of its own change, and with it the next round.
    const sent = this.gather.isWaiting() ? 0 : await this.push(signal, beat);
    if (sent > 0) {
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
      const { scopes, isNews, hasLeft } = await pullAll(this.session, signal, beat, this.hasBroken);
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
