import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './server-for-tests.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.stop());

test('while the database is away healthz says so and calls fail without hanging; when it is back all goes on', async () => {
  const ann = await server.person('Ann');
  await server.stopDatabase();
  const answer = await fetch(`${server.url}/healthz`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toBe('{"status":"error","database":"down","version":"1.0.0"}');
  const { status, error } = await ann.client.from('notes').select();
  expect([status, error?.code]).toEqual([503, 'PGRST001']);

  await server.startDatabase();
  await expect.poll(async () => (await fetch(`${server.url}/healthz`)).status, { timeout: 30_000 }).toBe(200);
  expect((await ann.client.from('notes').insert({ words: 'after' })).error).toBeNull();

  const heard: unknown[] = [];
  const states: string[] = [];
  ann.client
    .channel(`person:${ann.id}`, { config: { private: true } })
    .on('broadcast', { event: 'changed' }, message => heard.push(message['payload']))
    .subscribe(state => states.push(state));
  await expect.poll(() => states, { timeout: 20_000 }).toContain('SUBSCRIBED');
  await expect
    .poll(
      async () => {
        await ann.client.rpc('shout', { p_topic: `person:${ann.id}`, p_words: 'back' });
        return heard.length;
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
  await ann.client.removeAllChannels();
});
