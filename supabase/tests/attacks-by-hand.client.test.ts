import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PullAnswer, PushResult } from '@cairn/sync/transport/backend.ts';
import { mutation, type Edit } from './device.ts';
import { namedIn, serveWorld, type Client, type ServedWorld } from './people-by-client.ts';

/** What a person with the official client and bad intent tries, beyond the generated suites. */
let served: ServedWorld;
let admin: Client;
beforeAll(async () => {
  served = await serveWorld();
  admin = await served.signIn('admin');
});
afterAll(() => served.stop());

const push = async (client: Client, ...edits: Edit[]): Promise<PushResult[]> => {
  const sent = { p_device: randomUUID(), p_mutations: edits.map(mutation) };
  const { data, error } = await client.rpc('sync_push', sent);
  if (error) throw new Error(error.message);
  return data.results;
};
const membershipOf = async (person: string) => {
  const { db, world } = served;
  const [row] = await db.asAdmin(
    'select id, role, version::int as version, valid_until, site_limited from organization_members where organization_id = $1 and user_id = $2',
    [world.organization, person],
  );
  return row ?? {};
};

describe('climbing', () => {
  test.each(['colleague', 'manager', 'auditor'] as const)(
    'a %s makes nobody an admin, not even themselves',
    async name => {
      const { world, clients } = served;
      const client = name === 'auditor' ? await served.signIn('auditor') : clients[name];
      const before = await membershipOf(world[name]);
      await push(
        client,
        {
          t: 'organization_members',
          id: String(before['id']),
          op: 'update',
          patch: { role: 'admin' },
          base: { role: before['role'] },
          bv: Number(before['version']),
        },
        {
          t: 'organization_members',
          id: String(before['id']),
          op: 'update',
          patch: { valid_until: null, site_limited: false },
          bv: Number(before['version']),
        },
        {
          t: 'organization_members',
          op: 'insert',
          patch: { organization_id: world.organization, user_id: world[name], role: 'admin' },
        },
        { t: 'user_roles', op: 'insert', patch: { user_id: world[name], role: 'admin' } },
        {
          t: 'role_permissions',
          op: 'insert',
          patch: { role_kind: 'organization', role: 'member', permission: 'people.manage' },
        },
        {
          t: 'circle_relationships',
          op: 'insert',
          patch: { subject_id: world.worker, helper_id: world[name], role: 'managed_admin' },
        },
        { t: 'subscriptions', id: world[name], op: 'update', patch: { tier: 'company_enterprise' }, bv: 1 },
      );
      expect(await membershipOf(world[name])).toEqual(before);
      const roles = await served.db.asAdmin('select role from user_roles where user_id = $1', [world[name]]);
      expect(roles).toEqual([]);
      const { data } = await client.rpc('my_organizations_with', { p_permission: 'people.manage' });
      expect(data).not.toContain(world.organization);
    },
  );

  test('an administrator of one organisation moves nobody into it from another', async () => {
    const { world, clients } = served;
    const worker = await membershipOf(world.worker);
    const [theirs] = await served.db.asAdmin(`select id from organizations where name = 'other'`);
    const results = await push(
      clients.other,
      {
        t: 'organization_members',
        id: String(worker['id']),
        op: 'update',
        patch: { organization_id: theirs?.['id'] },
        bv: 1,
      },
      { t: 'organization_members', op: 'insert', patch: { organization_id: theirs?.['id'], user_id: world.worker } },
      {
        t: 'site_members',
        op: 'insert',
        patch: { organization_id: theirs?.['id'], site_id: world.north, user_id: world.stranger },
      },
      {
        t: 'playbook_members',
        op: 'insert',
        patch: { organization_id: theirs?.['id'], playbook_id: world.playbook, user_id: world.stranger },
      },
    );
    expect(results.map(({ st }) => st)).toEqual(['conflict', 'rejected', 'rejected', 'rejected']);
    expect(await membershipOf(world.worker)).toEqual(worker);
  });

  test('an administrator demoted or removed meanwhile has nothing left of it in the next call', async () => {
    const { world, db } = served;
    const [row] = await db.asAdmin(
      `update organization_members set role = 'admin' where organization_id = $1 and user_id = $2 returning id`,
      [world.organization, world.manager],
    );
    const invite = () => served.clients.manager.rpc('invite_to_organization', { p_organization: world.organization });
    expect((await invite()).error).toBeNull();
    await db.asAdmin(`update organization_members set role = 'manager' where id = $1`, [row?.['id']]);
    expect((await invite()).error?.code).toBe('42501');
  });
});

