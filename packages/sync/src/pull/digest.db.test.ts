import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import {
  anOrganization,
  calls,
  compared,
  counted,
  drain,
  idle,
  leaveNothing,
  openTab,
  pass,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type DatabaseTx } from '../store/database.ts';
import { keyOf } from '../store/record-key.ts';
import type { StoredRecord } from '../store/stored.ts';

let db: TestDatabase;
let person: string;
let organization: string;
beforeAll(async () => {
  db = await freshDatabase();
  ({ organization, person } = await anOrganization(db));
  await db.asAdmin(
    `insert into action_items (organization_id, title) select $1, 'Item ' || n from generate_series(1, 60) n`,
    [organization],
  );
});
afterAll(() => db.drop());

const DAY = 24 * 3_600_000;
type DamageCase = { kind: 'drop' | 'older' | 'newer' | 'surplus' | 'stray' | 'scopeless'; at: number };

/** Spoils the device's copy behind the engine's back, as a bug or a broken disk would. */
async function spoil(tab: Tab, damages: readonly DamageCase[]): Promise<void> {
  const held = await openDatabase(tab.name);
  const tx = await held.transaction(['tasks'], 'readwrite');
  for (const damage of damages) await spoilOne(tx, damage);
  await tx.done;
  held.close();
}

async function spoilOne(tx: DatabaseTx, { kind, at }: DamageCase): Promise<void> {
  const store = tx.objectStore('tasks');
  const all = (await store.getAll()).filter(({ isDirty }) => !isDirty);
  const record = all[at % all.length];
  if (!record) return;
  const put = (changed: StoredRecord) => store.put(changed, keyOf(changed));
  if (kind === 'drop') await store.delete(keyOf(record));
  if (kind === 'scopeless') await put({ ...record, scopes: [] });
  if (kind === 'surplus') await put({ ...record, id: newId() });
  if (kind === 'stray') await put({ ...record, id: newId(), scopes: [`site:${newId()}`] });
  if (kind === 'older') await put({ ...record, version: record.version - 1, data: { ...record.data, title: 'old' } });
  if (kind === 'newer') await put({ ...record, version: record.version + 7, data: { ...record.data, title: 'odd' } });
}

const actionsOf = async (tab: Tab) =>
  (await tab.engine.store.read({ key: 'all', tables: ['action_items'], read: tx => tx.all('action_items') }))
    .map(({ id, title, version }) => ({ id, title, version }))
    .toSorted((a, b) => a.id.localeCompare(b.id));

const onServer = () =>
  db.asAdmin(
    'select id::text, title, version::int from action_items where organization_id = $1 and deleted_at is null order by id::text',
    [organization],
  );

const damage = fc.record({
  kind: fc.constantFrom<DamageCase['kind']>('drop', 'older', 'newer', 'surplus', 'stray', 'scopeless'),
  at: fc.nat(59),
});

