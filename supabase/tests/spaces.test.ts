import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const addPlaybook = (person: string, fields: Record<string, unknown>) => {
  const row = { organization_id: world.organization, owner_id: person, ...fields };
  const columns = Object.keys(row).join(', ');
  return db.as(
    person,
    `insert into playbooks (${columns}) select ${columns} from jsonb_populate_record(null::playbooks, $1) returning *`,
    [row],
  );
};

describe('sign-up', () => {
  test('makes a profile, a private space and one personal playbook, which nobody else sees', async () => {
    const person = await db.person('new@x.test');
    expect(await db.as(person, 'select email, full_name from profiles')).toEqual([
      { email: 'new@x.test', full_name: 'new' },
    ]);
    expect(await db.as(person, 'select kind from organizations')).toEqual([{ kind: 'private' }]);
    expect(await db.as(person, 'select name, type, owner_id from playbooks')).toEqual([
      { name: 'My Journey', type: 'personal', owner_id: person },
    ]);
    const [playbook] = await db.as(person, 'select id from playbooks');
    expect(await db.as(world.admin, 'select 1 from playbooks where id = $1', [playbook?.['id']])).toEqual([]);
  });

  describe('the name of an account that somebody made with an address that is not theirs', () => {
    const told = 'update auth.users set raw_user_meta_data = $2 where id = $1';
    const confirmed = 'update auth.users set email_confirmed_at = now() where id = $1';
    const namesOf = async (person: string) => {
      const [row] = await db.asAdmin(
        `select p.full_name, o.name as space from profiles p join organizations o on o.created_by = p.id and o.kind = 'private'
         where p.id = $1`,
        [person],
      );
      return [row?.['full_name'], row?.['space']];
    };
    const say = (person: string, metadata: object) => db.asAdmin(told, [person, metadata]);

    test('goes with what they said of themselves; what its owner says once the address is shown to be theirs is taken', async () => {
      const person = await db.person('stranger@x.test');
      expect(await namesOf(person)).toEqual(['stranger', 'stranger']);
      await say(person, {});
      expect(await namesOf(person)).toEqual([null, 'Private space']);
      await say(person, { full_name: ' Somebody ' });
      expect(await namesOf(person)).toEqual(['Somebody', 'Somebody']);
      await say(person, {});
      await db.asAdmin(confirmed, [person]);
      await say(person, { full_name: 'Bo' });
      expect(await namesOf(person)).toEqual(['Bo', 'Bo']);
    });

    test('stays as its owner chose it once the address is theirs, whatever is said later', async () => {
      const person = await db.person('owner@x.test');
      await db.asAdmin(confirmed, [person]);
      for (const metadata of [{}, { full_name: 'Another' }]) await say(person, metadata);
      expect(await namesOf(person)).toEqual(['owner', 'owner']);
      await db.asAdmin(`update profiles set full_name = 'Chosen' where id = $1`, [person]);
      await say(person, { full_name: 'Once more' });
      expect(await namesOf(person)).toEqual(['Chosen', 'owner']);
    });
  });

  test('nobody can be added to a private space', async () => {
    const [space] = await db.as(world.worker, `select id from organizations where kind = 'private'`);
    const attempt = db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
      space?.['id'],
      world.colleague,
    ]);
    await expect(attempt).rejects.toMatchObject({ code: '42501' });
  });
});

