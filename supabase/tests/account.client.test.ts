import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strFromU8, unzipSync } from 'fflate';
import { serveWorld, type ServedWorld } from './people-by-client.ts';

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld();
});
afterAll(() => served.stop());

const PASSWORD = 'a long word';

type Client = ServedWorld['clients']['owner'];

async function exported(client: Client) {
  const { data, error } = await client.functions.invoke('account/export', { method: 'GET' });
  if (error) throw error;
  const files = unzipSync(new Uint8Array(await (data as Blob).arrayBuffer()));
  const about = JSON.parse(strFromU8(files['about-me.json'] ?? new Uint8Array()));
  return { files: Object.keys(files), bytes: files, about };
}

async function remove(client: Client, password: string, confirm = 'delete') {
  const { data, response } = await client.functions.invoke('account/delete', { body: { password, confirm } });
  if (data) return { status: 200, ...data };
  return { status: response?.status, ...(await response?.json()) };
}

/** Begins as a JPEG does: a photo is asked for that. */
const PICTURE = Uint8Array.from([0xff, 0xd8, 0xff, ...new TextEncoder().encode('a picture')]);

/** A photo of the worker's that has arrived. */
async function uploadPhoto(): Promise<string> {
  const { world, db, clients } = served;
  const bytes = PICTURE;
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  await db.asAdmin('update media set sha256 = $2, bytes = $3 where id = $1', [world.media, digest, bytes.byteLength]);
  const path = `${world.organization}/${world.media}`;
  const { error } = await clients.owner.storage.from('media').upload(path, bytes.buffer, { contentType: 'image/jpeg' });
  if (error) throw error;
  const confirmed = await clients.owner.functions.invoke('media/confirm', { body: { id: world.media } });
  if (confirmed.error) throw confirmed.error;
  return `files/${world.media}.jpg`;
}

describe('an export', () => {
  test('holds the rows that name the person, their private space and their files, and nothing of anybody else', async () => {
    const { clients, world, db } = served;
    await db.asAdmin(`update profiles set phone = '0170 1', emergency_contact_name = 'Kim' where id = $1`, [
      world.worker,
    ]);
    const photo = await uploadPhoto();
    const { files, bytes, about } = await exported(clients.owner);

    expect(about.account).toMatchObject({ id: world.worker, email: 'worker@a.test' });
    expect(about.tables.profiles).toMatchObject([{ id: world.worker, phone: '0170 1', emergency_contact_name: 'Kim' }]);
    expect(about.tables.user_preferences).toHaveLength(1);
    expect(about.tables.inspections).toMatchObject([{ id: world.inspection }]);
    expect(about.tables.playbooks.map((row: { type: string }) => row.type).toSorted()).toEqual(['company', 'personal']);
    expect(about.tables.organizations).toContainEqual(expect.objectContaining({ kind: 'private' }));
    expect(files).toContain(photo);
    expect(bytes[photo]).toEqual(PICTURE);
    for (const other of [world.colleague, world.manager, world.stranger])
      expect(JSON.stringify(about.tables.profiles) + JSON.stringify(about.tables.people)).not.toContain(other);
    expect(JSON.stringify(about)).not.toMatch(/encrypted_password|"scopes"/);
  });

  test('comes whole whatever colleagues wrote into what names the person', async () => {
    const { clients, world, db } = served;
    await db.asAdmin(
      `insert into action_items (organization_id, site_id, title, description, assignee_id)
       select $1, $2, 'Read this ' || n, repeat('😀', 19000), $3 from generate_series(1, 130) n`,
      [world.organization, world.north, world.worker],
    );
    const { about } = await exported(clients.owner);
    const titles = about.tables.action_items.map((row: { title: string }) => row.title);
    expect(titles.filter((title: string) => title.startsWith('Read this'))).toHaveLength(130);
    expect(about.tables.inspections).toMatchObject([{ id: world.inspection }]);
    await db.asAdmin(`delete from action_items where title like 'Read this %'`);
  });

  test('of somebody else holds none of it', async () => {
    const { about, files } = await exported(served.clients.other);
    expect(JSON.stringify(about)).not.toContain(served.world.worker);
    expect(files).toEqual(['about-me.json']);
  });

  test('is not given to a visitor', async () => {
    const { error, response } = await served.clients.visitor.functions.invoke('account/export', { method: 'GET' });
    expect([error === null, response?.status]).toEqual([false, 401]);
  });
});

