import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PullAnswer } from '@cairn/sync/transport/backend.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { testDevice } from './device.ts';
import { makeWorld, type World } from './world.ts';

let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
});
afterAll(() => db.drop());

const addItem = async (title: string, site: string | null = world.north) => {
  const [row] = await db.asAdmin(
    'insert into action_items (organization_id, site_id, title) values ($1, $2, $3) returning id',
    [world.organization, site, title],
  );
  return String(row?.['id']);
};
const counted = (answers: PullAnswer[]) => {
  const sizes = answers.map(answer =>
    [...Object.values(answer.rows), ...Object.values(answer.stubs), answer.gone].reduce(
      (sum, list) => sum + list.length,
      0,
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

describe('what a row looks like', () => {
  test('nulls are left out on top, kept inside JSON values; scopes are never sent', async () => {
    const device = testDevice(db, world.worker);
    await device.pull();
    const answer = device.rows.get(`inspection_answers/${world.answer}`)?.row;
    expect(answer?.['value']).toEqual({ deep: null, n: 1 });
    expect(answer).not.toHaveProperty('note');
    expect(answer).not.toHaveProperty('scopes');
  });

  test('a row names every scope of the person it is in', async () => {
    const device = testDevice(db, world.worker);
    await device.pull();
    expect([...(device.rows.get(`inspections/${world.inspection}`)?.scopes ?? [])].toSorted()).toEqual([
      `member:${world.organization}:${world.worker}`,
      `site:${world.north}`,
    ]);
  });
});

test('what a page kept of the rights of its asker ends with it', async () => {
  const [row] = await db.as(
    world.worker,
    `select sync_pull()::text as page, nullif(current_setting('sync.cached_scopes', true), '') as scopes,
      nullif(current_setting('sync.cached_organizations', true), '') as organizations`,
  );
  expect(String(row?.['page'])).toContain(world.organization);
  expect(row).toMatchObject({ scopes: null, organizations: null });
});

describe('paging', () => {
  test.for([1, 2, 7, 5000])('pages of %i give the same rows as one page', async limit => {
    const whole = testDevice(db, world.manager);
    await whole.pull(5000);
    const paged = testDevice(db, world.manager);
    const answers = await paged.pull(limit);
    expect([...paged.rows.keys()].toSorted()).toEqual([...whole.rows.keys()].toSorted());
    for (const answer of answers) expect(counted([answer])).toBeLessThanOrEqual(limit);
  });

  test('with nothing new a pull is empty', async () => {
    const device = testDevice(db, world.manager);
    await device.pull();
    expect(counted(await device.pull())).toBe(0);
  });

  test('a limit out of range, a visitor and cursors that are no object are refused', async () => {
    await expect(db.rpc(world.worker, 'sync_pull', { p_cursors: {}, p_limit: 0 })).rejects.toMatchObject({
      code: '22023',
    });
    await expect(db.rpc(world.worker, 'sync_pull', { p_cursors: '[]' })).rejects.toMatchObject({ code: '22023' });
    await expect(db.rpc(null, 'sync_pull', { p_cursors: {} })).rejects.toMatchObject({ code: '42501' });
  });

  test('a spoilt cursor starts its scope anew instead of failing', async () => {
    const scope = `site:${world.north}`;
    for (const cursor of [
      ['x', 1, 't', 'not-a-uuid'],
      ['x', 1, 't', '-'.repeat(36)],
      [],
      {},
      null,
      'nonsense',
      [1, 2],
      ['', -5, '', ''],
    ]) {
      const answer = await db.rpc<PullAnswer>(world.worker, 'sync_pull', { p_cursors: { [scope]: cursor } });
      expect(answer.resets).toEqual([scope]);
      expect(answer.rows.inspections).toHaveLength(1);
    }
  });
});

describe('what leaves', () => {
  test('a deleted row is gone; a first pull never says gone', async () => {
    const device = testDevice(db, world.worker);
    const id = await addItem('Short-lived');
    await device.pull();
    await db.asAdmin('update action_items set deleted_at = now() where id = $1', [id]);
    const answers = await device.pull();
    expect(answers[0]?.gone.map(([, table, gone]) => [table, gone])).toEqual([['action_items', id]]);
    expect(device.has('action_items', id)).toBe(false);
    const first = await testDevice(db, world.worker).pull();
    expect(first.flatMap(answer => answer.gone)).toEqual([]);
  });

  test('a row that moves to another site is gone for one and new for the other', async () => {
    const [worker, colleague] = [testDevice(db, world.worker), testDevice(db, world.colleague)];
    const id = await addItem('Movable');
    await Promise.all([worker.pull(), colleague.pull()]);
    expect([worker.has('action_items', id), colleague.has('action_items', id)]).toEqual([true, false]);
    await db.asAdmin('update action_items set site_id = $2 where id = $1', [id, world.south]);
    await Promise.all([worker.pull(), colleague.pull()]);
    expect([worker.has('action_items', id), colleague.has('action_items', id)]).toEqual([false, true]);
  });

  test('who leaves a site loses its scope and rows, but keeps their own work', async () => {
    const person = await db.person('leaver@a.test');
    await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
      world.organization,
      person,
    ]);
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.north,
      person,
    ]);
    const own = await addItem('Own');
    await db.asAdmin('update action_items set assignee_id = $2 where id = $1', [own, person]);
    const device = testDevice(db, person);
    await device.pull();
    expect(device.has('inspections', world.inspection)).toBe(true);
    await db.asAdmin('update site_members set deleted_at = now() where user_id = $1', [person]);
    const [answer] = await device.pull();
    expect(answer?.scopes).not.toHaveProperty(`site:${world.north}`);
    expect(device.has('inspections', world.inspection)).toBe(false);
    expect(device.has('action_items', own)).toBe(true);
  });

  test('who loses a scope and gets it back receives whole rows, not stubs of what was dropped', async () => {
    const setRole = (role: string) =>
      db.asAdmin('update organization_members set role = $1 where user_id = $2 and organization_id = $3', [
        role,
        world.manager,
        world.organization,
      ]);
    const device = testDevice(db, world.manager);
    await device.pull();
    const id = randomUUID();
    const patch = { organization_id: world.organization, site_id: world.south, name: 'Forklift 9' };
    await device.push({ t: 'assets', id, op: 'insert', patch });
    const [echo] = await device.pull();
    expect(echo?.stubs.assets).toHaveLength(1);
    await setRole('member');
    await device.pull();
    expect(device.has('assets', id)).toBe(false);
    await setRole('manager');
    await device.pull(2);
    expect(device.rows.get(`assets/${id}`)?.row['name']).toBe('Forklift 9');
  });
});

