import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();
let form: string;
let privateSpace: string;
let version: string;

/** 20:00 in Berlin, in winter. */
const at = (day: string): string => `${day}T19:00:00Z`;
const sweep = (now: string) => db.asAdmin('select growth.sweep_questionnaires($1)', [now]);
const told = async () =>
  (
    await db.asAdmin(
      `select key, params, path, is_read from notifications where type = 'wellness.look' and user_id = $1 order by key`,
      [world.worker],
    )
  ).map(row => `${String(row['key']).replace(form, 'it')}${row['is_read'] ? ' read' : ''}`);

beforeEach(async () => {
  await db.asAdmin(
    `insert into user_preferences (user_id, timezone, notification_time) values ($1, 'Europe/Berlin', '20:00')
      on conflict (user_id) do update set timezone = 'Europe/Berlin', notification_time = '20:00'`,
    [world.worker],
  );
  await db.asAdmin(
    `delete from inbox.delivery; delete from notifications; update wellness_settings set check_in_at = null, quiet_until = null`,
  );
  const [row] = await db.asAdmin(`select id from organizations where kind = 'private' and created_by = $1`, [
    world.worker,
  ]);
  privateSpace = String(row?.['id']);
  await db.asAdmin(`delete from inspections where organization_id = $1`, [privateSpace]);
  await db.asAdmin(`update forms set current_version_id = null where organization_id = $1`, [privateSpace]);
  await db.asAdmin(`delete from forms where organization_id = $1`, [privateSpace]);
  [form, version] = [randomUUID(), randomUUID()];
  await addForm(form, privateSpace);
});

async function addForm(id: string, organization: string): Promise<void> {
  await db.asAdmin(
    `insert into forms (id, organization_id, name, category, state, created_by) values ($1, $2, 'The last two weeks', 'wellness', 'published', $3)`,
    [id, organization, world.worker],
  );
}

/** An answered one, finished on this day at noon. */
async function answer(day: string): Promise<void> {
  await db.asAdmin(
    `insert into form_versions (id, organization_id, form_id, number, definition) values ($1, $2, $3, 1, '{}') on conflict do nothing`,
    [version, privateSpace, form],
  );
  await db.asAdmin(
    `insert into inspections (id, organization_id, form_id, form_version_id, title, status, conducted_by, started_at, finished_at)
      values ($1, $2, $3, $4, 'Mine', 'finalised', $5, $6, $6)`,
    [randomUUID(), privateSpace, form, version, world.worker, `${day}T11:00:00Z`],
  );
}

test('two weeks after it was answered it is asked again, once, at the person’s own time', async () => {
  await answer('2026-12-01');
  await sweep(at('2026-12-14'));
  await sweep('2026-12-15T18:59:00Z');
  expect(await told()).toEqual([]);
  await sweep(at('2026-12-15'));
  await sweep('2026-12-15T19:01:00Z');
  await sweep(at('2026-12-20'));
  expect(await told()).toEqual(['look/it/2026-12-15']);
  await sweep(at('2026-12-30'));
  expect(await told()).toEqual(['look/it/2026-12-15', 'look/it/2026-12-29']);
});

test('the time of the check-in comes before that of the daily notifications', async () => {
  await db.asAdmin(`update wellness_settings set check_in_at = '07:00' where user_id = $1`, [world.worker]);
  await answer('2026-12-01');
  await sweep('2026-12-15T06:00:00Z');
  expect(await told()).toEqual(['look/it/2026-12-15']);
});

test('one that was never answered waits its two weeks from when it was chosen', async () => {
  const [row] = await db.asAdmin(
    `select (updated_at at time zone 'Europe/Berlin')::date::text as day from forms where id = $1`,
    [form],
  );
  const day = (after: number) =>
    new Date(Date.parse(`${String(row?.['day'])}T00:00:00Z`) + after * 86_400_000).toISOString().slice(0, 10);
  await sweep(at(day(13)));
  expect(await told()).toEqual([]);
  await sweep(at(day(14)));
  expect(await told()).toEqual([`look/it/${day(14)}`]);
});

test('in quiet mode, and of a form that is asked no longer or of an organisation, nobody is told', async () => {
  await answer('2026-12-01');
  await db.asAdmin(`update wellness_settings set quiet_until = '2026-12-15T20:00:00Z' where user_id = $1`, [
    world.worker,
  ]);
  await sweep(at('2026-12-15'));
  expect(await told()).toEqual([]);
  await db.asAdmin(`update wellness_settings set quiet_until = null`);
  await db.asAdmin(`update forms set category = null where id = $1`, [form]);
  await db.asAdmin('update organizations set created_by = $2 where id = $1', [world.organization, world.worker]);
  await addForm(randomUUID(), world.organization);
  await sweep(at('2026-12-15'));
  expect(await told()).toEqual([]);
  expect(await db.asAdmin(`select 1 from notifications where type = 'wellness.look'`)).toEqual([]);
});

test('what is answered or asked no longer settles it', async () => {
  await answer('2026-12-01');
  await sweep(at('2026-12-15'));
  await db.asAdmin(
    `insert into inspections (id, organization_id, form_id, form_version_id, title, status, conducted_by, started_at)
      values ($1, $2, $3, $4, 'Again', 'in_progress', $5, now())`,
    [randomUUID(), privateSpace, form, version, world.worker],
  );
  expect(await told()).toEqual(['look/it/2026-12-15']);
  await db.asAdmin(
    `update inspections set status = 'finalised', finished_at = '2026-12-15T20:00:00Z' where title = 'Again'`,
  );
  expect(await told()).toEqual(['look/it/2026-12-15 read']);
  await db.asAdmin('update notifications set is_read = false');
  await db.asAdmin(`update forms set category = null where id = $1`, [form]);
  expect(await told()).toEqual(['look/it/2026-12-15 read']);
});
