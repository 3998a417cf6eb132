import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { ORGANIZATION_ROLES, type SystemRole } from '@cairn/core/roles/role-names.ts';
import { CIRCLE_ROLES, roleDisplayName, SYSTEM_ROLES } from '@cairn/testing/role-oracle.ts';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const join = async (role: string, fields: Record<string, unknown> = {}) => {
  const person = await db.person(`${randomUUID()}@a.test`);
  const row = { organization_id: world.organization, user_id: person, role, ...fields };
  const columns = Object.keys(row).join(', ');
  await db.asAdmin(
    `insert into organization_members (${columns}) select ${columns} from jsonb_populate_record(null::organization_members, $1)`,
    [row],
  );
  return person;
};
const leave = (person: string | null, organization = world.organization) =>
  db.rpc(person, 'leave_organization', { p_organization: organization });

describe('leaving an organisation', () => {
  test("takes the organisation's data from the device and leaves the person their private space and playbook", async () => {
    const person = await join('member');
    const device = testDevice(db, person);
    await device.pull();
    expect(device.has('forms', world.form)).toBe(true);
    await leave(person);
    await device.pull();
    expect(device.has('forms', world.form)).toBe(false);
    expect(await db.as(person, 'select kind from organizations')).toEqual([{ kind: 'private' }]);
    expect(await db.as(person, 'select name, type from playbooks')).toEqual([{ name: 'My Journey', type: 'personal' }]);
    await expect(leave(person)).rejects.toMatchObject({ code: '42501' });
  });

  test('the last administrator stays, also when two leave at once; nobody leaves their private space', async () => {
    await expect(leave(world.admin)).rejects.toMatchObject({ code: 'P0001' });
    const second = await join('admin');
    const outcomes = await Promise.allSettled([leave(world.admin), leave(second)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await db.asAdmin(
      `update organization_members set deleted_at = null, role = 'admin' where organization_id = $1 and user_id = $2`,
      [world.organization, world.admin],
    );
    const [privateSpace] = await db.as(world.worker, `select id from organizations where kind = 'private'`);
    await expect(leave(world.worker, String(privateSpace?.['id']))).rejects.toMatchObject({ code: '42501' });
  });
});

describe('an auditor', () => {
  test('is let in for a time: without an end it is 90 days, and a year at most', async () => {
    const auditor = await join('auditor');
    const [row] = await db.asAdmin(
      `select extract(day from valid_until - now())::int as days from organization_members where user_id = $1 and organization_id = $2`,
      [auditor, world.organization],
    );
    expect([89, 90]).toContain(row?.['days']);
    await expect(join('auditor', { valid_until: '2199-01-01T00:00:00Z' })).rejects.toMatchObject({ code: '22023' });
    await expect(join('admin', { valid_until: '2027-01-01T00:00:00Z' })).rejects.toMatchObject({ code: '22023' });
  });

  test('sees every site, or those of the audit; writes nothing', async () => {
    const [whole, limited] = [await join('auditor'), await join('auditor', { site_limited: true })];
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.south,
      limited,
    ]);
    const sees = (person: string) => db.as(person, 'select id from inspections');
    expect(await sees(whole)).toEqual([{ id: world.inspection }]);
    expect(await sees(limited)).toEqual([]);
    const insert = { organization_id: world.organization, site_id: world.south, title: 'x' };
    expect(await testDevice(db, limited).push({ t: 'action_items', op: 'insert', patch: insert })).toMatchObject([
      { st: 'rejected', code: '42501' },
    ]);
    expect(
      await testDevice(db, whole).push({
        t: 'inspections',
        id: world.inspection,
        op: 'update',
        patch: { title: 'x' },
        bv: 1,
      }),
    ).toMatchObject([{ st: 'rejected', code: '42501' }]);
  });

  test('whose time is over sees nothing any more, by select, pull or context', async () => {
    const auditor = await join('auditor');
    const device = testDevice(db, auditor);
    await device.pull();
    expect(device.has('inspections', world.inspection)).toBe(true);
    await db.asAdmin(`update organization_members set valid_until = now() where user_id = $1 and role = $2`, [
      auditor,
      'auditor',
    ]);
    await device.pull();
    expect(device.has('inspections', world.inspection)).toBe(false);
    expect(await db.as(auditor, 'select 1 from inspections')).toEqual([]);
    const contexts = await db.as(auditor, 'select organization_name from get_user_organization_contexts($1)', [
      auditor,
    ]);
    expect(contexts).toHaveLength(1);
  });

  test('who keeps a playbook of before may not change it as an auditor', async () => {
    const person = await join('auditor');
    await db.asAdmin(
      `insert into playbook_members (playbook_id, organization_id, user_id, role) values ($1, $2, $3, 'admin')`,
      [world.playbook, world.organization, person],
    );
    expect(await db.as(person, 'select * from my_administered_playbooks()')).toHaveLength(1);
    expect(await db.as(person, 'select 1 from my_administered_playbooks() p where p = $1', [world.playbook])).toEqual(
      [],
    );
  });
});