describe('playbooks', () => {
  test('R3.01 R7.20 a signed-in member inserts a playbook into their organisation and reads it back by organisation', async () => {
    await addPlaybook(world.worker, {
      name: 'Night shift',
      description: 'd',
      type: 'company',
      locations: ['Site North'],
    });
    const rows = await db.as(
      world.colleague,
      'select name, locations from playbooks where organization_id = $1 order by name',
      [world.organization],
    );
    expect(rows).toContainEqual({ name: 'Night shift', locations: ['Site North'] });
    await expect(addPlaybook(world.stranger, { name: 'Not mine' })).rejects.toMatchObject({ code: '42501' });
    await expect(addPlaybook(world.auditor, { name: 'Read only' })).rejects.toMatchObject({ code: '42501' });
    await expect(addPlaybook(world.worker, { name: 'Night shift' })).rejects.toMatchObject({ code: '23505' });
  });

  test('R3.06 a playbook with only a name is of type company, without locations; another type is refused', async () => {
    const [row] = await addPlaybook(world.worker, { name: 'Plain' });
    expect(row).toMatchObject({ type: 'company', locations: [], settings: {}, version: '1', deleted_at: null });
    await expect(addPlaybook(world.worker, { name: 'Odd', type: 'odd' })).rejects.toMatchObject({ code: '23514' });
  });

  test('R3.07 a personal playbook is listed only for its owner and lives in their private space', async () => {
    const [row] = await addPlaybook(world.worker, { name: 'Run 5 km', type: 'personal' });
    const [space] = await db.as(world.worker, `select id from organizations where kind = 'private'`);
    expect(row?.['organization_id']).toBe(space?.['id']);
    const listed = (person: string) =>
      db.as(person, `select name from playbooks where type = 'personal' and owner_id = $1 order by name`, [
        world.worker,
      ]);
    expect(await listed(world.worker)).toEqual([{ name: 'My Journey' }, { name: 'Run 5 km' }]);
    for (const person of [world.admin, world.manager, world.colleague]) expect(await listed(person)).toEqual([]);
  });

  test('R6.15 the creator of a playbook is its admin member', async () => {
    const [row] = await addPlaybook(world.worker, { name: 'With a keeper' });
    expect(
      await db.as(world.worker, 'select user_id, role from playbook_members where playbook_id = $1', [row?.['id']]),
    ).toEqual([{ user_id: world.worker, role: 'admin' }]);
  });

  test('nobody makes a playbook in the name of somebody else', async () => {
    await expect(addPlaybook(world.worker, { name: 'Foreign', owner_id: world.admin })).rejects.toMatchObject({
      code: '42501',
    });
  });
});

describe('people and preferences', () => {
  test('R3.02 contexts have the given fields, for oneself only', async () => {
    const call = (person: string, about: string) =>
      db.as(person, 'select * from get_user_organization_contexts($1)', [about]);
    const own = await call(world.worker, world.worker);
    expect(Object.keys(own[0] ?? {})).toEqual([
      'organization_id',
      'organization_name',
      'program_name',
      'program_description',
      'activation_source',
      'display_name',
      'user_role',
      'support_role',
      'joined_at',
    ]);
    expect(own.find(row => row['organization_id'] === world.organization)).toMatchObject({
      organization_name: 'acme',
      activation_source: 'partner_link',
      user_role: 'member',
      display_name: 'Member',
      support_role: null,
    });
    expect(await call(world.admin, world.worker)).toEqual([]);
  });

  test('R3.09 R7.19 a membership names organisation, person, role and when they joined', async () => {
    const [row] = await db.as(
      world.worker,
      'select organization_id, user_id, role, joined_at from organization_members where organization_id = $1 and user_id = $2',
      [world.organization, world.worker],
    );
    expect(row).toEqual({
      organization_id: world.organization,
      user_id: world.worker,
      role: 'member',
      joined_at: expect.any(Date),
    });
  });

  test('R3.11 an activation names organisation, source, when and who', async () => {
    const [row] = await db.as(
      world.worker,
      'select organization_id, activation_source, activated_at, user_id from organization_activations',
    );
    expect(row).toEqual({
      organization_id: world.organization,
      activation_source: 'partner_link',
      activated_at: expect.any(Date),
      user_id: world.worker,
    });
  });

  test('R3.12 a system role is one of the six; another is refused', async () => {
    const roles = ['admin', 'customer_support', 'manager', 'moderator', 'partner', 'user'];
    for (const role of roles) {
      await db.asAdmin('insert into user_roles (user_id, role) values ($1, $2)', [world.auditor, role]);
    }
    await expect(
      db.asAdmin(`insert into user_roles (user_id, role) values ($1, 'king')`, [world.auditor]),
    ).rejects.toMatchObject({ code: '23514' });
    const stored = await db.as(world.auditor, 'select user_id, role, created_at from user_roles order by role');
    expect(stored).toEqual(roles.map(role => ({ user_id: world.auditor, role, created_at: expect.any(Date) })));
  });

  test('R3.14 R7.23 saving preferences twice leaves one row', async () => {
    for (const theme of ['dark', 'light']) {
      await db.as(
        world.manager,
        `insert into user_preferences (user_id, theme_mode) values ($1, $2) on conflict (user_id) do update set theme_mode = excluded.theme_mode`,
        [world.manager, theme],
      );
    }
    expect(await db.as(world.manager, 'select theme_mode from user_preferences')).toEqual([{ theme_mode: 'light' }]);
    const attempt = db.as(world.manager, 'insert into user_preferences (user_id) values ($1)', [world.colleague]);
    await expect(attempt).rejects.toMatchObject({ code: '42501' });
  });

  test('colleagues learn a name, never an e-mail or phone', async () => {
    await db.as(
      world.worker,
      `update profiles set display_name = 'Sam', phone = '123', email = 'forged@x.test' where id = $1`,
      [world.worker],
    );
    expect(await db.as(world.colleague, 'select display_name from people where id = $1', [world.worker])).toEqual([
      { display_name: 'Sam' },
    ]);
    expect(await db.as(world.colleague, 'select 1 from profiles where id = $1', [world.worker])).toEqual([]);
    expect(await db.as(world.stranger, 'select 1 from people where id = $1', [world.worker])).toEqual([]);
    expect(await db.as(world.worker, 'select email from profiles')).toEqual([{ email: 'worker@a.test' }]);
  });
});

