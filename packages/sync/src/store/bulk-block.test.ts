import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openChanges } from './changes.ts';
import { openDatabase } from './database.ts';
import { BULK_PREFIX, putBlock } from './bulk-block.ts';
import { unpackBlocks } from './bulk-load.ts';
import { openStore } from './local-store.ts';
import { packedOf } from '../transport/packed-rows.ts';
import { keyOf, typesRange } from './record-key.ts';
import { cleanRecord, type VersionedRow } from './record.ts';
import { raiseEpoch } from './session.ts';
import type { Store, Tx, WriteTx } from '../store.ts';
import type { Data } from './stored.ts';

const TABLE = 'action_items';
const AT = Date.UTC(2026, 10, 25);
const OWNER = actionId(999);
const PEOPLE = [actionId(901), actionId(902)];
const DAYS = ['2026-11-25T08:00:00Z', '2026-11-26T08:00:00Z'];

type SampleRow = { status: string; due: number; who: number; alone: boolean };
type ServerRow = Data & VersionedRow;

const rowOf = (n: number, { status, due, who }: SampleRow): ServerRow => ({
  id: actionId(n),
  version: 1,
  title: `Row ${n}`,
  status,
  due_at: DAYS[due],
  assignee_id: PEOPLE[who],
  source_id: actionId(800 + who),
  created_at: DAYS[0],
});

type Device = { store: Store; owner: string; db: Awaited<ReturnType<typeof openDatabase>> };

/** A device that holds these rows: each by itself, or those that are not `alone` in blocks of so many. */
async function deviceWith(given: readonly SampleRow[], block: number | null): Promise<Device> {
  const [db, owner] = [await openDatabase(newId()), OWNER];
  const tx = await db.transaction(['tasks'], 'readwrite');
  const rows = given.map((each, at) => ({ row: rowOf(at + 1, each), alone: block === null || each.alone }));
  const came = { scopes: ['user:x'], at: AT };
  for (const { row, alone } of rows) {
    const record = cleanRecord(owner, TABLE, row, came);
    if (alone) await tx.objectStore('tasks').put(record, keyOf(record));
  }
  const bulk = rows.filter(({ alone }) => !alone).map(({ row }) => row);
  const size = block ?? 1;
  for (let at = 0; at < bulk.length; at += size) {
    const part = bulk.slice(at, at + size);
    const columns = packedOf(part.map(each => ({ ...each, _s: [0] })));
    putBlock(tx, [owner, TABLE, newId()], { columns, order: came.scopes, at: AT });
  }
  await tx.done;
  const { clock, openChannel } = virtualPlatform();
  const changes = openChanges(openChannel('test'), owner);
  return { db, owner, store: openStore({ db, owner, device: 'device', clock, changes }) };
}

