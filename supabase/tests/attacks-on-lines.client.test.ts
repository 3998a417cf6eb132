import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '@cairn/api/routes.ts';
import { createAuthApp } from '@cairn/supabase-local/auth-app.ts';
import type { Auth } from '@cairn/supabase-local/auth/auth-context.ts';
import { BytesInFlight } from '@cairn/supabase-local/limits/bytes-in-flight.ts';
import { storageApp } from '@cairn/supabase-local/storage-app.ts';
import type { Storage } from '@cairn/supabase-local/storage/storage-context.ts';
import {
  expectUndisturbed,
  inWords,
  serveApart,
  whileAttacked,
  type Disturbance,
  type SeparateServer,
  type SignedUpUser,
} from './bystander.ts';
import { company, join } from './load.ts';
import {
  closeLines,
  lastRequestText,
  rawLine,
  requestText,
  statusesOf,
  type RawLine,
  type RawRequest,
} from './raw-line.ts';
import { servedTables } from './sample-row.ts';
import { storePhoto } from './stored-photo.ts';

/**
 * What can be done with lines alone: many requests in one packet, many one after the other, and large answers that nobody reads
 * (those of functions: attacks-on-answers.client.test.ts). All come from one address, the bystander too. Small here;
 * `ATTACK_SECONDS=30` is a soak.
 */
const SECONDS = Number(process.env['ATTACK_SECONDS'] ?? 3);
const TIMEOUT = (SECONDS + 60) * 1000;
/** Lines that are open at once. */
const LINES = Number(process.env['ATTACK_LINES'] ?? 40);
/** Lines that ask on and on. */
const ASKING = 24;
/** Answers that wait for their reader. */
const READERS = 48;
/** Requests of one packet. */
const PIPELINED = 30;
const MB = 1024 * 1024;
/** Of a stored file, bytes: those of all readers are more than twice what the server may grow by. */
const FILE_BYTES = 16 * MB;
/** Rows and chars of each: seven million bytes in one answer. Of a line nobody reads the system keeps four million at most. */
const [PAGE_ROWS, NOTES] = [350, 20_000];

type Member = SignedUpUser & { organization: string; site: string };
let server: SeparateServer;
/** Who sends packets. */
let eve: Member;
/** Who reads nothing. */
let mallory: Member;
/** Who asks on and on. */
let trudy: Member;

async function member(name: string): Promise<Member> {
  const person = await server.signUp(`${name}@lines.test`);
  const place = await company(server.db, name);
  await join(server.db, person.id, place);
  return { ...person, ...place };
}

beforeAll(async () => {
  server = await serveApart();
  eve = await member('eve');
  mallory = await member('mallory');
  trudy = await member('trudy');
});
afterEach(closeLines);
afterAll(() => server.stop());

const note = (name: string, seen: Disturbance) => process.stdout.write(`${inWords(name, seen)}\n`);

/** Of nobody: a visitor's. */
const headersOf = (person?: Member): Record<string, string> => ({
  apikey: server.publishableKey,
  'content-type': 'application/json',
  ...(person && { authorization: `Bearer ${person.token}` }),
});

/** Each of them once at least, so many lines at once, and again from the first for as long as the attack lasts. */
async function onLines<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const end = performance.now() + SECONDS * 1000;
  let begun = 0;
  const line = async () => {
    while (begun < all.length || performance.now() < end) {
      const each = all[begun % all.length];
      begun += 1;
      if (each !== undefined) await work(each);
    }
  };
  await Promise.all(Array.from({ length: LINES }, line));
}

type Route = { method: string; path: string };

/** What stands for all methods stands before routes, or answers that there is none. */
const requestsOf = (routes: readonly Route[], headers: Record<string, string>, below = ''): RawRequest[] =>
  routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({
      method,
      path: `${below}${path.replaceAll(/:\w+/g, 'a').replace(/\*$/, 'a/b')}`,
      headers,
      ...(method !== 'GET' && { body: '{}' }),
    }));

