import { randomUUID } from 'node:crypto';
import { supabaseBackend } from '@cairn/sync/transport/supabase-backend.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWorld, type ServedWorld } from './people-by-client.ts';

/** The calls by which a device looks after its copy, the whole way: client, local server, session, database. */
let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld();
});
afterAll(() => served.stop());

const { signal } = new AbortController();
const empty = (table: 'action_items' | 'inspections') => ({
  scope: `site:${served.world.north}`,
  table,
  sums: {},
  device: randomUUID(),
  limit: 1000,
});

test('a digest, a repair and the question what the ledger lacks are answered as documented', async () => {
  const backend = supabaseBackend(served.clients.owner);
  const digest = await backend.digest(['action_items', 'inspections'], signal);
  const scope = digest[`site:${served.world.north}`];
  expect(scope).toEqual({
    at: [expect.any(String), expect.any(Number)],
    sums: {
      action_items: [expect.any(Number), expect.stringMatching(/^[0-9a-f]{16}$/)],
      inspections: [expect.any(Number), expect.stringMatching(/^[0-9a-f]{16}$/)],
    },
  });
  const answer = await backend.repair(empty('action_items'), signal);
  expect(answer.rows.map(({ id }) => id)).toContain(served.world.action);
  expect(answer).toMatchObject({ at: scope?.at, wrong: answer.buckets.length });
  const bucket = { [answer.buckets[0] ?? 0]: [1, 'f'.repeat(16)] as [number, string] };
  expect(await backend.repair({ ...empty('action_items'), sums: bucket }, signal)).toMatchObject({
    wrong: answer.wrong,
  });
  const mids = [randomUUID(), randomUUID()];
  expect(await backend.missing(mids, signal)).toEqual(mids);
});

test('who is signed out is refused', async () => {
  const backend = supabaseBackend(served.clients.visitor);
  await expect(backend.digest(['sites'], signal)).rejects.toMatchObject({ name: 'BackendError' });
  await expect(backend.repair(empty('inspections'), signal)).rejects.toMatchObject({ name: 'BackendError' });
  await expect(backend.missing([randomUUID()], signal)).rejects.toMatchObject({ name: 'BackendError' });
});
