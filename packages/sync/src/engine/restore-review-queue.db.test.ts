import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import {
  addMember,
  anOrganization,
  counted,
  drain,
  openTab,
  restored,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import { openDB } from 'idb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import '../pull/digest.ts';

let db: TestDatabase;
let organization: string;
let admin: string;
let leaver: string;
let record: string;
beforeAll(async () => {
  db = await freshDatabase();
  ({ organization, person: admin } = await anOrganization(db));
});
afterAll(() => db.drop());
beforeEach(async () => {
  leaver = await db.person(`${newId()}@example.test`);
  await addMember(db, { organization, person: leaver, role: 'manager' });
  record = newId();
  await db.asAdmin('insert into action_items (id, organization_id, title) values ($1, $2, $3)', [
    record,
    organization,
    'Guard is loose',
  ]);
});

const removed = () =>
  db.asAdmin('update organization_members set deleted_at = now() where organization_id = $1 and user_id = $2', [
    organization,
    leaver,
  ]);
const raised = () => db.asAdmin('select sync.raise_epochs()');
const reviewQueue = () =>
  db.asAdmin(
    `select body ->> 'op' as op, body -> 'patch' ->> 'title' as title from sync.orphaned_edit where user_id = $1 order by n`,
    [leaver],
  );

/** A phone without signal on which somebody wrote something new and changed what was there. */
async function written(): Promise<Tab> {
  const tab = await openTab({ person: leaver, backend: counted(sqlBackend(db, leaver)) });
  await drain(tab);
  await tab.stopSyncing();
  await tab.engine.store.write('new', tx =>
    tx.put('action_items', { id: newId(), organization_id: organization, title: 'Oil on the floor' }),
  );
  await tab.engine.store.write('edit', tx => tx.change('action_items', record, { title: 'Guard is off' }));
  return tab;
}

async function submitOrphans(tab: Tab): Promise<void> {
  tab.engine.start();
  await drain(tab);
}

const WORK = [
  { op: 'insert', title: 'Oil on the floor' },
  { op: 'update', title: 'Guard is off' },
];

test('I14 work that was submitted after the backup is submitted once more, and lies on the device in no words', async () => {
  const tab = await written();
  await removed();
  await db.backup();
  await submitOrphans(tab);
  expect(await reviewQueue()).toEqual(WORK);
  const local = await openDB(tab.name);
  expect(JSON.stringify(await local.getAll('meta'))).not.toContain('Oil on the floor');
  local.close();

  await restored(db);
  expect(await reviewQueue()).toEqual([]);
  await drain(tab);
  await drain(tab);
  expect(await reviewQueue()).toEqual(WORK);
  expect(tab.seen.outbox).toEqual([]);
  // What the review queue has is not sent again.
  await raised();
  await drain(tab);
  expect(await reviewQueue()).toEqual(WORK);
  await tab.close();
});

test('I14 where the removal is of the lost time too, the work arrives as that of a member', async () => {
  const tab = await written();
  await db.backup();
  await removed();
  await submitOrphans(tab);
  expect(await reviewQueue()).toEqual(WORK);
  await restored(db);
  await drain(tab);
  await drain(tab);
  expect(await reviewQueue()).toEqual([]);
  expect(await db.asAdmin('select title from action_items where id = $1', [record])).toEqual([
    { title: 'Guard is off' },
  ]);
  expect(
    await db.asAdmin(`select title from action_items where title = 'Oil on the floor' and created_by = $1`, [leaver]),
  ).toHaveLength(1);
  expect(tab.seen.outbox).toEqual([]);
  await tab.close();
});

const rowsOf = (ids: readonly string[]) =>
  db.asAdmin(
    'select id, title, description, deleted_at is not null as gone from action_items where id = any($1) order by title',
    [ids],
  );

const acceptAll = async () => {
  const mids = (
    await db.asAdmin(`select body ->> 'mid' as mid from sync.orphaned_edit where user_id = $1`, [leaver])
  ).map(({ mid }) => mid);
  await db.rpc(admin, 'decide_orphaned_edits', {
    p_organization: organization,
    p_user: leaver,
    p_mids: mids,
    p_accept: true,
  });
};

test.for([
  ['an edit', 1],
  ['a delete', 1],
  ['something new', 1],
  ['something new and an edit of it', 2],
] as const)(
  'I14 %s that was acknowledged in the lost hour, by somebody removed later in it, lies in the review queue',
  async ([kind, edits]) => {
    const made = newId();
    const tab = await openTab({ person: leaver, backend: counted(sqlBackend(db, leaver)) });
    await drain(tab);
    await db.backup();
    const { store } = tab.engine;
    await store.write('work', async tx => {
      if (kind === 'an edit') await tx.change('action_items', record, { description: 'Bolt is gone' });
      else if (kind === 'a delete') await tx.remove('action_items', record);
      else await tx.put('action_items', { id: made, organization_id: organization, title: 'Oil on the floor' });
    });
    await drain(tab);
    if (edits > 1) {
      await store.write('more', tx => tx.change('action_items', made, { title: 'Oil on the stairs' }));
      await drain(tab);
    }
    const acknowledged = await rowsOf([record, made]);
    await removed();
    // The device hears of it, and lets go of everything.
    await drain(tab);
    await restored(db);
    // An administrator's device brings the removal back first.
    await removed();
    await drain(tab, Number.MAX_SAFE_INTEGER);
    await drain(tab, Number.MAX_SAFE_INTEGER);
    expect([await reviewQueue(), tab.seen.outbox]).toEqual([expect.objectContaining({ length: edits }), []]);
    await acceptAll();
    expect(await rowsOf([record, made])).toEqual(acknowledged);
    await tab.close();
  },
);

test('I14 a record whose submitted edit arrives after all, as that of a member, is whole on the device', async () => {
  const tab = await written();
  await db.backup();
  await removed();
  await submitOrphans(tab);
  await restored(db);
  await drain(tab);
  await drain(tab);
  const [row] = await db.as(leaver, 'select title, organization_id, status, priority from action_items where id = $1', [
    record,
  ]);
  const here = await tab.engine.store.read({
    key: record,
    tables: ['action_items'],
    read: tx => tx.get('action_items', record),
  });
  expect(here).toMatchObject({ ...row, title: 'Guard is off' });
  await tab.close();
});
