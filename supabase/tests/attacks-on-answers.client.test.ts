import { randomBytes, randomUUID } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  expectUndisturbed,
  inWords,
  serveApart,
  whileAttacked,
  type SeparateServer,
  type SignedUpUser,
} from './bystander.ts';
import { company, join } from './load.ts';
import { closeLines, rawLine, requestText, type RawLine } from './raw-line.ts';
import { storePhoto } from './stored-photo.ts';

/** Large answers that are asked for again and again and not read: they fill nobody's memory and keep nobody's place. */
const MB = 1024 * 1024;
const SIZE = Number(process.env['ATTACK_FILE_MB'] ?? 8) * MB;
const AT_ONCE = Number(process.env['ATTACK_READERS'] ?? 40);
/** MB; all of the answers held whole would take more than three times as much. */
const MAX_GROWTH_MB = 120;

type Owner = SignedUpUser & { organization: string; files: Map<string, Buffer> };
let server: SeparateServer;
let picture: { token: string; media: string };
const owners: Owner[] = [];

async function bring(owner: Owner): Promise<string> {
  const bytes = randomBytes(SIZE);
  const id = await storePhoto(server, owner, bytes);
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

beforeAll(async () => {
  server = await serveApart();
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
afterEach(closeLines);
afterAll(() => server.stop());

/** Asks, sees how the answer begins, and reads no further. */
function askAndWait(method: string, path: string, token: string | null, body = ''): RawLine {
  const headers = {
    apikey: server.publishableKey,
    'content-type': 'application/json',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  return rawLine(server.url, requestText({ method, path: `/functions/v1/${path}`, headers, body }));
}

const elapsed = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms));
const exportOf = ({ token }: Owner) => askAndWait('GET', 'account/export', token);
const ownerAt = (at: number): Owner => {
  const owner = owners[at];
  if (!owner) throw new Error('nobody is there');
  return owner;
};

test.each([
  ['exports of one account', () => exportOf(ownerAt(0))],
  ['photos of a visitor', () => askAndWait('POST', 'guests/picture', null, JSON.stringify(picture))],
])(
  '%s that nobody reads leave the server its memory, and everybody else their answers',
  async (name, ask) => {
    const begun: string[] = [];
    const seen = await whileAttacked(server, async () => {
      const asked = Array.from({ length: AT_ONCE }, () => ask());
      for (const { began } of asked) void began.then(status => begun.push(status));
      await elapsed(4000);
    });
    process.stdout.write(`${inWords(name, seen)}  begun ${begun.length}\n`);
    // So many of one person, or of the visitors of a network.
    expect(begun).toEqual(['200', '200', '200', '200']);
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
  const found = await Promise.all(slow.map(line => line.readOn()));
  expect(Math.max(...found)).toBeLessThan(2 * SIZE);
}, 90_000);
