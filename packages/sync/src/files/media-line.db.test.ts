import 'fake-indexeddb/auto';
import { createHash, randomUUID } from 'node:crypto';
import { systemClock } from '@cairn/base/clock.ts';
import { startServerOn } from '@cairn/local-server/server-for-tests.ts';
import { onlyOurAnswers } from '../transport/our-answers.ts';
import { supabaseBackend } from '../transport/supabase-backend.ts';
import { openDevice } from '../device.ts';
import type { OutboxItem, SyncStatus } from '../outbox/outbox-item.ts';
import { CutLine, type CutLineOptions } from '@cairn/testing/cut-line.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '../../../../e2e/people/seeded.ts';

/** One big file here; `npm run soak` sends the size, and over the line, that the promise is about. */
const MEGABYTES = Number(process.env['MEDIA_MB'] ?? 12);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
/**
 * A line is cut as often in its bytes as one of 8 Mbit/s each 2 s, but twice as fast, so that no test waits for it. No faster: a server asks
 * who sends before it reads, and on a busy machine that may take the 0.1 s in which a line of 20 MB/s is cut again, with all it carried lost.
 */
const QUICK = { bytesPerSecond: 2_000_000, cutEvery: { bytes: 2_000_000 } };
const AS_PROMISED = { bytesPerSecond: 1_000_000, cutEvery: { ms: 2000 } };
const LINE = process.env['MEDIA_LINE'] === 'slow' ? AS_PROMISED : QUICK;
const PASSWORD = 'a long word';

let db: TestDatabase;
let server: Awaited<ReturnType<typeof startServerOn>>;
let person: string;
let organization: string;

beforeAll(async () => {
  db = await freshDatabase();
  server = await startServerOn(db.url);
  const { data } = await server.visitor().auth.signUp({ email: 'worker@a.test', password: PASSWORD });
  person = data.user?.id ?? '';
  organization = randomUUID();
  await db.asAdmin('insert into organizations (id, name, slug) values ($1, $2, $3)', [organization, 'Works', 'works']);
  await db.asAdmin('insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)', [
    organization,
    person,
    'admin',
  ]);
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});

async function publishableKeyOf(): Promise<string> {
  const config = (await (await globalThis.fetch(`${server.url}/config.json`)).json()) as { publishableKey: string };
  return config.publishableKey;
}

/** A phone whose every call to the server goes over a bad line. */
async function phoneOn(options: Omit<CutLineOptions, 'target' | 'random'>) {
  const line = await CutLine.to({ ...options, target: Number(new URL(server.url).port), random: seeded(SEED) });
  const publishableKey = await publishableKeyOf();
  const ask = onlyOurAnswers(globalThis.fetch);
  const auth = { persistSession: false, autoRefreshToken: false };
  const client = createClient(line.url, publishableKey, { auth, global: { fetch: ask } });
  // Signing in is not what this line is about.
  const { data } = await server.visitor().auth.signInWithPassword({ email: 'worker@a.test', password: PASSWORD });
  if (data.session) await client.auth.setSession(data.session);
  const backend = supabaseBackend(client, { url: line.url, publishableKey, ask });
  const platform = virtualPlatform({ clock: systemClock, random: () => 0.1 });
  const device = await openDevice({ name: randomUUID(), platform });
  const engine = device.engineFor({ owner: person, backend });
  const seen: { status?: SyncStatus; outbox: OutboxItem[]; sizes: Set<number> } = { outbox: [], sizes: new Set() };
  engine.watchStatus(status => (seen.status = status));
  engine.watchOutbox(items => {
    seen.outbox = items;
    for (const { sentBytes } of items) if (sentBytes !== null) seen.sizes.add(sentBytes);
  });
  return {
    line,
    engine,
    seen,
    async close() {
      await engine.stop();
      await device.close();
      await client.realtime.disconnect();
      await line.close();
    },
  };
}

type Phone = Awaited<ReturnType<typeof phoneOn>>;

async function take({ engine }: Phone, bytes: Uint8Array): Promise<{ id: string; sha256: string }> {
  const file = { id: randomUUID(), sha256: createHash('sha256').update(bytes).digest('hex') };
  await engine.store.write('photo', async tx => {
    await tx.put('media', {
      ...file,
      organization_id: organization,
      kind: 'file',
      mime: 'application/octet-stream',
      bytes: bytes.byteLength,
      captured_at: new Date().toISOString(),
    });
    await tx.putBytes(file.id, new Uint8Array(bytes).buffer);
  });
  return file;
}

/** Bytes that compress to nothing less. */
function noise(megabytes: number): Uint8Array {
  const bytes = new Uint8Array(megabytes * 1_000_000);
  for (let at = 0; at < bytes.byteLength; at += 65_536)
    crypto.getRandomValues(bytes.subarray(at, Math.min(at + 65_536, bytes.byteLength)));
  return bytes;
}

const stored = (id: string) => db.asAdmin('select state, sha256, bytes::int from media where id = $1', [id]);

test(`a file of ${MEGABYTES} MB arrives whole over a line that is cut again and again, sent not even 1.2 times (seed ${SEED})`, async () => {
  const phone = await phoneOn(LINE);
  try {
    const bytes = noise(MEGABYTES);
    const { id, sha256 } = await take(phone, bytes);
    await expect.poll(() => phone.seen.status?.pendingFiles).toBe(1);
    phone.line.begin();
    phone.engine.start();
    await expect
      .poll(() => phone.seen.status?.pendingFiles, { timeout: 110_000 + MEGABYTES * 4000, interval: 50 })
      .toBe(0);
    const { sent, cuts } = phone.line;
    const share = (sent / bytes.byteLength).toFixed(3);
    process.stdout.write(`media-line ${MEGABYTES} MB, ${cuts} cuts, sent ${share} times\n`);
    // The server hashes what it stored before it says so; only then may the phone free its copy.
    expect(await stored(id)).toEqual([{ state: 'complete', sha256, bytes: bytes.byteLength }]);
    expect(cuts).toBeGreaterThanOrEqual(Math.floor(MEGABYTES / 2) - 1);
    expect(sent).toBeLessThanOrEqual(bytes.byteLength * 1.2);
    expect(phone.seen.status?.failed).toBe(0);
    expect(phone.seen.sizes.size).toBeGreaterThan(2);
  } finally {
    await phone.close();
  }
}, 600_000);
