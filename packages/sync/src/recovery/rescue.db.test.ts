import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import { virtualClock, virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDevice } from '../device.ts';
// Loaded now: while the engine loads it, no virtual time may pass.
import '../pull/digest.ts';
import type { Conflict, OutboxItem, SyncStatus } from '../outbox/outbox-item.ts';

let db: TestDatabase;
let person: string;
let organization: string;

beforeAll(async () => {
  db = await freshDatabase();
  person = await db.person('worker@example.test');
  organization = newId();
  await db.asAdmin('insert into organizations (id, name, slug) values ($1, $2, $3)', [
    organization,
    'Works',
    organization,
  ]);
  const member = 'insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)';
  await db.asAdmin(member, [organization, person, 'admin']);
});
afterAll(() => db.drop());

type Phone = Awaited<ReturnType<typeof openPhone>>;

const idle = () => new Promise<void>(resolve => setImmediate(resolve));

async function openPhone() {
  const clock = virtualClock();
  const device = await openDevice({ name: newId(), platform: virtualPlatform({ clock }) });
  const engine = device.engineFor({ owner: person, backend: sqlBackend(db, person) });
  const seen: { status?: SyncStatus; outbox: OutboxItem[]; conflicts: Conflict[] } = { outbox: [], conflicts: [] };
  engine.watchStatus(status => (seen.status = status));
  engine.watchOutbox(items => (seen.outbox = items));
  engine.watchConflicts(conflicts => (seen.conflicts = conflicts));
  return {
    engine,
    seen,
    /** Sends and fetches until nothing waits. */
    async drain() {
      engine.offlineChoice.choose(false);
      engine.start();
      const from = clock.now();
      engine.syncNow();
      const done = () =>
        seen.status?.pendingItems === 0 && (seen.status.lastPullAt ?? 0) > from + 1000 && seen.status.phase === 'idle';
      await expect
        .poll(
          async () => {
            clock.advance(500);
            await idle();
            return done();
          },
          { interval: 4, timeout: 60_000 },
        )
        .toBe(true);
      engine.offlineChoice.choose(true);
    },
    close: async () => {
      await engine.stop();
      await device.close();
    },
  };
}

type Step =
  | { kind: 'edit'; record: number; field: 'title' | 'description'; value: string }
  | { kind: 'add' | 'remove'; record: number; value: string }
  | { kind: 'pack' };

const record = fc.constantFrom(0, 0, 1, 2, 3);
const value = fc.constantFrom('a', 'b', 'c');
const field = fc.constantFrom('title' as const, 'description' as const);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('edit' as const), record, field, value }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), record, value }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), record, value }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pack' as const) }) },
  ),
  { minLength: 3, maxLength: 24 },
);
/** In which order files are taken, some twice; between them either phone may send. */
const turns = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('take' as const), at: fc.nat(30) }) },
    { weight: 1, arbitrary: fc.constantFrom({ kind: 'first' as const }, { kind: 'second' as const }) },
  ),
  { maxLength: 8 },
);

/**
 * A removed record is not made again under its id: what comes back then is the server's row with the new fields on it, and
 * that row is another one once an edit before the removal has been frozen.
 */
const once = (steps: readonly Step[]): Step[] => {
  const removed = new Set<number>();
  return steps.filter(step => {
    if (step.kind === 'add' && removed.has(step.record)) return false;
    if (step.kind === 'remove') removed.add(step.record);
    return true;
  });
};

async function run(phone: Phone, ids: string[], step: Exclude<Step, { kind: 'pack' }>): Promise<void> {
  const id = ids[step.record] ?? '';
  await phone.engine.store.write('test', async tx => {
    const row = await tx.get('action_items', id);
    if (step.kind === 'add' && !row)
      await tx.put('action_items', { id, organization_id: organization, title: step.value });
    else if (step.kind === 'edit' && row) await tx.change('action_items', id, { [step.field]: step.value });
    else if (step.kind === 'remove' && row) await tx.remove('action_items', id);
  });
}

/** Three records the server has, and one it has not. */
async function records(): Promise<string[]> {
  const ids = [newId(), newId(), newId(), newId()];
  const insert = 'insert into action_items (id, organization_id, title, description) values ($1, $2, $3, $4)';
  for (const [at, id] of ids.slice(0, 3).entries()) await db.asAdmin(insert, [id, organization, `t${at}`, `d${at}`]);
  return ids;
}

/** What the server has of them, told apart by their place. */
async function onServer(ids: string[]) {
  const rows = await db.asAdmin(
    'select id::text, title, description from action_items where id = any($1) and deleted_at is null',
    [ids],
  );
  const place = (row: Record<string, unknown>) => ids.indexOf(String(row['id']));
  return rows
    .map(row => [place(row), row['title'], row['description']])
    .toSorted((a, b) => Number(a[0]) - Number(b[0]));
}

const PACKED = 'words of the property';

test(
  'out of rescue files, split, doubled and in any order, the server gets what it would have got directly',
  async () => {
    const property = fc.asyncProperty(steps, turns, fc.boolean(), async (steps, turns, firstSendsLast) => {
      const [direct, first, second] = [await openPhone(), await openPhone(), await openPhone()];
      const [plain, rescued] = [await records(), await records()];
      await direct.drain();
      await first.drain();
      const files: Blob[] = [];
      const pack = () => first.engine.rescue.pack(PACKED, { email: 'worker@example.test', withPrivate: true });
      for (const step of once(steps)) {
        if (step.kind === 'pack') files.push(await pack());
        else
          for (const [phone, ids] of [
            [direct, plain],
            [first, rescued],
          ] as const)
            await run(phone, ids, step);
      }
      files.push(await pack());
      await direct.drain();

      const take = async (file: Blob) => second.engine.rescue.take(await second.engine.rescue.unlock(file, PACKED));
      for (const turn of turns) {
        if (turn.kind === 'take') await take(files[turn.at % files.length] ?? files[0] ?? new Blob());
        else await (turn.kind === 'first' ? first : second).drain();
      }
      for (const file of files) await take(file);
      await second.drain();
      if (firstSendsLast) await first.drain();
      await second.drain();

      expect(await onServer(rescued)).toEqual(await onServer(plain));
      const doubled = 'select mid from sync.mutation where row_id = any($1) group by mid having count(*) > 1';
      expect(await db.asAdmin(doubled, [rescued])).toEqual([]);
      expect([second.seen.outbox, second.seen.conflicts, first.seen.conflicts]).toEqual([[], [], []]);
      await Promise.all([direct.close(), first.close(), second.close()]);
    });
    await holds('rescue', 12, property);
  },
  HISTORIES_TIMEOUT,
);
