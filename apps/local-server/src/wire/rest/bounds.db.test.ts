import { request, type ClientRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHolder, type Holder } from '../holder-for-tests.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

type Person = Awaited<ReturnType<TestServer['person']>>;

let server: TestServer;
let ann: Person;
let bob: Person;
let holder: Holder;

beforeAll(async () => {
  server = await startTestServer();
  [ann, bob] = [await server.person('Ann'), await server.person('Bob')];
  holder = openHolder(server.databaseUrl);
  // lite reads the schema with the first request: not while a table is held.
  await ann.client.from('notes').select();
});
afterAll(async () => {
  await holder.end();
  await server.stop();
});

const headersOf = (token: string) => ({ apikey: server.secrets.publishableKey, Authorization: `Bearer ${token}` });
const rest = (path: string, token: string, init: RequestInit = {}) =>
  fetch(`${server.url}/rest/v1/${path}`, { ...init, headers: headersOf(token) });

const NOTES = 'lock table notes in access exclusive mode';

describe('what one person may ask for at once', () => {
  test('four requests are in hand, the others wait for their turn; meanwhile others are answered', async () => {
    const all = await holder.whileHeld(NOTES, async () => {
      const asked = Array.from({ length: 20 }, () => rest('notes?select=id', ann.token));
      await expect.poll(holder.waiting).toBe(4);
      expect((await rest('names?select=id&limit=1', bob.token)).status).toBe(200);
      expect((await rest('rpc/who', bob.token, { method: 'POST' })).status).toBe(200);
      expect(await holder.waiting()).toBe(4);
      return { asked };
    });
    expect((await Promise.all(all.asked)).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  test('who hangs up is worked for no more, neither in the database nor in line', async () => {
    // Ann took much just now, and whoever did is given less.
    const dan = await server.person('Dan');
    await holder.whileHeld(NOTES, async () => {
      const patient = new AbortController();
      const asked = Array.from({ length: 12 }, () => rest('notes?select=id', dan.token, { signal: patient.signal }));
      const ends = Promise.allSettled(asked);
      await expect.poll(holder.waiting).toBe(4);
      patient.abort();
      await ends;
      await expect.poll(holder.waiting).toBe(0);
    });
    expect((await rest('notes?select=id', dan.token)).status).toBe(200);
  });

  test('a connection that breaks in the middle of a statement is answered, and keeps nobody waiting after it', async () => {
    const eve = await server.person('Eve');
    const answers = await holder.whileHeld(NOTES, async () => {
      const asked = [1, 2, 3].map(() => rest('notes?select=id', eve.token));
      await expect.poll(holder.waiting).toBe(3);
      await server.ask(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      // Before the table is free again: none of them waits for that.
      return { all: await Promise.all(asked) };
    });
    expect(answers.all.map(({ status }) => status)).toEqual([503, 503, 503]);
    const after = Array.from({ length: 12 }, () => rest('names?select=id&limit=1', eve.token));
    expect((await Promise.all(after)).every(({ status }) => status === 200)).toBe(true);
  });

  test('a statement of a person has eight seconds, one of the server what it needs', async () => {
    const patience = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}/rest/v1/rpc/patience`, { method: 'POST', headers })).json();
    expect(await patience(headersOf(ann.token))).toBe('8s');
    expect((await ann.client.rpc('sync_pull', { p_cursors: {} })).data.patience).toBe('8s');
    expect(await patience({ apikey: server.secrets.publishableKey })).toBe('8s');
    expect(await patience({ apikey: server.secrets.secretKey })).toBe('1min');
  });

  test('a statement writes a gigabyte beside the tables at most', async () => {
    expect(await server.ask('show temp_file_limit')).toEqual([{ temp_file_limit: '1GB' }]);
  });

  test('two levels of tables, each once, and five at most', async () => {
    const many = 'a(*),b(*),c(*),d(*),e(*),f(*)';
    for (const select of [
      'id,a(),b(c(d(*)))',
      many,
      'id,notes(id)',
      'id,a(id,b(id)),b(id)',
      'id,x:a!fk(id,...a(id))',
    ]) {
      const answer = await rest(`notes?select=${encodeURIComponent(select)}`, ann.token);
      expect(await answer.json()).toMatchObject({ code: 'PGRST100' });
      expect(answer.status).toBe(400);
    }
  });

  test('an answer larger than 8 MB is refused', async () => {
    const words = 'x'.repeat(1024 * 1024);
    await server.ask(`insert into notes (owner, words) select '${bob.id}', '${words}' from generate_series(1, 9)`);
    const answer = await rest('notes?select=words', bob.token);
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'PT413' }]);
    expect((await rest('notes?select=words&limit=3', bob.token)).status).toBe(200);
  });

  test('of the database no more than 32 MB is taken in before that', async () => {
    const carl = await server.person('Carl');
    const words = `repeat('x', 1000) || repeat('y', 4 * 1024 * 1024)`;
    await server.ask(`insert into notes (owner, words) select '${carl.id}', ${words} from generate_series(1, 10)`);
    const answers = await Promise.all([1, 2].map(() => rest('notes?select=words', carl.token)));
    for (const answer of answers)
      expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'PT413', message: /32 MB/ }]);
    expect((await rest('notes?select=words&limit=1', carl.token)).status).toBe(200);
  });
});

/** A request that is there but for its last byte. */
function begun(path: string, token: string, body: object): { finish(): Promise<number> } {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { ...headersOf(token), 'Content-Type': 'application/json', 'Content-Length': bytes.length };
  const answer = Promise.withResolvers<number>();
  const sent: ClientRequest = request(`${server.url}${path}`, { method: 'POST', headers }, response => {
    response.resume();
    answer.resolve(response.statusCode ?? 0);
  });
  sent.on('error', answer.reject);
  sent.write(bytes.subarray(0, -1));
  return {
    finish() {
      sent.end(bytes.subarray(-1));
      return answer.promise;
    },
  };
}

/** Once it is answered, what was sent before it on other connections has been taken in too. */
const takenIn = async () => {
  for (let n = 0; n < 3; n += 1) await (await rest('names?limit=1', bob.token)).text();
};

test('a request begun before its session ended is refused when its last byte comes', async () => {
  const eve = await server.person('Eve');
  const device = '00000000-0000-4000-8000-000000000009';
  const asked = [
    begun('/rest/v1/rpc/sync_push', eve.token, { p_device: device, p_mutations: [{}] }),
    begun('/rest/v1/rpc/sync_pull', eve.token, { p_cursors: {}, p_device: device }),
    begun('/rest/v1/rpc/keep_note', eve.token, { p_words: 'late', p_extra: null }),
    begun('/functions/v1/account/delete', eve.token, { confirm: true }),
  ];
  await takenIn();
  await eve.client.auth.signOut({ scope: 'global' });
  expect(await Promise.all(asked.map(each => each.finish()))).toEqual([401, 401, 401, 401]);
  expect(await server.ask(`select from notes where words = 'late'`)).toEqual([]);
});

test('one that waited for its turn is asked about its session again', async () => {
  const eve = await server.person('Eva');
  const answers = await holder.whileHeld(NOTES, async () => {
    const asked = Array.from({ length: 6 }, () => rest('notes?select=id', eve.token));
    await expect.poll(holder.waiting).toBe(4);
    await takenIn();
    await server.ask(`delete from auth.sessions where user_id = '${eve.id}'`);
    return { asked };
  });
  const statuses = (await Promise.all(answers.asked)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 401, 401]);
});

describe('a session that ends while its account is waited for changes nothing', () => {
  const put = (body: object) => async (token: string) =>
    fetch(`${server.url}/auth/v1/user`, {
      method: 'PUT',
      headers: { ...headersOf(token), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const enrol = async (token: string) =>
    fetch(`${server.url}/auth/v1/factors`, {
      method: 'POST',
      headers: { ...headersOf(token), 'Content-Type': 'application/json' },
      body: JSON.stringify({ factor_type: 'totp', friendly_name: 'phone' }),
    });

  test.each([
    ['the password', put({ password: 'another long word' })],
    ['the address', put({ email: 'thief@example.test' })],
    ['a second step', enrol],
  ])('%s', async (_, change) => {
    const vic = await server.person('Vic');
    const stood = `select encrypted_password, email, email_change, (select count(*) from auth.mfa_factors where user_id = u.id) as factors
      from auth.users u where id = '${vic.id}'`;
    const before = await server.ask(stood);
    const answer = await holder.whileHeld(`select from auth.users where id = '${vic.id}' for update`, async () => {
      const asked = change(vic.token);
      await expect.poll(holder.waiting).toBe(1);
      await server.ask(`delete from auth.sessions where user_id = '${vic.id}'`);
      return { asked };
    });
    const refused = await answer.asked;
    expect([refused.status, await refused.json()]).toMatchObject([403, { error_code: 'session_not_found' }]);
    expect(await server.ask(stood)).toEqual(before);
  });
});
