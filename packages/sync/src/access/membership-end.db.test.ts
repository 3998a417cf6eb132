import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { addMember, anOrganization, counted, drain, openTab, pass, type Tab } from '@cairn/testing/device-on-sql.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackendError, type Backend } from '../transport/backend.ts';
import { openDatabase } from '../store/database.ts';
import type { Tx } from '../store.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const OUT = 'update organization_members set deleted_at = now() where organization_id = $1 and user_id = $2';
const BACK = 'update organization_members set deleted_at = null where organization_id = $1 and user_id = $2';

type Member = { organization: string; person: string };

/** A member with one record on their phone, and what happens beside their calls. */
async function aMember(beside = (backend: Backend, _member: Member) => backend) {
  const { organization } = await anOrganization(db);
  const person = await db.person(`${newId()}@example.test`);
  await addMember(db, { organization, person, role: 'manager' });
  const id = newId();
  const values = [id, organization, 'old'];
  await db.asAdmin('insert into action_items (id, organization_id, title) values ($1, $2, $3)', values);
  const backend = beside(sqlBackend(db, person), { organization, person });
  const tab = await openTab({ person, backend: counted(backend) });
  await drain(tab);
  const reviewQueue = () =>
    db.asAdmin(
      `select body ->> 'op' as op, body -> 'patch' ->> 'title' as title from sync.orphaned_edit where organization_id = $1 and user_id = $2 order by n`,
      [organization, person],
    );
  const change = (title: string) => tab.engine.store.write('edit', tx => tx.change('action_items', id, { title }));
  const leave = () => db.asAdmin(OUT, [organization, person]);
  return { organization, id, tab, reviewQueue, change, leave };
}

/** What the device holds that names the organisation, but for the note of what was handed over. */
async function naming({ name }: Tab, organization: string): Promise<unknown[]> {
  const held = await openDatabase(name);
  const tx = await held.transaction(['tasks', 'sync_queue', 'conflicts'], 'readonly');
  const all = await Promise.all((['tasks', 'sync_queue', 'conflicts'] as const).map(it => tx.objectStore(it).getAll()));
  held.close();
  return all.flat().filter(each => JSON.stringify(each).includes(organization));
}

test('a choice made offline lies in the review queue, and the question and its values are off the device', async () => {
  const { organization, id, tab, reviewQueue, change, leave } = await aMember();
  await tab.stopSyncing();
  await change('mine');
  await db.asAdmin("update action_items set title = 'theirs' where id = $1", [id]);
  await drain(tab);
  const [question] = tab.seen.conflicts;
  await tab.stopSyncing();
  await tab.engine.resolve(question?.id ?? '', { keep: 'mine' });
  await leave();
  await drain(tab);
  await pass(tab, () => tab.seen.conflicts.length === 0);
  expect(await reviewQueue()).toEqual([{ op: 'update', title: 'mine' }]);
  expect(await naming(tab, organization)).toEqual([]);
  await tab.close();
});

test('an open question goes to the review queue as the edit it was; what was refused before goes with it', async () => {
  const { organization, id, tab, reviewQueue, change, leave } = await aMember();
  const other = newId();
  await tab.stopSyncing();
  await change('mine');
  await db.asAdmin("update action_items set title = 'theirs' where id = $1", [id]);
  await tab.engine.store.write('refused', tx =>
    tx.put('action_items', { id: other, organization_id: organization, site_id: newId(), title: 'nowhere' }),
  );
  await drain(tab, 1);
  expect([tab.seen.conflicts.length, tab.seen.outbox.map(({ state }) => state)]).toEqual([1, ['failed']]);
  await leave();
  await drain(tab);
  await pass(tab, () => tab.seen.conflicts.length === 0);
  const found = await reviewQueue();
  expect(found).toHaveLength(2);
  expect(found.map(({ op, title }) => [op, title])).toEqual(
    expect.arrayContaining([
      ['insert', 'nowhere'],
      ['update', 'mine'],
    ]),
  );
  expect(await naming(tab, organization)).toEqual([]);
  await tab.close();
});

test('where the organisation itself was deleted no review queue takes anything: the words stay for the person, and nothing is asked for ever', async () => {
  const { organization, id, tab, reviewQueue, change } = await aMember();
  await tab.stopSyncing();
  await db.asAdmin('update organizations set deleted_at = now() where id = $1', [organization]);
  await change('mine');
  await drain(tab, 1);
  await pass(tab, () => tab.seen.conflicts.length === 1);
  expect(tab.seen.conflicts).toMatchObject([
    { recordId: id, kind: 'access_revoked', fields: [{ f: 'title', mine: 'mine' }] },
  ]);
  expect([await reviewQueue(), tab.seen.outbox]).toEqual([[], []]);
  await tab.close();
});

