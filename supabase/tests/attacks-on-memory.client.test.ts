import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  expectUndisturbed,
  inWords,
  serveApart,
  whileAttacked,
  type SeparateServer,
  type SignedUpUser,
} from './bystander.ts';

/**
 * One account, or none, must not stop the server: while each attack runs, somebody else is answered. `npm run soak -- ONLY=load` runs
 * this with `ATTACK_MB=9` and more at once; here the sizes are small.
 */
const MB = 1024 * 1024;
const SIZE = Number(process.env['ATTACK_MB'] ?? 2) * MB;
const AT_ONCE = Number(process.env['ATTACK_AT_ONCE'] ?? 6);
const UPLOAD = Number(process.env['ATTACK_UPLOAD_MB'] ?? 20) * MB;

let server: SeparateServer;
let attacker: SignedUpUser;

beforeAll(async () => {
  server = await serveApart();
  attacker = await server.signUp('attacker@apart.test');
});
afterAll(() => server.stop());

type RequestInput = { method?: string; path: string; headers: Record<string, string>; body: Buffer; chunks?: number };

/** @returns the status; 0 where the line was closed before one came. `pieces`: chunked, without a length */
function send({ method = 'POST', path, headers, body, chunks }: RequestInput): Promise<number> {
  return new Promise(resolve => {
    const length = chunks === undefined ? { 'content-length': String(body.byteLength) } : {};
    const asked = request(`${server.url}${path}`, { method, headers: { ...headers, ...length } }, answer => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', () => resolve(0));
    if (chunks === undefined) asked.end(body);
    else {
      const size = Math.ceil(body.byteLength / chunks);
      for (let at = 0; at < body.byteLength; at += size) asked.write(body.subarray(at, at + size));
      asked.end();
    }
  });
}

const visitor = () => ({ apikey: server.publishableKey, 'content-type': 'application/json' });
const signedIn = () => ({ ...visitor(), authorization: `Bearer ${attacker.token}` });
const service = () => ({ apikey: server.secretKey, authorization: `Bearer ${server.secretKey}` });

async function attack(name: string, each: (n: number) => Promise<number>): Promise<number[]> {
  let statuses: number[] = [];
  const seen = await whileAttacked(server, async () => {
    statuses = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => each(n)));
  });
  process.stdout.write(`${inWords(name, seen)}  statuses ${[...new Set(statuses)].join(', ')}\n`);
  expectUndisturbed(seen);
  return statuses;
}

const filled = (open: string, chunk: string, close: string): Buffer =>
  Buffer.from(open + chunk.repeat(Math.floor((SIZE - open.length - close.length) / chunk.length)) + close);

const ROOTS: [string, () => Buffer][] = [
  ['one text', () => filled('"', 'x', '"')],
  ['an array of numbers', () => filled('[0', ',1', ']')],
  ['an array of texts', () => filled('["a"', ',"b"', ']')],
  ['an array of arrays', () => filled('[[]', ',[1]', ']')],
  ['an array of empty rows', () => filled('[{}', ',{}', ']')],
  ['white space and no end', () => filled('{', ' ', '')],
  ['numbers without an end', () => filled('{"p_tables":[0', ',1', ']}')],
  [
    'a row with members without an end',
    () => Buffer.from(`{${Array.from({ length: SIZE / 12 }, (_, n) => `"k${n}":1`).join(',')}}`),
  ],
  ['a row whose member has a name of megabytes', () => filled('{"', 'k', '":1}')],
];
const PATHS = ['/rest/v1/action_items', '/rest/v1/rpc/sync_digest', '/functions/v1/media/confirm'];