describe('the end of an account', () => {
  const everything = async () =>
    (
      await served.db.asAdmin(
        `select count(*)::int as n from organizations union all select count(*)::int from auth.sessions`,
      )
    ).map(row => row['n']);

  test('a wrong password, a missing word and a visitor end nothing', async () => {
    const { clients } = served;
    const before = await served.db.asAdmin('select id, email from auth.users order by id');
    expect(await remove(clients.owner, 'not this')).toMatchObject({ status: 403, code: 'wrong_password' });
    expect(await remove(clients.owner, PASSWORD, 'yes')).toMatchObject({ status: 400, code: 'invalid' });
    expect(await remove(clients.visitor, PASSWORD)).toMatchObject({ status: 401 });
    expect(await served.db.asAdmin('select id, email from auth.users order by id')).toEqual(before);
    expect(await everything()).not.toContain(0);
  });

  test('the only administrator of a company hands it over first', async () => {
    const admin = await served.signIn('admin');
    expect(await remove(admin, PASSWORD)).toMatchObject({ status: 409, code: 'last_admin', names: 'acme' });
    expect(await served.db.asAdmin('select email from auth.users where id = $1', [served.world.admin])).toEqual([
      { email: 'admin@a.test' },
    ]);
  });

  test('what was only theirs goes; what they did for a company stays and names nobody', async () => {
    await served.clients.owner.auth.updateUser({ email: 'worker-new@a.test' });
    await served.db.asAdmin(
      `insert into auth.flow_state (id, user_id, auth_code, authentication_method, provider_type)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, 'magiclink', 'email')`,
      [served.world.worker],
    );
    const { clients, db, world } = served;
    const open = await db.asAdmin(
      `insert into action_items (organization_id, site_id, title, status, priority, assignee_id)
       values ($1, $2, 'Mend the gate', 'assigned', 'low', $3) returning id`,
      [world.organization, world.north, world.worker],
    );
    expect(await remove(clients.owner, PASSWORD)).toEqual({ status: 200, deleted: true });

    for (const table of ['user_preferences', 'user_roles'])
      expect(await db.asAdmin(`select 1 from ${table} where user_id = $1`, [world.worker])).toEqual([]);
    expect(
      await db.asAdmin(`select 1 from organizations where kind = 'private' and created_by = $1`, [world.worker]),
    ).toEqual([]);
    expect(
      await db.asAdmin('select full_name, display_name, phone, emergency_contact_name from profiles where id = $1', [
        world.worker,
      ]),
    ).toEqual([
      {
        full_name: `Former member ${world.worker.slice(0, 4).toUpperCase()}`,
        display_name: null,
        phone: null,
        emergency_contact_name: null,
      },
    ]);
    expect(
      await db.as(world.manager, 'select conducted_by from inspections where id = $1', [world.inspection]),
    ).toEqual([{ conducted_by: world.worker }]);
    expect(await db.as(world.manager, 'select assignee_id from action_items where id = $1', [open[0]?.['id']])).toEqual(
      [{ assignee_id: null }],
    );
    const members = await db.as(world.manager, 'select user_id from organization_members where organization_id = $1', [
      world.organization,
    ]);
    expect(members.map(row => row['user_id'])).not.toContain(world.worker);
    expect(JSON.stringify(await db.asAdmin('select * from auth.users where id = $1', [world.worker]))).not.toContain(
      'worker@a.test',
    );
    expect(JSON.stringify(await db.asAdmin('select * from people'))).not.toContain('"worker"');
  });

  test('their sign-in is over, and the address is free for somebody new', async () => {
    const [left] = await served.db.asAdmin(
      `select u.email_change as wanted, (select count(*)::int from auth.flow_state f where f.user_id = u.id) as flows
       from auth.users u where u.id = $1`,
      [served.world.worker],
    );
    expect(left).toEqual({ wanted: '', flows: 0 });
    const { clients, world } = served;
    const { error } = await clients.owner.from('inspections').select('id');
    expect(error).not.toBeNull();
    await expect(served.signIn('worker')).rejects.toThrow('Invalid login credentials');
    const { data, error: refused } = await clients.visitor.auth.signUp({ email: 'worker@a.test', password: PASSWORD });
    expect([refused, data.user?.id === world.worker]).toEqual([null, false]);
  });

  test('a company of one person goes with them', async () => {
    const { clients, db, world } = served;
    expect(await remove(clients.other, PASSWORD)).toEqual({ status: 200, deleted: true });
    expect(
      await db.asAdmin('select 1 from organization_members where user_id = $1 and deleted_at is null', [
        world.stranger,
      ]),
    ).toEqual([]);
    expect(await db.asAdmin(`select name from organizations where name = 'other'`)).toEqual([]);
  });

  describe('is nobody else’s to hold up: that of an administrator who is alone', () => {
    /** Somebody with a company of their own, which somebody else was let into. */
    async function founder(role: 'member' | 'auditor') {
      const { db, clients } = served;
      const email = `${crypto.randomUUID()}@a.test`;
      const person = async (address: string) => {
        const { data } = await clients.visitor.auth.signUp({ email: address, password: PASSWORD });
        return String(data.user?.id);
      };
      const [id, guest] = [await person(email), await person(`guest-${email}`)];
      const [company] = await db.asAdmin(
        `insert into organizations (name, slug) values ('Alone', 'alone-' || gen_random_uuid()) returning id`,
      );
      const organization = String(company?.['id']);
      await db.asAdmin(
        `insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin'), ($1, $3, $4)`,
        [organization, id, guest, role],
      );
      const client = await served.signIn(email.replace('@a.test', ''));
      return { client, id, guest, organization };
    }
    const hasEnded = async (id: string) =>
      (await served.db.asAdmin('select account.has_ended($1) as ended', [id]))[0]?.['ended'];

    test('whose only colleague left', async () => {
      const { client, id, guest, organization } = await founder('member');
      await served.db.as(guest, 'select leave_organization($1)', [organization]);
      // Leaving is no way to close a company.
      await expect(served.db.as(id, 'select leave_organization($1)', [organization])).rejects.toMatchObject({
        code: 'P0001',
      });
      expect(await remove(client, PASSWORD)).toEqual({ status: 200, deleted: true });
      expect(await hasEnded(id)).toBe(true);
    });

    test('whose company was closed with others in it', async () => {
      const { client, id, organization } = await founder('member');
      await served.db.asAdmin('update organizations set deleted_at = now() where id = $1', [organization]);
      expect(await remove(client, PASSWORD)).toEqual({ status: 200, deleted: true });
      expect(await hasEnded(id)).toBe(true);
    });

    test('who is left with an auditor whose time is over, and not before', async () => {
      const { client, id, guest } = await founder('auditor');
      expect(await remove(client, PASSWORD)).toMatchObject({ status: 409, code: 'last_admin' });
      await served.db.asAdmin(
        `update organization_members set valid_until = now() - interval '1 day' where user_id = $1 and role = 'auditor'`,
        [guest],
      );
      expect(await remove(client, PASSWORD)).toEqual({ status: 200, deleted: true });
      expect(await hasEnded(id)).toBe(true);
    });

    test('and nobody makes an open company one without an administrator by stepping down alone', async () => {
      const { id, guest, organization } = await founder('member');
      await served.db.as(guest, 'select leave_organization($1)', [organization]);
      await expect(
        served.db.asAdmin(
          `update organization_members set role = 'member' where user_id = $1 and organization_id = $2`,
          [id, organization],
        ),
      ).rejects.toMatchObject({ code: 'P0001' });
    });
  });
});