test('a right that was away only while an edit arrived leaves no hole: the record stays until a pull takes it', async () => {
  const { organization } = await anOrganization(db);
  const person = await db.person(`${newId()}@example.test`);
  await addMember(db, { organization, person, role: 'member' });
  const [site, id] = [newId(), newId()];
  const own = [organization, site, person];
  await db.asAdmin('insert into sites (id, organization_id, name) values ($1, $2, $3)', [site, organization, 'Yard']);
  await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', own);
  await db.asAdmin("insert into action_items (id, organization_id, site_id, title) values ($1, $2, $3, 'old')", [
    id,
    organization,
    site,
  ]);
  const backend = sqlBackend(db, person);
  const push: typeof backend.push = async (...given) => {
    await db.asAdmin('update site_members set deleted_at = now() where site_id = $1', [site]);
    const answer = await backend.push(...given);
    await db.asAdmin("update organization_members set role = 'manager' where user_id = $1 and organization_id = $2", [
      person,
      organization,
    ]);
    return answer;
  };
  const tab = await openTab({ person, backend: counted({ ...backend, push }) });
  await drain(tab);
  await tab.engine.store.write('edit', tx => tx.change('action_items', id, { title: 'mine' }));
  await drain(tab);

  const held = { key: id, tables: ['action_items'] as const, read: (tx: Tx) => tx.get('action_items', id) };
  expect(await tab.engine.store.read(held)).toMatchObject({ title: 'old' });
  expect(tab.seen.conflicts.map(({ kind }) => kind)).toEqual(['missing_or_hidden']);
  await tab.close();
});

test('who is a member again before the next pull has the record whose edit went to the review queue meanwhile', async () => {
  const { organization, id, tab, reviewQueue, change, leave } = await aMember((backend, member) => ({
    ...backend,
    async submitOrphanedEdits(...given) {
      const answer = await backend.submitOrphanedEdits(...given);
      await db.asAdmin(BACK, [member.organization, member.person]);
      return answer;
    },
  }));
  await tab.stopSyncing();
  await change('mine');
  await leave();
  await drain(tab);

  const held = { key: id, tables: ['action_items'] as const, read: (tx: Tx) => tx.get('action_items', id) };
  expect(await tab.engine.store.read(held)).toMatchObject({ title: 'old', organization_id: organization });
  expect([tab.seen.outbox, tab.seen.conflicts]).toEqual([[], []]);
  expect(await reviewQueue()).toHaveLength(1);
  await tab.close();
});

test('work of somebody who is a member again goes out by itself, also where no review queue could be reached in between', async () => {
  let isAway = true;
  let asked = 0;
  const { organization, id, tab, change, leave } = await aMember(backend => ({
    ...backend,
    async submitOrphanedEdits(...given) {
      asked += 1;
      if (isAway) throw new BackendError('busy', 'takes too long', '57014');
      return backend.submitOrphanedEdits(...given);
    },
  }));
  await tab.stopSyncing();
  await change('mine');
  await leave();
  tab.engine.start();
  await pass(tab, () => asked >= 2 && tab.seen.outbox[0]?.lastError === 'not_a_member');
  await db.asAdmin(BACK, [organization, tab.engine.store.owner]);
  const from = tab.clock.now();
  await pass(tab, () => (tab.seen.status?.lastPullAt ?? 0) > from + 60_000);
  isAway = false;
  await pass(tab, () => tab.seen.status?.pendingItems === 0 || tab.clock.now() > from + 1_800_000);
  const titles = (await db.asAdmin('select title from action_items where id = $1', [id])).map(({ title }) => title);
  expect({ titles, outbox: tab.seen.outbox }).toEqual({ titles: ['mine'], outbox: [] });
  await tab.close();
});

/** A second organisation of the same person, with a record of it. */
async function secondOrganization(person: string) {
  const { organization } = await anOrganization(db);
  await addMember(db, { organization, person, role: 'manager' });
  const id = newId();
  await db.asAdmin("insert into action_items (id, organization_id, title) values ($1, $2, 'old')", [id, organization]);
  return { organization, id };
}

test.each([false, true])(
  'of one save over two organisations each gets its part, though one was left (with something no review queue takes: %s)',
  async isMixed => {
    const { organization, id, tab, reviewQueue, leave } = await aMember();
    const other = await secondOrganization(tab.engine.store.owner);
    const [site, made] = [newId(), newId()];
    await db.asAdmin("insert into sites (id, organization_id, name) values ($1, $2, 'Yard')", [site, organization]);
    await drain(tab);
    await tab.stopSyncing();
    await tab.engine.store.write(
      'both',
      async tx => {
        if (isMixed) await tx.change('sites', site, { name: 'mine' });
        await tx.change('action_items', id, { title: 'of the first' });
        await tx.change('action_items', other.id, { title: 'of the second' });
        await tx.put('action_items', { id: made, organization_id: other.organization, title: 'new in the second' });
      },
      { together: true },
    );
    await leave();
    await drain(tab);
    await drain(tab);
    expect(await reviewQueue()).toEqual([{ op: 'update', title: 'of the first' }]);
    const there = 'select title from action_items where id = any($1) order by title';
    const titles = (await db.asAdmin(there, [[other.id, made]])).map(({ title }) => title);
    expect(titles).toEqual(['new in the second', 'of the second']);
    expect(tab.seen.outbox).toEqual([]);
    expect(tab.seen.conflicts.map(({ table }) => table)).toEqual(isMixed ? ['sites'] : []);
    await tab.close();
  },
);

