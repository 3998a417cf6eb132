import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { loggedRead } from './logged-read.ts';

setUpWorld();
let support: string;
beforeAll(async () => {
  support = await db.person('support@cairn.test');
  await db.asAdmin(`insert into user_roles (user_id, role) values ($1, 'customer_support')`, [support]);
});

type Page = { rows: Record<string, unknown>[]; next: string | null };
const read = (person: string | null, fields: Record<string, unknown> = {}) =>
  loggedRead<Page>(db, person, 'support_read', {
    p_organization: world.organization,
    p_table: 'inspections',
    p_reason: 'Ticket 4711',
    ...fields,
  });
const find = (person: string | null, p_search: string, p_reason = 'Ticket 4711') =>
  loggedRead<{ id: string; name: string; members: number }[]>(db, person, 'support_find_organizations', {
    p_search,
    p_reason,
  });
const logOf = (person: string) =>
  db.as(person, `select tbl, row_ids, reason, reader_id from support_reads where reader_id = $1 order by at`, [
    support,
  ]);

describe('R6.13 customer support', () => {
  test('reads any company, and the company sees who read what and why', async () => {
    const page = await read(support);
    expect(page.rows.map(row => row['id'])).toEqual([world.inspection]);
    expect(await logOf(world.admin)).toContainEqual({
      tbl: 'inspections',
      row_ids: [world.inspection],
      reason: 'Ticket 4711',
      reader_id: support,
    });
    expect(await logOf(world.worker)).toEqual([]);
  });

  test('finds companies by name, each one logged; a private space is never among them', async () => {
    expect(await find(support, 'ACM')).toMatchObject([{ id: world.organization, name: 'acme', members: 5 }]);
    expect(await find(support, 'worker')).toEqual([]);
    expect(await find(support, '')).toEqual([]);
    expect((await logOf(support)).filter(entry => entry['tbl'] === 'organizations')).toHaveLength(1);
  });

  test('sees nothing by plain select or pull, and writes nothing anywhere', async () => {
    const own = testDevice(db, support);
    await own.pull();
    expect([...own.rows.keys()].filter(key => key.includes(world.organization))).toEqual([]);
    for (const table of ['organizations', 'sites', 'inspections', 'action_items', 'media', 'forms', 'playbooks']) {
      const rows = await db.as(support, `select to_jsonb(t) as row from ${table} t`);
      expect([table, JSON.stringify(rows).includes(world.organization)]).toEqual([table, false]);
    }
    const [result] = await own.push({
      t: 'action_items',
      id: world.action,
      op: 'update',
      patch: { title: 'Helped' },
      bv: 1,
    });
    expect(result).toMatchObject({ st: 'conflict', kind: 'missing_or_hidden', row: null });
  });

  test("never reads a private space, nor what is a person's own, in any table", async () => {
    const privateSpaces = await db.asAdmin(`select id from organizations where kind = 'private'`);
    for (const privateSpace of privateSpaces) {
      await expect(read(support, { p_organization: privateSpace['id'], p_table: 'playbooks' })).rejects.toMatchObject({
        code: '42501',
      });
    }
    const told = ['notifications', 'record_follows'];
    const own = ['profiles', 'user_preferences', 'user_roles', 'subscriptions', 'circle_relationships', ...told];
    for (const table of own) {
      await expect(read(support, { p_table: table })).rejects.toMatchObject({ code: '22023' });
    }
    const readable = (await db.asAdmin('select name from sync.tables')).map(row => String(row['name']));
    const pages = await Promise.all(
      readable
        .filter(table => !own.includes(table))
        .map(async table => [table, await read(support, { p_table: table }).catch(() => null)] as const),
    );
    const rows = pages.flatMap(([, page]) => page?.rows ?? []);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter(row => row['type'] === 'personal')).toEqual([]);
    // An activation is its person's alone, though it names the company.
    expect(pages.find(([table]) => table === 'organization_activations')?.[1]?.rows).toEqual([]);
  });

  test('pages by id', async () => {
    const first = await read(support, { p_table: 'organization_members', p_limit: 2 });
    expect(first.rows).toHaveLength(2);
    const second = await read(support, { p_table: 'organization_members', p_limit: 2, p_after: first.next });
    expect(second.rows).toHaveLength(2);
    expect(second.rows[0]?.['id']).not.toBe(first.rows[1]?.['id']);
  });

  test('says why, or reads nothing', async () => {
    for (const p_reason of ['', '  ', 'x', null, 'y'.repeat(501)]) {
      await expect(read(support, { p_reason })).rejects.toMatchObject({ code: '22023' });
    }
    await expect(find(support, 'acme', '')).rejects.toMatchObject({ code: '22023' });
  });

  test('reads a table by its name and nothing else', async () => {
    for (const p_table of [
      'auth.users',
      'user_preferences',
      'inspections; drop table sites',
      'organization_invitations',
      '',
    ]) {
      await expect(read(support, { p_table })).rejects.toMatchObject({ code: '22023' });
    }
    await expect(read(support, { p_organization: randomUUID() })).rejects.toMatchObject({ code: '42501' });
  });
});

describe('nobody else reads across organisations', () => {
  test.each(['admin', 'moderator', 'partner', 'manager', 'user'])('R6.13 system role %s does not', async role => {
    const person = await db.person(`${role}@system.test`);
    await db.asAdmin('insert into user_roles (user_id, role) values ($1, $2)', [person, role]);
    await expect(read(person)).rejects.toMatchObject({ code: '42501' });
    await expect(find(person, 'acme')).rejects.toMatchObject({ code: '42501' });
    expect(await db.as(person, 'select 1 from inspections')).toEqual([]);
    expect(await db.as(person, `select 1 from organizations where kind = 'company'`)).toEqual([]);
  });

  test('not an administrator of the organisation, not a visitor; a role that was taken back ends it', async () => {
    await expect(read(world.admin)).rejects.toMatchObject({ code: '42501' });
    await expect(read(null)).rejects.toMatchObject({ code: '42501' });
    await db.asAdmin('update user_roles set deleted_at = now() where user_id = $1', [support]);
    await expect(read(support)).rejects.toMatchObject({ code: '42501' });
    await db.asAdmin('update user_roles set deleted_at = null where user_id = $1', [support]);
  });

  test('the log is changed by nobody', async () => {
    await read(support);
    for (const person of [support, world.admin]) {
      await expect(db.as(person, `update support_reads set reason = 'nothing'`)).rejects.toMatchObject({
        code: '42501',
      });
      await expect(db.as(person, 'delete from support_reads')).rejects.toMatchObject({ code: '42501' });
    }
  });
});
