import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWorld, type ServedWorld } from './people-by-client.ts';
import { rawSocket, type RawSocket } from './raw-socket.ts';
import type { Person } from './rls-expectations.ts';

/** Every topic there is × every event × everybody who is told apart; topics come from the audiences and the tables themselves. */
let served: ServedWorld;
let url: string;
let key: string;
const tokens = new Map<Person, string>();
const ids = new Map<Person, string | null>();
const PEOPLE: Person[] = ['owner', 'colleague', 'manager', 'other', 'visitor'];
/** Topics of audiences, with who has them; topics of records, with who sees them. */
const scopes = new Map<string, Person[]>();
const records = new Map<string, Person[]>();

async function audiences(): Promise<void> {
  for (const person of PEOPLE) {
    const id = ids.get(person) ?? null;
    const rows = id === null ? [] : await served.db.as(id, 'select s from public.my_scopes() s');
    for (const { s } of rows)
      scopes.set(`realtime:scope:${String(s)}`, [...(scopes.get(`realtime:scope:${String(s)}`) ?? []), person]);
  }
}

async function subjects(): Promise<void> {
  const tables = await served.db.asAdmin('select name from sync.tables order by name');
  for (const { name } of tables) {
    const [row] = await served.db.asAdmin(`select id::text as id from public.${String(name)} limit 1`);
    if (!row) continue;
    const sees = async (person: Person) =>
      (
        await served.db
          .as(ids.get(person) ?? null, `select from public.${String(name)} where id = $1`, [row['id']])
          .catch(() => [])
      ).length > 0;
    const who: Person[] = [];
    for (const person of PEOPLE) if (await sees(person)) who.push(person);
    records.set(`realtime:near:${String(name)}:${String(row['id'])}`, who);
  }
}

beforeAll(async () => {
  served = await serveWorld();
  url = served.url;
  key = served.clients.owner['supabaseKey'];
  const { world } = served;
  const known = { owner: world.worker, colleague: world.colleague, manager: world.manager, other: world.stranger };
  for (const person of PEOPLE) {
    const { data } = await served.clients[person].auth.getSession();
    tokens.set(person, data.session?.access_token ?? '');
    ids.set(person, person === 'visitor' ? null : known[person]);
  }
  await audiences();
  await subjects();
});
afterAll(() => served.stop());

const join = (person: Person, isPrivate = true, more: object = {}) => ({
  access_token: tokens.get(person),
  config: { private: isPrivate, broadcast: { ack: true, self: true }, ...more },
});

/** Who sees the first record of some table that has such a channel. */
const NEAR_SOMETHING: Person[] = ['owner', 'manager'];

const NO_READ = 'Unauthorized: You do not have permissions to read from this Channel topic';
const PRIVATE_ONLY = 'PrivateOnly: This project only allows private channels';

/** What a person gets for each topic: the reason of a refusal, or `ok`. */
async function joins(socket: RawSocket, person: Person, topics: Iterable<string>): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const topic of topics) {
    const { status, reason } = await socket.ask(topic, 'phx_join', join(person));
    answers.set(topic, reason ?? status);
  }
  return answers;
}

test('the rules about topics are those this suite knows', async () => {
  const rules = await served.db.asAdmin(
    `select cmd, array_to_string(roles, ',') as roles, policyname as name from pg_policies
      where schemaname = 'realtime' and tablename = 'messages' order by policyname`,
  );
  expect(rules).toEqual([
    { cmd: 'INSERT', roles: 'authenticated', name: 'cairn: being near' },
    { cmd: 'SELECT', roles: 'authenticated', name: 'cairn: own scopes' },
    { cmd: 'SELECT', roles: 'authenticated', name: 'cairn: who is near' },
  ]);
  const kinds = new Set([...scopes.keys()].map(topic => topic.split(':')[2]));
  expect([...kinds]).toEqual(expect.arrayContaining(['user', 'member', 'circle', 'org', 'site']));
  expect(records.size).toBeGreaterThan(20);
});

test.each(PEOPLE)(
  '%s joins exactly the topics of their audiences and, of records, none they do not see',
  async person => {
    const socket = await rawSocket(url, key);
    for (const [topic, answer] of await joins(socket, person, scopes.keys()))
      expect([topic, answer]).toEqual([topic, scopes.get(topic)?.includes(person) ? 'ok' : NO_READ]);
    await socket.close();
    const second = await rawSocket(url, key);
    const near = await joins(second, person, records.keys());
    const unseen = [...near].filter(([topic, answer]) => answer !== NO_READ && !records.get(topic)?.includes(person));
    expect(unseen).toEqual([]);
    expect([...near.values()].includes('ok')).toBe(NEAR_SOMETHING.includes(person));
    await second.close();
  },
);