/** The row of a site, which no review queue takes work on, as the device holds it. */
async function siteOn({ name }: Tab, site: string) {
  const held = await openDatabase(name);
  const rows = await (await held.transaction(['settings'], 'readonly')).objectStore('settings').getAll();
  held.close();
  return rows.filter(({ id }) => id === site).map(({ data, lost }) => ({ address: data['address'], lost }));
}

test.each(['stayed signed in', 'signed out and in'])(
  'what no review queue takes leaves the device with the membership, though the review queue was away at first (%s)',
  async between => {
    let isAway = true;
    let asked = 0;
    const { organization, tab, leave } = await aMember(backend => ({
      ...backend,
      async submitOrphanedEdits(...given) {
        asked += 1;
        if (isAway) throw new BackendError('network', 'no answer');
        return backend.submitOrphanedEdits(...given);
      },
    }));
    const site = newId();
    const values = [site, organization];
    const add = "insert into sites (id, organization_id, name, address) values ($1, $2, 'Yard', 'Quay 4')";
    await db.asAdmin(add, values);
    const person = tab.engine.store.owner;
    await tab.device.dataKeys.keep(person, 'a long password');
    await drain(tab);
    await tab.stopSyncing();
    await tab.engine.store.write('edit', tx => tx.change('sites', site, { name: 'mine' }));
    await leave();
    tab.engine.start();
    await pass(tab, () => asked >= 2 && tab.seen.outbox[0]?.lastError === 'not_a_member');
    expect(await siteOn(tab, site)).toEqual([{ address: 'Quay 4', lost: true }]);
    await tab.stopSyncing();
    if (between === 'signed out and in') {
      await tab.device.sealOutbox({ id: person, email: 'sam@example.test' }, null);
      await tab.device.restoreSealedOutbox(person);
    }
    isAway = false;
    tab.engine.start();
    tab.engine.syncNow();
    await pass(tab, () => tab.seen.conflicts.length > 0);
    expect(await siteOn(tab, site)).toEqual([]);
    expect(tab.seen.conflicts).toMatchObject([{ kind: 'access_revoked', fields: [{ f: 'name', mine: 'mine' }] }]);
    expect(tab.seen.outbox).toEqual([]);
    await tab.close();
  },
);

test('a rescue file of an organisation its person left leaves nothing of that readable and unmarked on another device', async () => {
  const { organization, tab, leave } = await aMember();
  const person = tab.engine.store.owner;
  const site = newId();
  await db.asAdmin("insert into sites (id, organization_id, name, address) values ($1, $2, 'Yard', 'Quay 4')", [
    site,
    organization,
  ]);
  await drain(tab);
  await tab.stopSyncing();
  await tab.engine.store.write('edit', tx => tx.change('sites', site, { name: 'mine' }));
  const file = await tab.engine.rescue.pack('quay', { email: 'sam@example.test', withPrivate: true });
  await leave();
  const backend = sqlBackend(db, person);
  const handOver = () => Promise.reject(new BackendError('network', 'no answer'));
  const other = await openTab({ person, backend: counted({ ...backend, submitOrphanedEdits: handOver }) });
  await drain(other);
  await other.stopSyncing();
  await other.engine.rescue.take(await other.engine.rescue.unlock(file, 'quay'));
  other.engine.start();
  other.engine.syncNow();
  const from = other.clock.now();
  await pass(other, () => (other.seen.status?.lastPullAt ?? 0) > from);
  expect(await siteOn(other, site)).toEqual([{ address: 'Quay 4', lost: true }]);
  await Promise.all([tab, other].map(each => each.close()));
});

test('what was taken out of a rescue file and may be seen here is whole, and stays, once it was sent', async () => {
  const { id, tab, change } = await aMember();
  const other = await openTab({
    person: tab.engine.store.owner,
    backend: counted(sqlBackend(db, tab.engine.store.owner)),
  });
  await tab.stopSyncing();
  await change('mine');
  const file = await tab.engine.rescue.pack('quay', { email: 'sam@example.test', withPrivate: true });
  await other.engine.rescue.take(await other.engine.rescue.unlock(file, 'quay'));
  await drain(other);
  const held = { key: id, tables: ['action_items'] as const, read: (tx: Tx) => tx.get('action_items', id) };
  expect(await other.engine.store.read(held)).toMatchObject({ title: 'mine' });
  expect(other.seen.conflicts).toEqual([]);
  await Promise.all([tab, other].map(each => each.close()));
});
