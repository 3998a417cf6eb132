import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { type Edit, testDevice } from './device.ts';
import { makeWorld, type World } from './world.ts';

let db: TestDatabase;
let world: World;
const MINUTE_MS = 60_000;
const start = Date.now();
/** The scheduler's look at so many minutes from now; how many it told. */
const look = async (minutes: number): Promise<number> => {
  const [row] = await db.asAdmin('select access.nudge_ended_memberships($1) as n', [
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
  await expect(db.as(world.admin, 'select access.nudge_ended_memberships()')).rejects.toMatchObject({ code: '42501' });
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

/** A manager whose time in an organisation is over. */
async function endedManager(organization: string): Promise<string> {
  const id = await db.person(`${randomUUID()}@a.test`);
  await db.asAdmin(
    `insert into organization_members (organization_id, user_id, role, valid_until)
     values ($1, $2, 'manager', now() - interval '1 minute')`,
    [organization, id],
  );
  return id;
}
const add = async (person: string, t: Edit['t'], patch: Record<string, unknown>, id: string = randomUUID()) =>
  (await testDevice(db, person).push({ t, id, op: 'insert', patch }))[0];
const refused = { st: 'rejected', code: '42501' };

test('who ended by the clock is named on nothing new, and agrees to nothing there', async () => {
  const ended = await endedManager(world.organization);
  const here = { organization_id: world.organization, title: 'For nobody' };
  const daily = { recurrence: 'FREQ=DAILY', start_day: '2027-01-01', zone: 'UTC' };
  const fields = { subject_table: 'action_items', subject_id: world.action, body: 'Look', mention_ids: [ended] };
  const written_at = '2026-11-21T08:00:00Z';
  expect(await add(world.admin, 'action_items', { ...here, assignee_id: ended })).toMatchObject(refused);
  expect(await add(world.admin, 'tasks', { ...here, assignee_id: ended })).toMatchObject(refused);
  expect(await add(world.admin, 'task_series', { ...here, ...daily, reviewer_id: ended })).toMatchObject(refused);
  const planned = { ...here, ...daily, due_time: '09:00', form_id: world.form, assigned_to: ended };
  expect(await add(world.admin, 'schedules', planned)).toMatchObject(refused);
  expect(await add(world.admin, 'comments', { ...fields, written_at })).toMatchObject(refused);
  const consent = { user_id: ended, employer_id: world.organization };
  expect(await add(ended, 'cohort_consents', consent)).toMatchObject(refused);
  expect(await db.asAdmin('select access.member_or_nobody($1, $2) as id', [world.organization, ended])).toEqual([
    { id: null },
  ]);
  await db.asAdmin('update organization_members set valid_until = null where user_id = $1', [ended]);
  const counted = () =>
    db.asAdmin(`select user_id from cohort.eligible($1, (current_date + 85)) where user_id = $2`, [
      world.organization,
      ended,
    ]);
  expect(await add(ended, 'cohort_consents', consent)).toMatchObject({ st: 'applied' });
  expect(await counted()).toHaveLength(1);
  await endAt(ended, -1);
  expect(await counted()).toEqual([]);
});

test('who ended by the clock is told nothing, asked nothing, and stands in the way of nobody', async () => {
  const organization = randomUUID();
  await db.asAdmin(`insert into organizations (id, name, slug) values ($1, 'Alone', $2)`, [organization, organization]);
  const alone = await db.person(`${randomUUID()}@a.test`);
  await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
    organization,
    alone,
  ]);
  const ended = await endedManager(organization);
  const told = `select inbox.notify($1, 'action.assigned', 'ended', '/tasks', '{"title":"Brake"}', null, $2) as id`;
  expect(await db.asAdmin(told, [ended, organization])).toEqual([{ id: null }]);
  expect(await db.asAdmin(`select p from inbox.people_with('action.manage', $1, null) p`, [organization])).toEqual([
    { p: alone },
  ]);
  const id = randomUUID();
  const item = { organization_id: organization, title: 'Alone', status: 'open', assignee_id: alone };
  expect(await add(alone, 'action_items', item, id)).toMatchObject({ st: 'applied' });
  const closed = {
    t: 'action_items',
    id,
    op: 'update',
    patch: { status: 'closed' },
    base: { status: 'open' },
  } as const;
  expect(await testDevice(db, alone).push({ ...closed, bv: 1 })).toMatchObject([{ st: 'applied' }]);
});
