import type { Clock } from '@cairn/base/clock.ts';
import { Failure } from '@cairn/base/failure.ts';
import { isDomError } from '../transport/abandon.ts';
import type { Backend } from '../transport/backend.ts';
import { FILES, NUDGE, openChanges, PHASE, QUEUE, REACHED, SENT, type Changes } from '../store/changes.ts';
import { resolveConflict } from '../outbox/conflict-choice.ts';
import type { LocalDatabase } from '../store/database.ts';
import { patienceFor, withDeadline } from '../transport/deadline.ts';
import { discardQueued } from '../outbox/discard.ts';
import type { SyncEngine } from './engine.ts';
import type { SyncStatus } from '../outbox/outbox-item.ts';
import { keepWithinLimit, letFilesGo } from '../files/file-wishes.ts';
import type { Fault } from '../transport/fault.ts';
import { askFirst, type FirstPages } from '../pull/first-pages.ts';
import { askForDigest, DIGEST_ASKED } from '../store/health.ts';
import { keepFile } from '../store/file-cache.ts';
import { lazyLargeFiles } from '../files/lazy-large-files.ts';
import { leadLock } from '../store/lead-lock.ts';
import { startLeader, type Leader } from './leader.ts';
import { openStore } from '../store/local-store.ts';
import { withOfflineChoice } from '../outbox/offline-choice.ts';
import { openOfflineFiles } from '../pull/offline-files.ts';
import { retryFailed } from '../push/outbox-choice.ts';
import { pendingOf, wroteIn } from '../outbox/overview.ts';
import type { Platform } from '../transport/platform.ts';
import { lazyRescue, lockedOutboxOf } from '../recovery/lazy-rescue.ts';
import type { DataLossCanary } from '../store/data-loss-canary.ts';
import type { LeaderHooks } from './sync-cycle.ts';
import { FencedError, raiseEpoch, type Session } from '../store/session.ts';
import { storageUse } from '../files/storage-use.ts';
import { StorageReserve } from '../files/storage-reserve.ts';
import { unfinishedWork } from '../files/unfinished-work.ts';
import { untilAborted } from '../transport/until-aborted.ts';
import { reportError, viewsOf, watchFacts } from './views.ts';

export type EngineParts = {
  db: LocalDatabase;
  /** The device's id. */
  device: string;
  platform: Platform;
  owner: string;
  canary: DataLossCanary;
  backend: Backend;
  refreshToken?: () => Promise<void>;
  onFault?: (fault: Fault) => void;
  signedInNow?: boolean;
};

/** A session that was overtaken (a lock granted twice) does not fight back at once. */
const RETURN_AFTER = 60_000;

/** What only the running loops know; everything else is read from the database. */
function openLiveState(emit: (names: string[]) => void, isOnline: () => boolean, byChoice: () => boolean) {
  const phases: Record<'records' | 'files', SyncStatus['phase']> = { records: 'idle', files: 'idle' };
  const sent = new Map<string, number>();
  let reached = true;
  let elsewhere: SyncStatus['phase'] = 'idle';
  const phase = () => (phases.records === 'idle' ? phases.files : phases.records);
  const shown = () => (phase() === 'idle' ? elsewhere : phase());
  return {
    sent,
    now: () => ({ online: isOnline() && reached, offlineByChoice: byChoice(), phase: shown() }),
    /** Another tab leads and says what it does. */
    hear(names: ReadonlySet<string>) {
      for (const name of names) {
        const [about, what = '', bytes = ''] = name.split(':');
        if (about === REACHED) reached = what === 'true';
        if (about === PHASE && what) elsewhere = what as typeof elsewhere;
        if (about === SENT) void (bytes ? sent.set(what, Number(bytes)) : sent.delete(what));
      }
    },
    hooks: {
      onPhase(loop, next) {
        if (phases[loop] === next) return;
        phases[loop] = next;
        emit([PHASE, `${PHASE}:${phase()}`]);
      },
      onReached(next) {
        if (reached === next) return;
        reached = next;
        emit([PHASE, `${REACHED}:${next}`]);
      },
      onProgress({ mediaId, sent: bytes }) {
        if (bytes === null) sent.delete(mediaId);
        else sent.set(mediaId, bytes);
        emit([QUEUE, `${SENT}:${mediaId}:${bytes ?? ''}`]);
      },
    } satisfies Omit<LeaderHooks, 'refreshToken'>,
  };
}

