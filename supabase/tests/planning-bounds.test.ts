import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isZone } from '@cairn/base/wall-clock.ts';
import { planSchedules, type ScheduleToPlan } from '@cairn/api/schedules/plan.ts';
import { planSeries, type SeriesToPlan } from '@cairn/api/tasks/plan-series.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { type Edit, testDevice } from './device.ts';
import { makeWorld, type World } from './world.ts';

let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
});
afterAll(() => db.drop());

const applied = { st: 'applied' };
const push = (person: string, ...edits: Edit[]) => testDevice(db, person).push(...edits);
const add = (t: Edit['t'], patch: Record<string, unknown>): Edit & { id: string } => ({
  t,
  id: randomUUID(),
  op: 'insert',
  patch,
});

/** Over before it began: no task of it ever arises. */
const over = (organization: string) =>
  add('task_series', {
    organization_id: organization,
    title: 'x',
    recurrence: 'FREQ=DAILY;UNTIL=20260101',
    start_day: '1970-01-02',
    zone: 'Europe/Berlin',
    based_on: 'completed',
  });

async function ownSpace(person: string): Promise<string> {
  const [row] = await db.asAdmin(
    `select o.id from organizations o join organization_members m on m.organization_id = o.id
     where m.user_id = $1 and o.kind = 'private'`,
    [person],
  );
  return String(row?.['id']);
}

const seriesAt = async (now: Date) =>
  (await db.asAdmin('select s from task.series_to_plan($1) s', [now.toISOString()])).map(
    row => row['s'] as SeriesToPlan,
  );
const failedAt = (kind: 'series' | 'schedule', now: Date) => async (id: string, version: number) => {
  await db.asAdmin('select schedule.plan_failed($1, $2, $3, $4)', [kind, id, version, now.toISOString()]);
};
/** @param budgetMs 0: one in a round */
const planAt = (now: Date, budgetMs = Infinity) =>
  planSeries(
    {
      toPlan: () => seriesAt(now),
      plan: async (id, version, dates) => {
        const text = 'select task.plan_series($1, $2, $3, $4) as n';
        return Number((await db.asAdmin(text, [id, version, dates, now.toISOString()]))[0]?.['n']);
      },
      failed: failedAt('series', now),
    },
    now,
    budgetMs,
  );
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const idsAt = async (now: Date) => (await seriesAt(now)).map(({ id }) => id);