describe('echo and reset', () => {
  test('what a device wrote itself comes back as a stub, to others as a row', async () => {
    const [device, other] = [testDevice(db, world.worker), testDevice(db, world.worker)];
    await Promise.all([device.pull(), other.pull()]);
    const id = randomUUID();
    await device.push({
      t: 'action_items',
      id,
      op: 'insert',
      patch: { organization_id: world.organization, site_id: world.north, title: 'Echo' },
    });
    const [mine] = await device.pull();
    expect(mine?.rows).toEqual({});
    expect(mine?.stubs.action_items).toEqual([[id, 1, expect.any(Array)]]);
    const [theirs] = await other.pull();
    expect(theirs?.rows.action_items?.map(row => row.id)).toEqual([id]);
    await db.asAdmin(`update action_items set title = 'Changed' where id = $1`, [id]);
    const [later] = await device.pull();
    expect(later?.rows.action_items?.[0]).toMatchObject({ id, title: 'Changed', version: 2 });
  });

  test('a restored backup (counter behind the cursor, or a new epoch) resets the scope', async () => {
    const device = testDevice(db, world.manager);
    await device.pull();
    const scope = `site:${world.north}`;
    await db.asAdmin('update sync.scope set epoch = gen_random_uuid() where id = $1', [scope]);
    const [answer] = await device.pull();
    expect(answer?.resets).toEqual([scope]);
    expect(device.has('inspections', world.inspection)).toBe(true);
    await db.asAdmin('update sync.scope set version = 1 where id = $1', [scope]);
    const [behind] = await device.pull();
    expect(behind?.resets).toEqual([scope]);
    await db.asAdmin('update sync.scope set version = 1000 where id = $1', [scope]);
  });

  test('a member who may see 100 of 20,000 rows pulls in at most 3 requests and learns of no other row', async () => {
    const fresh = await freshDatabase();
    const big = await makeWorld(fresh);
    await fresh.asAdmin(
      `insert into action_items (organization_id, site_id, title) select $1, $2, 'Item ' || n from generate_series(1, 19900) n`,
      [big.organization, big.north],
    );
    await fresh.asAdmin(
      `insert into action_items (organization_id, site_id, title) select $1, $2, 'Mine ' || n from generate_series(1, 100) n`,
      [big.organization, big.south],
    );
    const device = testDevice(fresh, big.colleague);
    const answers = await device.pull();
    expect(answers.length).toBeLessThanOrEqual(3);
    const text = JSON.stringify(answers);
    expect([...device.rows.keys()].filter(key => key.startsWith('action_items/'))).toHaveLength(100);
    const hidden = await fresh.asAdmin(`select id::text from action_items where site_id = $1`, [big.north]);
    expect(hidden.filter(row => text.includes(String(row['id'])))).toEqual([]);
    await fresh.drop();
  });
});
