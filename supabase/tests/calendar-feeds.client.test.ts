import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWorld, type ServedWorld } from './people-by-client.ts';

/** A calendar has no client of ours: it asks for an address, and knows nothing else. */
let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld();
  await served.db.asAdmin(
    `update tasks set assignee_id = $2, due_day = current_date + 1, due_zone = 'UTC', title = 'Sweep' where id = $1`,
    [served.world.task, served.world.worker],
  );
});
afterAll(() => served.stop());

const make = async (kind: unknown = 'tasks', by = served.clients.owner) =>
  by.functions.invoke<{ id: string; address: string }>('calendar/make', { body: { kind, zone: 'Europe/Berlin' } });
async function addressFor(): Promise<{ id: string; address: string }> {
  const { data } = await make();
  if (!data) throw new Error('no feed was made');
  return data;
}
const shape = async (answer: Response) => ({
  status: answer.status,
  body: await answer.text(),
  headers: Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date')),
});

test('a calendar reads the address without a key, and is told when nothing has changed', async () => {
  const { address } = await addressFor();
  expect(address).toMatch(/^http:\/\/[^/]+\/calendar\/[0-9a-f]{64}\.ics$/);
  const first = await fetch(address);
  expect(first.status).toBe(200);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-cache',
  });
  expect(await first.text()).toContain('SUMMARY:Sweep\r\n');
  const tag = first.headers.get('etag') ?? '';
  const again = await fetch(address, { headers: { 'If-None-Match': tag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  await served.db.asAdmin(`update tasks set title = 'Sweep the yard' where id = $1`, [served.world.task]);
  const changed = await fetch(address, { headers: { 'If-None-Match': tag } });
  expect([changed.status, (await changed.text()).includes('SUMMARY:Sweep the yard\r\n')]).toEqual([200, true]);
  const head = await fetch(address, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag')]).toEqual([200, changed.headers.get('etag')]);
});

test('unknown, revoked and misspelt addresses are answered alike', async () => {
  const { id, address } = await addressFor();
  const unknown = await shape(await fetch(address.replace(/[0-9a-f]{64}/, '0'.repeat(64))));
  expect(unknown).toMatchObject({ status: 404, body: 'Not found' });
  expect((await served.clients.owner.rpc('revoke_calendar_feed', { p_id: id })).error).toBeNull();
  expect(await shape(await fetch(address))).toEqual(unknown);
  expect(await shape(await fetch(address.replace('.ics', '')))).toEqual(unknown);
  expect(await shape(await fetch(address.replace(/[0-9a-f]{64}/, 'make')))).toEqual(unknown);
});

test('only whoever is signed in makes one, of a kind and a zone there are', async () => {
  const status = async (answer: ReturnType<typeof make>) => (await answer).response?.status;
  expect(await status(make('tasks', served.clients.visitor))).toBe(401);
  for (const kind of [null, 7, 'all']) expect(await status(make(kind))).toBe(400);
});

test('of one address one answer is made at a time; whoever asks many times at once is told to wait', async () => {
  const { address } = await addressFor();
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(address)));
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('30');
  expect((await fetch(address)).status).toBe(200);
});
