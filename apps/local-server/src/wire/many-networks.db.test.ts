import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openHolder } from './holder-for-tests.ts';
import { startTestServer, type TestServer } from '../server-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
const lines: Socket[] = [];

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person('Ann');
});
afterEach(() => {
  for (const line of lines.splice(0)) line.destroy();
});
afterAll(() => server.stop());

/** A line from a network of its own: each address of 127.0.0.0/8 is one for the server. */
async function open(localAddress: string): Promise<Socket> {
  const line = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', localAddress });
  lines.push(line);
  line.on('error', () => line.destroy());
  await once(line, 'connect');
  return line;
}

const ANN = { email: 'person1@example.test', password: 'a long word' };

/** Asks who Ann is, from a network of one's own. @returns the status */
async function userFrom(localAddress: string): Promise<number> {
  const line = await open(localAddress);
  const head = ['GET /auth/v1/user HTTP/1.1', 'Host: local', `apikey: ${server.secrets.publishableKey}`];
  line.write([...head, `Authorization: Bearer ${ann.token}`, '', ''].join('\r\n'));
  const [bytes]: Buffer[] = await once(line, 'data');
  return Number(/^HTTP\/1\.1 (\d+)/.exec(bytes?.toString() ?? '')?.[1]);
}

async function signIn(): Promise<number> {
  const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(ANN),
  });
  await answer.text();
  return answer.status;
}

type Call = { path: string; token: string | null; body: object; server?: TestServer };

/** Asks from a network of one's own. @returns the status */
async function callFrom(
  localAddress: string,
  { path, token, body, server: asked = server }: Call,
  agent?: Agent,
): Promise<number> {
  const bytes = Buffer.from(JSON.stringify(body));
  const answer = Promise.withResolvers<number>();
  const headers = {
    apikey: asked.secrets.publishableKey,
    ...(token !== null && { Authorization: `Bearer ${token}` }),
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
  };
  const sent = request(`${asked.url}${path}`, { method: 'POST', localAddress, headers, agent }, response => {
    response.resume().once('end', () => answer.resolve(response.statusCode ?? 0));
  });
  sent.on('error', answer.reject);
  sent.end(bytes);
  return answer.promise;
}

/** ms in which somebody is answered who has nothing to do with others, on whichever machine. */
const PATIENCE_MS = 10_000;

/** Reads from a network of one's own. @returns the status; fails where it takes too long */
async function readFrom(
  localAddress: string,
  path: string,
  asked: TestServer = server,
  patienceMs: number | null = PATIENCE_MS,
): Promise<number> {
  const answer = Promise.withResolvers<number>();
  const signal = patienceMs === null ? undefined : AbortSignal.timeout(patienceMs);
  const sent = request(`${asked.url}${path}`, { localAddress, signal }, response => {
    response.resume().once('end', () => answer.resolve(response.statusCode ?? 0));
  });
  sent.on('error', answer.reject);
  sent.end();
  return answer.promise;
}

/** What was sent before has come in. */
async function comeIn(asked: TestServer = server): Promise<void> {
  for (let n = 0; n < 20; n += 1) await (await fetch(`${asked.url}/healthz`)).text();
}

const CHANNELS = '/functions/v1/notifications/channels';

test('feeds that are made, and those that wait for them, keep no function waiting and no calendar that is made already', async () => {
  const feed = (n: number) => `/calendar/${String(n).padStart(64, '0')}.ics`;
  expect(await readFrom('127.0.0.9', feed(0))).toBe(200);
  const holder = openHolder(server.databaseUrl);
  const ask = (network: number, path: string) => readFrom(`127.0.0.${network}`, path, server, null);
  const answers = await holder.whileHeld('lock table closed in access exclusive mode', async () => {
    const made = [2, 3].map(network => ask(network, `/functions/v1${feed(network)}`));
    await expect.poll(holder.waiting).toBe(2);
    const waiting = [2, 3, 4, 5].flatMap(network =>
      [10, 20, 30].map(n => ask(network, `${n === 30 ? '' : '/functions/v1'}${feed(n + network)}`)),
    );
    await comeIn();
    expect(await readFrom('127.0.0.9', CHANNELS)).toBe(200);
    expect(await readFrom('127.0.0.9', feed(0))).toBe(200);
    return { all: Promise.all([...made, ...waiting]) };
  });
  expect(new Set(await answers.all)).toEqual(new Set([200]));
  await holder.end();
});

