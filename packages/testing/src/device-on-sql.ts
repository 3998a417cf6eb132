import { newId } from '@cairn/base/id.ts';
import type { Backend } from '@cairn/sync/transport/backend.ts';
// Loaded now, as the spare copy below: while an engine loads a part of itself, no virtual time may pass.
import '@cairn/sync/pull/digest.ts';
import { openDevice, type EngineOptions } from '@cairn/sync/device.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Conflict, OutboxItem, SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import type { Health } from '@cairn/sync/store/health.ts';
import type { Platform } from '@cairn/sync/transport/platform.ts';
import '@cairn/sync/recovery/outbox-backup.ts';
import type { TestDatabase } from './database.ts';
import { seams } from './seams.ts';
import { virtualClock, virtualPlatform } from './virtual-platform.ts';

/** Now, as the database has it: a device that is wrong by two days is wrong against that, whenever the suite runs. */
const START = Date.now();

/** What the watchers of a tab have heard last. */
type LatestViews = { status?: SyncStatus; health?: Health; outbox: OutboxItem[]; conflicts: Conflict[] };

export type Tab = Awaited<ReturnType<typeof openTab>>;

type TabOptions = {
  person: string;
  backend: Backend;
  /** Of the device's database; the same name is the same device. */
  name?: string;
  /** ms the device's clock is ahead. */
  skew?: number;
  platform?: Partial<Platform>;
  options?: Partial<EngineOptions>;
};

/** One device with its own database and clock; `crash` forgets everything but what IndexedDB holds. */
export async function openTab({ person, backend, name = newId(), skew = 0, platform = {}, options = {} }: TabOptions) {
  const clock = virtualClock(START + skew);
  const open = async () => {
    const device = await openDevice({ name, platform: virtualPlatform({ clock, ...platform }) });
    const reached = seams.backend(backend, { name, owner: person, clock });
    const engine = device.engineFor({ owner: person, backend: reached, ...options });
    const seen: LatestViews = { outbox: [], conflicts: [] };
    engine.watchStatus(status => (seen.status = status));
    engine.watchHealth(health => (seen.health = health));
    engine.watchOutbox(items => (seen.outbox = items));
    engine.watchConflicts(conflicts => (seen.conflicts = conflicts));
    return { device, engine, seen };
  };
  let current = await open();
  const dead: (typeof current)[] = [];
  return {
    name,
    clock,
    get engine(): SyncEngine {
      return current.engine;
    },
    get device() {
      return current.device;
    },
    get seen() {
      return current.seen;
    },
    /** The process dies: whatever it was doing, its hold on the database is gone; nothing was tidied up. */
    async crash() {
      dead.push(current);
      await current.device.close();
      await seams.afterDeath(name);
      current = await open();
    },
    async stopSyncing() {
      await current.engine.stop();
      await current.device.close();
      current = await open();
    },
    /** Switched off for so long (ms), and on again. */
    async sleep(ms: number) {
      await this.stopSyncing();
      clock.advance(ms);
    },
    async close() {
      await current.engine.stop();
      await current.device.close();
      await Promise.all(dead.map(({ engine }) => engine.stop()));
    },
  };
}

/** Virtual time stands still while a call is at the database. */
export const calls = { open: 0, ended: 0 };

/** Closing with a key happens beside this thread: on a busy machine the retry loop would be taken for stuck before it has ended. */
function waitForClosing(): void {
  const close = crypto.subtle.encrypt.bind(crypto.subtle);
  const value: typeof close = async (...given) => {
    calls.open += 1;
    try {
      return await close(...given);
    } finally {
      calls.open -= 1;
    }
  };
  Object.defineProperty(crypto.subtle, 'encrypt', { value, configurable: true });
}
waitForClosing();

/** A backend whose calls are counted in `calls`. */
export function counted(backend: Backend): Backend {
  const count = async <A>(call: Promise<A>): Promise<A> => {
    calls.open += 1;
    try {
      return await call;
    } finally {
      calls.open -= 1;
      calls.ended += 1;
    }
  };
  return {
    ...backend,
    digest: (tables, signal) => count(backend.digest(tables, signal)),
    repair: (request, signal) => count(backend.repair(request, signal)),
    missing: (mids, signal) => count(backend.missing(mids, signal)),
    pull: (request, signal) => count(backend.pull(request, signal)),
    push: (device, mutations, signal) => count(backend.push(device, mutations, signal)),
    upload: (file, onProgress, signal) => count(backend.upload(file, onProgress, signal)),
    confirmUpload: (mediaId, signal) => count(backend.confirmUpload(mediaId, signal)),
    receipt: (request, signal) => count(backend.receipt(request, signal)),
    submitOrphanedEdits: (...given) => count(backend.submitOrphanedEdits(...given)),
    submitOnBehalf: (...given) => count(backend.submitOnBehalf(...given)),
  };
}

