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

/** How often the database was asked for the feeds, and how often it sent their entries. */
async function watched(): Promise<() => Promise<{ asked: number; sent: number }>> {
  const { db } = served;
  await db.asAdmin('create table if not exists calendar.asked (n serial, sent boolean)');
  const [row] = await db.asAdmin("select to_regproc('calendar.watched_feed') is not null as is");
  if (row?.['is'] !== true) {
    await db.asAdmin('alter function public.calendar_feed(text, text[], boolean) set schema calendar');
    await db.asAdmin('alter function calendar.calendar_feed(text, text[], boolean) rename to watched_feed');
    await db.asAdmin(
      `create function public.calendar_feed(p_token text, p_known text[] default '{}', p_tag_only boolean default false)
         returns jsonb language plpgsql volatile security definer set search_path = '' as $$
       declare feed constant jsonb := calendar.watched_feed(p_token, p_known, p_tag_only);
       begin
         insert into calendar.asked (sent) values (coalesce(feed ? 'entries', false));
         return feed;
       end $$`,
    );
  }
  await db.asAdmin('truncate calendar.asked');
  return async () => {
    const text = 'select count(*)::int as asked, count(*) filter (where sent)::int as sent from calendar.asked';
    const [counts] = await db.asAdmin(text);
    return counts as { asked: number; sent: number };
  };
}

test('however many ask for one address at once, it is made once', async () => {
  const { address } = await addressFor();
  const asked = await watched();
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(address)));
  for (const answer of answers) expect([200, 429]).toContain(answer.status);
  const texts = await Promise.all(answers.filter(({ status }) => status === 200).map(answer => answer.text()));
  expect(new Set(texts).size).toBe(1);
  expect((await asked()).sent).toBe(1);
  expect((await fetch(address)).status).toBe(200);
});

test('a feed that was just made is not made again for whoever has it, nor for another device of its owner', async () => {
  const { address } = await addressFor();
  const asked = await watched();
  const first = await fetch(address);
  const [text, tag] = [await first.text(), first.headers.get('etag') ?? ''];
  const second = await fetch(address);
  expect([await second.text(), second.headers.get('etag')]).toEqual([text, tag]);
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`])
    expect((await fetch(address, { headers: { 'If-None-Match': known } })).status).toBe(304);
  // Once for each that asks, and once more to make it.
  expect(await asked()).toEqual({ asked: 6, sent: 1 });
  // Tags of another server's text, and more than a calendar has, count for nothing.
  const foreign = tag.replace(/^"\w+/, '"0000000000000000');
  expect((await fetch(address, { headers: { 'If-None-Match': foreign } })).status).toBe(200);
});

test('what is kept of a feed is shown to nobody once it is revoked, renewed, its rows have changed or its owner may not see them', async () => {
  const { db, world } = served;
  const { id, address } = await addressFor();
  const first = await fetch(address);
  const known = { 'If-None-Match': first.headers.get('etag') ?? '' };
  expect(await first.text()).toContain('SUMMARY:Sweep');
  await db.asAdmin('update organization_members set deleted_at = now() where user_id = $1 and organization_id = $2', [
    world.worker,
    world.organization,
  ]);
  const left = await fetch(address, { headers: known });
  expect([left.status, (await left.text()).includes('SUMMARY')]).toEqual([200, false]);
  await db.asAdmin('update organization_members set deleted_at = null where user_id = $1 and organization_id = $2', [
    world.worker,
    world.organization,
  ]);
  await db.asAdmin('update tasks set deleted_at = now() where id = $1', [world.task]);
  expect(await (await fetch(address, { headers: known })).text()).not.toContain('SUMMARY');
  await db.asAdmin('update tasks set deleted_at = null where id = $1', [world.task]);
  expect((await fetch(address)).status).toBe(200);
  const renewed = await addressFor();
  for (const headers of [{}, known]) expect((await fetch(address, { headers })).status).toBe(404);
  expect((await fetch(renewed.address)).status).toBe(200);
  expect((await served.clients.owner.rpc('revoke_calendar_feed', { p_id: id })).error).toBeNull();
  for (const headers of [{}, known]) expect((await fetch(renewed.address, { headers })).status).toBe(404);
});