describe('a body of megabytes that is no row', () => {
  test.each(ROOTS)('%s, by one account, holds nobody up', async (name, body) => {
    const bytes = body();
    const statuses = await attack(name, n =>
      send({ path: PATHS[n % PATHS.length] ?? '', headers: signedIn(), body: bytes }),
    );
    for (const status of statuses) expect([400, 404, 413, 429, 503, 0]).toContain(status);
  });

  test.each(['text/csv', 'application/x-www-form-urlencoded', 'application/octet-stream', 'text/plain'])(
    'as %s holds nobody up',
    async type => {
      const body = filled('title\n', 'a,b\n', '');
      const headers = { ...signedIn(), 'content-type': type };
      const statuses = await attack(`cells as ${type}`, () => send({ path: '/rest/v1/action_items', headers, body }));
      for (const status of statuses) expect([400, 413, 415, 429, 503, 0]).toContain(status);
    },
  );

  test.each([
    ['a text longer than one may be', () => filled('{"p_tables":"', 'x', '"}')],
    ['a text as long as one may be', () => Buffer.from(`{"p_tables":"${'x'.repeat(1_000_000)}"}`)],
  ])('%s, given to a function that takes an array, holds nobody up', async (name, body) => {
    const bytes = body();
    const statuses = await attack(name, () =>
      send({ path: '/rest/v1/rpc/sync_digest', headers: signedIn(), body: bytes }),
    );
    for (const status of statuses) expect([400, 413, 429, 503, 0]).toContain(status);
  });
});

const FOR_ALL = [
  '/rest/v1/rpc/verify_certificate',
  '/storage/v1/object/media/a/b',
  '/storage/v1/object/list/media',
].concat(['/functions/v1/reports/photo', '/auth/v1/token?grant_type=password', '/realtime/v1/api/broadcast']);

describe('bytes of who may send none', () => {
  const bytes = Buffer.alloc(UPLOAD, 0x20);

  test('a visitor without a key, with a length or without: refused, and nobody is held up', async () => {
    for (const chunks of [undefined, 100]) {
      const statuses = await attack(`no key, ${chunks ? 'chunked' : 'declared'}`, n =>
        send({ path: FOR_ALL[n % FOR_ALL.length] ?? '', headers: {}, body: bytes, ...(chunks && { chunks }) }),
      );
      for (const status of statuses) expect([400, 401, 413, 0]).toContain(status);
    }
  });

  test('a visitor with the public key, with a length or without: refused, and nobody is held up', async () => {
    for (const chunks of [undefined, 100]) {
      const headers = visitor();
      const statuses = await attack(`public key, ${chunks ? 'chunked' : 'declared'}`, n =>
        send({ path: FOR_ALL[n % FOR_ALL.length] ?? '', headers, body: bytes, ...(chunks && { chunks }) }),
      );
      for (const status of statuses) expect(status === 0 || (status >= 400 && status < 504)).toBe(true);
    }
  });
});

test('uploads pass on to the disk, as they are or in a form', async () => {
  const part = 'content-disposition: form-data; name=""; filename="a"\r\ncontent-type: image/jpeg\r\n\r\n';
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(UPLOAD, 1)]);
  const form = Buffer.concat([Buffer.from(`--x\r\n${part}`), jpeg, Buffer.from('\r\n--x--')]);
  const kinds: [string, string, Buffer][] = [
    ['as they are', 'image/jpeg', jpeg],
    ['in a form', 'multipart/form-data; boundary=x', form],
  ];
  for (const [name, type, body] of kinds) {
    const statuses = await attack(`uploads ${name}`, n => {
      const headers = { ...service(), 'content-type': type };
      return send({ path: `/storage/v1/object/media/x/${type.length}-${n}`, headers, body });
    });
    // With the larger sizes of the soak not all have room at once: who has none is told to come again.
    for (const status of statuses) expect([200, 429]).toContain(status);
    expect(statuses.filter(status => status === 200).length).toBeGreaterThanOrEqual(Math.min(4, statuses.length));
  }
});

test('lines that bring a byte now and then hold nobody up', async () => {
  const open = Array.from({ length: AT_ONCE * 10 }, () => {
    const asked = request(`${server.url}/rest/v1/action_items`, {
      method: 'POST',
      headers: { ...signedIn(), 'content-length': String(200_000) },
    });
    asked.on('error', () => undefined);
    asked.write('{');
    return asked;
  });
  await attack('lines that drip', () =>
    send({ path: '/rest/v1/action_items', headers: signedIn(), body: Buffer.from('{}') }),
  );
  for (const each of open) each.destroy();
});

test('a line whose head never ends is closed', async () => {
  const { hostname, port } = new URL(server.url);
  const line = connect(Number(port), hostname);
  line.on('error', () => undefined);
  const closed = once(line, 'close');
  line.write('POST /rest/v1/action_items HTTP/1.1\r\nHost: a\r\n');
  line.resume();
  await closed;
});
