import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHolder, type Holder } from '../holder-for-tests.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let holder: Holder;
beforeAll(async () => {
  server = await startTestServer({ auth: { confirmEmail: false, limitFactor: 1 } });
  ann = await server.person('Ann');
  holder = openHolder(server.databaseUrl);
});
afterAll(async () => {
  await holder.end();
  await server.stop();
});

const ask = (method: string, path: string, body?: object, token: string | null = ann.token) =>
  fetch(`${server.url}/auth/v1/${path}`, {
    method,
    headers: {
      apikey: server.secrets.publishableKey,
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
test('healthz is well while sixteen connections are taken, and of those that sign people in one person has one', async () => {
  const names = () =>
    fetch(`${server.url}/rest/v1/names?select=id`, {
      headers: { apikey: server.secrets.publishableKey, Authorization: `Bearer ${ann.token}` },
    });
  const { asked } = await holder.whileHeld('lock table auth.sessions in access exclusive mode', async () => {
    const signedIn = Array.from({ length: 30 }, names);
    await expect.poll(holder.waiting).toBe(16);
    const accounts = Array.from({ length: 30 }, () => ask('GET', 'user'));
    await expect.poll(holder.waiting).toBe(17);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    return { asked: { signedIn, accounts } };
  });
  const statuses = async (all: Promise<Response>[]) => new Set((await Promise.all(all)).map(({ status }) => status));
  expect(await statuses(asked.signedIn)).toEqual(new Set([200]));
  // A lock is waited for three seconds where people sign in.
  expect([...(await statuses(asked.accounts))].filter(status => status !== 503)).toEqual([200]);
});

test('of one address two passwords are compared at once, the others wait', async () => {
  // bcrypt that waits for whoever holds the key, so that its turns can be counted.
  await server.ask(`
    alter function extensions.crypt(text, text) rename to crypt_at_once;
    create function extensions.crypt(p_reply text, p_salt text) returns text language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(4711);
      return extensions.crypt_at_once(p_reply, p_salt);
    end $$`);
  const { asked } = await holder.whileHeld('select pg_advisory_xact_lock(4711)', async () => {
    const all = Array.from({ length: 12 }, (_, n) =>
      ask('POST', 'token?grant_type=password', { email: `nobody${n}@example.test`, password: 'a long word' }, null),
    );
    await expect.poll(holder.waiting).toBe(2);
    // All have come in: they were counted before this one is answered.
    for (let n = 0; n < 3; n += 1) expect((await ask('GET', 'user')).status).toBe(200);
    expect(await holder.waiting()).toBe(2);
    return { asked: all };
  });
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 400));
});

test('a password is changed ten times in five minutes, then 429 with the seconds to wait', async () => {
  const answers = await Promise.all(
    Array.from({ length: 14 }, (_, n) => ask('PUT', 'user', { password: `another long word ${n}` })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(4);
  expect(refused.every(({ headers }) => Number(headers.get('Retry-After')) > 0)).toBe(true);
  expect(await refused[0]?.json()).toMatchObject({ error_code: 'over_request_rate_limit' });
  // What changes nothing about the password goes on.
  expect((await ask('PUT', 'user', { data: { full_name: 'Ann' } })).status).toBe(200);
});

test('one account signs in sixty times in an hour, and then 429: each is a row of several tables', async () => {
  const { email, password } = { email: 'person1@example.test', password: 'one more long word' };
  await server.ask(`
    update auth.users set encrypted_password = extensions.crypt('${password}', extensions.gen_salt('bf', 4)) where email = '${email}'`);
  const statuses: number[] = [];
  for (let n = 0; n < 61; n += 1)
    statuses.push((await ask('POST', 'token?grant_type=password', { email, password }, null)).status);
  expect(statuses.filter(status => status === 200).length).toBeLessThanOrEqual(60);
  expect(statuses.at(-1)).toBe(429);
});
