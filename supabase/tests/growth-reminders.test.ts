import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();
let habit: string;
beforeAll(async () => {
  await db.asAdmin(
    `insert into user_preferences (user_id, timezone) values ($1, 'Europe/Berlin')
      on conflict (user_id) do update set timezone = 'Europe/Berlin'`,
    [world.worker],
  );
});
beforeEach(async () => {
  await db.asAdmin(
    'delete from inbox.delivery; delete from notifications; delete from habits; delete from habit_pauses; delete from wellness_check_ins',
  );
  await db.asAdmin('update wellness_settings set check_in_at = null, quiet_until = null');
  habit = randomUUID();
  await db.asAdmin(
    `insert into habits (id, user_id, name, started_on, remind_at) values ($1, $2, 'Walk', '2026-11-01', '20:00')`,
    [habit, world.worker],
  );
});

/** 20:00 in Berlin, in winter. */
const EIGHT = '2026-11-21T19:00:00Z';
const sweep = (now: string) => db.asAdmin('select growth.sweep_growth($1)', [now]);
const told = async () =>
  (
    await db.asAdmin('select type, key, is_read from notifications where user_id = $1 order by key', [world.worker])
  ).map(row => `${String(row['key']).replace(habit, 'it')}${row['is_read'] ? ' read' : ''}`);
const say = (day: string, value: string) =>
  db.asAdmin(`insert into habit_entries (user_id, habit_id, day, value) values ($1, $2, $3, $4)`, [
    world.worker,
    habit,
    day,
    value,
  ]);

describe('a habit with a time', () => {
  test('is told once, on the person’s clock, within two hours', async () => {
    await sweep('2026-11-21T18:59:00Z');
    expect(await told()).toEqual([]);
    await sweep(EIGHT);
    await sweep('2026-11-21T19:01:00Z');
    expect(await told()).toEqual(['habit/it/2026-11-21']);
    await sweep('2026-11-22T21:00:01Z');
    expect(await told()).toEqual(['habit/it/2026-11-21']);
  });

  test('names the day it struck, also after midnight', async () => {
    await db.asAdmin(`update habits set remind_at = '23:30' where id = $1`, [habit]);
    await sweep('2026-11-21T23:10:00Z');
    expect(await told()).toEqual(['habit/it/2026-11-21']);
  });

  test.each(['done', 'skip', 'no'])('is not told on a day that was said to be %s', async value => {
    await say('2026-11-21', value);
    await sweep(EIGHT);
    expect(await told()).toEqual([]);
  });

  test('is not told in a pause, when put away, or when enough was done around the day', async () => {
    await db.asAdmin(`insert into habit_pauses (user_id, from_day, reason) values ($1, '2026-11-20', 'sick')`, [
      world.worker,
    ]);
    await sweep(EIGHT);
    expect(await told()).toEqual([]);
    await db.asAdmin('delete from habit_pauses');
    await db.asAdmin(`update habits set archived_at = now() where id = $1`, [habit]);
    await sweep(EIGHT);
    expect(await told()).toEqual([]);
    await db.asAdmin(`update habits set archived_at = null, times = 2, per_days = 7 where id = $1`, [habit]);
    await say('2026-11-18', 'done');
    await say('2026-11-20', 'done');
    await sweep(EIGHT);
    expect(await told()).toEqual([]);
  });

  test('with an amount is not told once its target is met around the day, and counts on days that meet it', async () => {
    const amount = (day: string, value: number) =>
      db.asAdmin(`insert into habit_entries (user_id, habit_id, day, value, amount) values ($1, $2, $3, 'done', $4)`, [
        world.worker,
        habit,
        day,
        value,
      ]);
    const days = async () =>
      (
        await db.asAdmin(`select day::text from growth.habit_days_done($1, '2026-11-01', '2026-11-21') order by 1`, [
          world.worker,
        ])
      ).map(row => row['day']);
    await db.asAdmin(`update habits set kind = 'number', target = 20, per_days = 7 where id = $1`, [habit]);
    await amount('2026-11-16', 10);
    await sweep(EIGHT);
    expect(await told()).toEqual(['habit/it/2026-11-21']);
    expect(await days()).toEqual([]);
    await db.asAdmin('delete from inbox.delivery; delete from notifications');
    await amount('2026-11-18', 10);
    await amount('2026-11-19', 0);
    await sweep(EIGHT);
    expect(await told()).toEqual([]);
    expect(await days()).toEqual(['2026-11-16', '2026-11-18']);
    await db.asAdmin(`update habits set target_kind = 'at_most', target = 2, per_days = 1 where id = $1`, [habit]);
    expect(await days()).toEqual(['2026-11-19']);
    await sweep(EIGHT);
    expect(await told()).toEqual(['habit/it/2026-11-21']);
  });

  test('what is said afterwards settles it', async () => {
    await sweep(EIGHT);
    await say('2026-11-21', 'done');
    expect(await told()).toEqual(['habit/it/2026-11-21 read']);
  });
});

describe('the check-in', () => {
  beforeEach(() => db.asAdmin(`update wellness_settings set check_in_at = '20:00' where user_id = $1`, [world.worker]));

  test('is asked for on a day without one, and settled by one', async () => {
    await db.asAdmin('delete from habits');
    await sweep(EIGHT);
    expect(await told()).toEqual(['check-in/2026-11-21']);
    await db.asAdmin(
      `insert into wellness_check_ins (user_id, day, at, mood) values ($1, '2026-11-21', '2026-11-21T19:05:00Z', 4)`,
      [world.worker],
    );
    expect(await told()).toEqual(['check-in/2026-11-21 read']);
    await sweep('2026-11-21T19:10:00Z');
    expect(await told()).toHaveLength(1);
  });

  test('in quiet mode nobody is reminded of anything of their own', async () => {
    await db.asAdmin(`update wellness_settings set quiet_until = '2026-11-21T20:00:00Z' where user_id = $1`, [
      world.worker,
    ]);
    await sweep(EIGHT);
    expect(await told()).toEqual([]);
  });
});

describe('quiet mode', () => {
  const dueAt = async (type: string): Promise<Date[]> => {
    const rows = await db.asAdmin(
      `select d.due_at from inbox.delivery d join notifications n on n.id = d.notification_id where n.user_id = $1 and n.type = $2`,
      [world.worker, type],
    );
    return rows.map(row => new Date(String(row['due_at'])));
  };
  const notify = (type: string) =>
    db.asAdmin(`select inbox.notify($1, $2, $3, '/tasks', '{}')`, [world.worker, type, randomUUID()]);
  const quiet = (until: string) =>
    db.asAdmin(`update wellness_settings set quiet_until = now() + $2::interval where user_id = $1`, [
      world.worker,
      until,
    ]);

  test('lets deadlines wait for its end, what was already waiting too, and nothing that must be told', async () => {
    await notify('action.overdue');
    await quiet('1 day');
    const late = Date.now() + 23 * 3_600_000;
    for (const at of await dueAt('action.overdue')) expect(at.getTime()).toBeGreaterThan(late);
    await notify('action.critical');
    const critical = await dueAt('action.critical');
    expect(critical.length).toBeGreaterThan(0);
    for (const at of critical) expect(at.getTime()).toBeLessThan(Date.now() + 3_600_000);
    await notify('action.due_soon');
    const soon = await dueAt('action.due_soon');
    expect(soon.length).toBeGreaterThan(0);
    for (const at of soon) expect(at.getTime()).toBeGreaterThan(late);
  });
});
