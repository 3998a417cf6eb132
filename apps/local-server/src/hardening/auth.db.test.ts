import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-for-tests.ts';
import { RULES } from './auth-limits.ts';

const { count: FAILURES = 0, windowMs: WINDOW_MS = 0 } = RULES.signIn.both ?? {};

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;

beforeAll(async () => {
  server = await startTestServer({ auth: { confirmEmail: false } });
  ann = await server.person('Ann');
});

afterAll(() => server.stop());

function send(method: string, path: string, body: string): Promise<Response> {
  const headers = new Headers({ apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' });
  if (path === 'user') headers.set('Authorization', `Bearer ${ann.token}`);
  return fetch(`${server.url}/auth/v1/${path}`, { method, headers, body });
}

describe('bodies', () => {
  const paths = [
    ['POST', 'signup'],
    ['POST', 'token?grant_type=password'],
    ['POST', 'token?grant_type=refresh_token'],
    ['POST', 'otp'],
    ['POST', 'magiclink'],
    ['POST', 'recover'],
    ['POST', 'resend'],
    ['POST', 'verify'],
    ['PUT', 'user'],
  ] as const;

  test.for(paths)("%s %s refuses what is no set of fields with 400, in GoTrue's shape", async ([method, path]) => {
    const email = '"email":"new@example.test"';
    for (const body of [
      'null',
      '[]',
      '"x"',
      '7',
      '{"email":7}',
      `{${email},"password":{"a":1}}`,
      `{${email},"password":7}`,
    ]) {
      const answer = await send(method, path, body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(await answer.json()).toMatchObject({ code: 400, error_code: 'bad_json', msg: expect.any(String) });
    }
  });

  test('an ordinary sign-up still goes through, with fields that are null', async () => {
    const body = { email: 'bea@example.test', password: 'a long word', phone: null, data: { n: 1 } };
    expect((await send('POST', 'signup', JSON.stringify(body))).status).toBe(200);
  });
});

describe('guessing a password', () => {
  const email = 'late@example.test';
  const password = 'a long word';
  const signIn = (name: string, word: string) =>
    server.visitor().auth.signInWithPassword({ email: name, password: word });

  test(`after ${FAILURES} failures the account waits, also for the right password, and no other account does`, async () => {
    // Nobody has this account yet, so there is no hash to compute thirty times.
    const answers = await Promise.all(Array.from({ length: FAILURES + 5 }, () => signIn(email, 'guess')));
    const codes = answers.map(({ error }) => error?.code);
    expect(codes.filter(code => code === 'invalid_credentials')).toHaveLength(FAILURES);
    expect(codes.filter(code => code === 'over_request_rate_limit')).toHaveLength(5);

    expect((await server.visitor().auth.signUp({ email, password })).error).toBeNull();
    const right = await signIn(' LATE@example.test', password);
    expect([right.error?.status, right.error?.code]).toEqual([429, 'over_request_rate_limit']);
    expect((await signIn('person1@example.test', password)).error).toBeNull();
  });

  test("the refusal has GoTrue's shape and says when to come back, whatever address a header claims", async () => {
    const headers = {
      apikey: server.secrets.publishableKey,
      'X-Forwarded-For': '192.0.2.7',
      'X-Real-IP': '192.0.2.7',
      Forwarded: 'for=192.0.2.7',
    };
    const body = JSON.stringify({ email, password });
    const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, { method: 'POST', headers, body });
    const msg = 'Request rate limit reached';
    expect([answer.status, await answer.json()]).toEqual([
      429,
      { code: 429, error_code: 'over_request_rate_limit', msg },
    ]);
    const wait = Number(answer.headers.get('Retry-After'));
    expect([wait > 0, wait <= WINDOW_MS / 1000]).toEqual([true, true]);
  });

  test('no other spelling of the path gets past it', async () => {
    const body = JSON.stringify({ email, password });
    for (const path of ['token/?grant_type=password', '%74oken?grant_type=password', 'token?grant%5Ftype=password']) {
      expect([path, (await send('POST', path, body)).ok]).toEqual([path, false]);
    }
  });

  test('who is signed in already stays so', async () => {
    const { data } = await ann.client.auth.refreshSession();
    expect(data.session?.user.id).toBe(ann.id);
  });
});