describe('rights', () => {
  const membership = async (person: string) =>
    (
      await db.asAdmin(
        'select id, version::int as version from organization_members where organization_id = $1 and user_id = $2',
        [world.organization, person],
      )
    )[0] ?? {};
  const setRole = async (by: string, person: string, from: string, role: string) => {
    const row = await membership(person);
    const [result] = await testDevice(db, by).push({
      t: 'organization_members',
      id: String(row['id']),
      op: 'update',
      patch: { role },
      base: { role: from },
      bv: Number(row['version']),
    });
    return result;
  };

  test('only who may manage people changes a role, and never their own way up', async () => {
    expect(await setRole(world.worker, world.worker, 'member', 'admin')).toMatchObject({
      st: 'rejected',
      code: '42501',
    });
    expect(await setRole(world.manager, world.worker, 'member', 'manager')).toMatchObject({
      st: 'rejected',
      code: '42501',
    });
    expect(await setRole(world.admin, world.auditor, 'auditor', 'member')).toMatchObject({ st: 'applied' });
  });

  test('an organisation keeps at least one administrator', async () => {
    expect(await setRole(world.admin, world.admin, 'admin', 'member')).toMatchObject({ st: 'rejected', code: 'P0001' });
  });

  test('sample data goes in one act, and only sample data', async () => {
    const remove = (person: string) =>
      db.rpc<number>(person, 'remove_sample_data', { organization_id: world.organization });
    await expect(remove(world.admin)).rejects.toMatchObject({ code: '42501' });
    await db.asAdmin('update organizations set sample = true where id = $1', [world.organization]);
    await expect(remove(world.worker)).rejects.toMatchObject({ code: '42501' });
    const device = testDevice(db, world.worker);
    await device.pull();
    expect(await remove(world.admin)).toBeGreaterThan(15);
    await device.pull();
    expect(device.has('inspections', world.inspection)).toBe(false);
    expect(await db.asAdmin('select 1 from organizations where id = $1', [world.organization])).toEqual([]);
  });
});

test('a membership that ends takes every scope of the organisation with it', async () => {
  const fresh = await freshDatabase();
  const other = await makeWorld(fresh);
  const device = testDevice(fresh, other.worker);
  await device.pull();
  await fresh.asAdmin(
    'update organization_members set deleted_at = now() where user_id = $1 and organization_id = $2',
    [other.worker, other.organization],
  );
  await device.pull();
  expect(
    Object.keys(device.cursors).filter(scope => scope.includes(other.organization) || scope.includes(other.north)),
  ).toEqual([]);
  expect(device.has('sites', other.north)).toBe(false);
  const [result] = await device.push({
    t: 'action_items',
    id: randomUUID(),
    op: 'insert',
    patch: { organization_id: other.organization, title: 'x' },
  });
  expect(result).toMatchObject({ st: 'rejected', code: 'not_a_member' });
  await fresh.drop();
});
