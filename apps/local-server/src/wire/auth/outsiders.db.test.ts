import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

/** An identity service of the kind people run themselves: whoever `people` names by their code comes back. */
const people = new Map<string, Record<string, unknown>>();
let service: Server;
let server: TestServer;
const PASSWORD = 'a long word';

function answerOf(path: string, body: string, bearer: string): [number, unknown] {
  if (path.endsWith('/token')) {
    const form = new URLSearchParams(body);
    const isRight = form.get('client_secret') === 'sesame' && form.get('client_id') === 'cairn';
    const code = form.get('code') ?? '';
    return isRight && people.has(code) ? [200, { access_token: code }] : [400, { error: 'invalid_grant' }];
  }
  const person = people.get(bearer.slice('Bearer '.length));
  return person ? [200, person] : [401, {}];
}

beforeAll(async () => {
  service = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const [status, answer] = answerOf(request.url ?? '', body, request.headers.authorization ?? '');
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const keycloak = { name: 'keycloak', clientId: 'cairn', secret: 'sesame', url: `http://127.0.0.1:${port}` } as const;
  server = await startTestServer({ auth: { confirmEmail: false, limitFactor: 1000, providers: [keycloak] } });
});
afterAll(async () => {
  await server.stop();
  service.close();
});

function pkceClient() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const auth = { flowType: 'pkce' as const, storage, autoRefreshToken: false, detectSessionInUrl: false };
  return createClient(server.url, server.secrets.publishableKey, { auth });
}

