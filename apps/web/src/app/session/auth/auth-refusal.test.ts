import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { AuthRefused } from '../../../shared/auth/auth-flows.ts';
import authSteps from '../../../shared/i18n/en/auth-steps.json';
import { authRefusal, must } from './auth-refusal.ts';
import { accountFlows } from './sign-in-flows.ts';
import { passwordFlows, sessionFlows } from './security-flows.ts';

type Answer = { status: number; body?: unknown };

/** The official client over a network that answers as told. */
function clientTo(answer: (path: string) => Answer) {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {};
    asked.push({ path: pathname.replace('/auth/v1', '') + search, body });
    const { status, body: answerBody } = answer(pathname);
    const headers = { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' };
    return new Response(answerBody === undefined ? null : JSON.stringify(answerBody), { status, headers });
  };
  const options = { auth: { persistSession: false, autoRefreshToken: false, flowType: 'pkce' as const } };
  return { client: createClient('https://backend.test', 'key', { ...options, global: { fetch } }), asked };
}

const refusalOf = (step: Promise<unknown>) =>
  step.then(
    () => null,
    (error: unknown) => (error instanceof AuthRefused ? error.refusal : error),
  );

test('R5.03 R8.16 sign-up without e-mail or password sends nothing and says the given sentence', async () => {
  const { client, asked } = clientTo(() => ({ status: 200, body: {} }));
  const { signUp } = accountFlows(client);
  const given = { fullName: '', language: 'en', returnTo: 'https://app.test/auth/return' };
  for (const [email, password] of [
    ['', 'secret'],
    ['  ', 'secret'],
    ['sam@example.test', ''],
  ] as const)
    expect(await refusalOf(signUp({ ...given, email, password }))).toEqual({ kind: 'missing' });
  expect(asked).toEqual([]);
  expect(authSteps.refused.missing).toBe('You must provide either an email or phone number and a password');
});

test('R7.02 sign-up carries e-mail, password, data and a code challenge', async () => {
  const { client, asked } = clientTo(() => ({ status: 200, body: { id: 'sam', identities: [] } }));
  const given = { fullName: ' Sam ', email: ' Sam@Example.test ', password: 'long enough', language: 'de' };
  expect(await accountFlows(client).signUp({ ...given, returnTo: 'https://app.test/auth/return' })).toBeNull();
  expect(asked[0]?.path).toBe('/signup?redirect_to=https%3A%2F%2Fapp.test%2Fauth%2Freturn');
  expect(asked[0]?.body).toMatchObject({
    email: 'sam@example.test',
    password: 'long enough',
    data: { full_name: 'Sam', locale: 'de' },
    gotrue_meta_security: {},
    code_challenge_method: 's256',
  });
  expect(asked[0]?.body['code_challenge']).toMatch(/^[\w-]{43}$/);
});

test('R8.21 a weak password comes back with each reason', async () => {
  const body = { code: 'weak_password', message: 'weak', weak_password: { reasons: ['length', 'pwned'] } };
  const { client } = clientTo(() => ({ status: 422, body }));
  const given = { fullName: '', email: 'sam@example.test', password: 'x', language: 'en', returnTo: '' };
  expect(await refusalOf(accountFlows(client).signUp(given))).toEqual({ kind: 'weak', reasons: ['length', 'pwned'] });
});

test('R8.19 a change without a session is told as one that has ended', async () => {
  const { client } = clientTo(() => ({ status: 200, body: {} }));
  expect(await refusalOf(passwordFlows(client).setPassword('long enough'))).toEqual({ kind: 'signed_out' });
  const { error } = await client.auth.getUser();
  expect(error).toMatchObject({ message: 'Auth session missing!', status: 400 });
});

test('a code for an address without an account is refused by the server and told to nobody', async () => {
  const { client, asked } = clientTo(() => ({ status: 422, body: { code: 'otp_disabled', message: 'no' } }));
  await accountFlows(client).sendCode('nobody@example.test', 'https://app.test/auth/return');
  expect(asked[0]?.body).toMatchObject({ email: 'nobody@example.test', create_user: false });
});

test.each([401, 403, 404])('R8.24 a session the server answers %i for is gone: no refusal', async status => {
  const { client } = clientTo(path =>
    path.endsWith('/logout')
      ? { status, body: { code: 'session_not_found', message: 'gone' } }
      : { status: 200, body: {} },
  );
  const access_token = `${btoa('{"alg":"ES256"}')}.${btoa(JSON.stringify({ exp: Date.now() }))}.x`;
  client.auth.getSession = async () => ({ data: { session: { access_token } as never }, error: null });
  await expect(sessionFlows(client).endSessions('others')).resolves.toBeUndefined();
});

test.each([
  [{ name: 'AuthApiError', status: 422, code: 'email_exists', message: '' }, { kind: 'exists' }],
  [{ name: '', status: 400, message: 'User already registered' }, { kind: 'exists' }],
  [{ name: 'AuthApiError', status: 429, code: 'anything', message: '' }, { kind: 'too_many' }],
  [{ message: 'x', code: 'P0001', hint: 'invitation_for_another_account' }, { kind: 'other_account' }],
  [{ message: 'this link cannot be used', code: '42501' }, { kind: 'link_unusable' }],
  [{ message: 'TypeError: Failed to fetch', code: '' }, { kind: 'network' }],
  [
    { name: 'AuthApiError', status: 418, code: 'odd', message: 'Odd.' },
    { kind: 'other', name: 'AuthApiError', status: 418, code: 'odd', message: 'Odd.' },
  ],
])('%o is told as %o', (error, refusal) => {
  expect(authRefusal(error)).toEqual(refusal);
});

test('an answer without data is no answer', () => {
  expect(() => must({ data: null, error: null })).toThrow('auth: network');
});

const tokenOf = (claims: object): string =>
  [{ alg: 'none' }, claims, {}].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

/** What a server says to a code, of an account with this metadata. */
function answered(metadata: object) {
  const user = {
    id: 'sam',
    email: 'sam@example.test',
    aud: 'authenticated',
    user_metadata: metadata,
    app_metadata: {},
  };
  const claims = { sub: 'sam', aal: 'aal1', exp: Math.floor(Date.now() / 1000) + 3600, session_id: 'one' };
  const session = {
    access_token: tokenOf(claims),
    refresh_token: 'next',
    token_type: 'bearer',
    expires_in: 3600,
    user,
  };
  return clientTo(path => ({ status: 200, body: path.endsWith('/verify') ? session : user }));
}

test.each([
  [
    'of which the server kept nothing, is set again by whoever answers its letter',
    {},
    [['long enough', { full_name: 'Sam', locale: 'de' }]],
  ],
  ['that the server knows, is not sent twice', { full_name: 'Sam', locale: 'de' }, []],
] as const)('the password of a sign-up %s', async (_what, metadata, sent) => {
  const { client, asked } = answered(metadata);
  const flows = accountFlows(client);
  const given = { fullName: 'Sam', email: 'sam@example.test', password: 'long enough', language: 'de' };
  await flows.signUp({ ...given, returnTo: 'https://app.test/auth/return' });
  await flows.checkCode('email', 'sam@example.test', '123456');
  const set = asked.filter(({ path }) => path === '/user').map(({ body }) => [body['password'], body['data']]);
  expect(set).toEqual(sent);
});
