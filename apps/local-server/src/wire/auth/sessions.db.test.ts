import { createClient, type Session } from '@supabase/supabase-js';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { createSigningKeys, makeSigningKey } from '@cairn/supabase-local/access/signing-keys.ts';

let server: TestServer;
const PASSWORD = 'a long word';

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

let people = 0;
/** A person of their own for each test, signed in once. */
async function somebody() {
  people += 1;
  const email = `somebody${people}@example.test`;
  const client = server.visitor();
  const { data } = await client.auth.signUp({ email, password: PASSWORD });
  if (!data.session) throw new Error('no session');
  return { client, email, session: data.session, id: data.session.user.id };
}

async function signIn(email: string, password = PASSWORD) {
  const client = server.visitor();
  const { data } = await client.auth.signInWithPassword({ email, password });
  if (!data.session) throw new Error('no session');
  return { client, session: data.session };
}

const isIn = async (session: Session) => (await server.visitor().auth.getUser(session.access_token)).error === null;

/** Asks without the client, as anybody could. */
const ask = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/auth/v1/${path}`, {
    ...init,
    headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json', ...headers },
  });

describe('sign-up and sign-in', () => {
  test('R7.02 POST /signup makes a user and a session of the documented shape', async () => {
    const { data, error } = await server.visitor().auth.signUp({
      email: ' New.Person@Example.test ',
      password: PASSWORD,
      options: { data: { full_name: 'New Person', nothing: null }, captchaToken: 'unused' },
    });
    expect(error).toBeNull();
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(data.user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email: 'new.person@example.test',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { full_name: 'New Person', nothing: null, email: 'new.person@example.test', sub: data.user?.id },
      is_anonymous: false,
    });
    expect(data.user?.identities).toEqual([
      expect.objectContaining({ provider: 'email', id: data.user?.id, user_id: data.user?.id }),
    ]);
    expect(data.user?.email_confirmed_at).toEqual(expect.any(String));
  });

  test('an address that has an account is told so where no mail is confirmed', async () => {
    const { email } = await somebody();
    const { error } = await server.visitor().auth.signUp({ email: email.toUpperCase(), password: PASSWORD });
    expect(error).toMatchObject({ status: 422, code: 'user_already_exists', message: 'User already registered' });
  });

  test('two sign-ups with one address at the same moment make one account', async () => {
    const email = 'twins@example.test';
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => server.visitor().auth.signUp({ email, password: PASSWORD })),
    );
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ error }) => error?.status ?? []))).toEqual(new Set([422]));
    expect(await server.ask(`select count(*)::int from auth.users where email = '${email}'`)).toEqual([{ count: 1 }]);
  });

  test.each([
    { email: 'nobody', password: PASSWORD, status: 400, code: 'validation_failed' },
    { email: 'a@b.test\nBcc: c@d.test', password: PASSWORD, status: 400, code: 'validation_failed' },
    { email: 'long@example.test', password: 'ü'.repeat(37), status: 400, code: 'validation_failed' },
  ])('$email with $password is refused', async ({ email, password, status, code }) => {
    expect((await server.visitor().auth.signUp({ email, password })).error).toMatchObject({ status, code });
  });

  test('metadata that no database can hold is refused, not a fault', async () => {
    const options = { data: { words: 'a\0b' } };
    const { error } = await server.visitor().auth.signUp({ email: 'nul@example.test', password: PASSWORD, options });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('phone and anonymous sign-ups are not enabled, in the words of GoTrue', async () => {
    const phone = await server.visitor().auth.signUp({ phone: '+15550001111', password: PASSWORD });
    expect(phone.error).toMatchObject({ status: 400, code: 'phone_provider_disabled' });
    const anonymous = await server.visitor().auth.signInAnonymously();
    expect(anonymous.error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' });
  });

  test('R8.20 a wrong password and an unknown address get the same 400', async () => {
    const { email } = await somebody();
    for (const name of [email, 'unknown@example.test']) {
      const { error } = await server.visitor().auth.signInWithPassword({ email: name, password: 'not this one' });
      expect(error).toMatchObject({ status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' });
    }
  });

  test('R8.21 a weak password is refused with each reason, in both shapes of the API', async () => {
    const weak = (password: string) => server.visitor().auth.signUp({ email: 'weak@example.test', password });
    const { error } = await weak('password');
    expect(error).toMatchObject({ name: 'AuthWeakPasswordError', status: 422, code: 'weak_password' });
    expect(error && 'reasons' in error && error.reasons).toEqual(['length', 'pwned']);
    expect((await weak('short')).error).toMatchObject({ reasons: ['length'] });
    expect((await weak('Password123!')).error).toMatchObject({ reasons: ['pwned'] });

    const body = JSON.stringify({ email: 'weak@example.test', password: 'short' });
    const old = await ask('signup', { method: 'POST', body });
    const msg = 'Password should be at least 10 characters.';
    expect([old.status, await old.json()]).toEqual([
      422,
      { code: 422, error_code: 'weak_password', msg, weak_password: { reasons: ['length'] } },
    ]);
    const fresh = await ask('signup', { method: 'POST', body }, { 'X-Supabase-Api-Version': '2024-01-01' });
    expect([fresh.headers.get('X-Supabase-Api-Version'), await fresh.json()]).toEqual([
      '2024-01-01',
      { code: 'weak_password', message: msg, weak_password: { reasons: ['length'] } },
    ]);
  });

  test('who signs in with a password from before the rules gets in, and is told', async () => {
    const { email, id } = await somebody();
    await server.ask(
      `update auth.users set encrypted_password = extensions.crypt('qwerty', extensions.gen_salt('bf', 4)) where id = '${id}'`,
    );
    const { data, error } = await server.visitor().auth.signInWithPassword({ email, password: 'qwerty' });
    expect(error).toBeNull();
    expect(data.weakPassword?.reasons).toEqual(['length', 'pwned']);
  });

  test('R7.03 grant_type id_token and web3 that are not enabled, and one there is none of, are answered in the words of GoTrue', async () => {
    const idToken = await server.visitor().auth.signInWithIdToken({ provider: 'google', token: 'x.y.z' });
    expect(idToken.error).toMatchObject({
      status: 400,
      code: 'provider_disabled',
      message: 'Provider (issuer "https://accounts.google.com") is not enabled',
    });
    const web3 = await server.visitor().auth.signInWithWeb3({
      chain: 'solana',
      message: 'x',
      signature: new Uint8Array(64),
    });
    expect(web3.error).toMatchObject({ status: 422, code: 'web3_provider_disabled' });
    const unknown = await ask('token?grant_type=wish', { method: 'POST', body: '{}' });
    expect([unknown.status, await unknown.json()]).toMatchObject([400, { error_code: 'invalid_credentials' }]);
  });

  test('R7.06 single sign-on answers that it is not enabled', async () => {
    const { error } = await server.visitor().auth.signInWithSSO({ domain: 'example.test' });
    expect(error).toMatchObject({ status: 404, code: 'saml_provider_disabled', message: 'SAML 2.0 is disabled' });
  });
});

describe('tokens', () => {
  test('an access token says who, in which session, at which level and how they signed in', async () => {
    const { session, id, email } = await somebody();
    const claims = decodeJwt(session.access_token);
    expect(claims).toMatchObject({
      iss: `${server.url}/auth/v1`,
      sub: id,
      aud: 'authenticated',
      role: 'authenticated',
      email,
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.any(String),
      app_metadata: { provider: 'email' },
      user_metadata: { email },
      is_anonymous: false,
    });
    expect(decodeProtectedHeader(session.access_token)).toMatchObject({ alg: 'ES256', typ: 'JWT' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
  });

  test('R7.09 R9.03 the key set is read before a local check of the token, and once in ten minutes', async () => {
    const { session } = await somebody();
    const asked: string[] = [];
    const counting: typeof fetch = (input, init) => {
      asked.push(new URL(input instanceof Request ? input.url : input).pathname);
      return fetch(input, init);
    };
    const client = createClient(server.url, server.secrets.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false, storageKey: 'keys' },
      global: { fetch: counting },
    });
    const { data, error } = await client.auth.getClaims(session.access_token);
    expect(error).toBeNull();
    expect(data?.claims.sub).toBe(session.user.id);
    const KEYS = '/auth/v1/.well-known/jwks.json';
    const begun = Date.now();
    const askedAfter = async (ms: number) => {
      vi.setSystemTime(begun + ms);
      expect((await client.auth.getClaims(session.access_token)).error).toBeNull();
      return asked;
    };
    vi.useFakeTimers({ toFake: ['Date'], now: begun });
    try {
      expect(await askedAfter(0)).toEqual([KEYS]);
      expect(await askedAfter(599_000)).toEqual([KEYS]);
      expect(await askedAfter(601_000)).toEqual([KEYS, KEYS]);
    } finally {
      vi.useRealTimers();
    }
    const answer = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`);
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=600');
    const { keys }: { keys: Record<string, unknown>[] } = await answer.json();
    expect(keys).toEqual([expect.objectContaining({ kty: 'EC', alg: 'ES256', use: 'sig' })]);
    expect(keys[0]).not.toHaveProperty('d');
  });

  test('R8.22 a token that is none is an invalid JWT, status 400, before anything is sent', async () => {
    const { error } = await server.visitor().auth.getClaims('not.a-token');
    expect(error).toMatchObject({ name: 'AuthInvalidJwtError', status: 400, code: 'invalid_jwt' });
  });

  test('R8.19 without a session the client says so, status 400', async () => {
    const client = server.visitor();
    for (const { error } of [await client.auth.getUser(), await client.auth.updateUser({ data: {} })])
      expect(error).toMatchObject({ name: 'AuthSessionMissingError', status: 400, message: 'Auth session missing!' });
  });

  test('expired, forged, unsigned, foreign and otherwise signed tokens are refused on /user', async () => {
    const { session, id } = await somebody();
    const claims = decodeJwt(session.access_token);
    const own = createSigningKeys(server.secrets.signingKey);
    const [head = '', body = '', signature = ''] = session.access_token.split('.');
    const raised = Buffer.from(JSON.stringify({ ...claims, role: 'service_role' })).toString('base64url');
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const otherwise = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' });
    const tokens = {
      expired: await own.sign({ ...claims }, -10),
      forged: `${head}.${raised}.${signature}`,
      unsigned: `${unsigned}.${body}.`,
      foreign: await createSigningKeys(makeSigningKey()).sign(claims, 3600),
      shared: await otherwise.sign(new TextEncoder().encode(server.secrets.jwtSecret)),
      publicKeyAsSecret: await otherwise.sign(Buffer.from(JSON.stringify(own.jwks.keys[0]))),
    };
    for (const [name, token] of Object.entries(tokens)) {
      const { error } = await server.visitor().auth.getUser(token);
      expect([name, error?.status, error?.code]).toEqual([name, 403, 'bad_jwt']);
    }
    const without = await own.sign({ ...claims, session_id: undefined }, 3600);
    expect((await server.visitor().auth.getUser(without)).error).toMatchObject({ name: 'AuthSessionMissingError' });
    const nobody = await own.sign({ ...claims, sub: '00000000-0000-4000-8000-00000000dead' }, 3600);
    expect((await server.visitor().auth.getUser(nobody)).error).toMatchObject({ code: 'user_not_found' });
    const nameless = await own.sign({ ...claims, sub: 'x' }, 3600);
    expect((await server.visitor().auth.getUser(nameless)).error).toMatchObject({ status: 400, code: 'bad_jwt' });
    const { data } = await server.visitor().auth.getUser(session.access_token);
    expect(data.user?.id).toBe(id);
  });

  test('a session of one person with the token of another is none', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const mixed = { ...decodeJwt(ann.session.access_token), sub: bob.id };
    const token = await createSigningKeys(server.secrets.signingKey).sign(mixed, 3600);
    const raw = await ask('user', {}, { Authorization: `Bearer ${token}` });
    expect([raw.status, await raw.json()]).toMatchObject([403, { error_code: 'session_not_found' }]);
    expect((await server.visitor().auth.getUser(token)).error).toMatchObject({ name: 'AuthSessionMissingError' });
  });

  test('a bearer that is no token, and none at all, are told apart', async () => {
    const garbage = await ask('user', {}, { Authorization: 'Bearer zzz' });
    expect([garbage.status, await garbage.json()]).toMatchObject([403, { error_code: 'bad_jwt' }]);
    const none = await ask('user');
    expect([none.status, await none.json()]).toMatchObject([401, { error_code: 'no_authorization' }]);
  });
});

