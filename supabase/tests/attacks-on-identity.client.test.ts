import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveWorld, type Client, type ServedWorld } from './people-by-client.ts';

/** The doors themselves: sign-up, tokens, headers, paths and channels, tried by somebody who knows how they are built. */
let served: ServedWorld;
let url: string;
let key: string;
let worker: { token: string; id: string };

beforeAll(async () => {
  served = await serveWorld();
  const { data } = await served.clients.owner.auth.getSession();
  worker = { token: data.session?.access_token ?? '', id: served.world.worker };
  url = served.clients.owner['supabaseUrl'].replace(/\/$/, '');
  key = served.clients.owner['supabaseKey'];
});
afterAll(() => served.stop());

type RequestOptions = { method?: string; body?: unknown; headers?: Record<string, string>; bearer?: string | null };

async function ask(path: string, { method = 'GET', body, headers = {}, bearer = null }: RequestOptions = {}) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      apikey: key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('signing up as more than one is', () => {
  test('what is sent besides address and password makes nobody an administrator, confirmed, or somebody else', async () => {
    const more = {
      role: 'service_role',
      aud: 'service_role',
      app_metadata: { role: 'admin', provider: 'admin' },
      is_super_admin: true,
      email_confirmed_at: '2020-01-01T00:00:00Z',
      id: worker.id,
      data: { role: 'admin', organization_id: served.world.organization, user_id: worker.id, full_name: '<b>x</b>' },
    };
    const body = { email: 'climber@c.test', password: 'a long word', ...more };
    const { status, text } = await ask('/auth/v1/signup', { method: 'POST', body });
    expect(status).toBe(200);
    const { access_token: token, user } = JSON.parse(text);
    expect(claimsOf(token)).toMatchObject({ role: 'authenticated', aud: 'authenticated', aal: 'aal1' });
    expect(claimsOf(token)['app_metadata']).toEqual({ provider: 'email', providers: ['email'] });
    expect(user.id).not.toBe(worker.id);
    const rows = await served.db.asAdmin(
      `select (select count(*)::int from user_roles where user_id = $1) as roles, (select array_agg(o.kind) from organization_members m join organizations o on o.id = m.organization_id where m.user_id = $1) as kinds`,
      [user.id],
    );
    expect(rows).toEqual([{ roles: 0, kinds: ['private'] }]);
  });

  test('nor does changing oneself afterwards', async () => {
    const change = (body: object) => ask('/auth/v1/user', { method: 'PUT', body, bearer: worker.token });
    expect((await change({ app_metadata: { role: 'admin' } })).status).toBe(403);
    const more = {
      role: 'service_role',
      data: { role: 'admin' },
      aud: 'x',
      banned_until: null,
      id: served.world.admin,
    };
    expect((await change(more)).status).toBe(200);
    const [row] = await served.db.asAdmin('select role, aud, raw_app_meta_data as app from auth.users where id = $1', [
      worker.id,
    ]);
    expect(row).toEqual({
      role: 'authenticated',
      aud: 'authenticated',
      app: { provider: 'email', providers: ['email'] },
    });
  });

  test.each([
    'https://evil.test',
    '//evil.test',
    'http://127.0.0.1@evil.test/',
    'javascript:alert(1)',
    '\\\\evil.test',
    'http://127.0.0.1.evil.test',
  ])('a letter leads nobody to %s', async to => {
    const path = `/auth/v1/verify?token=guess&type=recovery&redirect_to=${encodeURIComponent(to)}`;
    const answer = await fetch(`${url}${path}`, { redirect: 'manual' });
    const target = new URL(answer.headers.get('location') ?? url, url);
    expect([target.protocol, target.hostname]).toEqual(['http:', '127.0.0.1']);
  });

  test.each(['/auth/v1/admin/users', '/auth/v1/admin/generate_link', '/auth/v1/invite', '/auth/v1/admin/audit'])(
    '%s is not for people',
    async path => {
      for (const bearer of [null, worker.token, key]) {
        for (const method of ['GET', 'POST']) {
          const sent = { method, bearer, ...(method === 'POST' && { body: { email: 'x@c.test', type: 'recovery' } }) };
          expect((await ask(path, sent)).status).toBeGreaterThanOrEqual(401);
        }
      }
    },
  );
});