/** From our address to the service and back, as a browser goes; `code` says who signs in there. */
async function goThrough(url: string, code: string) {
  const out = url.startsWith(server.url) ? await fetch(url, { redirect: 'manual' }) : null;
  const there = new URL(out?.headers.get('Location') ?? url);
  const back = new URL(there.searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('code', code);
  back.searchParams.set('state', there.searchParams.get('state') ?? '');
  const answer = await fetch(back, { redirect: 'manual' });
  const to = new URL(answer.headers.get('Location') ?? '');
  return { there, back, to, fragment: new URLSearchParams(to.hash.slice(1)) };
}

async function comesWith(code: string, person: Record<string, unknown>, client = server.visitor()) {
  people.set(code, person);
  const redirectTo = `${server.url}/auth`;
  const { data } = await client.auth.signInWithOAuth({ provider: 'keycloak', options: { redirectTo } });
  return goThrough(data.url ?? '', code);
}

const verified = (sub: string, email: string) => ({ sub, email, email_verified: true, name: 'Vera' });

test('GET /settings tells which services are configured', async () => {
  const headers = { apikey: server.secrets.publishableKey };
  const settings: unknown = await (await fetch(`${server.url}/auth/v1/settings`, { headers })).json();
  expect(settings).toMatchObject({
    external: { keycloak: true, google: false, github: false, email: true, phone: false, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: true,
    saml_enabled: false,
  });
});

describe('R7.06 GET /authorize', () => {
  test('leads to the service and back with the session behind #', async () => {
    const { there, to, fragment } = await comesWith('c1', verified('k1', 'vera@example.test'));
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      client_id: 'cairn',
      response_type: 'code',
      redirect_uri: `${server.url}/auth/v1/callback`,
      scope: 'openid email profile',
    });
    expect(`${to.origin}${to.pathname}`).toBe(`${server.url}/auth`);
    const { data } = await server.visitor().auth.getUser(fragment.get('access_token') ?? '');
    expect(data.user).toMatchObject({
      email: 'vera@example.test',
      app_metadata: { provider: 'keycloak', providers: ['keycloak'] },
      user_metadata: { full_name: 'Vera' },
      identities: [{ provider: 'keycloak', id: 'k1' }],
    });
    expect(decodeJwt(fragment.get('access_token') ?? '')).toMatchObject({ amr: [{ method: 'oauth' }] });
    const again = await comesWith('c2', verified('k1', 'vera@elsewhere.test'));
    const { data: same } = await server.visitor().auth.getUser(again.fragment.get('access_token') ?? '');
    expect(same.user?.id).toBe(data.user?.id);
  });

  test('with a code challenge it leads back with a code that the asking client exchanges', async () => {
    const client = pkceClient();
    const { to } = await comesWith('c3', verified('k3', 'paula@example.test'), client);
    expect(to.hash).toBe('');
    const { data, error } = await client.auth.exchangeCodeForSession(to.searchParams.get('code') ?? '');
    expect([error, data.user?.email]).toEqual([null, 'paula@example.test']);
  });

  test('a service that is not configured is refused in the words of GoTrue', async () => {
    const answer = await fetch(`${server.url}/auth/v1/authorize?provider=google`, { redirect: 'manual' });
    const msg = 'Unsupported provider: provider is not enabled';
    expect([answer.status, await answer.json()]).toEqual([400, { code: 400, error_code: 'validation_failed', msg }]);
  });

  test('each state leads back once; one nobody gave out leads nowhere', async () => {
    const { back } = await comesWith('c4', verified('k4', 'once@example.test'));
    const made = new URL(back);
    made.searchParams.set('state', '00000000-0000-4000-8000-00000000dead');
    for (const url of [back, made]) {
      const answer = await fetch(url, { redirect: 'manual' });
      expect(new URL(answer.headers.get('Location') ?? '').searchParams.get('error_code')).toBe('bad_oauth_state');
    }
  });

  test('a refusal at the service, and a code it does not know, come back as words', async () => {
    const client = server.visitor();
    const { data } = await client.auth.signInWithOAuth({ provider: 'keycloak' });
    const { fragment } = await goThrough(data.url ?? '', 'unknown');
    expect(fragment.get('error_code')).toBe('unexpected_failure');
    const out = await fetch((await client.auth.signInWithOAuth({ provider: 'keycloak' })).data.url ?? '', {
      redirect: 'manual',
    });
    const state = new URL(out.headers.get('Location') ?? '').searchParams.get('state') ?? '';
    const refusal = new URLSearchParams({ state, error: 'access_denied', error_description: 'Not today' });
    const answer = await fetch(`${server.url}/auth/v1/callback?${refusal}`, { redirect: 'manual' });
    const words = new URLSearchParams(new URL(answer.headers.get('Location') ?? '').hash.slice(1));
    expect([words.get('error'), words.get('error_description')]).toEqual(['access_denied', 'Not today']);
  });
});

describe('whose account it is', () => {
  test('an address that the service vouches for enters the confirmed account of that address', async () => {
    const { data } = await server.visitor().auth.signUp({ email: 'olga@example.test', password: PASSWORD });
    const { fragment } = await comesWith('c5', verified('k5', 'Olga@example.test'));
    const { data: in_ } = await server.visitor().auth.getUser(fragment.get('access_token') ?? '');
    expect(in_.user?.id).toBe(data.user?.id);
    expect(in_.user?.app_metadata).toEqual({ provider: 'email', providers: ['email', 'keycloak'] });
  });

  test('an address nobody vouches for enters nothing', async () => {
    await server.visitor().auth.signUp({ email: 'victim@example.test', password: PASSWORD });
    for (const email of ['victim@example.test', 'fresh@example.test']) {
      const { fragment } = await comesWith('c6', { sub: 'k6', email, email_verified: false });
      expect(fragment.get('error_code')).toBe('provider_email_needs_verification');
    }
    expect(await server.ask(`select 1 from auth.users where email = 'fresh@example.test'`)).toEqual([]);
  });

  test('who set up an unconfirmed account with a foreign address is out when its owner comes in', async () => {
    const { data } = await server.visitor().auth.signUp({ email: 'owner@example.test', password: PASSWORD });
    await server.ask(`update auth.users set email_confirmed_at = null where id = '${data.user?.id}'`);
    const { fragment } = await comesWith('c7', verified('k7', 'owner@example.test'));
    const { data: in_ } = await server.visitor().auth.getUser(fragment.get('access_token') ?? '');
    expect(in_.user).toMatchObject({ id: data.user?.id, identities: [{ provider: 'keycloak' }] });
    const thief = await server.visitor().auth.signInWithPassword({ email: 'owner@example.test', password: PASSWORD });
    expect(thief.error?.code).toBe('invalid_credentials');
    expect((await server.visitor().auth.getUser(data.session?.access_token)).error).not.toBeNull();
  });
});

