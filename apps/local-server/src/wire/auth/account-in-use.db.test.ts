import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHolder, type Holder } from '../holder-for-tests.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

type Person = Awaited<ReturnType<TestServer['person']>>;

/** Of the first person of a test server. */
const ANN = { email: 'person1@example.test', password: 'a long word' };

let server: TestServer;
let ann: Person;
let bob: Person;
let holder: Holder;

beforeAll(async () => {
  server = await startTestServer();
  [ann, bob] = [await server.person('Ann'), await server.person('Bob')];
  holder = openHolder(server.databaseUrl);
  await ann.client.from('notes').select();
});
afterAll(async () => {
  await holder.end();
  await server.stop();
});

const signIn = () =>
  fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(ANN),
  });
const names = () =>
  fetch(`${server.url}/rest/v1/names?select=id&limit=1`, {
    headers: { apikey: server.secrets.publishableKey, Authorization: `Bearer ${bob.token}` },
  });

describe('an account that is in use', () => {
  test('by a long transaction that only refers to it signs in as ever', async () => {
    const status = await holder.whileHeld(
      `select from auth.users where id = '${ann.id}' for key share`,
      async () => (await signIn()).status,
    );
    expect(status).toBe(200);
  });

  test('by one that holds it keeps nobody else waiting, however often it signs in, and is told so in time', async () => {
    const { asked, others } = await holder.whileHeld(
      `select from auth.users where id = '${ann.id}' for update`,
      async () => {
        const asking = Array.from({ length: 12 }, signIn);
        await expect.poll(holder.waiting, { timeout: 20_000 }).toBe(1);
        const meanwhile = await Promise.all(Array.from({ length: 6 }, names));
        const first = await Promise.race(asking);
        return { asked: { asking, first }, others: meanwhile.map(({ status }) => status) };
      },
    );
    expect(others).toEqual(Array.from({ length: 6 }, () => 200));
    expect([asked.first.status, await asked.first.json()]).toMatchObject([503, { error_code: 'request_timeout' }]);
    await Promise.all(asked.asking);
  });
});
