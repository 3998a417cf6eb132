import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { planSchedules, type PlanCalls, type ScheduleToPlan } from '@cairn/api/schedules/plan.ts';
import { type Edit, testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();
beforeAll(async () => {
  await db.asAdmin('delete from schedules');
  await db.asAdmin(`update forms set state = 'published', current_version_id = $2 where id = $1`, [
    world.form,
    world.formVersion,
  ]);
});

const refusal = { st: 'rejected', code: '42501' };
const push = async (person: string, edit: Edit) => (await testDevice(db, person).push(edit))[0];

/** Of occurrences that may be begun on the day before, whenever the test runs. */
const OPEN = { opens_minutes: 2 * 24 * 60 };

const daily = (more: Record<string, unknown> = {}) => ({
  organization_id: world.organization,
  site_id: world.north,
  form_id: world.form,
  title: 'Daily check',
  recurrence: 'FREQ=DAILY',
  start_day: '2026-01-01',
  due_time: '09:00',
  zone: 'Europe/Berlin',
  opens_minutes: 60,
  ...more,
});

async function schedule(more: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  expect(await push(world.manager, { t: 'schedules', id, op: 'insert', patch: daily(more) })).toMatchObject({
    st: 'applied',
  });
  return id;
}

/** As the server plans, at a moment of the test's. */
function calls(now: Date): PlanCalls {
  return {
    toPlan: async () =>
      (await db.asAdmin('select s from schedule.schedules_to_plan($1) s', [now.toISOString()])).map(
        row => row['s'] as ScheduleToPlan,
      ),
    plan: async (id, version, rows) => {
      const [row] = await db.asAdmin('select schedule.plan_schedule($1, $2, $3, $4) as n', [
        id,
        version,
        rows,
        now.toISOString(),
      ]);
      return Number(row?.['n']);
    },
    failed: async (id, version) => {
      await db.asAdmin('select schedule.plan_failed($1, $2, $3, $4)', ['schedule', id, version, now.toISOString()]);
    },
  };
}
const plan = (now: Date) => planSchedules(calls(now), now, Infinity);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const occurrences = (id: string) =>
  db.asAdmin(
    `select id, occurs_on, due_at, closes_at, missed_at, status, title from inspections
     where schedule_id = $1 and deleted_at is null order by occurs_on`,
    [id],
  );

describe('who plans', () => {
  test('only who may give work to others, at places they see, and for members', async () => {
    const attempt = (person: string, more = {}) => push(person, { t: 'schedules', op: 'insert', patch: daily(more) });
    expect(await attempt(world.worker)).toMatchObject(refusal);
    expect(await attempt(world.auditor)).toMatchObject(refusal);
    expect(await attempt(world.stranger)).toMatchObject(refusal);
    expect(await attempt(world.manager, { assigned_to: world.stranger })).toMatchObject(refusal);
    expect(await attempt(world.manager, { zone: 'Mars/Base' })).toMatchObject({ st: 'rejected', code: '22023' });
    expect(await attempt(world.manager, { recurrence: 'drop table' })).toMatchObject({ st: 'rejected', code: '23514' });
  });

  test('no client plans by hand', async () => {
    const id = await schedule();
    const by = db.as(world.admin, 'select plan_schedule($1, 1, $2)', [id, []]);
    await expect(by).rejects.toMatchObject({ code: '42501' });
    const patch = { ...daily(), form_version_id: world.formVersion, schedule_id: id, occurs_on: '2026-12-01' };
    const { recurrence: _r, start_day: _d, due_time: _t, zone: _z, opens_minutes: _o, ...own } = patch;
    const forged = randomUUID();
    await push(world.manager, { t: 'inspections', id: forged, op: 'insert', patch: { ...own, status: 'scheduled' } });
    const [row] = await db.asAdmin('select schedule_id from inspections where id = $1', [forged]);
    expect(row).toEqual({ schedule_id: null });
    await db.asAdmin('delete from schedules where id = $1', [id]);
  });
});

describe('what is planned', () => {
  test('each occurrence exists once, however often and by how many it is planned', async () => {
    const id = await schedule();
    const now = inDays(0);
    await Promise.all([plan(now), plan(now), plan(now)]);
    const first = await occurrences(id);
    expect(first.length).toBeGreaterThanOrEqual(34);
    expect(new Set(first.map(row => row['occurs_on'])).size).toBe(first.length);
    await db.asAdmin('delete from sync.schedule_plan where schedule_id = $1', [id]);
    expect(await plan(now)).toBe(0);
    expect(await occurrences(id)).toEqual(first);
  });

  test('an edit moves what is to come, and leaves what was begun as it is', async () => {
    const id = await schedule({ ...OPEN, title: 'Before' });
    await plan(inDays(0));
    const [begun] = await occurrences(id);
    const started = { t: 'inspections' as const, op: 'update' as const, id: String(begun?.['id']), bv: 1 };
    expect(
      await push(world.worker, { ...started, patch: { status: 'in_progress' }, base: { status: 'scheduled' } }),
    ).toMatchObject({ st: 'applied' });
    await push(world.manager, {
      t: 'schedules',
      op: 'update',
      id,
      bv: 1,
      patch: { title: 'After', recurrence: 'FREQ=WEEKLY' },
      base: { title: 'Before', recurrence: 'FREQ=DAILY' },
    });
    await plan(inDays(0));
    const rows = await occurrences(id);
    expect(rows.find(row => row['id'] === begun?.['id'])).toMatchObject({ status: 'in_progress', title: 'Before' });
    const planned = rows.filter(row => row['status'] === 'scheduled');
    expect(new Set(planned.map(row => row['title']))).toEqual(new Set(['After']));
    expect(planned.length).toBeLessThanOrEqual(6);
  });

  test('paused: nothing to come; going on: it comes back, and the pause is owed to nobody', async () => {
    const id = await schedule();
    await plan(inDays(0));
    const change = (bv: number, state: string, before: string) =>
      push(world.manager, { t: 'schedules', op: 'update', id, bv, patch: { state }, base: { state: before } });
    await change(1, 'paused', 'active');
    await plan(inDays(0));
    expect(await occurrences(id)).toEqual([]);
    expect(await change(2, 'active', 'paused')).toMatchObject({ st: 'applied' });
    await plan(inDays(0));
    const back = await occurrences(id);
    expect(back.length).toBeGreaterThanOrEqual(34);
    expect(back.every(row => Date.parse(String(row['due_at'])) > Date.now() - 60_000)).toBe(true);
    expect(await change(3, 'ended', 'active')).toMatchObject({ st: 'applied' });
    await plan(inDays(0));
    expect(await occurrences(id)).toEqual([]);
    expect(await change(4, 'active', 'ended')).toMatchObject(refusal);
  });

  test('with an archived form nothing is to come, at once; with the form it comes back, and the rest is owed to nobody', async () => {
    const id = await schedule({ opens_minutes: null });
    await plan(inDays(0));
    expect((await occurrences(id)).length).toBeGreaterThanOrEqual(34);
    const formTo = async (state: string, before: string) => {
      const [form] = await db.asAdmin('select version from forms where id = $1', [world.form]);
      const edit = { t: 'forms' as const, id: world.form, op: 'update' as const, bv: Number(form?.['version']) };
      return push(world.manager, { ...edit, patch: { state }, base: { state: before } });
    };
    await db.asAdmin(`update schedules set active_since = now() - interval '30 days' where id = $1`, [id]);
    expect(await formTo('archived', 'published')).toMatchObject({ st: 'applied' });
    expect(await occurrences(id)).toEqual([]);
    await plan(inDays(0));
    expect(await occurrences(id)).toEqual([]);
    expect(await formTo('published', 'archived')).toMatchObject({ st: 'applied' });
    await plan(inDays(0));
    const back = await occurrences(id);
    expect(back.length).toBeGreaterThanOrEqual(34);
    expect(back.every(row => Date.parse(String(row['due_at'])) > Date.now() - 60_000)).toBe(true);
    const [rested] = await db.asAdmin(
      `select active_since > now() - interval '1 hour' as now from schedules where id = $1`,
      [id],
    );
    expect(rested).toEqual({ now: true });
  });

  test('who has left is named on nothing new: it is planned for anybody at the place', async () => {
    const id = await schedule({ assigned_to: world.colleague });
    const there = [world.colleague, world.organization];
    const where = 'where user_id = $1 and organization_id = $2';
    await db.asAdmin(`update organization_members set deleted_at = now() ${where}`, there);
    await plan(inDays(0));
    const rows = await db.asAdmin('select distinct assigned_to from inspections where schedule_id = $1', [id]);
    expect(rows).toEqual([{ assigned_to: null }]);
    await db.asAdmin(`update organization_members set deleted_at = null ${where}`, there);
  });

  test('a new version of the form is what planned ones are done on', async () => {
    const id = await schedule();
    await plan(inDays(0));
    const version = randomUUID();
    await db.asAdmin(
      `insert into form_versions (id, organization_id, form_id, number, definition) values ($1, $2, $3, 2, '{}')`,
      [version, world.organization, world.form],
    );
    await db.asAdmin('update forms set current_version_id = $2 where id = $1', [world.form, version]);
    const rows = await db.asAdmin('select distinct form_version_id from inspections where schedule_id = $1', [id]);
    expect(rows).toEqual([{ form_version_id: version }]);
  });
});

describe('due and missed', () => {
  const sweep = (now: Date) => db.asAdmin('select schedule.sweep_occurrences($1)', [now.toISOString()]);
  const told = (id: unknown, person: string) =>
    db.asAdmin('select type from notifications where subject_id = $1 and user_id = $2 order by type', [id, person]);

  test('what nobody began until the next was due is missed, told once to who plans and who was to do it', async () => {
    const id = await schedule({ assigned_to: world.worker });
    await plan(inDays(0));
    const [first, second] = await occurrences(id);
    const over = new Date(Date.parse(String(first?.['closes_at'])) + 1000);
    await sweep(over);
    await sweep(over);
    const rows = await occurrences(id);
    expect(rows[0]?.['missed_at']).not.toBeNull();
    expect(rows.filter(row => row['missed_at'] !== null)).toHaveLength(1);
    expect(await told(first?.['id'], world.worker)).toEqual([{ type: 'inspection.missed' }]);
    expect(await told(first?.['id'], world.manager)).toEqual([{ type: 'inspection.missed' }]);
    const soon = new Date(Date.parse(String(second?.['due_at'])) - 3_600_000);
    await sweep(soon);
    await sweep(soon);
    expect(await told(second?.['id'], world.worker)).toEqual([{ type: 'inspection.due_soon' }]);
    expect(await told(second?.['id'], world.manager)).toEqual([]);
  });

  test('done in time with no signal and told late: it was not missed, and is no conflict', async () => {
    const id = await schedule(OPEN);
    await plan(inDays(0));
    const [first] = await occurrences(id);
    const due = Date.parse(String(first?.['due_at']));
    await sweep(new Date(Date.parse(String(first?.['closes_at'])) + 1000));
    const late = await push(world.worker, {
      t: 'inspections',
      op: 'update',
      id: String(first?.['id']),
      bv: 1,
      patch: { status: 'finalised', finished_at: new Date(due - 60_000).toISOString(), conducted_by: world.worker },
      base: { status: 'scheduled', finished_at: null, conducted_by: null },
    });
    expect(late).toMatchObject({ st: 'merged' });
    expect((await occurrences(id))[0]).toMatchObject({ status: 'finalised', missed_at: null });
  });

  test('planned for a team: a member begins it, a colleague of the same place does not', async () => {
    const [team] = await db.asAdmin('select id from teams where organization_id = $1', [world.organization]);
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.north,
      world.colleague,
    ]);
    const id = await schedule({ ...OPEN, assigned_team: team?.['id'] });
    await plan(inDays(0));
    const [first] = await occurrences(id);
    const begin = (person: string) =>
      push(person, {
        t: 'inspections',
        op: 'update',
        id: String(first?.['id']),
        bv: 1,
        patch: { status: 'in_progress' },
        base: { status: 'scheduled' },
      });
    expect(await begin(world.colleague)).toMatchObject(refusal);
    expect(await begin(world.worker)).toMatchObject({ st: 'applied' });
  });

  test('counted from completion the next comes once the last is done', async () => {
    const id = await schedule({ recurrence: 'FREQ=WEEKLY', based_on: 'completed' });
    await plan(inDays(0));
    const [first, ...none] = await occurrences(id);
    expect(none).toEqual([]);
    await db.asAdmin(`update inspections set status = 'finalised', finished_at = now() where id = $1`, [first?.['id']]);
    await plan(inDays(0));
    const rows = await occurrences(id);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ status: 'scheduled' });
  });
});