/** Everything a screen may ask for. */
async function answers(tx: Tx): Promise<unknown> {
  const titles = (rows: Row<'action_items'>[]) => rows.map(({ title, status }) => `${title} ${status}`);
  const whole = (key: string) => tx.range(TABLE, key, '', '\uffff');
  return {
    all: titles(await tx.all(TABLE)).toSorted(),
    rows: (await tx.all(TABLE)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    status: titles(await whole('status')),
    open: titles(await tx.range(TABLE, 'status', 'open/', 'open/\uffff')),
    few: titles(await tx.range(TABLE, 'status', 'open/', 'open/\uffff', 3)),
    none: titles(await tx.range(TABLE, 'status', 'open/z', 'open/a')),
    whose: titles(await tx.range(TABLE, 'whose', `${PEOPLE[0]}/`, `${PEOPLE[0]}/\uffff`)),
    source: titles(await whole('source')),
    latest: titles(await tx.latest(TABLE, 'status', 4, ({ title }) => title !== 'Row 2')),
    ends: titles(await tx.latest(TABLE, 'source', 2, () => true)),
    count: [await tx.count(TABLE, 'status', 'open/', 'open/\uffff'), await tx.count(TABLE, 'source', '', '\uffff')],
    one: (await tx.get(TABLE, actionId(1)))?.title ?? null,
    missing: (await tx.get(TABLE, actionId(700)))?.title ?? null,
  };
}

const answersOf = ({ store }: Device) => store.read({ key: 'answers', tables: [TABLE], read: answers });

type Edit = { kind: 'change' | 'remove' | 'both' | 'put' | 'undone'; n: number; m: number };

async function carryOut(tx: WriteTx, { kind, n, m }: Edit): Promise<void> {
  const [one, other] = [actionId(n), actionId(m)];
  if (kind === 'put') return tx.put(TABLE, anAction(n, { title: `Put ${m}` }));
  // Read together, as screens do, then changed one after the other.
  const [first, second] = await Promise.all([tx.getToChange(TABLE, one), tx.getToChange(TABLE, other)]);
  if (kind === 'remove' && first) return tx.remove(TABLE, one);
  if (first) await tx.change(TABLE, one, { title: `Changed ${m}`, status: 'closed' });
  if (kind === 'both' && second) await tx.change(TABLE, other, { title: `Also ${n}` });
  if (kind === 'undone') throw new Error('undone');
}

const edited = ({ store }: Device, edit: Edit): Promise<string> =>
  store
    .write('edit', tx => carryOut(tx, edit))
    .then(
      () => 'saved',
      () => 'undone',
    );

async function blocksLeft({ db, owner }: Device): Promise<number> {
  const tx = await db.transaction(['tasks'], 'readonly');
  return tx.objectStore('tasks').count(typesRange(owner, BULK_PREFIX));
}

const row = fc.record({
  status: fc.constantFrom('open', 'in_progress', 'closed'),
  due: fc.nat(1),
  who: fc.nat(1),
  alone: fc.boolean(),
});
const place = fc.integer({ min: 1, max: 14 });
const edit = fc.record({
  kind: fc.constantFrom<Edit['kind'][]>('change', 'remove', 'both', 'put', 'undone'),
  n: place,
  m: place,
});

test(
  'I1 I4 bulk-loaded rows are read and changed as if each lay by itself, and lie so afterwards',
  { timeout: HISTORIES_TIMEOUT },
  async () => {
    const history = fc.asyncProperty(
      fc.array(row, { maxLength: 14 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(edit, { maxLength: 6 }),
      fc.nat(6),
      async (rows, block, edits, unpackedAfter) => {
        const [plain, bulk] = [await deviceWith(rows, null), await deviceWith(rows, block)];
        const lead = { ...bulk, epoch: await raiseEpoch(bulk.db, bulk.owner) };
        const unpack = () => unpackBlocks(lead, new AbortController().signal, () => undefined);
        expect(await answersOf(bulk)).toEqual(await answersOf(plain));
        for (const [at, each] of edits.entries()) {
          if (at === unpackedAfter) await unpack();
          expect(await edited(bulk, each)).toBe(await edited(plain, each));
          expect(await answersOf(bulk)).toEqual(await answersOf(plain));
        }
        await unpack();
        expect(await blocksLeft(bulk)).toBe(0);
        expect(await answersOf(bulk)).toEqual(await answersOf(plain));
      },
    );
    await holds('landed', 60, history);
  },
);

test('an answer is made anew from rows another tab let land', async () => {
  const given = { status: 'open', due: 0, who: 0, alone: false };
  const one = await deviceWith([given, given], 2);
  const { db, owner } = one;
  // Under an id this tab has not read yet, as a tab of an earlier build would have laid it: its rows as they are.
  const seen: string[] = [];
  const changes = openChanges(virtualPlatform().openChannel('renew'), owner);
  const store = openStore({ db, owner, device: 'device', clock: virtualPlatform().clock, changes });
  const stop = store.watch(
    {
      key: 'renewed',
      tables: [TABLE],
      read: async tx => `read ${(await tx.get(TABLE, actionId(3)))?.title ?? 'none'}`,
      renew: async (_before, _changed, tx) => `anew ${(await tx.get(TABLE, actionId(3)))?.title ?? 'none'}`,
    },
    answer => seen.push(answer),
    error => seen.push(String(error)),
  );
  await expect.poll(() => seen).toEqual(['read none']);
  const foreign = { ...cleanRecord(owner, TABLE, rowOf(3, given), { scopes: [], at: AT }) };
  const tx = await db.transaction(['tasks'], 'readwrite');
  const content = { rows: [foreign.data], named: [[]], order: [], at: AT };
  const value = { ...foreign, id: newId(), type: BULK_PREFIX + TABLE, data: content, keys: [] };
  await tx.objectStore('tasks').put(value, keyOf(value));
  await tx.done;
  changes.emit([TABLE], new Map([[TABLE, new Set([actionId(3)])]]));
  await expect.poll(() => seen.at(-1)).toBe('read Row 3');
  stop();
});
