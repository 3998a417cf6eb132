import { newId } from '@cairn/base/id.ts';
import type { Draft } from '@cairn/schema';
import { openDevice } from '@cairn/sync/device.ts';
import type { DirectLine } from '@cairn/sync/transport/direct-line.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Conflict, SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import type { Query } from '@cairn/sync/store.ts';
import { supabaseBackend } from '@cairn/sync/transport/supabase-backend.ts';
import type { SupabaseClient } from '@supabase/supabase-js';
import {
  backendConfig,
  editOf,
  insertOf,
  instant,
  signedIn,
  trafficSoFar,
  WORK_YEAR,
  type Member,
  type Peer,
  timedEdits,
} from './peer.ts';
import { digestOf } from './records.ts';

/** The engine as the app opens it, nothing switched off. */
let member: Member;
let client: SupabaseClient;
let line: DirectLine;
let engine: SyncEngine;
/** When the engine last wrote action items down; what says that all is done, the badge's facts, comes a moment later. */
let stored = { at: 0, traffic: trafficSoFar() };

const countOf = (key: string, from: string, to: string): Query<number> => ({
  key: `bench/${key}`,
  tables: ['action_items'],
  read: tx => tx.count('action_items', 'status', from, to),
});

const worked = countOf('worked', `open/${WORK_YEAR}`, `open/${WORK_YEAR}\uffff`);

/** Resolves at the moment a query's answer fulfils `is`. */
function when<A>(query: Query<A>, is: (answer: A) => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const stop = engine.store.watch(
      query,
      answer => {
        if (!is(answer)) return;
        const at = instant();
        // The first answer may come before watch() has returned.
        queueMicrotask(() => stop());
        resolve(at);
      },
      reject,
    );
  });
}

/** Heard all the time, as the app's badge does. */
const listeners = new Set<(status: SyncStatus) => void>();

/** Resolves at the moment the badge's facts fulfil `is`; rejects when the server refused or disputed an edit. */
function whenStatus(is: (status: SyncStatus) => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = (status: SyncStatus) => {
      const trouble = status.failed + status.conflicts;
      if (trouble === 0 && !is(status)) return;
      listeners.delete(listener);
      if (trouble > 0) reject(new Error(`${status.failed} refused, ${status.conflicts} in conflict`));
      else resolve(instant());
    };
    listeners.add(listener);
    const stop = engine.watchStatus(listener);
    // This first answer is for a fact that holds already; later ones come through the one watch that stays.
    void Promise.resolve().then(stop);
  });
}

/** Keeps `stored` true until stopped; not while saves are timed, for it reads after each. */
const noteStored = (): (() => void) =>
  engine.store.watch(
    { key: 'bench/stored', tables: ['action_items'], read: tx => tx.get('action_items', member.userId) },
    () => void (stored = { at: instant(), traffic: trafficSoFar() }),
    reportError,
  );

const allItems = () =>
  engine.store.read({ key: 'bench/all', tables: ['action_items'], read: tx => tx.all('action_items') });

/** The first answer of a watch. */
function firstOf<A>(watch: (listener: (answer: A) => void) => () => void): Promise<A> {
  return new Promise(resolve => {
    const stop = watch(answer => {
      resolve(answer);
      queueMicrotask(() => stop());
    });
  });
}

/** Resolves once nothing waits and a pull has ended that began after `since` (ms since 1970). */
function pulledSince(since: number): Promise<void> {
  return new Promise(resolve => {
    const stop = engine.watchHealth(({ lastPullAt, oldestPendingAt, quarantined }) => {
      if (quarantined === 0 && oldestPendingAt !== null) return;
      if ((lastPullAt ?? 0) < since) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}

const peer: Peer = {
  async signIn(who) {
    member = who;
    client = await signedIn(who);
    const { backendUrl: url, publishableKey } = await backendConfig();
    line = { url, publishableKey, ask: (input, init) => fetch(input, init) };
    // The app's worker has all of its code on the device; that of the other peers was loaded with their page.
    await import('@cairn/sync/recovery/outbox-backup.ts');
  },
  async open() {
    const device = await openDevice();
    engine = device.engineFor({ owner: member.userId, backend: supabaseBackend(client, line) });
    engine.watchStatus(status => {
      for (const listener of listeners) listener(status);
    });
  },
  async pull() {
    const begun = instant();
    await peer.open();
    const unnote = noteStored();
    engine.start();
    await whenStatus(({ firstPull, phase }) => !firstPull && phase === 'idle');
    unnote();
    const { at, traffic } = stored;
    return { ms: at - begun, traffic };
  },
  async work(work) {
    const times = await timedEdits(work, (id, index) =>
      engine.store.write('bench.edit', tx => tx.change('action_items', id, editOf(index))),
    );
    for (let index = 0; index < work.inserts; index++) {
      const row = insertOf(member, newId(), index) as Draft<'action_items'>;
      await engine.store.write('bench.insert', tx => tx.put('action_items', row));
    }
    return times;
  },
  async acknowledged() {
    const unnote = noteStored();
    await whenStatus(({ pendingItems }) => pendingItems === 0);
    unnote();
    return stored.at;
  },
  converged: count => when(worked, answer => answer === count),
  digest: async () => digestOf(await allItems()),
  traffic: trafficSoFar,
  edit: (id, title) => engine.store.write('bench.title', tx => tx.change('action_items', id, { title })),
  insert: (id, title) => {
    const row = { ...insertOf(member, id, 0), title } as Draft<'action_items'>;
    return engine.store.write('bench.insert', tx => tx.put('action_items', row));
  },
  async look() {
    engine.start();
    const since = Date.now();
    engine.syncNow();
    await pulledSince(since);
  },
  ids: async () => (await allItems()).map(({ id }) => id),
  async setAside() {
    const conflicts = await firstOf<Conflict[]>(listener => engine.watchConflicts(listener));
    return conflicts.flatMap(({ fields }) => fields.flatMap(({ mine, theirs }) => [String(mine), String(theirs)]));
  },
};
window.peer = peer;
