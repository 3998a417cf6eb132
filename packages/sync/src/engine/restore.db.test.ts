import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import {
  addMember,
  anOrganization,
  compared,
  contact,
  counted,
  drain,
  leaveNothing,
  openTab,
  restored,
  settledOutboxes,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import type { WriteTx } from '../store.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import '../pull/digest.ts';

let db: TestDatabase;
let organization: string;
let people: string[];
beforeAll(async () => {
  db = await freshDatabase();
  const first = await anOrganization(db);
  organization = first.organization;
  people = [first.person, await db.person('second@example.test'), await db.person('third@example.test')];
  for (const person of people.slice(1)) await addMember(db, { organization, person, role: 'admin' });
});
afterAll(() => db.drop());

type Step =
  | { kind: 'edit'; device: number; record: number; field: 'title' | 'description'; value: string; together: boolean }
  | { kind: 'add' | 'remove' | 'hang'; device: number; record: number }
  | { kind: 'sync'; device: number };

const device = fc.nat(2);
const record = fc.constantFrom(0, 0, 1, 2, 3);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      device,
      record,
      field: fc.constantFrom('title' as const, 'description' as const),
      // Nothing: a value nobody else writes. The others come back again and again.
      value: fc.constantFrom('', 'this', 'that'),
      together: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('add' as const, 'remove' as const), device, record }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('hang' as const), device, record }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('sync' as const), device }) },
);

/** Two records that others hang on, made by whoever first has need of them; in the lost time alone, or they are mostly there. */
const assetsOf = (ids: string[]) => ids.slice(4);

async function hang(tx: WriteTx, ids: string[], record: number): Promise<void> {
  const asset = assetsOf(ids)[record % 2];
  if (asset === undefined) return;
  const row = await tx.get('action_items', ids[record] ?? '');
  if (!(await tx.get('assets', asset)))
    await tx.put('assets', { id: asset, organization_id: organization, name: 'Crane 4' });
  else if (row) await tx.change('action_items', row.id, { asset_id: asset });
}

async function run(tab: Tab, ids: string[], step: Step): Promise<void> {
  if (step.kind === 'sync') return drain(tab);
  const id = ids[step.record] ?? '';
  await tab.engine.store.write('test', async tx => {
    if (step.kind === 'hang') return hang(tx, ids, step.record);
    const row = await tx.get('action_items', id);
    if (step.kind === 'add' && !row)
      await tx.put('action_items', { id, organization_id: organization, title: newId() });
    if (step.kind === 'remove' && row) await tx.remove('action_items', id);
    if (step.kind === 'edit' && row)
      await tx.change('action_items', id, {
        [step.field]: step.value || newId(),
        ...(step.together && { priority: 'high' as const }),
      });
  });
}

const onServer = (ids: string[]) =>
  db.asAdmin(
    `select id::text, title, description, priority, asset_id, deleted_at is not null as gone from action_items
     where id = any($1) order by id::text`,
    [ids],
  );

const shown = async (tab: Tab, ids: string[]) =>
  (await tab.engine.store.read({ key: 'all', tables: ['action_items'], read: tx => tx.all('action_items') }))
    .filter(({ id }) => ids.includes(id))
    .map(({ id, title, description, priority, asset_id }) => ({
      id,
      title,
      description,
      priority,
      asset_id,
      gone: false,
    }))
    .toSorted((a, b) => a.id.localeCompare(b.id));

const conflictsOf = (tabs: readonly Tab[]) =>
  tabs.map(tab => tab.seen.conflicts.map(({ recordId, kind, mine }) => [recordId, kind, mine]));

describe('a server restored from a backup', () => {
  test(
    'nothing acknowledged is missing once every device has been there, whichever comes first',
    async () => {
      const steps = fc.array(step, { minLength: 5, maxLength: 25 });
      const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
      const property = fc.asyncProperty(steps, steps, order, async (before, since, order) => {
        const tabs = await Promise.all(
          people.map(person => openTab({ person, backend: counted(sqlBackend(db, person)) })),
        );
        const ids = [newId(), newId(), newId(), newId(), newId(), newId()];
        for (const id of ids.slice(0, 3))
          await db.asAdmin('insert into action_items (id, organization_id, title) values ($1, $2, $3)', [
            id,
            organization,
            id,
          ]);
        const all = async (each: (tab: Tab) => Promise<void>) => {
          for (const tab of tabs) await each(tab);
        };
        await all(drain);
        for (const step of before) await run(tabs[step.device]!, ids.slice(0, 4), step);
        await db.backup();
        for (const step of since) await run(tabs[step.device]!, ids, step);
        await all(drain);
        await all(drain);
        const [acknowledged, conflicts] = [await onServer(ids), conflictsOf(tabs)];

        await restored(db);
        const moments = tabs.map(tab => tab.clock.now());
        for (const at of order) await contact(tabs[at]!);
        await settledOutboxes(tabs);
        await all(drain);
        await all(drain);
        expect(await onServer(ids)).toEqual(acknowledged);
        expect(conflictsOf(tabs)).toEqual(conflicts);
        for (const [at, tab] of tabs.entries()) {
          await compared(tab, moments[at]);
          expect(await shown(tab, ids)).toEqual(acknowledged.filter(({ gone }) => !gone));
          expect(tab.seen.outbox).toEqual([]);
          expect(tab.seen.health?.lastDigest?.ok).toBe(true);
        }
        await leaveNothing(db, tabs, ids);
      });
      await holds('restore', 3, property);
    },
    HISTORIES_TIMEOUT,
  );

  test('edits not yet sent when it was restored wait for the acknowledged ones they were made on', async () => {
    const [first, second] = await Promise.all(
      people.slice(0, 2).map(person => openTab({ person, backend: counted(sqlBackend(db, person)) })),
    );
    if (!first || !second) throw new Error('two devices');
    const id = newId();
    await first.engine.store.write('add', tx =>
      tx.put('action_items', { id, organization_id: organization, title: 'one' }),
    );
    await drain(first);
    await db.backup();
    await first.engine.store.write('edit', tx => tx.change('action_items', id, { title: 'two' }));
    await drain(first);
    await drain(second);
    await second.engine.store.write('edit', tx => tx.change('action_items', id, { title: 'three' }));
    await restored(db);
    await contact(second);
    expect(await onServer([id])).toMatchObject([{ title: 'one' }]);
    expect(second.seen.outbox).toMatchObject([{ recordId: id, lastError: 'behind' }]);
    await drain(first);
    await drain(second);
    expect(await onServer([id])).toMatchObject([{ title: 'three' }]);
    expect(conflictsOf([first, second])).toEqual([[], []]);
    expect(first.seen.health?.faults.map(({ code, count }) => [code, count])).toEqual([['server_restored', 1]]);
    await Promise.all([first, second].map(tab => tab.close()));
  });

  test('the journal holds 14 days, and no more than fits', async () => {
    const [person = ''] = people;
    const tab = await openTab({ person, backend: counted(sqlBackend(db, person)) });
    const id = newId();
    await tab.engine.store.write('add', tx =>
      tx.put('action_items', { id, organization_id: organization, title: 'old' }),
    );
    await drain(tab);
    await db.asAdmin('delete from sync.mutation where row_id = $1', [id]);
    for (let day = 0; day < 15; day += 1) {
      await tab.sleep(24 * 3_600_000);
      await drain(tab);
    }
    await db.asAdmin('select sync.raise_epochs()');
    await contact(tab);
    expect(tab.seen.outbox).toEqual([]);
    expect(tab.seen.health?.faults).toEqual([]);
    await tab.close();
  });
});