describe('refresh tokens', () => {
  const refresh = (token: string) => server.visitor().auth.refreshSession({ refresh_token: token });
  const age = (email: string, seconds: number) =>
    server.ask(`update auth.refresh_tokens set updated_at = updated_at - interval '${seconds} s'
      where user_id = (select id from auth.users where email = '${email}')`);

  test('R7.15 each refresh gives a new token of the same session and level', async () => {
    const { session } = await somebody();
    const { data, error } = await refresh(session.refresh_token);
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(session.refresh_token);
    const [before, after] = [decodeJwt(session.access_token), decodeJwt(data.session?.access_token ?? '')];
    expect(after).toMatchObject({ session_id: before['session_id'], aal: 'aal1', amr: before['amr'] });
    expect((await refresh(data.session?.refresh_token ?? '')).error).toBeNull();
  });

  test('twenty refreshes of one token at the same moment end in one and the same new token', async () => {
    const { session } = await somebody();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refresh_token)));
    expect(answers.flatMap(({ error }) => error?.code ?? [])).toEqual([]);
    expect(new Set(answers.map(({ data }) => data.session?.refresh_token)).size).toBe(1);
    const rows = await server.ask(`select revoked from auth.refresh_tokens where user_id = '${session.user.id}'`);
    expect(rows.map(row => String(row['revoked'])).toSorted()).toEqual(['false', 'true']);
  });

  test('the answer that never arrived can be asked for again, also much later', async () => {
    const { session, email } = await somebody();
    const first = await refresh(session.refresh_token);
    await age(email, 3600);
    const second = await refresh(session.refresh_token);
    expect(second.data.session?.refresh_token).toBe(first.data.session?.refresh_token);
  });

  test('of a session that is renewed again and again sixty replaced tokens are remembered', async () => {
    const { client, session, id } = await somebody();
    let token = session.refresh_token;
    for (let n = 0; n < 63; n += 1) {
      const { data } = await client.auth.refreshSession({ refresh_token: token });
      token = data.session?.refresh_token ?? '';
    }
    const rows = await server.ask(`select revoked from auth.refresh_tokens where user_id = '${id}'`);
    expect(rows.filter(({ revoked }) => revoked)).toHaveLength(60);
    expect(rows).toHaveLength(61);
  });

  test('a tab that is two tokens behind goes on within ten seconds, and not after', async () => {
    const { session, email } = await somebody();
    const second = await refresh(session.refresh_token);
    const third = await refresh(second.data.session?.refresh_token ?? '');
    const late = await refresh(session.refresh_token);
    expect(late.data.session?.refresh_token).toBe(third.data.session?.refresh_token);
    await age(email, 11);
    expect((await refresh(session.refresh_token)).error).toMatchObject({ code: 'refresh_token_already_used' });
  });

  test('a stolen token that is used after its time ends the session for both', async () => {
    const { session, email } = await somebody();
    const owner = await refresh(session.refresh_token);
    const newest = await refresh(owner.data.session?.refresh_token ?? '');
    await age(email, 11);
    expect((await refresh(session.refresh_token)).error).toMatchObject({
      status: 400,
      code: 'refresh_token_already_used',
      message: 'Invalid Refresh Token: Already Used',
    });
    const after = await refresh(newest.data.session?.refresh_token ?? '');
    expect(after.error).toMatchObject({ status: 400, code: 'refresh_token_not_found' });
    const access = await server.visitor().auth.getUser(newest.data.session?.access_token);
    expect(access.error?.name).toBe('AuthSessionMissingError');
  });

  test('R8.23 a refresh is tried again on 502, 503 and 504, and goes through when the server is back', async () => {
    const { session } = await somebody();
    const faults = [502, 503, 504];
    let asked = 0;
    const flaky: typeof fetch = async (input, init) => {
      asked += 1;
      const status = faults.shift();
      return status === undefined ? fetch(input, init) : new Response('{}', { status });
    };
    const client = createClient(server.url, server.secrets.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false, storageKey: 'flaky' },
      global: { fetch: flaky },
    });
    const { data, error } = await client.auth.refreshSession({ refresh_token: session.refresh_token });
    expect([error, data.session?.user.id, asked]).toEqual([null, session.user.id, 4]);
  });

  test('a token nobody gave out, and one of a session that ended, are not found', async () => {
    const { client, session } = await somebody();
    expect((await refresh('guess')).error).toMatchObject({ status: 400, code: 'refresh_token_not_found' });
    await client.auth.signOut();
    expect((await refresh(session.refresh_token)).error).toMatchObject({ code: 'refresh_token_not_found' });
  });

  test('the database holds none of them in clear', async () => {
    const { session } = await somebody();
    const rows = await server.ask(`select token from auth.refresh_tokens where token = '${session.refresh_token}'`);
    expect(rows).toEqual([]);
  });
});

