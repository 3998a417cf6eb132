import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { makeWorld, type World } from './world.ts';

let db: TestDatabase;
let world: World;
const MINUTE_MS = 60_000;
const start = Date.now();
/** The scheduler's look at so many minutes from now; how many it told. */
const look = async (minutes: number): Promise<number> => {
  const [row] = await db.asAdmin('select sync.tell_ended_rights($1) as n', [
    new Date(start + minutes * MINUTE_MS).toISOString(),
  ]);
  return Number(row?.['n']);
};
const endAt = (person: string, minutes: number) =>
  db.asAdmin('update organization_members set valid_until = $3 where organization_id = $1 and user_id = $2', [
    world.organization,
    person,
    new Date(start + minutes * MINUTE_MS).toISOString(),
  ]);
/** Topics of the nudges sent so far. */
const heard: string[] = [];
let listener: Sql;

beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
  await endAt(world.auditor, 10);
  await endAt(world.colleague, 30);
  await look(1);
  listener = postgres(db.url, { max: 1 });
  await listener.listen('cairn_realtime', text => heard.push(Object(JSON.parse(text))['topic']));
});
afterAll(async () => {
  await listener.end();
  await db.drop();
});

test('a right that ends by the clock tells the devices of its holder once, and nobody else', async () => {
  expect(await look(9)).toBe(0);
  expect(await look(11)).toBe(1);
  expect([await look(11), await look(12)]).toEqual([0, 0]);
  await expect.poll(() => heard).toEqual([`scope:user:${world.auditor}`]);
});

test('an end while no server ran is told with the next look', async () => {
  expect(await look(600)).toBe(1);
  await expect.poll(() => heard).toEqual([`scope:user:${world.auditor}`, `scope:user:${world.colleague}`]);
});

test('who pulls upon it lets go of the organisation', async () => {
  const pull = async (cursors: object) =>
    db.rpc<{ scopes: Record<string, unknown> }>(world.auditor, 'sync_pull', { p_cursors: cursors });
  const before = await pull({});
  expect(Object.keys(before.scopes)).toContain(`org:${world.organization}`);
  await endAt(world.auditor, -1);
  const after = await pull(before.scopes);
  expect(Object.keys(after.scopes)).not.toContain(`org:${world.organization}`);
});

test('nobody but the server looks', async () => {
  await expect(db.as(world.admin, 'select sync.tell_ended_rights()')).rejects.toMatchObject({ code: '42501' });
});

test('a session that ends elsewhere is told to the devices of its person, and to nobody else', async () => {
  const before = heard.length;
  const add = `insert into auth.sessions (id, user_id, created_at, updated_at) values (gen_random_uuid(), $1, now(), now())`;
  await db.asAdmin(add, [world.worker]);
  await db.asAdmin(add, [world.worker]);
  expect(heard).toHaveLength(before);
  await db.asAdmin('delete from auth.sessions where user_id = $1', [world.worker]);
  await expect.poll(() => heard.slice(before)).toEqual([`scope:user:${world.worker}`]);
});
