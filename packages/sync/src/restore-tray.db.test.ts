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
import './digest.ts';

let db: TestDatabase;
let organization: string;
let leaver: string;
let record: string;
beforeAll(async () => {
  db = await freshDatabase();
  ({ organization } = await anOrganization(db));
});
afterAll(() => db.drop());
beforeEach(async () => {
  leaver = await db.person(`${newId()}@example.test`);
  await addMember(db, { organization, person: leaver, role: 'member' });
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
const tray = () =>
  db.asAdmin(
    `select body ->> 'op' as op, body -> 'patch' ->> 'title' as title from sync.unsent where user_id = $1 order by n`,
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

async function handedOver(tab: Tab): Promise<void> {
  tab.engine.start();
  await drain(tab);
}

const WORK = [
  { op: 'insert', title: 'Oil on the floor' },
  { op: 'update', title: 'Guard is off' },
];

test('I14 work that was handed over after the backup is handed over once more, and lies on the device in no words', async () => {
  const tab = await written();
  await removed();
  await db.backup();
  await handedOver(tab);
  expect(await tray()).toEqual(WORK);
  const local = await openDB(tab.name);
  expect(JSON.stringify(await local.getAll('meta'))).not.toContain('Oil on the floor');
  local.close();

  await restored(db);
  expect(await tray()).toEqual([]);
  await drain(tab);
  await drain(tab);
  expect(await tray()).toEqual(WORK);
  expect(tab.seen.outbox).toEqual([]);
  // What the tray has is not sent again.
  await raised();
  await drain(tab);
  expect(await tray()).toEqual(WORK);
  await tab.close();
});

test('I14 where the removal is of the lost time too, the work arrives as that of a member', async () => {
  const tab = await written();
  await db.backup();
  await removed();
  await handedOver(tab);
  expect(await tray()).toEqual(WORK);
  await restored(db);
  await drain(tab);
  await drain(tab);
  expect(await tray()).toEqual([]);
  expect(await db.asAdmin('select title from action_items where id = $1', [record])).toEqual([
    { title: 'Guard is off' },
  ]);
  expect(
    await db.asAdmin(`select title from action_items where title = 'Oil on the floor' and created_by = $1`, [leaver]),
  ).toHaveLength(1);
  expect(tab.seen.outbox).toEqual([]);
  await tab.close();
});