test.each(PEOPLE)(
  '%s joins no topic that is not private, hears of no table, and says nothing where they have not joined',
  async person => {
    const socket = await rawSocket(url, key);
    const [first = ''] = scopes.keys();
    for (const topic of [first, 'realtime:room', 'realtime:scope:*', 'realtime:near:action_items:x'])
      expect(await socket.ask(topic, 'phx_join', join(person, false))).toMatchObject({
        status: 'error',
        reason: PRIVATE_ONLY,
      });
    for (const topic of [...scopes.keys(), 'realtime:room'].filter(each => !scopes.get(each)?.includes(person))) {
      for (const event of ['broadcast', 'presence', 'access_token', 'phx_leave', 'postgres_changes', 'anything'])
        expect(await socket.ask(topic, event, { type: 'broadcast', event: 'changed', payload: {} })).toMatchObject({
          status: 'error',
          reason: 'unmatched topic',
        });
    }
    await socket.close();
  },
);

test.each(PEOPLE.filter(person => person !== 'visitor'))(
  '%s sends nothing on the topics of their own audiences, is present on none, and is told no changes of tables',
  async person => {
    const socket = await rawSocket(url, key);
    const own = [...scopes].filter(([, who]) => who.includes(person)).map(([topic]) => topic);
    const wishes = { postgres_changes: [{ event: '*', schema: 'public', table: '*' }] };
    for (const topic of own) {
      expect(await socket.ask(topic, 'phx_join', join(person, true, wishes))).toMatchObject({ status: 'ok' });
      const forged = { type: 'broadcast', event: 'changed', payload: { v: 1 } };
      for (const [event, payload] of [
        ['broadcast', forged],
        ['presence', { type: 'presence', event: 'track', payload: {} }],
      ] as const)
        expect(await socket.ask(topic, event, payload)).toMatchObject({ status: 'error' });
    }
    expect(socket.heard.filter(([, , , event]) => event === 'broadcast' || event.startsWith('presence_'))).toEqual([]);
    const told = socket.heard.filter(([, , , event]) => event === 'system').map(([, , , , { status }]) => status);
    await expect.poll(() => told.length + socket.heard.length).toBeGreaterThan(0);
    expect(told).not.toContain('ok');
    await socket.close();
  },
);

/** Tries each topic in a batch, private and not, and one of each kind of audience alone. */
async function sendByHttp(person: Person): Promise<void> {
  const token = tokens.get(person);
  const bearer = token === '' ? {} : { Authorization: `Bearer ${token}` };
  const headers = { apikey: key, 'Content-Type': 'application/json', ...bearer };
  const post = async (path: string, body: unknown) =>
    (await fetch(`${url}/realtime/v1/api/broadcast${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
      .status;
  const plain = [...scopes.keys()].map(topic => topic.slice('realtime:'.length));
  for (const isPrivate of [true, false]) {
    for (let at = 0; at < plain.length; at += 10) {
      const topics = plain.slice(at, at + 10);
      const messages = topics.map(topic => ({ topic, event: 'changed', payload: { v: 1 }, private: isPrivate }));
      expect(await post('', { messages })).toBe(person === 'visitor' ? 401 : 202);
    }
    for (const topic of Map.groupBy(plain, each => each.split(':')[1])
      .values()
      .map(([first = '']) => first))
      expect(await post(`/${encodeURIComponent(topic)}/events/changed?private=${isPrivate}`, {})).toBe(
        person === 'visitor' ? 401 : 403,
      );
  }
}

test('by HTTP nobody sends on any topic, and what the database says of each audience reaches those who are in it and nobody else', async () => {
  const sockets = new Map<Person, RawSocket>();
  // One after the other: a socket that has joined nothing is closed soon.
  for (const person of PEOPLE) {
    const socket = await rawSocket(url, key);
    sockets.set(person, socket);
    await joins(socket, person, scopes.keys());
  }
  for (const person of PEOPLE) await sendByHttp(person);
  for (const topic of scopes.keys())
    await served.db.asAdmin('select sync.nudge(array[$1], array[7])', [topic.slice('realtime:scope:'.length)]);
  for (const [person, { heard }] of sockets) {
    const own = [...scopes]
      .filter(([, who]) => who.includes(person))
      .map(([topic]) => topic)
      .toSorted();
    const nudged = () =>
      heard.filter(([, , , event]) => event === 'broadcast').map(([, , topic, , { payload }]) => [topic, payload]);
    await expect.poll(() => [...new Set(nudged().map(([topic]) => String(topic)))].toSorted()).toEqual(own);
    expect(nudged().filter(([, payload]) => (payload as { v: number }).v !== 7)).toEqual([]);
  }
  await Promise.all([...sockets.values()].map(socket => socket.close()));
});