test('letters that a mail server does not take keep no function waiting', async () => {
  const silent = createServer(line => void lines.push(line.on('error', () => line.destroy()))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const smtpUrl = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const firm = await startTestServer({ mail: { smtpUrl, from: 'Cairn <cairn@localhost>' } });
  const senders: { token: string }[] = [];
  for (const name of ['A', 'B', 'C', 'D']) senders.push(await firm.person(name));
  const body = { action_id: 'a', name: 'Bo', email: 'bo@outside.example', until: '2190-01-01' };
  const given = senders.flatMap(({ token }, n) =>
    [1, 2].map(() =>
      callFrom(`127.0.0.${2 + (n % 2)}`, { server: firm, path: '/functions/v1/guests/give', token, body }),
    ),
  );
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  await comeIn(firm);
  expect(await readFrom('127.0.0.9', CHANNELS, firm)).toBe(200);
  silent.close();
  for (const line of lines.splice(0)) line.destroy();
  expect(new Set(await Promise.all(given))).toEqual(new Set([200]));
  await firm.stop();
});

describe('whole bodies that wait for a turn', () => {
  const KB = 1024;
  const KIND = '/rest/v1/rpc/kind_of';
  const wordsOf = (kilobytes: number) => ({ p_value: Array.from({ length: kilobytes }, () => 'x'.repeat(KB - 3)) });

  test('of six accounts on three networks give way to those of somebody elsewhere, large or small', async () => {
    // A sixteenth of the room: 640 kB of a person, 1 MB of a network, 3 MB.
    const narrow = await startTestServer({ bodyShare: 1 / 16 });
    const attackers: { token: string }[] = [];
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) attackers.push(await narrow.person(name));
    const bob = await narrow.person('Bob');
    // lite reads the schema with the first request: not while a table is held.
    await bob.client.from('notes').select();
    const holder = openHolder(narrow.databaseUrl);
    const ask = (at: string, path: string, token: string, body: object) =>
      callFrom(at, { server: narrow, path, token, body });
    let refused = 0;
    const answers = await holder.whileHeld('lock table notes in access exclusive mode', async () => {
      const note = { p_words: 'x', p_extra: null };
      const inHand = attackers
        .filter((_, n) => n % 2 === 0)
        .flatMap(({ token }, n) =>
          [1, 2, 3, 4].map(() => ask(`127.0.0.${2 + n}`, '/rest/v1/rpc/keep_note', token, note)),
        );
      await expect.poll(holder.waiting, { timeout: 3_000 }).toBe(12);
      const waiting = attackers.map(async ({ token }, n) => {
        const status = await ask(`127.0.0.${2 + Math.floor(n / 2)}`, KIND, token, wordsOf(n % 2 === 0 ? 600 : 400));
        if (status === 503) refused += 1;
      });
      // They have come in once these are answered.
      for (let n = 0; n < 20; n += 1) await (await fetch(`${narrow.url}/healthz`)).text();
      const own = [wordsOf(500), { p_value: 1 }].map(body => ask('127.0.0.9', KIND, bob.token, body));
      // They have more than there is room for, and one of whoever has most goes.
      await expect.poll(() => refused, { timeout: 4_000 }).toBeGreaterThan(0);
      return { own, all: Promise.all([...inHand, ...waiting]) };
    });
    expect(await Promise.all(answers.own)).toEqual([200, 200]);
    await answers.all;
    expect(refused).toBeLessThanOrEqual(2);
    await holder.end();
    await narrow.stop();
  });
});

