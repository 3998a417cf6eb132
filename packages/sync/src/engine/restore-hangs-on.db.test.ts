import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import {
  addMember,
  anOrganization,
  contact,
  counted,
  drain,
  openTab,
  restored,
  settledOutboxes,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import '../pull/digest.ts';

/** Acknowledged work that names what somebody else made in the lost hour, and whose device comes back first. */
let db: TestDatabase;
let organization: string;
let admin: string;
let other: string;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  ({ organization, person: admin } = await anOrganization(db));
  other = await db.person(`${newId()}@example.test`);
});

const open = (person: string) => openTab({ person, backend: counted(sqlBackend(db, person)) });
const closed = (tabs: readonly Tab[]) => Promise.all(tabs.map(tab => tab.close()));
const waiting = (tab: Tab) => tab.seen.outbox.map(({ table, state, lastError }) => ({ table, state, lastError }));
const conflictsOf = (tab: Tab) => tab.seen.conflicts.map(({ kind, mine }) => ({ kind, mine }));
const titles = async (...ids: string[]) =>
  (await db.asAdmin('select title from action_items where id = any($1) order by title', [ids])).map(
    row => row['title'],
  );
const describedAs = async (id: string) =>
  (await db.asAdmin('select description from action_items where id = $1', [id]))[0]?.['description'];

async function addItem(site: string | null): Promise<string> {
  const id = newId();
  await db.asAdmin("insert into action_items (id, organization_id, site_id, title) values ($1, $2, $3, 'old')", [
    id,
    organization,
    site,
  ]);
  return id;
}

async function addSite(...members: string[]): Promise<string> {
  const id = newId();
  await db.asAdmin("insert into sites (id, organization_id, name) values ($1, $2, 'Yard')", [id, organization]);
  for (const person of members)
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      organization,
      id,
      person,
    ]);
  return id;
}

const write = (tab: Tab, table: 'assets' | 'action_items', row: { id: string; [name: string]: unknown }) =>
  tab.engine.store.write('add', tx => tx.put(table, { organization_id: organization, ...row } as never));
const describing = (tab: Tab, id: string) =>
  tab.engine.store.write('edit', tx => tx.change('action_items', id, { description: 'two bolts are missing' }));

/** Two administrators' devices; all they do from then on the backup does not have. */
async function two() {
  await addMember(db, { organization, person: other, role: 'admin' });
  const tabs = [await open(admin), await open(other)] as const;
  for (const tab of tabs) await drain(tab);
  await db.backup();
  return tabs;
}

describe('after a restore, what hangs on somebody else’s work waits for it', () => {
  test('a record, with all that hangs on it in turn; what hangs on nothing goes', async () => {
    const [first, second] = await two();
    const [asset, item, later, alone] = [newId(), newId(), newId(), newId()];
    await write(first, 'assets', { id: asset, name: 'Crane 4' });
    await drain(first);
    await drain(second);
    await write(second, 'action_items', { id: item, title: 'Grease it', asset_id: asset });
    await drain(second);
    await restored(db);
    // Not sent before the restore: it hangs on what waits.
    await write(second, 'action_items', { id: later, title: 'Paint it', asset_id: asset });
    await write(second, 'action_items', { id: alone, title: 'Sweep' });
    await contact(second);
    expect(waiting(second)).toEqual([
      { table: 'action_items', state: 'retrying', lastError: 'behind' },
      { table: 'action_items', state: 'retrying', lastError: 'behind' },
    ]);
    expect(await titles(item, later, alone)).toEqual(['Sweep']);
    await contact(first);
    await settledOutboxes([first, second]);
    expect(await titles(item, later, alone)).toEqual(['Grease it', 'Paint it', 'Sweep']);
    expect([waiting(second), conflictsOf(second)]).toEqual([[], []]);
    await closed([first, second]);
  });

  test('a comment', async () => {
    const [first, second] = await two();
    const [item, comment] = [newId(), newId()];
    await write(first, 'action_items', { id: item, title: 'Grease it' });
    await drain(first);
    await drain(second);
    const fields = { subject_table: 'action_items', subject_id: item, body: 'Done before noon', author_id: other };
    await second.engine.store.write('comment', tx =>
      tx.put('comments', {
        id: comment,
        organization_id: organization,
        written_at: new Date().toISOString(),
        ...fields,
      } as never),
    );
    await drain(second);
    await restored(db);
    await contact(second);
    await contact(first);
    await settledOutboxes([first, second]);
    expect(await db.asAdmin('select body from comments where id = $1', [comment])).toEqual([{ body: fields.body }]);
    expect([waiting(second), conflictsOf(second)]).toEqual([[], []]);
    await closed([first, second]);
  });

  test('what was saved together comes back together', async () => {
    const [first, second] = await two();
    const [asset, item, alone] = [newId(), newId(), newId()];
    await write(first, 'assets', { id: asset, name: 'Crane 4' });
    await drain(first);
    await drain(second);
    await second.engine.store.write(
      'both',
      async tx => {
        const row = { organization_id: organization };
        await tx.put('action_items', { id: alone, title: 'Rope off the yard', ...row });
        await tx.put('action_items', { id: item, title: 'Grease it', asset_id: asset, ...row });
      },
      { together: true },
    );
    await drain(second);
    await restored(db);
    await contact(second);
    expect(await titles(item, alone)).toEqual([]);
    await contact(first);
    await settledOutboxes([first, second]);
    expect(await titles(item, alone)).toEqual(['Grease it', 'Rope off the yard']);
    expect([waiting(second), conflictsOf(second)]).toEqual([[], []]);
    await closed([first, second]);
  });
});