type RunContext = { session: Omit<Session, 'epoch'>; hooks: LeaderHooks; signal: AbortSignal; canary: DataLossCanary };

/** Its code arrives with the first lead, for no screen waits for it. @returns what ends it */
async function outboxBackup({ session, canary, signal }: RunContext): Promise<() => Promise<void>> {
  try {
    const { keepOutboxBackup } = await untilAborted(signal, () => import('../recovery/outbox-backup.ts'));
    return await keepOutboxBackup(session, count => canary.returned(session.owner, count));
  } catch (error) {
    // Work goes on without a copy.
    if (!signal.aborted) reportError(error);
    return async () => undefined;
  }
}

/** Without them the first pull asks as any other. */
const firstPages = ({ session, signal }: RunContext): Promise<FirstPages | null> =>
  askFirst(session, signal).catch((error: unknown) => {
    reportError(error);
    return null;
  });

/** @returns null where it could not begin: somebody else took over at that moment, or the storage failed; it is tried again */
async function begun(
  { session, hooks, signal }: RunContext,
  reserve: StorageReserve,
  first: FirstPages | null,
): Promise<Leader | null> {
  try {
    const epoch = await raiseEpoch(session.db, session.owner);
    return await startLeader({ ...session, epoch }, hooks, { reserve, first });
  } catch (error) {
    if (isDomError(error, 'QuotaExceededError') && (await reserve.freeSpace())) return null;
    if (!(error instanceof FencedError) && !signal.aborted) reportError(error);
    return null;
  }
}

/** Waits for the lead, works until it is lost, waits again. */
async function leadWhenFree(running: RunContext): Promise<void> {
  const { session, signal } = running;
  const { platform, db, owner } = session;
  const aborted = new Promise<false>(resolve => signal.addEventListener('abort', () => resolve(false), { once: true }));
  const reserve = new StorageReserve(session);
  while (!signal.aborted) {
    let again = false;
    await platform.locks.hold(leadLock(db.name, owner), signal, async () => {
      const asked = firstPages(running);
      const endCopy = await outboxBackup(running);
      const first = await asked;
      const leader = await begun(running, reserve, first);
      if (leader) {
        again = await Promise.race([leader.stalled.then(() => true), leader.fencedOff.then(() => false), aborted]);
        const stopped = leader.stop();
        // What stands still may never end; the next epoch fences it off.
        if (!again) await stopped;
      }
      first?.close();
      await endCopy();
    });
    if (signal.aborted) return;
    if (again) continue;
    await Promise.race([new Promise<void>(resolve => platform.clock.after(RETURN_AFTER, resolve)), aborted]);
  }
}

/** The sync engine of one person on this device. The database stays open: it belongs to the device. */
export function openEngine(given: EngineParts): SyncEngine {
  const { db, owner } = given;
  const changes = openChanges(given.platform.openChannel(`cairn:${db.name}`), owner);
  const { parts, choice } = withOfflineChoice(given, changes);
  const { platform } = parts;
  const { clock, reserveBytes } = platform;
  const place: DeviceScope = { db, owner, clock, platform, changes };
  const store = openStore({ ...place, device: given.device, reserveBytes, left: () => platform.storageLeft() });
  const live = openLiveState(
    names => changes.emit(names),
    () => platform.network.online(),
    () => choice.isOn(),
  );
  changes.on((names, fromOtherTab) => fromOtherTab && live.hear(names));
  const facts = watchFacts(place);
  const endTelling = tellOfTheNetwork(parts, changes, facts);
  facts.listen(({ pendingItems, pendingFiles }) => parts.canary.note(owner, pendingItems + pendingFiles));
  return {
    store,
    ...running(parts, changes, live.hooks, endTelling),
    ...viewsOf(place, live, facts),
    ...choices(place),
    pending: () => pendingOf(place),
    wrote: keys => wroteIn(place, keys),
    file: mediaId => fileOf(parts, store, mediaId),
    largeFiles: lazyLargeFiles({ db, owner, platform, backend: parts.backend }),
    rescue: lazyRescue({ ...place, device: parts.device, backend: parts.backend }),
    lockedOutbox: lockedOutboxOf(place),
    offlineFiles: openOfflineFiles({ ...place, backend: parts.backend }),
    offlineChoice: choice,
    unfinished: unfinishedWork(db, owner),
    storageUse: () => storageUse(db, owner),
  };
}

