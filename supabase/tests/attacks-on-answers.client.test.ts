import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  expectUndisturbed,
  inWords,
  serveApart,
  whileAttacked,
  type SeparateServer,
  type SignedUpUser,
} from './bystander.ts';
import { company, join } from './load.ts';

/** Large answers that are asked for again and again and not read: they fill nobody's memory and keep nobody's place. */
const MB = 1024 * 1024;
const SIZE = Number(process.env['ATTACK_FILE_MB'] ?? 8) * MB;
const AT_ONCE = Number(process.env['ATTACK_READERS'] ?? 40);
/** MB; all of the answers held whole would take more than three times as much. */
const MAX_GROWTH_MB = 120;

type Owner = SignedUpUser & { organization: string; files: Map<string, Buffer> };
let server: SeparateServer;
let picture: { token: string; media: string };
/** Somebody with many words, and one file: without it the system takes in all for a reader who takes nothing (4 MB on Linux). */
let writer: SignedUpUser;
/** The address of a large calendar. */
let feed: string;
const owners: Owner[] = [];

async function bring(owner: Owner): Promise<string> {
  const [id, bytes] = [randomUUID(), randomBytes(SIZE)];
  await server.db.asAdmin(
    `insert into media (id, organization_id, kind, mime, bytes, sha256, state, captured_at, captured_by)
     values ($1, $2, 'photo', 'image/jpeg', $3, $4, 'complete', now(), $5)`,
    [id, owner.organization, SIZE, createHash('sha256').update(bytes).digest('hex'), owner.id],
  );
  const headers = {
    apikey: server.secretKey,
    authorization: `Bearer ${server.secretKey}`,
    'content-type': 'image/jpeg',
  };
  const path = `${server.url}/storage/v1/object/media/${owner.organization}/${id}`;
  const stored = await fetch(path, { method: 'POST', headers, body: new Uint8Array(bytes) });
  expect(stored.status).toBe(200);
  owner.files.set(id, bytes);
  return id;
}

/** A link for somebody outside to an item with that photo. */
async function linkTo({ id, organization }: Owner, media: string): Promise<typeof picture> {
  const [action, link, token] = [randomUUID(), randomUUID(), randomBytes(32).toString('hex')];
  const db = server.db;
  await db.asAdmin(`insert into action_items (id, organization_id, title, media_ids) values ($1, $2, 'Rail', $3)`, [
    action,
    organization,
    JSON.stringify([media]),
  ]);
  await db.asAdmin(
    `insert into intake.guest_link (id, organization_id, action_id, name, email, until, created_by)
       values ($1, $2, $3, 'Bo', 'bo@outside.example', '2190-01-01', $4)`,
    [link, organization, action, id],
  );
  await db.asAdmin('insert into intake.guest_token (hash, link_id) values (identity.token_hash($1), $2)', [
    token,
    link,
  ]);
  return { token, media };
}

/** Somebody alone in a company. */
async function founder(name: string): Promise<SignedUpUser & { organization: string; site: string }> {
  const [person, place] = [await server.signUp(`${name}@answers.test`), await company(server.db, name)];
  await join(server.db, person.id, place);
  return { ...person, ...place };
}

/** Notes that do not pack well. */
async function write({ id, organization, site }: Awaited<ReturnType<typeof founder>>): Promise<void> {
  const notes = Array.from({ length: 200 }, () => randomBytes(15_000).toString('base64'));
  await server.db.asAdmin(
    `insert into tasks (id, organization_id, site_id, title, notes, created_by)
     select gen_random_uuid(), $1, $2, 'Minutes', notes, $3 from jsonb_array_elements_text($4) notes`,
    [organization, site, id, JSON.stringify(notes)],
  );
}

/** Titles and a place that take four bytes a letter: more than the system takes in. */
async function plan({ id, organization, site }: Awaited<ReturnType<typeof founder>>): Promise<void> {
  await server.db.asAdmin(`update sites set name = repeat('😀', 200) where id = $1`, [site]);
  await server.db.asAdmin(
    `insert into tasks (id, organization_id, site_id, title, assignee_id, created_by, due_day, due_zone)
     select gen_random_uuid(), $1, $2, repeat('😀', 300), $3, $3, current_date + n % 300, 'UTC'
     from generate_series(1, 3000) n`,
    [organization, site, id],
  );
}

/** The address of their calendar, which was made once. */
async function feedOf({ token }: SignedUpUser): Promise<string> {
  const headers = {
    apikey: server.publishableKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ kind: 'tasks', zone: 'Europe/Berlin' });
  const answer = await fetch(`${server.url}/functions/v1/calendar/make`, { method: 'POST', headers, body });
  const { address } = (await answer.json()) as { address: string };
  const first = await fetch(address);
  expect([first.status, (await first.arrayBuffer()).byteLength > 5 * MB]).toEqual([200, true]);
  return new URL(address).pathname;
}

