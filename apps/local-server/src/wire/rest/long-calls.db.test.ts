import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHolder, type Holder } from '../holder-for-tests.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

let server: TestServer;
let people: Awaited<ReturnType<TestServer['person']>>[];
let holder: Holder;

beforeAll(async () => {
  server = await startTestServer();
  people = [];
  for (const name of ['Eve', 'Mallory', 'Trudy', 'Ann']) people.push(await server.person(name));
  // A push that takes as long as somebody holds a table.
  await server.ask(`
    create or replace function public.sync_push(p_device uuid, p_mutations jsonb) returns jsonb language plpgsql security definer
      set search_path = '' as $$ begin perform from public.closed; return '{"results": []}'; end $$`);
  // lite reads the schema with the first request.
  await people[3]?.client.from('names').select();
  holder = openHolder(server.databaseUrl);
});
afterAll(async () => {
  await holder.end();
  await server.stop();
});

test('three accounts with four long calls each have four connections; a fourth person behind the same address is answered meanwhile', async () => {
  const ann = people[3];
  const pushes = await holder.whileHeld('lock table closed in access exclusive mode', async () => {
    const asked = people
      .slice(0, 3)
      .flatMap(({ client }) =>
        [1, 2, 3, 4].map(
          async () => (await client.rpc('sync_push', { p_device: randomUUID(), p_mutations: [] })).status,
        ),
      );
    await expect.poll(holder.waiting).toBe(4);
    for (let n = 0; n < 5; n += 1) expect((await ann?.client.from('names').select())?.status).toBe(200);
    expect(await holder.waiting()).toBe(4);
    return { asked };
  });
  // Nobody was refused: they had their turn one after the other.
  expect(await Promise.all(pushes.asked)).toEqual(Array.from({ length: 12 }, () => 200));
});
