import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHolder, type Holder } from '@cairn/local-server/wire/holder-for-tests.ts';
import { expectUndisturbed, inWords, serveApart, whileAttacked, type SeparateServer } from './bystander.ts';
import { company, join } from './load.ts';

/**
 * Questions about many files, by members and by a visitor, many at once: they take turns in the database, are bounded, and keep nobody
 * else waiting. All come from one address, the bystander too. Small here; `ATTACK_SECONDS=30 ATTACK_LISTS=200` is a soak.
 */
const SECONDS = Number(process.env['ATTACK_SECONDS'] ?? 3);
const AT_ONCE = Number(process.env['ATTACK_LISTS'] ?? 24);
const TIMEOUT = (SECONDS + 60) * 1000;
/** ms that the database is made to stand still for such a question; longer than anybody else may wait. */
const HELD_MS = 1500;
/** Statements of one network (storage-context.ts). */
const MAX_IN_HAND = 2;
/** Files of one folder: those its members see, as many as a list tells at most, and those that are passed over. */
const [SEEN, HIDDEN] = [1000, 20_000];
const MAX_LINKS = 500;

let server: SeparateServer;
let holder: Holder;
/** The folder, and the names of what is seen in it. */
let folder: string;
let names: string[] = [];
/** Bearers of two members. */
const members: string[] = [];

/** Rows of a table alone: nobody asks for their bytes. */
async function fillFolder(organization: string, captor: string): Promise<void> {
  const seen = await server.db.asAdmin(
    `with made as (
       insert into media (id, organization_id, kind, mime, bytes, sha256, state, captured_at, captured_by)
       select gen_random_uuid(), $1, 'photo', 'image/jpeg', 1, repeat('0', 64), 'complete', now(), $2 from generate_series(1, $3)
       returning organization_id::text || '/' || id::text as name)
     insert into storage.objects (bucket_id, name, metadata, version)
     select 'media', name, '{}'::jsonb, gen_random_uuid()::text from made returning name`,
    [organization, captor, SEEN],
  );
  names = seen.map(({ name }) => String(name));
  await server.db.asAdmin(
    `insert into storage.objects (bucket_id, name, metadata, version)
     select 'media', $1::text || '/' || gen_random_uuid()::text, '{}'::jsonb, gen_random_uuid()::text from generate_series(1, $2)`,
    [organization, HIDDEN],
  );
}

beforeAll(async () => {
  server = await serveApart();
  holder = openHolder(server.db.url);
  const place = await company(server.db, 'lists');
  for (const name of ['eve', 'mallory']) {
    const person = await server.signUp(`${name}@lists.test`);
    await join(server.db, person.id, place);
    members.push(person.token);
    if (name === 'eve') await fillFolder(place.organization, person.id);
  }
  folder = place.organization;
});
afterAll(async () => {
  await holder.end();
  await server.stop();
});

type StorageCall = { method: string; path: string; body?: object };

/** @param bearer undefined for a visitor */
function ask({ method, path, body }: StorageCall, bearer: string | undefined): Promise<Response> {
  const headers = {
    apikey: server.publishableKey,
    'content-type': 'application/json',
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  };
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return fetch(`${server.url}/storage/v1${path}`, sent);
}

async function statusOf(call: StorageCall, bearer: string | undefined): Promise<number> {
  const answer = await ask(call, bearer);
  await answer.arrayBuffer();
  return answer.status;
}

const listOf = (body: object): StorageCall => ({ method: 'POST', path: '/object/list/media', body });
const linksTo = (paths: string[]): StorageCall => ({
  method: 'POST',
  path: '/object/sign/media',
  body: { expiresIn: 60, paths },
});
const removalOf = (prefixes: string[]): StorageCall => ({
  method: 'DELETE',
  path: '/object/media',
  body: { prefixes },
});

/** Does it again and again, for so long. */
async function again(work: () => Promise<unknown>, ms = SECONDS * 1000): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) await work();
}

/** Two members and a visitor, in turns. */
const attackers = (): (string | undefined)[] =>
  Array.from({ length: AT_ONCE }, (_, n) => [...members, undefined][n % (members.length + 1)]);

