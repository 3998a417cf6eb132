import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { RULES } from '@cairn/supabase-local/auth/auth-limits.ts';

const { count: FAILURES = 0, windowMs: WINDOW_MS = 0 } = RULES.signIn.both ?? {};

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;

beforeAll(async () => {
  const keycloak = { name: 'keycloak', clientId: 'cairn', secret: 'none', url: 'http://127.0.0.1:9' } as const;
  server = await startTestServer({ auth: { confirmEmail: false, providers: [keycloak] } });
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
    ['POST', 'sso'],
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

test('a network begins so many sign-ins elsewhere, and no more: each is kept for a day', async () => {
  const begin = () => fetch(`${server.url}/auth/v1/authorize?provider=keycloak`, { redirect: 'manual' });
  const kept = async () => (await server.ask('select count(*)::int as n from auth.flow_state'))[0]?.['n'];
  const most = RULES.flow.address?.count ?? 0;
  for (let n = 0; n < most; n += 1) expect((await begin()).status).toBe(302);
  expect((await begin()).status).toBe(429);
  expect(await kept()).toBe(most);
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

describe('asking for emails and accounts without end', () => {
  const post = (path: string, body: object) => send('POST', path, JSON.stringify(body));
  const shapeOf = async (answer: Response) => [answer.status, await answer.json(), answer.headers.get('Retry-After')];

  test.each(['otp', 'recover', 'magiclink'])(
    'POST %s: one letter a minute for an account, known or not',
    async path => {
      for (const email of [`known-${path}@example.test`, `unknown-${path}@example.test`]) {
        if (email.startsWith('known')) await post('signup', { email, password: 'a long word' });
        expect((await post(path, { email })).status).toBe(200);
        const [status, body, wait] = await shapeOf(await post(path, { email: ` ${email.toUpperCase()}` }));
        expect([status, body]).toEqual([
          429,
          {
            code: 429,
            error_code: 'over_email_send_rate_limit',
            msg: `For security purposes, you can only request this after ${wait} seconds.`,
          },
        ]);
        expect(Number(wait)).toBeGreaterThan(50);
      }
    },
  );

  test('guessing the code of an email: ten wrong ones for an address, then the right one waits as well', async () => {
    const email = 'guessed@example.test';
    await post('signup', { email, password: 'a long word' });
    await post('recover', { email });
    const codes: string[] = [];
    for (let n = 0; n < 11; n += 1) {
      const answer = await post('verify', { type: 'recovery', email, token: 'abcdef' });
      const { error_code: code }: { error_code: string } = await answer.json();
      codes.push(code);
    }
    expect(codes.filter(code => code === 'otp_expired')).toHaveLength(10);
    expect(codes.at(-1)).toBe('over_request_rate_limit');
  });

  test('an address that opens account after account waits; who has one signs in', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1)
      statuses.push((await post('signup', { email: `flood${n}@example.test`, password: 'short of' })).status);
    // Refused for their password before they count.
    expect(new Set(statuses)).toEqual(new Set([422]));
    const made = await Promise.all(
      Array.from({ length: 31 }, (_, n) =>
        post('signup', { email: `flood${n}@example.test`, password: 'a long word' }),
      ),
    );
    expect(made.some(({ status }) => status === 429)).toBe(true);
    expect(made.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(30);
    const { error } = await server.visitor().auth.signInWithPassword({
      email: 'person1@example.test',
      password: 'a long word',
    });
    expect(error).toBeNull();
  });
});

describe('who may call', () => {
  test('without a key, or with another one, nothing is answered but what a mail or a service opens', async () => {
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/auth/v1/${path}`, { headers, redirect: 'manual' });
    for (const path of ['settings', 'health', 'user', 'admin/users']) {
      expect([path, (await ask(path)).status]).toEqual([path, 401]);
      expect([path, (await ask(path, { apikey: 'sb_publishable_guess' })).status]).toEqual([path, 401]);
    }
    const { message }: { message: string } = await (await ask('settings')).json();
    expect(message).toBe('No API key found in request');
    expect((await ask('.well-known/jwks.json')).status).toBe(200);
    expect((await ask('verify?type=signup&token=x')).status).toBe(303);
    expect((await ask('callback?state=x')).status).toBe(303);
    expect((await ask('authorize?provider=x')).status).toBe(400);
    // Nobody configured an identity provider here: each is answered, and none does anything.
    expect((await ask('sso/saml/metadata')).status).toBe(404);
    expect((await ask('sso')).status).toBe(401);
  });

  test('a browser of another origin is not let in; our own reads what it needs', async () => {
    const preflight = (origin: string) =>
      fetch(`${server.url}/auth/v1/token`, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'apikey,x-supabase-api-version',
        },
      });
    const foreign = await preflight('https://evil.example');
    expect(foreign.headers.get('Access-Control-Allow-Origin')).toBeNull();
    const own = await preflight(server.url);
    expect(own.headers.get('Access-Control-Allow-Origin')).toBe(server.url);
    expect(own.headers.get('Access-Control-Expose-Headers')).toContain('X-Supabase-Api-Version');
  });

  test('a body larger than any name and password is refused without being read', async () => {
    const answer = await send('POST', 'signup', JSON.stringify({ email: 'x'.repeat(200_000) }));
    expect([answer.status, await answer.json()]).toMatchObject([400, { error_code: 'validation_failed' }]);
  });

  test("a path there is none of is GoTrue's 404", async () => {
    const answer = await send('POST', 'nothing/here', '{}');
    expect([answer.status, await answer.text()]).toEqual([404, '404 page not found']);
  });
});

test('with the database away the client may try again; with it back, it goes on', async () => {
  await server.stopDatabase();
  const away = await server.visitor().auth.signInWithPassword({ email: 'x@example.test', password: 'a long word' });
  expect(away.error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 });
  await server.startDatabase();
  await expect.poll(async () => (await ann.client.auth.getUser()).error, { timeout: 20_000 }).toBeNull();
});