describe('anti-entropy', () => {
  test(
    'a copy spoilt in any way is whole again after the daily comparison, unsent edits stay, and it is noted',
    async () => {
      const property = fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 25 }), async damages => {
        const backend = counted(sqlBackend(db, person));
        const tab = await openTab({ person, backend });
        await compared(tab);
        expect(tab.seen.health?.lastDigest).toMatchObject({ ok: true, repaired: 0 });
        await tab.stopSyncing();
        const [mine] = await actionsOf(tab);
        const text = `mine ${newId()}`;
        await tab.engine.store.write('edit', tx => tx.change('action_items', mine?.id ?? '', { description: text }));
        await spoil(tab, damages);
        await tab.sleep(DAY);
        await compared(tab);
        await drain(tab);
        expect(await actionsOf(tab)).toEqual(await onServer());
        expect(tab.seen.health).toMatchObject({ lastDigest: { ok: true }, quarantined: 0, conflicts: 0 });
        const changed = tab.seen.health?.lastDigest?.repaired ?? 0;
        expect(tab.seen.health?.faults.map(({ code }) => code)).toEqual(changed > 0 ? ['rows_repaired'] : []);
        const [row] = await db.asAdmin('select description from action_items where id = $1', [mine?.id]);
        expect(row?.['description']).toBe(text);
        await leaveNothing(db, [tab], []);
      });
      await holds('digest', 8, property);
    },
    HISTORIES_TIMEOUT,
  );

  test('the server digest is never adopted: what cannot be put right is said again every time', async () => {
    const real = counted(sqlBackend(db, person));
    // A server that says the copy is wrong and has nothing to put it right with.
    const backend = {
      ...real,
      digest: async (...given: Parameters<typeof real.digest>) =>
        Object.fromEntries(
          Object.entries(await real.digest(...given)).map(([scope, { at }]) => [
            scope,
            { at, sums: { action_items: [9, 'f'.repeat(16)] as [number, string] } },
          ]),
        ),
    };
    const tab = await openTab({ person, backend });
    await compared(tab);
    expect(tab.seen.health?.lastDigest?.ok).toBe(false);
    await tab.sleep(DAY);
    await compared(tab);
    expect(tab.seen.health?.lastDigest?.ok).toBe(false);
    expect(tab.seen.health?.faults.map(({ code }) => code)).toEqual(['rows_differ', 'rows_differ']);
    expect(await actionsOf(tab)).toEqual(await onServer());
    await tab.close();
  });

  test('it is asked for at sign-in and once a day, not with each start of the app', async () => {
    let asked = 0;
    const real = counted(sqlBackend(db, person));
    const backend = {
      ...real,
      digest: (...given: Parameters<typeof real.digest>) => ((asked += 1), real.digest(...given)),
    };
    const minutes = async (tab: Tab) => {
      const from = tab.clock.now();
      await pass(tab, () => tab.clock.now() > from + 150_000 && tab.seen.status?.phase === 'idle');
    };
    const tab = await openTab({ person, backend });
    await drain(tab);
    await minutes(tab);
    expect(asked).toBe(1);
    await tab.crash();
    await drain(tab);
    await minutes(tab);
    expect(asked).toBe(1);
    await tab.close();
    const back = await openTab({ person, backend, name: tab.name, options: { signedInNow: true } });
    await drain(back);
    await minutes(back);
    expect(asked).toBe(2);
    await back.close();
  });

  test('who asks for it waits for nothing, also right after the app was opened', async () => {
    const tab = await openTab({ person, backend: counted(sqlBackend(db, person)) });
    await drain(tab);
    await compared(tab, 0);
    await tab.crash();
    const opened = tab.clock.now();
    tab.engine.start();
    await tab.engine.check();
    await compared(tab);
    expect(tab.clock.now() - opened).toBeLessThan(10_000);
    await tab.close();
  });

  test('an idle device costs one request a minute', async () => {
    const asked: string[] = [];
    const real = counted(sqlBackend(db, person));
    const noting =
      <A extends unknown[], R>(name: string, call: (...given: A) => R) =>
      (...given: A): R => {
        asked.push(name);
        return call(...given);
      };
    const backend = {
      ...real,
      pull: noting('pull', real.pull),
      push: noting('push', real.push),
      digest: noting('digest', real.digest),
      receipt: noting('receipt', real.receipt),
      submitOrphanedEdits: noting('submitOrphanedEdits', real.submitOrphanedEdits),
    };
    const tab = await openTab({ person, backend });
    await compared(tab);
    asked.length = 0;
    for (let step = 0; step < 120; step += 1) {
      tab.clock.advance(5000);
      await atRest();
    }
    expect(asked).toEqual(Array.from({ length: asked.length }, () => 'pull'));
    expect(asked.length).toBeGreaterThanOrEqual(8);
    expect(asked.length).toBeLessThanOrEqual(10);
    await tab.close();
  });
});

/** Everything that was due has been done. */
async function atRest(): Promise<void> {
  do for (let turn = 0; turn < 100; turn += 1) await idle();
  while (calls.open > 0);
}