describe('a token of one’s own making', () => {
  const rest = (bearer: string, headers = {}) => ask('/rest/v1/profiles?select=id,email', { bearer, headers });
  const forged = (header: object, claims: object, secret: string) => {
    const text = `${part(header)}.${part(claims)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };

  test('with another role, person, level or end, and any signature that can be had, is refused', async () => {
    const claims = claimsOf(worker.token);
    const [head = '', , signature = ''] = worker.token.split('.');
    const jwks = (await ask('/auth/v1/.well-known/jwks.json')).text;
    const { kid } = JSON.parse(jwks).keys[0];
    const changes: object[] = [
      { role: 'service_role' },
      { role: 'postgres' },
      { role: 'authenticator' },
      { sub: served.world.admin },
      { aal: 'aal2' },
      { exp: 4_000_000_000 },
    ];
    for (const change of changes) {
      const body = { ...claims, ...change };
      const tokens = [
        `${head}.${part(body)}.${signature}`,
        `${part({ alg: 'none', typ: 'JWT' })}.${part(body)}.`,
        forged({ alg: 'HS256', typ: 'JWT', kid }, body, jwks),
        forged({ alg: 'HS256', typ: 'JWT' }, body, key),
        forged({ alg: 'HS256', typ: 'JWT', jwk: JSON.parse(jwks).keys[0], jku: 'https://evil.test/jwks' }, body, ''),
      ];
      for (const token of tokens) expect((await rest(token)).status).toBe(401);
    }
    expect((await rest(worker.token)).status).toBe(200);
  });

  test('no header speaks for somebody else', async () => {
    const own = JSON.parse((await rest(worker.token)).text);
    const claims = JSON.stringify({ role: 'service_role', sub: served.world.admin });
    for (const headers of [
      { 'x-user-id': served.world.admin },
      { role: 'service_role', 'x-role': 'service_role' },
      { 'request.jwt.claims': claims, 'x-jwt-claims': claims },
      { 'x-forwarded-user': served.world.admin, 'x-real-ip': '127.0.0.1', 'x-forwarded-for': '127.0.0.1' },
      { prefer: `tx=rollback, params=single-object, role=service_role` },
      { 'x-http-method-override': 'DELETE' },
    ])
      expect(JSON.parse((await rest(worker.token, headers)).text)).toEqual(own);
  });
});

describe('REST beyond its schema', () => {
  const person = (path: string, sent: RequestOptions = {}) =>
    ask(`/rest/v1/${path}`, { bearer: worker.token, ...sent });

  test.each([
    'profiles?select=*,users(*)',
    'organization_members?select=*,users!user_id(encrypted_password)',
    'organization_invitations?select=*,invitation_token(*)',
    'users?select=*',
    'auth.users?select=*',
    'sessions?select=*',
    'invitation_token?select=*',
    'identity.invitation_token?select=*',
    'pg_authid?select=*',
    'pg_settings?select=name,setting',
    'schema_migrations?select=*',
  ])('%s answers with nothing', async path => {
    const { status, text } = await person(path);
    expect(status >= 400 || text === '[]').toBe(true);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(/\$2[aby]\$|encrypted_password":|"hash"/);
  });

  test.each(['auth', 'identity', 'sync', 'storage', 'realtime', 'pg_catalog', 'request', 'inbox'])(
    'the schema %s is not served by asking for it',
    async schema => {
      expect((await person('users?select=*', { headers: { 'accept-profile': schema } })).status).toBe(406);
      const write = { method: 'POST', body: { id: worker.id }, headers: { 'content-profile': schema } };
      expect((await person('users', write)).status).toBe(406);
    },
  );

  test.each([
    ['set_config', { setting_name: 'role', new_value: 'postgres', is_local: false }],
    ['current_setting', { setting_name: 'request.jwt.claims' }],
    ['pg_read_file', { filename: '/etc/passwd' }],
    ['pg_sleep', { seconds: 5 }],
    ['query_to_xml', { query: 'select * from auth.users', nulls: true, tableforest: true, targetns: '' }],
    ['pg_terminate_backend', { pid: 1 }],
    ['lo_import', { filename: '/etc/passwd' }],
    ['access.nudge_ended_memberships', {}],
    ['identity.new_token', {}],
    ['need_whole_session', {}],
    ['tell_ended_rights', {}],
    ['act_as_former', { p_organization: null, p_user: null }],
  ])('rpc %s is none', async (name, body) => {
    const { status, text } = await person(`rpc/${name}`, { method: 'POST', body });
    expect([name, status]).toEqual([name, 404]);
    expect(text).not.toContain('root:');
  });

  test.each([
    'profiles?select=id::regclass',
    `profiles?id=eq.1' or '1'='1`,
    'profiles?order=id;drop table profiles',
    'profiles?or=(id.eq.x,id.not.is.null))--',
    'profiles?select=id,(select 1)',
    `profiles?select="id" from auth.users --`,
    'profiles?limit=1;select 1',
    'profiles?offset=-1',
  ])('%s does no harm', async path => {
    const { status, text } = await person(path);
    expect(status).toBeLessThan(500);
    expect(text).not.toContain(served.world.stranger);
    expect(await served.db.asAdmin('select count(*) > 3 as is from profiles')).toEqual([{ is: true }]);
  });
});

describe('files', () => {
  const bytes = new Uint8Array([0xff, 0xd8, 0xff]);
  const pathOf = () => `${served.world.organization}/${served.world.media}`;
  const asWho = (): [string, Client][] => [
    ['other', served.clients.other],
    ['visitor', served.clients.visitor],
  ];

  test("nobody of elsewhere brings, reads, lists, moves, copies, signs or removes a company's file", async () => {
    const up = await served.clients.owner.storage.from('media').upload(pathOf(), bytes, { contentType: 'image/jpeg' });
    expect(up.error).toBeNull();
    for (const [who, client] of asWho()) {
      const media = client.storage.from('media');
      const answers = await Promise.all([
        media.upload(pathOf(), bytes, { upsert: true }),
        media.upload(`${served.world.organization}/11111111-1111-4111-8111-111111111111`, bytes),
        media.update(pathOf(), bytes),
        media.download(pathOf()),
        media.info(pathOf()),
        media.move(pathOf(), `${served.world.organization}/mine`),
        media.copy(pathOf(), `${served.world.organization}/mine`),
        media.createSignedUrl(pathOf(), 60),
        media.createSignedUploadUrl(pathOf()),
      ]);
      expect([who, answers.filter(({ error }) => error === null)]).toEqual([who, []]);
      expect([who, (await media.list(served.world.organization)).data ?? []]).toEqual([who, []]);
      expect([who, (await media.remove([pathOf()])).data ?? []]).toEqual([who, []]);
    }
    expect((await served.clients.owner.storage.from('media').download(pathOf())).error).toBeNull();
  });

  test('whoever brought it replaces, moves and removes it no more: it is evidence', async () => {
    const media = served.clients.owner.storage.from('media');
    expect((await media.update(pathOf(), bytes)).error).not.toBeNull();
    expect((await media.move(pathOf(), `${served.world.organization}/x`)).error).not.toBeNull();
    expect((await media.remove([pathOf()])).data ?? []).toEqual([]);
  });

  test.each([
    '..%2f..%2fsecrets.json',
    '%2e%2e/%2e%2e/secrets.json',
    '....//secrets.json',
    'a%00b',
    '%2Fetc%2Fpasswd',
    'a/%252e%252e/b',
  ])('the path %s leads nowhere', async path => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const sent = { method, bearer: worker.token, ...(method === 'POST' && { body: '{}' }) };
      const { status, text } = await ask(`/storage/v1/object/media/${path}`, sent);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(text).not.toContain('jwtSecret');
    }
  });
});

describe('channels', () => {
  const states = async (client: Client, topic: string): Promise<string> => {
    const heard: string[] = [];
    const channel = client.channel(topic, { config: { private: true, broadcast: { ack: true } } });
    channel.subscribe(state => heard.push(state));
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    await client.removeChannel(channel);
    return heard[0] ?? '';
  };

  test('a private topic opens for those it is about, whatever it is called', async () => {
    const { world, clients } = served;
    expect(await states(clients.owner, `scope:user:${world.worker}`)).toBe('SUBSCRIBED');
    for (const topic of [
      `scope:user:${world.worker}`,
      `scope:site:${world.north}`,
      `scope:member:${world.organization}:${world.worker}`,
      `scope:user:${world.worker}%`,
      'scope:%',
      'scope:*',
      `scope:user:${world.worker.toUpperCase()}`,
    ])
      expect([topic, await states(clients.other, topic)]).toEqual([topic, 'CHANNEL_ERROR']);
    await clients.other.removeAllChannels();
  });

  test('nobody nudges others over HTTP or reads their changes as the worker, a stranger or a visitor', async () => {
    const messages = [
      { topic: `scope:org:${served.world.organization}`, event: 'changed', payload: {}, private: true },
    ];
    const heard: unknown[] = [];
    const channel = served.clients.manager
      .channel(`scope:org:${served.world.organization}`, { config: { private: true } })
      .on('broadcast', { event: 'changed' }, message => heard.push(message));
    const ready: string[] = [];
    channel.subscribe(state => ready.push(state));
    await expect.poll(() => ready).toEqual(['SUBSCRIBED']);
    for (const bearer of [worker.token, null])
      await ask('/realtime/v1/api/broadcast', { method: 'POST', body: { messages }, bearer });
    // What the database itself says afterwards arrives: had the forged ones gone out, they would be here before it.
    await served.db.asAdmin(`select sync.nudge(array[$1], array[7])`, [`org:${served.world.organization}`]);
    await expect.poll(() => heard.length).toBe(1);
    expect(heard).toMatchObject([{ payload: { v: 7 } }]);
    await served.clients.manager.removeAllChannels();
  });
});

describe('emails', () => {
  test('nobody floods a mailbox with invitations, new or renewed, from one company or from many', async () => {
    const admin = await served.signIn('admin');
    const invite = () =>
      admin.rpc('invite_to_organization', {
        p_organization: served.world.organization,
        p_email: 'Victim@elsewhere.test',
      });
    const { data } = await invite();
    for (let n = 0; n < 2; n++) expect((await admin.rpc('renew_invitation', { p_id: data.id })).error).toBeNull();
    expect((await invite()).error).toBeNull();
    const last = await invite();
    expect(last.error).toBeNull();
    const refused = await Promise.all([invite(), admin.rpc('renew_invitation', { p_id: last.data.id })]);
    expect(refused.map(({ error }) => [error?.code, error?.hint])).toEqual([
      ['PT429', 'too_many_invitations'],
      ['PT429', 'too_many_invitations'],
    ]);
    // Fifteen more letters from other companies: then no company sends that address another one today.
    const [row] = await served.db.asAdmin(`select encode(sha256('victim@elsewhere.test'), 'hex') as hash`);
    await served.db.asAdmin(
      `insert into identity.invitation_email (organization_id, sender_id, address_hash)
       select o.id, $1, decode($2, 'hex') from organizations o, generate_series(1, 15) where o.name = 'other'`,
      [served.world.stranger, row?.['hash']],
    );
    const [third] = await served.db.asAdmin(
      `insert into organizations (name, slug) values ('Third', 'third') returning id`,
    );
    await served.db.asAdmin(
      `insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`,
      [third?.['id'], served.world.stranger],
    );
    const other = await served.clients.other.rpc('invite_to_organization', {
      p_organization: third?.['id'],
      p_email: 'victim@elsewhere.test',
    });
    expect(other.error?.hint).toBe('too_many_invitations');
    // Who used them up keeps no company waiting that has been there for a while: its first letter of the day goes, a second does not.
    const oldCompany = () =>
      served.clients.other.rpc('invite_to_organization', {
        p_organization: third?.['id'],
        p_email: 'victim@elsewhere.test',
      });
    await served.db.asAdmin(`update identity.invitation_email set sender_id = $1 where sender_id = $2`, [
      served.world.worker,
      served.world.stranger,
    ]);
    expect((await oldCompany()).error?.hint).toBe('too_many_invitations');
    await served.db.asAdmin(`update organizations set created_at = now() - interval '8 days' where id = $1`, [
      third?.['id'],
    ]);
    expect((await oldCompany()).error).toBeNull();
    expect((await oldCompany()).error?.hint).toBe('too_many_invitations');
    await served.db.asAdmin(`update identity.invitation_email set at = now() - interval '25 hours'`);
    expect((await invite()).error).toBeNull();
  });

  test('one person has five a day for an address, with however many companies', async () => {
    const companies = await served.db.asAdmin(
      `with made as (insert into organizations (name, slug) select 'Many ' || n, 'many-' || n from generate_series(1, 4) n returning id)
       insert into organization_members (organization_id, user_id, role) select id, $1, 'admin' from made returning organization_id as id`,
      [served.world.stranger],
    );
    const invite = async (company: unknown) =>
      (
        await served.clients.other.rpc('invite_to_organization', {
          p_organization: company,
          p_email: 'wanted@elsewhere.test',
        })
      ).error?.hint;
    const told: unknown[] = [];
    for (const { id } of [...companies, ...companies]) told.push(await invite(id));
    expect(told).toEqual([...Array.from({ length: 5 }), ...Array.from({ length: 3 }, () => 'too_many_invitations')]);
  });
});

describe('what a counter gives away', () => {
  test('how busy somebody is in scopes of their own is told to nobody else, nor that the scope is there', async () => {
    const { world, clients } = served;
    const placeOf = async (client: Client, scope: string): Promise<unknown> => {
      const { data } = await client.rpc('sync_repair', { p_scope: scope, p_table: 'action_items', p_sums: {} });
      return data.at;
    };
    const nowhere = ['00000000-0000-0000-0000-000000000000', 0];
    for (const scope of [
      `user:${world.worker}`,
      `member:${world.organization}:${world.worker}`,
      `site:${world.north}`,
    ]) {
      expect(await placeOf(clients.owner, scope)).not.toEqual(nowhere);
      for (const client of [clients.colleague, clients.other]) expect(await placeOf(client, scope)).toEqual(nowhere);
    }
  });
});