/** Lets everything that is ready to run, run. */
export const idle = () => new Promise<void>(resolve => setImmediate(resolve));

/** Begins a round and goes on until a number of calls has ended: what follows happens while the next one is under way. */
export async function round(begin: () => void, count: number): Promise<void> {
  begin();
  const until = calls.ended + count;
  for (let turn = 0; turn < 400 && calls.ended < until; turn += 1) {
    do await idle();
    while (calls.open > 0 && calls.ended < until);
  }
}

/** Lets virtual time pass until `done`; a queue that cannot drain fails here. */
export async function pass(tab: Tab, done: () => boolean | Promise<boolean>, rounds = 3000): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    if (await done()) return;
    do await idle();
    while (calls.open > 0);
    for (let turn = 0; turn < 10; turn += 1) await idle();
    if (calls.open === 0) tab.clock.advance(500);
  }
  throw new Error(`did not settle: ${JSON.stringify(tab.seen)}`);
}

/** Syncs until at rest: everything sendable is answered and a pull has ended since. @param left entries that must stay */
export async function drain(tab: Tab, left = 0): Promise<void> {
  tab.engine.start();
  const from = tab.clock.now();
  tab.engine.syncNow();
  await pass(tab, async () => {
    const { status } = tab.seen;
    return (
      status !== undefined &&
      status.pendingItems <= left &&
      (status.lastPullAt ?? 0) > from + 2000 &&
      status.phase === 'idle'
    );
  });
}

/** One contact, after which edits may still wait for somebody else's. */
export const contact = (tab: Tab): Promise<void> => drain(tab, Number.MAX_SAFE_INTEGER);

/** Edits may wait for each other in turn; each device asks again every minute, by its own clock. */
export async function settledOutboxes(tabs: readonly Tab[], minutes = 20): Promise<void> {
  for (let minute = 0; minute < minutes && tabs.some(tab => tab.seen.outbox.length > 0); minute += 1) {
    for (const tab of tabs) {
      tab.clock.advance(60_000);
      await contact(tab);
    }
  }
}

/** Goes on until digests were compared after `since` (ms by the device's clock), or once more than it knows of. */
export async function compared(tab: Tab, since?: number): Promise<void> {
  tab.engine.start();
  // A device that was just opened has not read yet when it compared last.
  await pass(tab, () => tab.seen.health !== undefined);
  const from = since ?? tab.seen.health?.lastDigest?.at ?? Number.NEGATIVE_INFINITY;
  await pass(tab, () => {
    const { health, status } = tab.seen;
    return (health?.lastDigest?.at ?? Number.NEGATIVE_INFINITY) > from && status?.phase === 'idle';
  });
}

/** An organisation with one administrator, for devices to work in. */
export async function anOrganization(db: TestDatabase): Promise<{ organization: string; person: string }> {
  const person = await db.person(`${newId()}@example.test`);
  const organization = newId();
  await db.asAdmin('insert into organizations (id, name, slug) values ($1, $2, $3)', [
    organization,
    'Works',
    organization,
  ]);
  await addMember(db, { organization, person, role: 'admin' });
  return { organization, person };
}

/** The server as `backup` left it, and every device told to read anew and to send again what it lost. */
export async function restored(db: TestDatabase): Promise<void> {
  await db.restore();
  await db.asAdmin('select sync.raise_epochs()');
}

type Member = { organization: string; person: string; role: string };

export async function addMember(db: TestDatabase, { organization, person, role }: Member): Promise<void> {
  const insert = 'insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)';
  await db.asAdmin(insert, [organization, person, role]);
}

/** Histories share a database: what one leaves behind, every later first pull would bring. */
export async function forgetRows(db: TestDatabase, ids: readonly string[]): Promise<void> {
  for (const table of ['action_items', 'assets']) await db.asAdmin(`delete from ${table} where id = any($1)`, [ids]);
  for (const [table, column] of [
    ['change', 'id'],
    ['mutation', 'row_id'],
    ['conflict', 'row_id'],
  ])
    await db.asAdmin(`delete from sync.${table} where ${column} = any($1)`, [ids]);
}

/** Ends a history: its devices are closed and their databases gone, its records forgotten. */
export async function leaveNothing(db: TestDatabase, tabs: readonly Tab[], ids: readonly string[]): Promise<void> {
  await Promise.all(tabs.map(tab => tab.close()));
  for (const name of new Set(tabs.map(tab => tab.name))) indexedDB.deleteDatabase(name);
  await forgetRows(db, ids);
}