describe('playbooks', () => {
  test('an archived one gives its name free and can be taken back; only its administrators archive', async () => {
    const archive = (person: string, at: string | null, bv: number, base: string | null = null) =>
      testDevice(db, person).push({
        t: 'playbooks',
        id: world.playbook,
        op: 'update',
        patch: { archived_at: at },
        base: { archived_at: base },
        bv,
      });
    expect(await archive(world.colleague, '2026-11-21T08:00:00Z', 1)).toMatchObject([{ st: 'rejected' }]);
    expect(await archive(world.worker, '2026-11-21T08:00:00Z', 1)).toMatchObject([{ st: 'applied' }]);
    const insert = `insert into playbooks (organization_id, name, owner_id) values ($1, 'Daily', $2)`;
    await db.as(world.colleague, insert, [world.organization, world.colleague]);
    expect(await archive(world.worker, null, 2, '2026-11-21T08:00:00+00:00')).toMatchObject([
      { st: 'rejected', code: '23505' },
    ]);
  });
});

describe('contexts', () => {
  let person: string;
  beforeEach(async () => {
    person = await db.person(`${randomUUID()}@x.test`);
  });
  const contexts = (by: string, about = by) => db.as(by, 'select * from get_user_organization_contexts($1)', [about]);

  test('R6.01 a person holds a system role, partner, customer support, or a circle role, and each is found', async () => {
    await db.asAdmin(
      `insert into user_roles (user_id, role) values ($1, 'moderator'), ($1, 'partner'), ($1, 'customer_support')`,
      [person],
    );
    await db.asAdmin(
      `insert into circle_relationships (subject_id, helper_id, role) values ($1, $2, 'managed_admin')`,
      [world.worker, person],
    );
    expect(await db.as(person, 'select role from user_roles order by role')).toEqual([
      { role: 'customer_support' },
      { role: 'moderator' },
      { role: 'partner' },
    ]);
    const all = await contexts(person);
    expect(all.map(row => [row['user_role'], row['support_role'], row['display_name']])).toEqual(
      expect.arrayContaining([
        ['admin', null, 'Organization Admin'],
        [null, 'managed_admin', 'Managed Admin'],
      ]),
    );
    expect(await db.as(person, `select * from my_circle_with('circle.manage')`)).toEqual([
      { my_circle_with: world.worker },
    ]);
    expect(await contexts(world.admin, person)).toEqual([]);
  });

  test("a helper's context names the person and opens nothing of their private space", async () => {
    await db.asAdmin(`insert into circle_relationships (subject_id, helper_id, role) values ($1, $2, 'mentor_coach')`, [
      world.worker,
      person,
    ]);
    const circle = (await contexts(person)).find(row => row['support_role'] !== null);
    expect(circle).toMatchObject({ organization_name: 'worker', user_role: null });
    expect(await db.as(person, 'select 1 from organizations where id = $1', [circle?.['organization_id']])).toEqual([]);
    expect(await db.as(person, `select 1 from playbooks where owner_id = $1`, [world.worker])).toEqual([]);
    await db.asAdmin(`update circle_relationships set state = 'paused' where helper_id = $1`, [person]);
    expect((await contexts(person)).filter(row => row['support_role'] !== null)).toEqual([]);
    expect(await db.as(person, `select * from my_circle_with('circle.view')`)).toEqual([]);
  });

  test('both sides pause and end a relationship; only the person themselves resumes, and nobody widens it', async () => {
    const [row] = await db.asAdmin(
      `insert into circle_relationships (subject_id, helper_id, role) values ($1, $2, 'mentor_coach') returning id`,
      [world.manager, person],
    );
    const id = String(row?.['id']);
    const set = async (by: string, patch: Record<string, unknown>) => {
      const [now] = await db.asAdmin('select to_jsonb(c) as row from circle_relationships c where id = $1', [id]);
      const base = Object(now?.['row']);
      const [result] = await testDevice(db, by).push({
        t: 'circle_relationships',
        id,
        op: 'update',
        patch,
        base: Object.fromEntries(Object.keys(patch).map(key => [key, base[key]])),
        bv: base.version,
      });
      return result?.st;
    };
    expect(await set(person, { state: 'paused' })).toBe('applied');
    expect(await set(person, { state: 'active' })).toBe('rejected');
    expect(await set(world.manager, { state: 'active' })).toBe('applied');
    expect(await set(person, { role: 'managed_admin' })).toBe('rejected');
    expect(await set(world.colleague, { state: 'ended' })).toBe('conflict');
    expect(await set(person, { state: 'ended' })).toBe('applied');
    expect(await set(world.manager, { state: 'active' })).toBe('rejected');
  });

  const nobody = { organizationRole: null, systemRoles: [], supportRole: null };
  test.each([
    [{ ...nobody, supportRole: 'managed_admin' }, 'Managed Admin'],
    [{ ...nobody, supportRole: 'mentor_coach' }, 'Mentor/Coach'],
    [{ ...nobody, supportRole: 'triad_intelligence_operator' }, 'Triad Intelligence'],
    [{ ...nobody, supportRole: 'accountability_partner' }, 'Accountability Partner'],
    [{ ...nobody, organizationRole: 'admin', systemRoles: ['admin'] }, 'Organization Administrator'],
    [{ ...nobody, organizationRole: 'admin', systemRoles: ['user'] }, 'Organization Admin'],
    [{ ...nobody, organizationRole: 'manager' }, 'Manager'],
    [{ ...nobody, organizationRole: 'member', systemRoles: ['manager'] }, 'Manager'],
    [{ ...nobody, organizationRole: 'member', systemRoles: ['admin'] }, 'System Administrator'],
    [{ ...nobody, organizationRole: 'manager', systemRoles: ['admin'] }, 'System Administrator'],
    [{ ...nobody, organizationRole: 'member', systemRoles: ['moderator', 'partner'] }, 'Moderator'],
    [{ ...nobody, organizationRole: 'member', systemRoles: ['partner'] }, 'Partner'],
    [{ ...nobody, organizationRole: 'member', systemRoles: ['user'] }, 'Member'],
    [{ ...nobody, organizationRole: 'auditor' }, 'Auditor'],
  ])('R6.05 R6.06 R6.07 the database calls %j %s', async ({ organizationRole, systemRoles, supportRole }, name) => {
    const [found] = await db.asAdmin('select identity.role_display_name($1, $2, $3) as name', [
      organizationRole,
      systemRoles,
      supportRole,
    ]);
    expect(found?.['name']).toBe(name);
  });

  const taken = async (table: string): Promise<string[]> => {
    const [check] = await db.asAdmin(
      `select string_agg(pg_get_constraintdef(oid), ' ') as text from pg_constraint
       where conrelid = $1::regclass and contype = 'c' and pg_get_constraintdef(oid) ~ '\\mrole\\M'`,
      [`public.${table}`],
    );
    const roles = [...String(check?.['text']).matchAll(/'(\w+)'::text/g)].map(match => match[1] ?? '');
    return [...new Set(roles)].toSorted();
  };
  const roleOf = (table: string, key: string) =>
    db.asAdmin(`select role from ${table} where ${key} = $1 order by role`, [person]);

  test('R6.02 the system roles are these six: each is held, another is refused', async () => {
    const six = ['admin', 'customer_support', 'manager', 'moderator', 'partner', 'user'];
    const give = (role: string) =>
      db.asAdmin('insert into user_roles (user_id, role) values ($1, $2) on conflict do nothing', [person, role]);
    for (const role of six) await give(role);
    expect(await roleOf('user_roles', 'user_id')).toEqual(six.map(role => ({ role })));
    await expect(give('owner')).rejects.toMatchObject({ code: '23514' });
    expect(await taken('user_roles')).toEqual(six);
    expect([...SYSTEM_ROLES].toSorted()).toEqual(six);
  });

  test('R6.03 the roles of an organisation are these, admin and manager among them: each is held, another is refused', async () => {
    for (const role of ['admin', 'auditor', 'manager', 'member']) {
      const member = await join(
        role,
        role === 'auditor' ? { valid_until: new Date(Date.now() + 3_600_000).toISOString() } : {},
      );
      const rows = 'select role from organization_members where organization_id = $1 and user_id = $2';
      expect(await db.asAdmin(rows, [world.organization, member])).toEqual([{ role }]);
    }
    await expect(join('owner')).rejects.toMatchObject({ code: '23514' });
    expect(await taken('organization_members')).toEqual([...ORGANIZATION_ROLES].toSorted());
  });

  test('R6.04 the circle roles are these four: each is held, another is refused', async () => {
    const four = ['accountability_partner', 'managed_admin', 'mentor_coach', 'triad_intelligence_operator'];
    const give = (role: string) =>
      db.asAdmin('insert into circle_relationships (subject_id, helper_id, role) values ($1, $2, $3)', [
        world.worker,
        person,
        role,
      ]);
    for (const role of four) await give(role);
    expect(await roleOf('circle_relationships', 'helper_id')).toEqual(four.map(role => ({ role })));
    await expect(give('friend')).rejects.toMatchObject({ code: '23514' });
    expect(await taken('circle_relationships')).toEqual(four);
    expect([...CIRCLE_ROLES].toSorted()).toEqual(four);
  });

  test('R6.12 whoever holds a circle role, any of the four, belongs to the circle: it is a context of theirs and they see it; nobody else does', async () => {
    const inCircle = async (who: string) => {
      const [seen, roles] = await Promise.all([
        db.as(who, `select my_circle_with('circle.view') as subject`),
        contexts(who),
      ]);
      return [
        seen.map(({ subject }) => subject),
        roles.flatMap(({ support_role: role }) => (role === null ? [] : [role])),
      ];
    };
    expect(await inCircle(person)).toEqual([[], []]);
    const subjects = [world.worker, world.manager, world.admin, world.colleague];
    for (const [at, role] of CIRCLE_ROLES.entries()) {
      const helper = await db.person(`${randomUUID()}@x.test`);
      await db.asAdmin('insert into circle_relationships (subject_id, helper_id, role) values ($1, $2, $3)', [
        subjects[at],
        helper,
        role,
      ]);
      expect(await inCircle(helper)).toEqual([[subjects[at]], [role]]);
    }
    expect(await inCircle(person)).toEqual([[], []]);
  });

  test('R6.05 R6.06 R6.07 what each combination of roles is called follows one rule', async () => {
    const pairs: SystemRole[][] = [['user', 'partner'], ['manager', 'moderator'], [...SYSTEM_ROLES]];
    const systemSets: SystemRole[][] = [[], ...SYSTEM_ROLES.map(role => [role]), ...pairs];
    const rows = [null, ...ORGANIZATION_ROLES].flatMap(organizationRole =>
      [null, ...CIRCLE_ROLES].flatMap(supportRole =>
        systemSets.map(systemRoles => ({ organizationRole, supportRole, systemRoles })),
      ),
    );
    for (const membership of rows) {
      const [found] = await db.asAdmin('select identity.role_display_name($1, $2, $3) as name', [
        membership.organizationRole,
        membership.systemRoles,
        membership.supportRole,
      ]);
      expect([membership, found?.['name']]).toEqual([membership, roleDisplayName(membership)]);
    }
  });
});