describe('after a restore, the edit of somebody', () => {
  test.for(['a site', 'the organisation'])('who was let into %s in the lost hour waits until they are', async into => {
    const isSite = into === 'a site';
    const site = await addSite();
    const item = await addItem(isSite ? site : null);
    if (isSite) await addMember(db, { organization, person: other, role: 'member' });
    const [phone, desktop] = [await open(other), await open(admin)];
    for (const tab of [phone, desktop]) await drain(tab);
    await db.backup();
    const place = { organization_id: organization, site_id: site, user_id: other };
    const letIn = { organization, person: other, role: 'manager' };
    if (isSite) await desktop.engine.store.write('in', tx => tx.put('site_members', { id: newId(), ...place }));
    else await addMember(db, letIn);
    for (const tab of [desktop, phone]) await drain(tab);
    await describing(phone, item);
    await drain(phone);
    await restored(db);
    await contact(phone);
    // By an invitation, which no device journals.
    if (!isSite) await addMember(db, letIn);
    await contact(desktop);
    await settledOutboxes([desktop, phone]);
    expect(await describedAs(item)).toBe('two bolts are missing');
    expect([waiting(phone), conflictsOf(phone)]).toEqual([[], []]);
    await closed([phone, desktop]);
  });

  test('who was taken off the site since waits its day; then the words are theirs to copy out', async () => {
    await addMember(db, { organization, person: other, role: 'member' });
    const item = await addItem(await addSite(other));
    const [phone, desktop] = [await open(other), await open(admin)];
    for (const tab of [phone, desktop]) await drain(tab);
    await db.backup();
    await describing(phone, item);
    await drain(phone);
    await drain(desktop);
    await desktop.engine.store.write('off', async tx => {
      const row = (await tx.all('site_members')).find(({ user_id }) => user_id === other);
      await tx.remove('site_members', row!.id);
    });
    for (const tab of [desktop, phone]) await drain(tab);
    await restored(db);
    await contact(desktop);
    await contact(phone);
    await settledOutboxes([desktop, phone], 3);
    expect(waiting(phone)).toEqual([{ table: 'action_items', state: 'retrying', lastError: 'behind' }]);
    expect(await db.asAdmin('select 1 from sync.conflict where row_id = $1', [item])).toEqual([]);
    await db.asAdmin("update sync.restored set at = at - interval '1 day'");
    await settledOutboxes([phone]);
    expect(waiting(phone)).toEqual([]);
    expect(conflictsOf(phone)).toMatchObject([{ mine: { description: 'two bolts are missing' } }]);
    await closed([phone, desktop]);
  });
});