describe('tokens', () => {
  const accept = (client: Client, token: unknown) =>
    client.rpc('accept_organization_invitation', { invitation_token: token });
  const make = async () => {
    const { data, error } = await admin.rpc('invite_to_organization', { p_organization: served.world.organization });
    if (error) throw new Error(error.message);
    return data;
  };

  test('R7.26 accepted once by one person; replayed by another it is as unknown as a guess', async () => {
    const { clients } = served;
    const { token } = await make();
    expect((await accept(clients.visitor, token)).status).toBe(401);
    expect((await accept(clients.other, token)).data).toMatchObject({ organization_id: served.world.organization });
    const colleague = await accept(clients.colleague, token);
    const guess = await accept(clients.colleague, '0'.repeat(64));
    expect(colleague.error).toEqual(guess.error);
    expect([colleague.status, colleague.error?.code]).toEqual([403, '42501']);
    await served.db.asAdmin('delete from organization_members where organization_id = $1 and user_id = $2', [
      served.world.organization,
      served.world.stranger,
    ]);
  });

  test('a hash, an id, a pattern, a list or nothing at all is no token', async () => {
    const { id, token } = await make();
    const [kept] = await served.db.asAdmin(
      `select encode(hash, 'hex') as hash from identity.invitation_token where invitation_id = $1`,
      [id],
    );
    for (const guess of [
      id,
      kept?.['hash'],
      `\\x${String(kept?.['hash'])}`,
      '%',
      token.toUpperCase(),
      ` ${token}`,
      '',
      null,
    ]) {
      const { error } = await accept(served.clients.other, guess);
      expect([guess, error?.code]).toEqual([guess, '42501']);
    }
  });

  test('hashes of tokens are read by nobody: their schema is not served and their tables have no policy to', async () => {
    for (const client of [admin, served.clients.owner, served.clients.visitor]) {
      const { error } = await client.schema('identity').from('invitation_token').select('*');
      expect(error?.code).toBe('PGRST106');
    }
    await expect(served.db.as(served.world.admin, 'select * from identity.invitation_token')).rejects.toMatchObject({
      code: '42501',
    });
  });
});

describe('the feed', () => {
  test("asked for somebody else's scopes by name it answers one's own only", async () => {
    const { world, clients } = served;
    const names = [
      `org:${world.organization}`,
      `site:${world.north}`,
      `user:${world.worker}`,
      `member:${world.organization}:${world.worker}`,
    ];
    const p_cursors = Object.fromEntries(names.map(name => [name, ['x.0', 0, '', randomUUID()]]));
    const { data } = await clients.other.rpc('sync_pull', { p_cursors, p_device: randomUUID(), p_limit: 5000 });
    const answer: PullAnswer = data;
    expect(Object.keys(answer.scopes).filter(scope => names.includes(scope))).toEqual([]);
    expect(namedIn(answer, world)).toEqual([]);
  });

  test("a colleague hears of no private scope of the worker's, and no channel of theirs opens", async () => {
    const { world, clients, db } = served;
    const { data } = await clients.colleague.rpc('sync_pull', { p_cursors: {}, p_device: randomUUID(), p_limit: 5000 });
    const answer: PullAnswer = data;
    expect(Object.keys(answer.scopes).some(scope => scope.includes(world.worker))).toBe(false);
    const heard = async (person: string, topic: string) => {
      const [row] = await db.as(
        person,
        `with me as materialized (select set_config('realtime.topic', $1, true))
         select (select count(*)::int from realtime.messages m where m.topic = $1) as n from me`,
        [topic],
      );
      return row?.['n'];
    };
    for (const topic of [
      `scope:user:${world.worker}`,
      `scope:site:${world.north}`,
      `scope:member:${world.organization}:${world.worker}`,
    ]) {
      await db.asAdmin(`insert into realtime.messages (topic, extension, private) values ($1, 'broadcast', true)`, [
        topic,
      ]);
      expect([topic, await heard(world.worker, topic), await heard(world.colleague, topic)]).toEqual([topic, 1, 0]);
    }
  });
});

test('limits of what is counted are not got around by another clock, month, id or number', async () => {
  const { clients } = served;
  for (const args of [
    { p_quota: 'media_search', p_request: randomUUID(), p_amount: -1 },
    { p_quota: 'media_search', p_request: randomUUID(), p_amount: 2_147_483_647 },
    { p_quota: "media_search' or true", p_request: randomUUID() },
  ]) {
    const { data, error } = await clients.owner.rpc('consume_quota', args);
    expect([data, error?.code]).toEqual([null, '22023']);
  }
  const { data } = await clients.owner.rpc('consume_quota', { p_quota: 'media_search', p_request: randomUUID() });
  expect(data).toMatchObject({ granted: false, limit: 0 });
});