test('R7.24 a person reads their profile and their system roles, and nobody else does', async () => {
  expect(await db.as(world.worker, 'select id from profiles')).toEqual([{ id: world.worker }]);
  expect(await db.as(world.worker, 'select user_id, role from user_roles')).toEqual([
    { user_id: world.worker, role: 'user' },
  ]);
  expect(await db.as(world.admin, 'select 1 from user_roles where user_id = $1', [world.worker])).toEqual([]);
});

test('an account that is deleted goes whole, and leaves the organisation working', async () => {
  const second = await join('admin');
  await db.asAdmin(`insert into user_roles (user_id, role) values ($1, 'admin')`, [second]);
  await db.rpc(second, 'invite_to_organization', { p_organization: world.organization });
  await db.rpc(second, 'consume_quota', { p_quota: 'media_search', p_request: randomUUID() });
  await db.rpc(second, 'request_purchase', { p_id: randomUUID(), p_amount: 1 });
  const plan = async () => (await db.asAdmin('select plan from organizations where id = $1', [world.organization]))[0];
  expect(await plan()).toEqual({ plan: 'enterprise' });
  await db.asAdmin('delete from auth.users where id = $1', [second]);
  expect(await plan()).toEqual({ plan: 'standard' });
  expect(await db.asAdmin('select 1 from subscriptions where id = $1', [second])).toEqual([]);
  expect(await db.as(world.admin, 'select * from my_organizations_with($1)', ['people.manage'])).toContainEqual({
    my_organizations_with: world.organization,
  });
});
