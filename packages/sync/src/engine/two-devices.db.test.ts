import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import {
  anOrganization,
  counted,
  drain,
  leaveNothing,
  openTab,
  round,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { faultyBackend, sqlBackend, type Fault } from '@cairn/testing/sql-backend.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend } from '../transport/backend.ts';
import { openDatabase } from '../store/database.ts';
import type { QueueEntry } from '../store/stored.ts';

let db: TestDatabase;
let person: string;
let organization: string;

beforeAll(async () => {
  db = await freshDatabase();
  ({ organization, person } = await anOrganization(db));
});
afterAll(() => db.drop());

const actionsOf = (tab: Tab) =>
  tab.engine.store.read({ key: 'all', tables: ['action_items'], read: tx => tx.all('action_items') });

const openDeviceTab = (backend: Backend, skew: number) => openTab({ person, backend, skew });

type Step =
  | { kind: 'edit'; device: 0 | 1; record: number; field: 'title' | 'description' | 'priority'; value: string }
  | { kind: 'add'; device: 0 | 1; record: number; value: string }
  | { kind: 'remove'; device: 0 | 1; record: number }
  | { kind: 'sync'; device: 0 | 1; calls: number; dies: boolean; beside: boolean }
  | { kind: 'crash'; device: 0 | 1 };

const device = fc.constantFrom(0 as const, 1 as const);
const record = fc.constantFrom(0, 0, 0, 1, 2, 3);
const value = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      device,
      record,
      field: fc.constantFrom('title' as const, 'description' as const),
      value,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      device,
      record,
      field: fc.constant('priority' as const),
      value: fc.constantFrom('low', 'high', 'critical'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), device, record, value }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), device, record }) },
  {
    weight: 5,
    arbitrary: fc.oneof(
      // Dies with the last of them, before its answer is written down; beside the other, what one pushes the other pulls.
      fc.record({
        kind: fc.constant('sync' as const),
        device,
        calls: fc.nat(5),
        dies: fc.nat(3).map(n => n === 0),
        beside: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('crash' as const), device }),
    ),
  },
);
const faults = fc.array(
  fc.constantFrom<Fault>(
    'none',
    'none',
    'none',
    'drop_request',
    'drop_answer',
    'server_error',
    'twice',
    'garbage',
    'portal',
  ),
  { maxLength: 30 },
);

/** How long each push may take (ms): with 0 the server judges one edit and leaves the others for the next call. */
const budgets = fc.array(fc.constantFrom(0, 0, 0, null), { maxLength: 60 });

async function seedServer(ids: string[]): Promise<void> {
  const insert = 'insert into action_items (id, organization_id, title, description) values ($1, $2, $3, $4)';
  for (const id of ids) await db.asAdmin(insert, [id, organization, `title of ${id}`, `about ${id}`]);
}

/** What was said, and what was replaced by somebody who saw it. */
type Words = { saved: Set<string>; replaced: Set<unknown> };

/** Runs one step as a person would. */
async function run(tabs: readonly [Tab, Tab], ids: string[], step: Step, words: Words): Promise<void> {
  const tab = tabs[step.device];
  if (step.kind === 'crash') return tab.crash();
  if (step.kind === 'sync') {
    const begin = () => {
      for (const { engine } of step.beside ? tabs : [tab]) {
        engine.start();
        engine.syncNow();
      }
    };
    await round(begin, step.calls);
    return step.dies ? tab.crash() : undefined;
  }
  const id = ids[step.record] ?? '';
  await tab.engine.store.write('test', async tx => {
    const row = await tx.get('action_items', id);
    if (step.kind === 'add') {
      const title = `${step.value}-${newId()}`;
      if (row) return;
      await tx.put('action_items', { id, organization_id: organization, title });
      words.saved.add(title);
    } else if (row && step.kind === 'remove') {
      await tx.remove('action_items', id);
      for (const seen of [row.title, row.description]) words.replaced.add(seen);
    } else if (row && step.kind === 'edit') {
      const saved = step.field === 'priority' ? step.value : `${step.value}-${newId()}`;
      await tx.change('action_items', id, { [step.field]: saved });
      if (step.field === 'priority') return;
      words.replaced.add(row[step.field]);
      words.saved.add(saved);
    }
  });
}