/** One of every table, function of the database and route of a service. The lists come from the catalogue and the routes. */
async function everyRequest(person: Member): Promise<RawRequest[]> {
  const [headers, visitor] = [headersOf(person), headersOf()];
  const tables = await servedTables(server.db);
  const functions = await server.db.asAdmin(
    `select distinct proname from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
     and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype) order by 1`,
  );
  const calls = functions.map(({ proname }) => ({ method: 'POST', path: `/rest/v1/rpc/${String(proname)}` }));
  // Only their routes are looked at; nothing is asked of them.
  const api = createApi({ url: 'http://nowhere.test', publishableKey: 'a', secretKey: 'b' });
  const signIn = createAuthApp({} as Auth, new BytesInFlight({ asker: 0, network: 0, all: 0 }));
  const storage = storageApp({ secrets: {} } as Storage);
  const open = ['/', '/config.json', '/healthz', '/calendar/a.ics'].map(path => ({ path, headers: visitor }));
  const broadcast = [{ method: 'POST', path: '/realtime/v1/api/broadcast' }];
  return [
    ...tables.map(table => ({ path: `/rest/v1/${table}`, headers })),
    ...requestsOf([...calls, ...api.routes, ...broadcast], headers),
    // Nobody signs the attacker out.
    ...requestsOf(signIn.routes, visitor),
    ...requestsOf(storage.routes, headers, '/storage/v1'),
    ...open,
  ];
}

const named = ({ method = 'GET', path }: RawRequest) => `${method} ${path}`;

describe('requests behind one that is not answered yet', () => {
  test(
    'of every table, function and route: thirty in a packet are answered once at most, the line is closed, and nobody else waits',
    async () => {
      const requests = await everyRequest(eve);
      expect(requests.length).toBeGreaterThan(200);
      expect(await statusesOf(server.url, lastRequestText({ path: '/healthz' }))).toEqual(['200']);
      const answered: string[] = [];
      const seen = await whileAttacked(server, () =>
        onLines(requests, async each => {
          const packet = `${requestText(each).repeat(PIPELINED - 1)}${lastRequestText(each)}`;
          const statuses = await statusesOf(server.url, packet);
          if (statuses.length > 1) answered.push(`${named(each)}: ${statuses.length}`);
        }),
      );
      note('thirty requests in each packet', seen);
      expect(answered).toEqual([]);
      expectUndisturbed(seen);
    },
    TIMEOUT,
  );

  test(
    'one for a socket closes the line and opens none, and nobody else waits',
    async () => {
      const upgrade = requestText({
        path: `/realtime/v1/websocket?apikey=${server.publishableKey}&vsn=2.0.0`,
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': randomBytes(16).toString('base64'),
        },
      });
      // By itself it is one that is answered so.
      expect(await rawLine(server.url, upgrade).began).toBe('101');
      const requests = (await everyRequest(eve)).slice(0, LINES);
      const opened: string[] = [];
      const seen = await whileAttacked(server, () =>
        onLines(requests, async each => {
          const statuses = await statusesOf(server.url, `${requestText(each)}${upgrade}`);
          if (statuses.includes('101')) opened.push(named(each));
        }),
      );
      note('a socket asked for behind a request', seen);
      expect(opened).toEqual([]);
      expectUndisturbed(seen);
    },
    TIMEOUT,
  );
});

/** One of each service. */
function ordinaryRequests(person: Member): RawRequest[] {
  const headers = headersOf(person);
  const post = (path: string, body: object) => ({ method: 'POST', path, headers, body: JSON.stringify(body) });
  return [
    { path: '/rest/v1/action_items?select=id,title&limit=50', headers },
    post('/rest/v1/rpc/sync_pull', { p_cursors: {}, p_device: randomUUID(), p_limit: 500 }),
    { path: '/auth/v1/user', headers },
    post('/functions/v1/media/confirm', { id: randomUUID() }),
    post('/storage/v1/object/list/media', { prefix: person.organization }),
    { path: '/healthz', headers },
  ];
}

/** The connections of one asker who has one at a time, and what was answered over them: 0 where one broke. */
type ConnectionLog = { sockets: Set<Socket>; statuses: number[] };