describe('planning costs each organisation its own turn only', () => {
  test('a series with no date left is handed out once, then once a day', async () => {
    const series = over(await ownSpace(world.worker));
    expect(await push(world.worker, series)).toMatchObject([applied]);
    expect(await idsAt(inMinutes(0))).toContain(series.id);
    await planAt(inMinutes(0));
    expect(await idsAt(inMinutes(0))).not.toContain(series.id);
    expect(await idsAt(inMinutes(23 * 60))).not.toContain(series.id);
    expect(await idsAt(inMinutes(25 * 60))).toContain(series.id);
  });

  test('one whose only task was taken away rests too, and is looked at once its task is done', async () => {
    const patch = { ...over(world.organization).patch, site_id: world.north, recurrence: 'FREQ=DAILY' };
    const [series, gone] = [add('task_series', patch), add('task_series', patch)];
    await push(world.worker, series, gone);
    await planAt(inMinutes(0));
    await db.asAdmin('update tasks set deleted_at = now(), is_exception = true where series_id = $1', [gone.id]);
    await planAt(inMinutes(5));
    expect(await idsAt(inMinutes(5))).not.toContain(gone.id);
    expect(await idsAt(inMinutes(5))).not.toContain(series.id);
    await db.asAdmin(`update tasks set status = 'done', ended_at = now() where series_id = $1`, [series.id]);
    await db.asAdmin(`update sync.series_plan set planned_at = now() where series_id = $1`, [series.id]);
    expect(await idsAt(inMinutes(0))).toContain(series.id);
    await planAt(inMinutes(0));
    const tasks = await db.asAdmin('select status from tasks where series_id = $1 order by occurs_on', [series.id]);
    expect(tasks.map(row => row['status'])).toEqual(['done', 'todo']);
  });

  test('an organisation with many waiting has 50 of a round, and others come first in it', async () => {
    const [many, few] = [await ownSpace(world.worker), await ownSpace(world.manager)];
    await push(world.worker, ...Array.from({ length: 120 }, () => over(many)));
    const late = over(few);
    await push(world.manager, late);
    const round = await seriesAt(inMinutes(0));
    expect(round.filter(each => each.organization_id === many)).toHaveLength(50);
    expect(round.findIndex(({ id }) => id === late.id)).toBeLessThan(3);
    for (let rounds = 0; rounds < 3; rounds += 1) await planAt(inMinutes(0));
    expect(await seriesAt(inMinutes(0))).toEqual([]);
  });

  test('with time for one in a round, whoever brings new ones all the time has one turn, and then whoever waits longest', async () => {
    const [many, few] = [await ownSpace(world.worker), await ownSpace(world.manager)];
    const changed = over(few);
    await push(world.manager, changed);
    await planAt(inMinutes(0));
    expect(await seriesAt(inMinutes(0))).toEqual([]);
    // Planned before, and waiting again; what the other brings was never planned.
    await db.asAdmin(`update task_series set title = 'y' where id = $1`, [changed.id]);
    const isWaiting = async () => (await idsAt(inMinutes(0))).includes(changed.id);
    let rounds = 0;
    for (; rounds < 5 && (await isWaiting()); rounds += 1) {
      await push(world.worker, over(many), over(many));
      await planAt(inMinutes(0), 0);
    }
    expect([rounds <= 2, await isWaiting()]).toEqual([true, false]);
    expect((await seriesAt(inMinutes(0))).length).toBeGreaterThan(1);
    await planAt(inMinutes(0));
  });

  test.each(['series', 'schedule'] as const)(
    'a %s that could not be planned rests for ten minutes, or until it is changed',
    async kind => {
      const due = { form_id: world.form, start_day: '2001-01-02', due_time: '09:00', title: 'Check' };
      const patch = { ...over(world.organization).patch, site_id: world.north, ...(kind === 'schedule' ? due : {}) };
      const table = kind === 'schedule' ? 'schedules' : 'task_series';
      const broken = add(table, patch);
      expect(await push(world.manager, broken)).toMatchObject([applied]);
      const list = kind === 'schedule' ? 'schedule.schedules_to_plan' : 'task.series_to_plan';
      const waiting = async (minutes: number) => {
        const text = `select s ->> 'id' as id from ${list}($1) s`;
        return (await db.asAdmin(text, [inMinutes(minutes).toISOString()])).some(row => row['id'] === broken.id);
      };
      const version = async () =>
        Number((await db.asAdmin(`select version from ${table} where id = $1`, [broken.id]))[0]?.['version']);
      expect(await waiting(0)).toBe(true);
      await failedAt(kind, inMinutes(0))(broken.id, await version());
      expect([await waiting(0), await waiting(9), await waiting(11)]).toEqual([false, false, true]);
      await db.asAdmin(`update ${table} set title = 'z' where id = $1`, [broken.id]);
      expect(await waiting(0)).toBe(true);
      await db.asAdmin(`delete from ${table} where id = $1`, [broken.id]);
    },
  );

  test('a schedule of inspections with no date left is handed out once, then once a day', async () => {
    const rule = over(world.organization).patch;
    const due = {
      site_id: world.north,
      form_id: world.form,
      title: 'Check',
      start_day: '2001-01-02',
      due_time: '09:00',
    };
    const schedule = add('schedules', { ...rule, ...due });
    expect(await push(world.manager, schedule)).toMatchObject([applied]);
    const waiting = async (now: Date) =>
      (await db.asAdmin('select s from schedule.schedules_to_plan($1) s', [now.toISOString()])).map(
        row => row['s'] as ScheduleToPlan,
      );
    const now = inMinutes(0);
    const plan = async (id: string, version: number, rows: object[]) => {
      const text = 'select schedule.plan_schedule($1, $2, $3, $4) as n';
      return Number((await db.asAdmin(text, [id, version, rows, now.toISOString()]))[0]?.['n']);
    };
    await planSchedules({ toPlan: () => waiting(now), plan, failed: failedAt('schedule', now) }, now, Infinity);
    expect((await waiting(now)).map(({ id }) => id)).not.toContain(schedule.id);
    expect((await waiting(inMinutes(25 * 60))).map(({ id }) => id)).toContain(schedule.id);
  });

  test.each(['task_series', 'schedules'] as const)('of %s 2000 of a person go on at once', async table => {
    const due = { form_id: world.form, start_day: '2001-01-02', due_time: '09:00', title: 'Check' };
    const rule = { ...over(world.organization).patch, site_id: world.north, ...(table === 'schedules' ? due : {}) };
    const added = async (person: string) => (await push(person, add(table, rule)))[0];
    await db.asAdmin(`delete from ${table}`);
    const one = add(table, rule);
    expect(await push(world.manager, one)).toMatchObject([applied]);
    const [columns] = await db.asAdmin(
      `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and attgenerated = '' and not attisdropped and attname <> 'id'`,
      [table],
    );
    const names = String(columns?.['names']);
    await db.asAdmin(`alter table ${table} disable trigger user`);
    await db.asAdmin(
      `insert into ${table} (id, ${names}) select gen_random_uuid(), ${names} from ${table}, generate_series(1, 1998) where id = $1`,
      [one.id],
    );
    await db.asAdmin(`alter table ${table} enable trigger user`);
    expect(await added(world.manager)).toMatchObject(applied);
    expect(await added(world.manager)).toMatchObject({ st: 'rejected', code: '23514' });
    expect(await added(world.admin)).toMatchObject(applied);
    await db.asAdmin(`update ${table} set state = 'ended' where id = $1`, [one.id]);
    expect(await added(world.manager)).toMatchObject(applied);
    await db.asAdmin(`delete from ${table}`);
  });

  test.each([[['text']], [[{ title: 'x', required: 'perhaps' }]], [[{ title: { deep: 1 } }]]])(
    'steps that no step can be made of are refused: %j',
    async steps => {
      const series = add('task_series', { ...over(world.organization).patch, site_id: world.north, steps });
      expect(await push(world.worker, series)).toMatchObject([{ st: 'rejected', code: '23514' }]);
    },
  );
});

describe('a time zone is a name that devices and the server read alike', () => {
  const series = (zone: string) =>
    add('task_series', { ...over(world.organization).patch, site_id: world.north, zone });
  const task = (zone: string) =>
    add('tasks', { organization_id: world.organization, title: 'x', due_day: '2027-01-01', due_zone: zone });

  test.each(['QQQ5', 'Zabc+3', 'CEST', 'posix/Europe/Berlin', 'Zxyzzyxyzzy+3', 'localtime', 'Mars/Base'])(
    '%s is none',
    async zone => {
      const refused = { st: 'rejected', code: '22023' };
      expect(await push(world.worker, series(zone), task(zone))).toMatchObject([refused, refused]);
    },
  );

  test('each that a device knows is taken, and each that is taken a device knows', async () => {
    const known = new Set((await db.asAdmin('select name from sync.zones')).map(row => String(row['name'])));
    const ofDevices = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Europe/Kyiv', 'Asia/Kolkata'];
    expect(ofDevices.filter(zone => !known.has(zone))).toEqual([]);
    expect([...known].filter(zone => !isZone(zone))).toEqual([]);
    expect(await push(world.worker, series('America/Sao_Paulo'), task('UTC'))).toMatchObject([applied, applied]);
  });
});