describe('sign-out', () => {
  test.each([
    { scope: 'local', own: false, other: true },
    { scope: 'others', own: true, other: false },
    { scope: 'global', own: false, other: false },
  ] as const)('R7.08 scope $scope', async ({ scope, own, other }) => {
    const { client, session, email } = await somebody();
    const elsewhere = await signIn(email);
    expect((await client.auth.signOut({ scope })).error).toBeNull();
    expect([await isIn(session), await isIn(elsewhere.session)]).toEqual([own, other]);
  });

  test('R8.24 a session that ended elsewhere, or a person who is gone, signs out without an error', async () => {
    const { client, email, session } = await somebody();
    const elsewhere = await signIn(email);
    await elsewhere.client.auth.signOut({ scope: 'global' });
    const raw = await ask('logout', { method: 'POST' }, { Authorization: `Bearer ${session.access_token}` });
    expect([raw.status, await raw.json()]).toMatchObject([403, { error_code: 'session_not_found' }]);
    expect((await client.auth.signOut()).error).toBeNull();
    const other = await somebody();
    await server.ask(`delete from auth.users where id = '${other.id}'`);
    expect((await other.client.auth.signOut()).error).toBeNull();
  });

  test('a scope there is none of is refused', async () => {
    const { session } = await somebody();
    const headers = { Authorization: `Bearer ${session.access_token}` };
    const answer = await ask('logout?scope=planet', { method: 'POST' }, headers);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error_code: 'validation_failed' }]);
  });
});