beforeAll(async () => {
  server = await serveApart();
  const [author, planner] = [await founder('writer'), await founder('planner')];
  await Promise.all([write(author), plan(planner), bring({ ...author, files: new Map() })]);
  writer = author;
  feed = await feedOf(planner);
  for (const name of ['eve', 'mallory', 'ann']) {
    const person = await server.signUp(`${name}@answers.test`);
    const place = await company(server.db, name);
    await join(server.db, person.id, place);
    const owner = { ...person, organization: place.organization, files: new Map<string, Buffer>() };
    await bring(owner);
    const second = await bring(owner);
    if (name === 'eve') picture = await linkTo(owner, second);
    owners.push(owner);
  }
});
afterAll(() => server.stop());

type OpenRequest = { socket: Socket; closed: Promise<unknown>; began: Promise<string> };

/** Asks, sees how the answer begins, and reads no further. */
function askAndWait(method: string, path: string, token: string | null, body = ''): OpenRequest {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const bearer = token === null ? '' : `authorization: Bearer ${token}\r\n`;
  const heads = `apikey: ${server.publishableKey}\r\ncontent-type: application/json\r\n${bearer}`;
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: a\r\n${heads}content-length: ${body.length}\r\n\r\n${body}`);
  const began = new Promise<string>(resolve => {
    socket.once('data', data => {
      socket.pause();
      resolve(/^HTTP\/1.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? 'none');
    });
    socket.once('close', () => resolve('closed'));
  });
  socket.on('error', () => undefined);
  return { socket, began, closed: once(socket, 'close') };
}

/** Bytes that come until the line is closed. */
async function restOf({ socket, closed }: OpenRequest): Promise<number> {
  let bytes = 0;
  socket.on('data', data => void (bytes += data.byteLength));
  socket.resume();
  await closed;
  return bytes;
}

const elapsed = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms));
const exportOf = ({ token }: SignedUpUser) => askAndWait('GET', '/functions/v1/account/export', token);
const ownerAt = (at: number): Owner => {
  const owner = owners[at];
  if (!owner) throw new Error('nobody is there');
  return owner;
};

test.each([
  ['exports of one account', () => exportOf(ownerAt(0))],
  ['exports of an account of many words', () => exportOf(writer)],
  ['a large calendar', () => askAndWait('GET', feed, null)],
  ['photos of a visitor', () => askAndWait('POST', '/functions/v1/guests/picture', null, JSON.stringify(picture))],
])(
  '%s that nobody reads leave the server its memory, and everybody else their answers',
  async (name, ask) => {
    let asked: OpenRequest[] = [];
    const begun: string[] = [];
    let atOnce: string[] = [];
    onTestFinished(() => {
      for (const { socket } of asked) socket.destroy();
    });
    const seen = await whileAttacked(server, async () => {
      asked = Array.from({ length: AT_ONCE }, () => ask());
      for (const { began } of asked) void began.then(status => begun.push(status));
      await expect.poll(() => begun.length, { timeout: 30_000 }).toBe(4);
      await elapsed(4000);
      // Later whoever does not read has lost their place to the next.
      atOnce = [...begun];
    });
    process.stdout.write(`${inWords(name, seen)}  begun ${atOnce.length}\n`);
    // So many of one person, or of the visitors of a network.
    expect(atOnce).toEqual(['200', '200', '200', '200']);
    expectUndisturbed(seen);
    expect(seen.grownMb).toBeLessThan(MAX_GROWTH_MB);
  },
  60_000,
);

async function whole({ token, files }: Owner): Promise<boolean> {
  const headers = { apikey: server.publishableKey, authorization: `Bearer ${token}` };
  const answer = await fetch(`${server.url}/functions/v1/account/export`, { headers });
  expect(answer.status).toBe(200);
  const unzipped = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  return [...files].every(([id, bytes]) => bytes.equals(unzipped[`files/${id}.jpg`] ?? Buffer.alloc(0)));
}

test('who does not read what they asked for loses their place after a quarter of a minute, and others get it; small answers need none', async () => {
  const [eve, mallory, ann] = [ownerAt(0), ownerAt(1), ownerAt(2)];
  expect(await whole(ann)).toBe(true);
  const slow = [eve, mallory].flatMap(owner => Array.from({ length: 4 }, () => exportOf(owner)));
  expect(await Promise.all(slow.map(({ began }) => began))).toEqual(Array.from({ length: 8 }, () => '200'));
  const start = performance.now();
  const hers = whole(ann).then(isWhole => ({ isWhole, ms: performance.now() - start }));
  const headers = { apikey: server.publishableKey, authorization: `Bearer ${ann.token}` };
  const body = JSON.stringify({ id: randomUUID() });
  const small = await fetch(`${server.url}/functions/v1/media/confirm`, { method: 'POST', headers, body });
  expect([small.status, performance.now() - start < 5000]).toEqual([404, true]);
  const { isWhole, ms } = await hers;
  expect(isWhole).toBe(true);
  expect(ms).toBeGreaterThan(5000);
  expect(ms).toBeLessThan(40_000);
  // By then the time of the last of them is over too: their lines were closed, and what they find is what was on its way.
  await elapsed(20_000 - (performance.now() - start));
  const found = await Promise.all(slow.map(restOf));
  expect(Math.max(...found)).toBeLessThan(2 * SIZE);
}, 90_000);
