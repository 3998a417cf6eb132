import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHolder, type Holder } from '../holder-for-tests.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let bob: typeof ann;
let holder: Holder;
beforeAll(async () => {
  server = await startTestServer({ publicRealtime: true });
  [ann, bob] = [await server.person('Ann'), await server.person('Bob')];
  // lite reads the schema with the first request: not while a table is held.
  await bob.client.from('names').select();
  holder = openHolder(server.databaseUrl);
  // Counts how often a right to write is asked for, also where the asking is rolled back.
  await server.ask(`
    create sequence public.asked;
    grant all on public.asked to authenticated, anon;
    create policy write on realtime.messages for insert to authenticated with check (nextval('public.asked') > 0)`);
});
afterAll(async () => {
  await holder.end();
  await server.stop();
});

const send = (topics: string[], token?: string) =>
  fetch(`${server.url}/realtime/v1/api/broadcast`, {
    method: 'POST',
    headers: {
      apikey: server.secrets.publishableKey,
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ messages: topics.map(topic => ({ topic, event: 'e', payload: {}, private: true })) }),
  });
const count = async () => Number((await server.ask(`select nextval('public.asked') as n`))[0]?.['n']);
const MESSAGES = 'lock table realtime.messages in access exclusive mode';

test('fifty messages to one private topic are one question', async () => {
  const asksFor = async (messages: number) => {
    const before = await count();
    expect(
      (
        await send(
          Array.from({ length: messages }, () => 'one'),
          ann.token,
        )
      ).status,
    ).toBe(202);
    return (await count()) - before - 1;
  };
  const once = await asksFor(1);
  expect(once).toBeGreaterThan(0);
  expect(await asksFor(50)).toBe(once);
});

test('ten private topics go in one request, eleven do not', async () => {
  const topics = Array.from({ length: 11 }, (_, n) => `topic-${n}`);
  expect((await send(topics.slice(1), ann.token)).status).toBe(202);
  expect((await send(topics, ann.token)).status).toBe(429);
});

test('of one person four are asked about at once', async () => {
  const { asked } = await holder.whileHeld(MESSAGES, async () => {
    const all = Array.from({ length: 10 }, () => send(['one'], ann.token));
    await expect.poll(holder.waiting).toBe(4);
    for (let n = 0; n < 3; n += 1) expect((await bob.client.from('names').select()).status).toBe(200);
    expect(await holder.waiting()).toBe(4);
    return { asked: all };
  });
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 202));
});

test('no policy lets a visitor in: they are answered without a question, on the socket too', async () => {
  await holder.whileHeld(MESSAGES, async () => {
    expect((await send(['one', 'two'])).status).toBe(202);
    const visitor = server.visitor();
    const states: string[] = [];
    visitor.channel('one', { config: { private: true } }).subscribe(state => states.push(state));
    await expect.poll(() => states).toContain('CHANNEL_ERROR');
    expect(await holder.waiting()).toBe(0);
    await visitor.removeAllChannels();
  });
});