describe('R7.10 identities', () => {
  async function linked(name: string) {
    const client = pkceClient();
    await client.auth.signUp({ email: `${name}@example.test`, password: PASSWORD });
    people.set(name, verified(`id of ${name}`, `${name}@work.test`));
    const { data, error } = await client.auth.linkIdentity({ provider: 'keycloak' });
    if (error) throw error;
    const { to } = await goThrough(data.url, name);
    const back = await client.auth.exchangeCodeForSession(to.searchParams.get('code') ?? '');
    if (back.error) throw back.error;
    return { client };
  }

  test('GET /user/identities/authorize adds a way in, DELETE takes one out again', async () => {
    const { client } = await linked('lina');
    const { data } = await client.auth.getUserIdentities();
    expect(data?.identities.map(({ provider }) => provider)).toEqual(['email', 'keycloak']);
    const identity = data?.identities.find(({ provider }) => provider === 'keycloak');
    if (!identity) throw new Error('no identity');
    expect((await client.auth.unlinkIdentity(identity)).error).toBeNull();
    expect((await client.auth.getUser()).data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
  });

  test('the last way in cannot be taken out, also not when two are taken out at once', async () => {
    const { client } = await linked('lasse');
    const { data } = await client.auth.getUserIdentities();
    const identities = data?.identities ?? [];
    // Both would have counted the two ways in before either is gone.
    await server.ask(`
      create function public.linger() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.5); return old; end $$;
      create trigger linger before delete on auth.identities for each row execute function public.linger()`);
    const answers = await Promise.all(identities.map(identity => client.auth.unlinkIdentity(identity)));
    const codes = answers.map(({ error }) => error?.code).filter(Boolean);
    expect(codes).toEqual(['single_identity_not_deletable']);
    await server.ask('drop function public.linger cascade');
  });

  test("somebody else's identity can neither be linked nor taken out", async () => {
    const { client: ann } = await linked('anke');
    const { client: bob } = await linked('bodo');
    people.set('stolen', verified('id of anke', 'anke@work.test'));
    const { data } = await bob.auth.linkIdentity({ provider: 'keycloak' });
    const { fragment } = await goThrough(data.url ?? '', 'stolen');
    expect(fragment.get('error_code')).toBe('identity_already_exists');
    const [, foreign] = (await ann.auth.getUserIdentities()).data?.identities ?? [];
    if (!foreign) throw new Error('no identity');
    expect((await bob.auth.unlinkIdentity(foreign)).error).toMatchObject({ status: 422, code: 'identity_not_found' });
    expect((await ann.auth.getUserIdentities()).data?.identities).toHaveLength(2);
  });

  test('without the mail identity the account has the address the other one vouches for, and no password', async () => {
    const { client } = await linked('moritz');
    const [mail] = (await client.auth.getUserIdentities()).data?.identities ?? [];
    if (!mail) throw new Error('no identity');
    expect((await client.auth.unlinkIdentity(mail)).error).toBeNull();
    expect((await client.auth.getUser()).data.user?.email).toBe('moritz@work.test');
    for (const email of ['moritz@example.test', 'moritz@work.test'])
      expect((await server.visitor().auth.signInWithPassword({ email, password: PASSWORD })).error).not.toBeNull();
  });

  test('who lost the mail identity loses the emails and the other sessions of its time', async () => {
    const { client } = await linked('maren');
    const other = server.visitor();
    await other.auth.signInWithPassword({ email: 'maren@example.test', password: PASSWORD });
    await server.visitor().auth.resetPasswordForEmail('maren@example.test');
    const codes = () => server.ask(`select recovery_token from auth.users where email like 'maren@%'`);
    await expect.poll(async () => (await codes())[0]?.['recovery_token']).not.toBeNull();
    const identities = (await client.auth.getUserIdentities()).data?.identities ?? [];
    const mail = identities.find(({ provider }) => provider === 'email');
    if (!mail) throw new Error('no identity');
    expect((await client.auth.unlinkIdentity(mail)).error).toBeNull();
    expect(await codes()).toEqual([{ recovery_token: null }]);
    expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await client.auth.getUser()).error).toBeNull();
  });

  test('with a second step, the ways in are changed at the second level only', async () => {
    const { client } = await linked('sven');
    const { data } = await client.auth.getUserIdentities();
    const id = data?.identities[0]?.user_id ?? '';
    await server.ask(`insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
      values (gen_random_uuid(), '${id}', 'phone', 'totp', 'verified')`);
    const link = await client.auth.linkIdentity({ provider: 'keycloak', options: { skipBrowserRedirect: true } });
    expect(link.error).toMatchObject({ status: 403, code: 'insufficient_aal' });
    for (const identity of data?.identities ?? [])
      expect((await client.auth.unlinkIdentity(identity)).error).toMatchObject({
        status: 403,
        code: 'insufficient_aal',
      });
    expect((await client.auth.getUserIdentities()).data?.identities).toHaveLength(2);
  });

  test('whoever is sent the address of a link that somebody else began adds nothing to their account', async () => {
    const thief = pkceClient();
    await thief.auth.signUp({ email: 'thief@example.test', password: PASSWORD });
    people.set('lured', verified('id of lured', 'lured@work.test'));
    const { data } = await thief.auth.linkIdentity({ provider: 'keycloak' });
    const { to } = await goThrough(data?.url ?? '', 'lured');
    // The code comes to the browser of whoever was lured, which lacks what the other one kept.
    const code = to.searchParams.get('code') ?? '';
    expect((await pkceClient().auth.exchangeCodeForSession(code)).error).not.toBeNull();
    expect((await thief.auth.getUserIdentities()).data?.identities).toHaveLength(1);
    const { fragment } = await comesWith('lured', verified('id of lured', 'lured@work.test'));
    const { data: in_ } = await server.visitor().auth.getUser(fragment.get('access_token') ?? '');
    expect(in_.user).toMatchObject({ email: 'lured@work.test', identities: [{ provider: 'keycloak' }] });
  });

  test('without a code challenge no link begins: nothing would show that the same browser comes back', async () => {
    const client = server.visitor();
    await client.auth.signUp({ email: 'implicit@example.test', password: PASSWORD });
    const { error } = await client.auth.linkIdentity({ provider: 'keycloak' });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('a link that was begun before the password changed leads nowhere after it', async () => {
    const client = pkceClient();
    await client.auth.signUp({ email: 'liv@example.test', password: PASSWORD });
    people.set('liv', verified('id of liv', 'liv@work.test'));
    const begun = await client.auth.linkIdentity({ provider: 'keycloak' });
    expect((await client.auth.updateUser({ password: 'another long word' })).error).toBeNull();
    const { fragment } = await goThrough(begun.data?.url ?? '', 'liv');
    expect(fragment.get('error_code')).toBe('bad_oauth_state');
    expect((await client.auth.getUserIdentities()).data?.identities).toHaveLength(1);
  });

  test('only a signed-in person may begin', async () => {
    const headers = { apikey: server.secrets.publishableKey };
    const answer = await fetch(`${server.url}/auth/v1/user/identities/authorize?provider=keycloak`, { headers });
    expect([answer.status, await answer.json()]).toMatchObject([401, { error_code: 'no_authorization' }]);
  });
});