/** Every place an acknowledged edit may stand: sent to the server, disputed, or set aside. */
async function traces(ids: string[], tabs: Tab[]): Promise<string> {
  const rows = await db.asAdmin('select * from action_items where id = any($1)', [ids]);
  const conflicts = await db.asAdmin('select * from sync.conflict where row_id = any($1)', [ids]);
  return JSON.stringify([rows, conflicts, tabs.map(tab => [tab.seen.conflicts, tab.seen.outbox])]);
}

describe('two devices on the real database', () => {
  test(
    'random offline edits converge and none is lost, whatever the network does and whenever an app dies',
    async () => {
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: 50 }),
        faults,
        fc.array(fc.tuple(device, fc.integer({ min: 1, max: 4 }), fc.boolean()), { minLength: 2, maxLength: 5 }),
        budgets,
        async (steps, planned, deaths, given) => {
          const queue: Fault[] = [];
          const allowed = [...given];
          const server = sqlBackend(db, person, { pushBudget: () => allowed.shift() ?? null });
          const backend = counted(faultyBackend(server, () => queue.shift() ?? 'none'));
          const tabs = [
            await openDeviceTab(backend, -48 * 3_600_000),
            await openDeviceTab(backend, 48 * 3_600_000),
          ] as const;
          const ids = [newId(), newId(), newId(), newId()];
          await seedServer(ids.slice(0, 3));
          for (const tab of tabs) await drain(tab);
          for (const tab of tabs) await tab.stopSyncing();
          queue.push(...planned);
          const words: Words = { saved: new Set(), replaced: new Set() };
          for (const step of steps) {
            await run(tabs, ids, step, words);
            await pendingEditsShow(tabs[step.device]);
          }
          // Nothing is edited any more that would bring again what a death here makes a device miss.
          for (const [device, calls, beside] of deaths)
            await run(tabs, ids, { kind: 'sync', device, calls, dies: true, beside }, words);
          for (const tab of [...tabs, ...tabs]) await drain(tab);

          const rows = await db.asAdmin(
            'select id::text, title, description, priority, version::int from action_items where id = any($1) and deleted_at is null',
            [ids],
          );
          for (const tab of tabs) {
            const mine = (await actionsOf(tab))
              .filter(row => ids.includes(row.id))
              .map(({ id, title, description, priority, version }) => ({ id, title, description, priority, version }));
            expect(mine.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
              rows.toSorted((a, b) => String(a['id']).localeCompare(String(b['id']))),
            );
            expect(tab.seen.outbox).toEqual([]);
            // Nothing was missing that only the daily comparison would have brought.
            expect(tab.seen.health?.faults.map(({ code }) => code)).not.toContain('rows_repaired');
          }
          const ledger = await db.asAdmin(
            'select mid, count(*)::int as n from sync.mutation where row_id = any($1) group by mid having count(*) > 1',
            [ids],
          );
          expect(ledger).toEqual([]);
          await nothingIsLost(ids, words, tabs);
          await leaveNothing(db, tabs, ids);
        },
      );
      await holds('two-devices', 12, property);
    },
    HISTORIES_TIMEOUT,
  );
});

/** At every moment the device shows its person's own unsent edits, and calls exactly those records dirty. */
async function pendingEditsShow({ name }: Tab): Promise<void> {
  const held = await openDatabase(name);
  const tx = await held.transaction(['tasks', 'sync_queue'], 'readonly');
  const [records, entries] = await Promise.all([
    tx.objectStore('tasks').getAll(),
    tx.objectStore('sync_queue').getAll(),
  ]);
  held.close();
  const queued = new Map<string, QueueEntry[]>();
  for (const entry of entries) queued.set(entry.dataId, [...(queued.get(entry.dataId) ?? []), entry]);
  for (const record of records) {
    const mine = queued.get(record.id) ?? [];
    expect({ id: record.id, dirty: record.isDirty }).toEqual({ id: record.id, dirty: mine.length > 0 });
    expect(record.data).toMatchObject(Object.assign({}, ...mine.map(({ data }) => data)));
    queued.delete(record.id);
  }
  expect([...queued.keys()]).toEqual([]);
}

/** Whatever a person wrote is on the server, in a conflict or set aside, unless somebody who saw it replaced it. */
async function nothingIsLost(ids: string[], { saved, replaced }: Words, tabs: readonly Tab[]): Promise<void> {
  const found = await traces(ids, [...tabs]);
  expect([...saved].filter(word => !replaced.has(word) && !found.includes(word))).toEqual([]);
}