/** A network that went, or a server that does not answer, is on the badge at once, in every tab. @returns what ends it */
function tellOfTheNetwork(
  { platform }: EngineParts,
  changes: Changes,
  facts: ReturnType<typeof watchFacts>,
): () => void {
  const endChanges = changes.on(names => {
    if ([...names].some(name => name.startsWith(REACHED))) facts.tellAgain();
  });
  const endNetwork = platform.network.onChange(event => {
    if (event === 'online' || event === 'offline') facts.tellAgain();
  });
  return () => {
    endChanges();
    endNetwork();
  };
}

type DeviceScope = Pick<EngineParts, 'db' | 'owner' | 'platform'> & { clock: Clock; changes: Changes };

/** What the browser says of its storage comes from another process, and a stop does not wait for it. */
const heeding = (platform: Platform, signal: AbortSignal): Platform => ({
  ...platform,
  storageRatio: () => untilAborted(signal, () => platform.storageRatio()),
  storageLeft: () => untilAborted(signal, () => platform.storageLeft()),
});

type Hooks = ReturnType<typeof openLiveState>['hooks'];

/** @param ended called when it has stopped */
function running(parts: EngineParts, changes: Changes, hooks: Hooks, ended: () => void) {
  const { db, owner, platform, backend } = parts;
  const refreshToken = parts.refreshToken ?? (() => Promise.reject(new Error('no fresh token')));
  const controller = new AbortController();
  let leading: Promise<void> | null = null;
  return {
    start() {
      if (leading) return;
      const report = parts.onFault ?? (() => undefined);
      const { signal } = controller;
      const session = {
        db,
        owner,
        device: parts.device,
        backend,
        platform: heeding(platform, signal),
        changes,
        report,
      };
      const running = { session, hooks: { ...hooks, refreshToken }, signal, canary: parts.canary };
      const lead = () => leadWhenFree(running);
      if (parts.signedInNow) platform.persist().catch(reportError);
      leading = parts.signedInNow ? askForDigest({ db, owner }).then(lead) : lead();
      leading.catch(reportError);
    },
    async stop() {
      controller.abort(new Error('stopped'));
      await leading?.catch(() => undefined);
      ended();
      changes.close();
    },
    syncNow: () => changes.emit([NUDGE]),
    async check() {
      await askForDigest({ db, owner }, DIGEST_ASKED);
      changes.emit([NUDGE]);
    },
  };
}

function choices(
  place: DeviceScope,
): Pick<SyncEngine, 'sendFilesAnyway' | 'retry' | 'retryAll' | 'discard' | 'resolve'> {
  const retry = (key: string | null) => retryFailed(place, key).then(() => place.changes.emit([NUDGE]));
  return {
    async sendFilesAnyway() {
      await letFilesGo(place);
      place.changes.emit([FILES, NUDGE]);
    },
    retry,
    retryAll: () => retry(null),
    discard: key => discardQueued(place, key),
    resolve: (conflictId, resolution) => resolveConflict(place, conflictId, resolution),
  };
}

async function fileOf({ db, owner, backend, platform }: EngineParts, store: SyncEngine['store'], mediaId: string) {
  const held = await store.read({
    key: `sync/file/${mediaId}`,
    tables: ['media'],
    read: async tx => ({ row: await tx.get('media', mediaId), bytes: await tx.bytes(mediaId) }),
  });
  if (held.bytes) return held.bytes;
  if (!held.row) throw new Failure('not_found', `file: no media ${mediaId} on this device`);
  // Whoever captured it has yet to send it: asking for it is in vain, and a browser says so in its console.
  if (held.row.state === 'pending') throw new Failure('not_found', `file: media ${mediaId} has not arrived yet`);
  if (!platform.network.online()) throw new Failure('offline', `file: media ${mediaId} is not on this device`);
  const { organization_id: organizationId, bytes: size } = held.row;
  const bytes = await withDeadline(platform.clock, new AbortController().signal, patienceFor(size), inner =>
    backend.download(organizationId, mediaId, inner),
  );
  // The end of the storage is for words: what can be fetched again is then only shown.
  if ((await platform.storageLeft()) < bytes.byteLength + platform.reserveBytes) return bytes;
  await keepFile(db, { owner, id: mediaId, bytes, now: platform.clock.now() });
  await keepWithinLimit({ db, owner, platform });
  return bytes;
}