test('bodies that visitors of six networks announce and never send keep nobody else from signing in or asking', async () => {
  const head = [
    'POST /rest/v1/names HTTP/1.1',
    'Host: local',
    `apikey: ${server.secrets.publishableKey}`,
    'Content-Type: application/json',
    'Content-Length: 262144',
  ];
  const begun = Array.from({ length: 6 * 44 }, async (_, n) => {
    const line = await open(`127.0.0.${2 + (n % 6)}`);
    await new Promise<void>(resolve => line.write(`${head.join('\r\n')}\r\n\r\n{`, () => resolve()));
  });
  await Promise.all(begun);
  // The last of them has been looked at once this is answered.
  await (await fetch(`${server.url}/healthz`)).text();
  const asked = await fetch(`${server.url}/rest/v1/rpc/who`, {
    method: 'POST',
    headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
    body: '{}',
  });
  expect([asked.status, await signIn()]).toEqual([200, 200]);
});

describe('sessions that are renewed again and again', () => {
  const renew = (token: string) =>
    fetch(`${server.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: token }),
    });
  test("with tokens nobody gave out, or with one's own, from one network leave connections to who signs in elsewhere", async () => {
    const { data } = await server.visitor().auth.signInWithPassword(ANN);
    const own = data.session?.refresh_token ?? '';
    const holder = openHolder(server.databaseUrl);
    const answers = await holder.whileHeld('lock table auth.refresh_tokens in access exclusive mode', async () => {
      const all = Array.from({ length: 40 }, (_, n) => renew(n % 2 === 0 ? own : `nobody's token ${n}`));
      await expect.poll(holder.waiting, { timeout: 2_500 }).toBe(3);
      // From another network: whoever asks from here waits behind the forty.
      expect(await userFrom('127.0.0.9')).toBe(200);
      expect(await holder.waiting()).toBe(3);
      return { all };
    });
    await Promise.all(answers.all);
    await holder.end();
  });
});

test('wrong sign-ins and invented tokens of two networks that never end keep no sign-in elsewhere waiting', async () => {
  const attack = { isOver: false, tokens: 0 };
  const agent = new Agent({ keepAlive: true });
  const keepOn = async (address: string, body: () => Call) => {
    while (!attack.isOver) await callFrom(address, body(), agent);
  };
  const invented = () => ({
    path: '/auth/v1/token?grant_type=refresh_token',
    token: null,
    body: { refresh_token: `nobody's ${(attack.tokens += 1)}` },
  });
  const wrong = () => ({
    path: '/auth/v1/token?grant_type=password',
    token: null,
    body: { email: 'nobody@example.test', password: 'a long word' },
  });
  const attackers = ['127.0.0.2', '127.0.0.3'].flatMap(address => [
    ...Array.from({ length: 12 }, () => keepOn(address, invented)),
    ...Array.from({ length: 4 }, () => keepOn(address, wrong)),
  ]);
  await expect.poll(() => attack.tokens).toBeGreaterThan(100);
  const own = { path: '/auth/v1/token?grant_type=password', token: null, body: ANN };
  for (let n = 0; n < 3; n += 1) expect(await callFrom('127.0.0.9', own)).toBe(200);
  // Nobody's renewal is refused for what others of their network invent.
  const { data } = await server.visitor().auth.signInWithPassword(ANN);
  const renewal = { path: '/auth/v1/token?grant_type=refresh_token', token: null };
  const status = await callFrom('127.0.0.2', { ...renewal, body: { refresh_token: data.session?.refresh_token } });
  attack.isOver = true;
  await Promise.all(attackers);
  agent.destroy();
  expect(status).toBe(200);
});

describe('a line whose upgrade is refused', () => {
  /** Reads the refusal, and never closes its own half. */
  async function refused(of: TestServer): Promise<Socket> {
    const line = connect({ port: Number(new URL(of.url).port), host: '127.0.0.1', allowHalfOpen: true });
    lines.push(line);
    line.on('error', () => undefined);
    line.write('GET /x HTTP/1.1\r\nHost: local\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    await once(line.resume(), 'end');
    return line;
  }

  test('is closed, whether or not whoever sent it closes theirs', async () => {
    const line = await refused(server);
    // What comes after is answered by a reset only where nobody holds the line any more.
    await expect.poll(() => line.destroyed || !line.write('x')).toBe(true);
  });

  test('does not keep the server from stopping', async () => {
    const other = await startTestServer();
    await refused(other);
    await other.stop();
    await expect(fetch(other.url)).rejects.toThrow('fetch failed');
  });
});