/** Statements that wait because a table is held. */
async function heldStatements(): Promise<number> {
  const [row] = await server.db.asAdmin(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(row?.['n']);
}

/** Every handler that is asked about many at once. */
const HANDLERS: [string, () => StorageCall][] = [
  ['lists of a folder', () => listOf({ prefix: folder, limit: SEEN })],
  ['lists of buckets', () => ({ method: 'GET', path: '/bucket?limit=1000' })],
  ['links to many files', () => linksTo(names.slice(0, MAX_LINKS))],
  ['removals of many files', () => removalOf(names)],
];

test.each(HANDLERS)(
  '%s, many at once, have two statements in hand however slow the database is, and nobody else waits',
  async (name, callOf) => {
    const call = callOf();
    const inHand = new Set<number>();
    let statuses: number[] = [];
    const seen = await whileAttacked(server, async () => {
      const lock = 'lock table storage.objects, storage.buckets in access exclusive mode';
      const { asked } = await holder.whileHeld(lock, async () => {
        const asked = attackers().map(bearer => statusOf(call, bearer));
        await expect.poll(heldStatements).toBe(MAX_IN_HAND);
        await again(async () => inHand.add(await heldStatements()), HELD_MS);
        return { asked };
      });
      statuses = await Promise.all(asked);
    });
    process.stdout.write(`${inWords(name, seen)}\n`);
    expect([...inHand]).toEqual([MAX_IN_HAND]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expectUndisturbed(seen);
  },
  TIMEOUT,
);

describe('lists of a folder of thousands of files', () => {
  test(
    'in any order, from any place and by any name are told, again and again, and nobody else waits',
    async () => {
      const whole = { prefix: folder, limit: SEEN };
      const lists = [
        whole,
        { ...whole, offset: 1_000_000 },
        { ...whole, search: '%_'.repeat(500) },
        { ...whole, sortBy: { column: 'updated_at', order: 'desc' } },
        { prefix: 'a'.repeat(1024) },
        { prefix: '', limit: SEEN },
      ].map(listOf);
      expect(await (await ask(listOf(whole), members[0])).json()).toHaveLength(SEEN);
      const statuses = new Set<number>();
      const askOn = (bearer: string | undefined, first: number) => {
        let turn = first;
        return again(async () => {
          const call = lists[turn % lists.length];
          turn += 1;
          if (call) statuses.add(await statusOf(call, bearer));
        });
      };
      const seen = await whileAttacked(server, () => Promise.all(attackers().map(askOn)));
      process.stdout.write(`${inWords('lists of thousands of files', seen)}\n`);
      expect([...statuses]).toEqual([200]);
      expectUndisturbed(seen);
    },
    TIMEOUT,
  );

  test(
    'that ask for more than a list tells, or by more than a name, are refused, and nobody else waits',
    async () => {
      const long = 'a'.repeat(400_000);
      const lists = [
        { limit: SEEN + 1 },
        { limit: 1e9 },
        { offset: 1_000_001 },
        { prefix: 'a'.repeat(1025) },
        { prefix: long },
        { search: long },
        { sortBy: { column: long } },
      ].map(body => listOf({ prefix: folder, ...body }));
      const calls = [...lists, linksTo(names.slice(0, MAX_LINKS + 1)), removalOf([...names, 'a'])];
      const taken = new Set<string>();
      const named = ({ path, body }: StorageCall) => `${path} ${JSON.stringify(body).slice(0, 100)}`;
      const askOn = (call: StorageCall) =>
        again(async () => {
          const status = await statusOf(call, members[0]);
          if (status !== 400) taken.add(`${status} ${named(call)}`);
        });
      const seen = await whileAttacked(server, () => Promise.all([...calls, ...calls].map(askOn)));
      process.stdout.write(`${inWords('lists that ask for too much', seen)}\n`);
      expect([...taken]).toEqual([]);
      expectUndisturbed(seen);
    },
    TIMEOUT,
  );
});
