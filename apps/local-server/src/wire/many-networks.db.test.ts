import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
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