/** @returns the status */
function askOver(agent: Agent, sockets: Set<Socket>, asked: RawRequest): Promise<number> {
  const { method = 'GET', path, headers, body = '' } = asked;
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise(resolve => {
    const sent = request(`${server.url}${path}`, { agent, method, headers: { ...headers, ...length } }, answer => {
      answer.resume();
      answer.once('close', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0));
    });
    sent.once('socket', socket => sockets.add(socket));
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

/** Asks one thing after the other, each as soon as the one before is answered, for as long as the attack lasts. */
async function askOn(requests: readonly RawRequest[]): Promise<ConnectionLog> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const log: ConnectionLog = { sockets: new Set(), statuses: [] };
  const end = performance.now() + SECONDS * 1000;
  for (let n = 0; n < requests.length || performance.now() < end; n += 1) {
    const asked = requests[n % requests.length];
    if (asked) log.statuses.push(await askOver(agent, log.sockets, asked));
  }
  agent.destroy();
  return log;
}

test(
  'lines that ask every service again as soon as they are answered keep their line and are answered, and nobody else waits',
  async () => {
    const requests = ordinaryRequests(trudy);
    let logs: ConnectionLog[] = [];
    const seen = await whileAttacked(server, async () => {
      // Not all begin with the same.
      const from = (n: number) => [...requests.slice(n), ...requests.slice(0, n)];
      logs = await Promise.all(Array.from({ length: ASKING }, (_, n) => askOn(from(n % requests.length))));
    });
    note('one request after the other on each line', seen);
    expect(logs.map(({ sockets }) => sockets.size)).toEqual(Array.from({ length: ASKING }, () => 1));
    // There is no such file to be confirmed.
    expect(new Set(logs.flatMap(({ statuses }) => statuses))).toEqual(new Set([200, 404]));
    expectUndisturbed(seen);
  },
  TIMEOUT,
);

/** Asks so many times at once, each over a line of its own; the attack is over when every answer has begun. */
async function unreadAnswers(asked: RawRequest) {
  const lines = Array.from({ length: READERS }, () => rawLine(server.url, lastRequestText(asked)));
  const begun: string[] = [];
  for (const { began } of lines) void began.then(status => begun.push(status));
  await expect.poll(() => begun.length, { timeout: 40_000 }).toBe(READERS);
  return { lines, statuses: new Set(begun) };
}

describe('answers that nobody reads', () => {
  test(
    'files as they are stored wait on the disk, not in memory, and nobody else waits',
    async () => {
      const file = await storePhoto(server, mallory, randomBytes(FILE_BYTES));
      const path = `/storage/v1/object/media/${mallory.organization}/${file}`;
      let statuses = new Set<string>();
      const seen = await whileAttacked(server, async () => {
        ({ statuses } = await unreadAnswers({ path, headers: headersOf(mallory) }));
      });
      note('stored files that nobody reads', seen);
      expect(statuses).toEqual(new Set(['200']));
      expectUndisturbed(seen);
    },
    TIMEOUT,
  );

  describe('pages', () => {
    beforeAll(async () => {
      await server.db.asAdmin(
        `insert into tasks (id, organization_id, site_id, title, notes, assignee_id, created_by)
         select gen_random_uuid(), $1, $2, 'Read ' || n, repeat('x', $5), $3, $3 from generate_series(1, $4) n`,
        [mallory.organization, mallory.site, mallory.id, PAGE_ROWS, NOTES],
      );
    });

    test.each<[string, RawRequest]>([
      ['of rows', { path: `/rest/v1/tasks?select=notes&limit=${PAGE_ROWS}` }],
      [
        'of the feed',
        {
          method: 'POST',
          path: '/rest/v1/rpc/sync_pull',
          body: JSON.stringify({ p_cursors: {}, p_device: randomUUID(), p_limit: 5000 }),
        },
      ],
    ])(
      '%s are in memory up to a bound: those that wait longest are given up, others come whole, and nobody else waits',
      async (name, page) => {
        const asked = { ...page, headers: headersOf(mallory) };
        const whole = await rawLine(server.url, lastRequestText(asked)).readOn();
        expect(whole).toBeGreaterThan(PAGE_ROWS * NOTES);
        let lines: RawLine[] = [];
        let statuses = new Set<string>();
        const seen = await whileAttacked(server, async () => {
          ({ lines, statuses } = await unreadAnswers(asked));
        });
        note(`pages ${name} that nobody reads`, seen);
        expect(statuses).toEqual(new Set(['200']));
        const came = await Promise.all(lines.map(line => line.readOn()));
        // Of one that was given up all is missing that the system had not taken.
        const cut = came.filter(bytes => bytes < whole - MB);
        expect(cut.length).toBeGreaterThan(0);
        expect(cut.length).toBeLessThan(READERS);
        expectUndisturbed(seen);
      },
      TIMEOUT,
    );
  });
});
