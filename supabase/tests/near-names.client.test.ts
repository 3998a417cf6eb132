import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWorld, type ServedWorld } from './people-by-client.ts';
import { rawSocket, type RawSocket } from './raw-socket.ts';
import type { Person } from './rls-expectations.ts';

/** Who is said to be at a record, when somebody says that they are another. Two who may both see it, on the bare protocol. */
let served: ServedWorld;
let topic: string;
const sockets: RawSocket[] = [];

beforeAll(async () => {
  served = await serveWorld();
  topic = `realtime:near:action_items:${served.world.action}`;
});
afterAll(async () => {
  await Promise.all(sockets.map(socket => socket.close()));
  await served.stop();
});

const tokenOf = async (person: Person) =>
  (await served.clients[person].auth.getSession()).data.session?.access_token ?? '';

async function enter(person: Person, key: string): Promise<RawSocket> {
  const socket = await rawSocket(served.url, served.clients.owner['supabaseKey']);
  sockets.push(socket);
  const config = { private: true, presence: { key, enabled: true } };
  const entered = await socket.ask(topic, 'phx_join', { access_token: await tokenOf(person), config });
  expect(entered).toMatchObject({ status: 'ok' });
  return socket;
}

const track = (socket: RawSocket, payload: unknown) =>
  socket.ask(topic, 'presence', { type: 'presence', event: 'track', payload });

type PresenceMap = Record<string, { metas: Record<string, unknown>[] }>;
/** Everybody a socket was ever told of, and what they said. */
const toldTo = ({ heard }: RawSocket): [string, Record<string, unknown>][] =>
  heard
    .flatMap(([, , , event, payload]) => {
      if (event === 'presence_state') return [payload as PresenceMap];
      return event === 'presence_diff' ? [payload['joins'] as PresenceMap] : [];
    })
    .flatMap(present => Object.entries(present).flatMap(([key, { metas }]) => metas.map(meta => [key, meta] as const)))
    .map(([key, meta]) => [key, meta]);

test.each([
  ['the id of who hears it', () => served.world.manager],
  ['the id of somebody who is not there', () => served.world.stranger],
  ['nothing', () => ''],
  ['a name of what objects have', () => '__proto__'],
  ['a text of three hundred letters', () => 'x'.repeat(300)],
])('whoever joins under %s is there as who they are', async (_, key) => {
  const [hears, says] = [await enter('manager', 'anything'), await enter('owner', key())];
  expect(await track(says, { writes: true })).toMatchObject({ status: 'ok' });
  await expect
    .poll(() => toldTo(hears).at(-1))
    .toEqual([served.world.worker, { writes: true, phx_ref: expect.any(String) }]);
  const later = await enter('manager', key());
  await expect.poll(() => toldTo(later).map(([name]) => name)).toContain(served.world.worker);
  for (const socket of [hears, later])
    expect(new Set(toldTo(socket).map(([name]) => name))).toEqual(new Set([served.world.worker]));
  await says.close();
});

test('of what somebody says of themselves only whether they write is passed on; what is too large or no map is refused', async () => {
  const [hears, says] = [await enter('manager', ''), await enter('owner', '')];
  const presenceState = {
    writes: 'yes',
    name: 'Manager',
    user_id: served.world.manager,
    phx_ref: 'x',
    phx_ref_prev: 'y',
  };
  expect(await track(says, presenceState)).toMatchObject({ status: 'ok' });
  await expect.poll(() => toldTo(hears).at(-1)?.[1]).toEqual({ writes: false, phx_ref: expect.any(String) });
  expect(toldTo(hears).at(-1)?.[1]['phx_ref']).not.toBe('x');
  expect(await track(says, { writes: true, words: 'x'.repeat(1100) })).toMatchObject({ status: 'error' });
  expect(await track(says, ['writes'])).toMatchObject({ status: 'error' });
  await says.close();
});

test("a socket that goes on with somebody else's session is no longer there as the one before", async () => {
  const [hears, says] = [await enter('manager', ''), await enter('owner', '')];
  await track(says, { writes: false });
  await expect.poll(() => toldTo(hears).at(-1)?.[0]).toBe(served.world.worker);
  says.say(topic, 'access_token', { access_token: await tokenOf('manager') });
  const left = () =>
    hears.heard.flatMap(([, , , event, payload]) =>
      event === 'presence_diff' ? Object.keys(Object(payload['leaves'])) : [],
    );
  await expect.poll(left).toContain(served.world.worker);
  await track(says, { writes: false });
  await expect.poll(() => toldTo(hears).at(-1)?.[0]).toBe(served.world.manager);
});
