import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { serveWorld, type Client, type ServedWorld } from './people-by-client.ts';
import { rawSocket, type RawSocket } from './raw-socket.ts';

/** Presence at a record that goes where somebody who stands at it may not look. */
let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => served.stop());

async function at(client: Client, topic: string): Promise<RawSocket> {
  const { data } = await client.auth.getSession();
  const socket = await rawSocket(served.url, served.clients.visitor['supabaseKey']);
  const config = { private: true, presence: { enabled: true } };
  const joined = await socket.ask(topic, 'phx_join', { access_token: data.session?.access_token, config });
  expect(joined).toMatchObject({ status: 'ok' });
  return socket;
}

const comesAndGoes = (socket: RawSocket, topic: string, word: 'track' | 'untrack') =>
  socket.ask(topic, 'presence', { type: 'presence', event: word, payload: { writes: true } });
const diffsOf = ({ heard }: RawSocket) => heard.filter(([, , , event]) => event === 'presence_diff').length;
const isSentAway = ({ heard }: RawSocket) => heard.some(([, , , event]) => event === 'phx_close');

test('who may not see the record any more hears within a minute of nobody there, and is told of to nobody', async () => {
  const { world, clients, db } = served;
  const topic = `realtime:near:issue_reports:${world.report}`;
  const [manager, worker, late] = [
    await at(clients.manager, topic),
    await at(clients.owner, topic),
    await at(clients.owner, topic),
  ];
  expect(await comesAndGoes(manager, topic, 'track')).toMatchObject({ status: 'ok' });
  await expect.poll(() => diffsOf(worker)).toBe(1);
  await db.asAdmin('update issue_reports set site_id = $2, reported_by = null where id = $1', [
    world.report,
    world.south,
  ]);
  const livedMs = performance.now();
  vi.useFakeTimers({ toFake: ['performance'] });
  // Its clock begins anew: a minute beyond all that this process has lived.
  vi.advanceTimersByTime(livedMs + 61_000);
  const before = diffsOf(manager);
  late.say(topic, 'presence', { type: 'presence', event: 'track', payload: { writes: true } });
  await expect.poll(() => isSentAway(late)).toBe(true);
  expect(diffsOf(manager)).toBe(before);
  expect(await comesAndGoes(manager, topic, 'untrack')).toMatchObject({ status: 'ok' });
  await expect.poll(() => isSentAway(worker)).toBe(true);
  expect(diffsOf(worker)).toBe(1);
  await Promise.all([manager, worker, late].map(socket => socket.close()));
});
