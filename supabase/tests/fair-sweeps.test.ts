import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addRow } from './add-row.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { forget, makeAction, rule, runs, setPlan } from './workflow-fixture.ts';

setUpWorld();

const HOUR_MS = 3_600_000;
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
const dayAgo = (days: number): string => ago(24 * days).slice(0, 10);

/** More than one round of a sweep takes. */
const MANY = 501;
/** The organisation of somebody else, whose one row falls due after all of those. */
let other: string;

beforeAll(async () => {
  const [row] = await db.asAdmin('select organization_id as id from organization_members where user_id = $1', [
    world.stranger,
  ]);
  other = String(row?.['id']);
});

const leave = () =>
  db.asAdmin('delete from organization_members where organization_id = $1 and user_id = $2', [
    world.organization,
    world.stranger,
  ]);

beforeEach(leave);
beforeEach(() =>
  db.asAdmin('delete from notifications; delete from notification_choices; delete from inbox.sweep_mark'),
);

/** Copies of a sample row with other values, whatever the rules of an insert are. @param each more of each, from its number `n`, as SQL */
async function copies(table: string, sample: string, changes: object, count: number, each = `'{}'`): Promise<void> {
  const rows = await db.asAdmin(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and attgenerated = '' and not attisdropped`,
    [table],
  );
  const columns = rows.map(({ name }) => String(name)).join(', ');
  await db.asAdmin(`alter table ${table} disable trigger user`);
  await db.asAdmin(
    `insert into ${table} (${columns}) select ${columns} from (
       select (jsonb_populate_record(t, $2::jsonb || jsonb_build_object('id', gen_random_uuid()) || ${each})).*
       from ${table} t, generate_series(1, $3) n where t.id = $1) t`,
    [sample, changes, count],
  );
  await db.asAdmin(`alter table ${table} enable trigger user`);
}

const typesOf = async (person: string) =>
  (await db.asAdmin('select type from notifications where user_id = $1 order by created_at', [person])).map(
    row => row['type'],
  );

type Sweep = {
  table: string;
  /** Called with the time of the round. */
  call: string;
  sample: () => string;
  due: Record<string, unknown>;
  late: Record<string, unknown>;
  person: string;
  type: string;
};

const SWEEPS: Sweep[] = [
  {
    table: 'action_items',
    call: 'inbox.sweep($1)',
    sample: () => world.action,
    due: { status: 'assigned', due_at: ago(48) },
    late: { due_at: ago(47) },
    person: 'assignee_id',
    type: 'action.overdue',
  },
  {
    table: 'action_items',
    call: 'inbox.sweep_actions($1)',
    sample: () => world.action,
    due: { status: 'closed', outcome: null, check_on: dayAgo(3), closed_at: ago(480) },
    late: { check_on: dayAgo(2) },
    person: 'closed_by',
    type: 'action.check_due',
  },
  {
    table: 'tasks',
    call: 'inbox.sweep_tasks($1)',
    sample: () => world.task,
    due: { status: 'todo', due_at: ago(48) },
    late: { due_at: ago(47) },
    person: 'assignee_id',
    type: 'task.overdue',
  },
  {
    table: 'evidence',
    call: 'compliance.sweep_evidence($1)',
    sample: () => world.evidence,
    due: { state: 'accepted', expires_on: dayAgo(3) },
    late: { expires_on: dayAgo(2) },
    person: 'owner_id',
    type: 'evidence.expired',
  },
];

const AT = ago(0);
const swept = async () => Number((await db.asAdmin('select count(*) from inbox.sweep_mark'))[0]?.['count']);

describe.each(SWEEPS)('$call of $table', ({ table, call, sample, due, late, person, type }) => {
  const told = async () => (await typesOf(world.stranger)).filter(each => each === type);
  const run = () => db.asAdmin(`select ${call}`, [AT]);

  test('rows of somebody who left keep nobody else waiting, and are looked at once a day', async () => {
    await copies(table, sample(), { ...due, [person]: world.stranger }, MANY);
    const one = { ...due, ...late, organization_id: other, site_id: null, [person]: world.stranger };
    await copies(table, sample(), one, 1);
    await run();
    expect(await told()).toEqual([type]);
    await run();
    await run();
    expect(await swept()).toBe(MANY + 1);

    // Back in the organisation: told within a day of it.
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      world.organization,
      world.stranger,
    ]);
    await run();
    expect(await told()).toEqual([type]);
    await db.asAdmin(`update inbox.sweep_mark set swept_at = now() - interval '25 hours'`);
    await db.asAdmin('select inbox.sweep()');
    await run();
    expect((await told()).length).toBeGreaterThan(1);
  });
});

describe.each(SWEEPS)('$call of $table, with no second left when its search is over', sweep => {
  const { table, call, sample, due, late, person, type } = sweep;
  const seconds = (count: number) =>
    db.asAdmin(
      `create or replace function inbox.sweep_deadline() returns timestamptz language sql volatile set search_path = '' as $$
         select clock_timestamp() + interval '${count} seconds' $$`,
    );
  afterEach(() => seconds(2));

  test('tells of one row of each organisation', async () => {
    await seconds(-1);
    await copies(table, sample(), { ...due, [person]: world.colleague }, 5);
    await copies(
      table,
      sample(),
      { ...due, ...late, organization_id: other, site_id: null, [person]: world.stranger },
      1,
    );
    const told = async () =>
      [...(await typesOf(world.colleague)), ...(await typesOf(world.stranger))].filter(each => each === type).length;
    await db.asAdmin(`select ${call}`, [AT]);
    expect((await typesOf(world.stranger)).filter(each => each === type)).toEqual([type]);
    const before = await told();
    await db.asAdmin(`select ${call}`, [AT]);
    expect(await told()).toBe(before + 1);
  });
});

test('occurrences of a team without members keep nobody else waiting', async () => {
  const [schedule] = await db.asAdmin('select id from schedules limit 1');
  const team = await addRow(db, 'teams', { organization_id: world.organization, name: 'Nobody' });
  const shift = { opens_at: '2199-06-01T06:00:00Z', closes_at: '2199-06-01T20:00:00Z' };
  const due = { schedule_id: schedule?.['id'], status: 'scheduled', missed_at: null, ...shift };
  const each = (from: string) => `jsonb_build_object('occurs_on', (date '${from}' + n)::text)`;
  const nobodys = { assigned_to: null, assigned_team: team, due_at: '2199-06-01T12:30:00Z' };
  await copies('inspections', world.inspection, { ...due, ...nobodys }, MANY, each('2090-01-01'));
  await copies(
    'inspections',
    world.inspection,
    { ...due, assigned_to: world.colleague, due_at: '2199-06-01T13:00:00Z' },
    1,
    each('2089-01-01'),
  );
  for (let round = 0; round < 4; round += 1)
    await db.asAdmin('select schedule.sweep_occurrences($1)', ['2199-06-01T12:00:00Z']);
  expect(await typesOf(world.colleague)).toEqual(['inspection.due_soon']);
});

describe('mail', () => {
  const notify = (person: string, organization: string | null = null) =>
    db.asAdmin(`select inbox.notify($1, 'action.assigned', $2, '/tasks', '{"title":"Brake"}', null, $3)`, [
      person,
      randomUUID(),
      organization,
    ]);
  const claim = async (): Promise<unknown[]> =>
    (await db.asAdmin(`select person from inbox.claim('email', now() + interval '2 days', 1, true)`)).map(
      row => row['person'],
    );
  const atOnce = (person: string) =>
    db.asAdmin(`update inbox.delivery set cadence = 'immediate', due_at = now() where user_id = $1`, [person]);

  test('goes to one person after the other, however much waits for the first', async () => {
    for (let n = 0; n < 20; n += 1) await notify(world.worker);
    await notify(world.manager);
    await atOnce(world.worker);
    const firsts = [...(await claim()), ...(await claim())];
    expect(new Set(firsts)).toEqual(new Set([world.worker, world.manager]));
    expect([await claim(), await claim()]).toEqual([[world.worker], [world.worker]]);
  });

  test('of somebody who left is cancelled, and the next person is served by the same call', async () => {
    await notify(world.colleague, world.organization);
    await notify(world.admin);
    await db.asAdmin(`update inbox.recipient set served_at = '-infinity' where user_id = $1`, [world.colleague]);
    await db.asAdmin(`update inbox.recipient set served_at = now() where user_id = $1`, [world.admin]);
    const leaves =
      'update organization_members set deleted_at = $3::timestamptz where organization_id = $1 and user_id = $2';
    await db.asAdmin(leaves, [world.organization, world.colleague, '2026-11-29T08:00:00Z']);
    expect(await claim()).toEqual([world.admin]);
    expect(await claim()).toEqual([]);
    await db.asAdmin(leaves, [world.organization, world.colleague, null]);
  });

  test('a digest has 500 lines at most; the rest is the next one', async () => {
    await db.asAdmin(
      `select inbox.notify($1, 'action.assigned', 'many/' || n::text, '/tasks', '{"title":"Brake"}') from generate_series(1, 501) n`,
      [world.worker],
    );
    expect([(await claim()).length, (await claim()).length, (await claim()).length]).toEqual([500, 1, 0]);
  });
});

test('what happens in one organisation a hundred times keeps no rule of another waiting', async () => {
  await setPlan('enterprise');
  await db.asAdmin(`update organizations set plan = 'enterprise' where id = $1`, [other]);
  await forget();
  await db.asAdmin(
    `insert into workflow.event (organization_id, kind, key, subject_table, subject_id, scopes, title, path, facts)
       select $1, 'action.created', 'flood/' || n::text, 'action_items', gen_random_uuid(), '{}', 'Flood', '/action-items', '{}' from generate_series(1, 150) n`,
    [other],
  );
  const id = await rule({
    trigger: 'action.created',
    steps: [{ kind: 'task', to: 'role:manager', title: 'Look', priority: 'high', days: 1 }],
  });
  await makeAction();
  await db.asAdmin('select workflow.sweep(100)');
  expect(await runs(id)).toMatchObject([{ outcome: 'fired' }]);
  await forget();
});

describe('of organisations in turn', () => {
  beforeAll(() => db.asAdmin(`update organizations set kind = 'company' where id = $1`, [other]));

  test('an event whose fifty rules tell everybody there keeps no rule of another waiting', async () => {
    await setPlan('enterprise');
    await forget();
    // Seventy people, so that one event takes longer than a round has.
    await db.asAdmin(
      `with people as (insert into auth.users (id, email) select gen_random_uuid(), 'crowd-' || n || '@a.test' from generate_series(1, 70) n returning id)
       insert into organization_members (organization_id, user_id) select $1, id from people`,
      [other],
    );
    const steps = [0, 1, 2].map(() => ({ kind: 'notify', to: 'role:member', text: 'Look' }));
    const own = await rule({
      trigger: 'action.created',
      steps: [{ kind: 'notify', to: 'role:manager', text: 'Look' }],
    });
    await copies('workflow_rules', own, { organization_id: other, steps, acts_for: world.stranger }, 50);
    await db.asAdmin(
      `insert into workflow.event (organization_id, kind, key, subject_table, subject_id, scopes, title, path, facts)
       select $1, 'action.created', 'crowd/' || n::text, 'action_items', gen_random_uuid(), o.scopes, 'Crowd', '/action-items', '{}' from organizations o, generate_series(1, 4) n where o.id = $1`,
      [other],
    );
    await makeAction();
    const began = Date.now();
    await db.asAdmin('select workflow.sweep()');
    expect(await runs(own)).toMatchObject([{ outcome: 'fired' }]);
    expect(Date.now() - began).toBeLessThan(20_000);
    // What was begun is gone on with, and no rule is asked twice about one event.
    const asked = async () =>
      (await db.asAdmin('select count(*)::int as n from workflow.run where organization_id = $1', [other]))[0]?.['n'];
    const first = Number(await asked());
    await db.asAdmin('select workflow.sweep()');
    expect(Number(await asked())).toBeGreaterThan(first);
    await db.asAdmin('delete from workflow_rules where organization_id = $1', [other]);
    await forget();
  });

  test.each([
    ['action_items', () => world.action, { status: 'assigned' }],
    ['tasks', () => world.task, { status: 'todo' }],
  ] as const)('%s that are late by the hundred are noted after those of others', async (table, sample, state) => {
    await copies(table, sample(), { ...state, due_at: ago(100) }, MANY);
    const one = { ...state, due_at: ago(1), organization_id: other, site_id: null, playbook_id: null };
    await copies(table, sample(), one, 1);
    await db.asAdmin('select workflow.note_overdue($1, 200)', [AT]);
    const noted = await db.asAdmin(
      'select 1 from workflow.event where organization_id = $1 and subject_table = $2 and kind like $3',
      [other, table, '%.overdue'],
    );
    expect(noted).toHaveLength(1);
    await forget();
  });

  test('one of each is noted, and one rule done, however long it took to look for them', async () => {
    await setPlan('enterprise');
    await forget();
    const id = await rule({
      trigger: 'action.overdue',
      steps: [{ kind: 'notify', to: 'role:manager', text: 'Look' }],
    });
    await copies('action_items', world.action, { status: 'assigned', due_at: ago(1) }, 1);
    await copies('tasks', world.task, { status: 'todo', due_at: ago(1) }, 1);
    const seconds = (count: number) =>
      db.asAdmin(
        `create or replace function inbox.sweep_deadline() returns timestamptz language sql volatile set search_path = '' as $$
           select clock_timestamp() + interval '${count} seconds' $$`,
      );
    await seconds(-1);
    await db.asAdmin('select workflow.note_overdue()');
    const noted = await db.asAdmin(`select kind from workflow.event where organization_id = $1 order by kind`, [
      world.organization,
    ]);
    expect(noted).toEqual([{ kind: 'action.overdue' }, { kind: 'task.overdue' }]);
    await db.asAdmin('select workflow.sweep()');
    expect(await runs(id)).toMatchObject([{ outcome: 'fired' }]);
    await seconds(2);
    await forget();
  });

  test('days that were not counted for long, or cannot be, keep nobody else’s uncounted', async () => {
    const counting = (organization: string, days: number) =>
      db.asAdmin(
        `insert into rates.counting_start (organization_id, day, ends_at) values ($1, $2::date, $2::date + 1)
         on conflict (organization_id) do update set day = excluded.day, ends_at = excluded.ends_at`,
        [organization, dayAgo(days)],
      );
    const dayOf = async (organization: string) =>
      (
        await db.asAdmin('select day::text as day from rates.counting_start where organization_id = $1', [organization])
      )[0]?.['day'];
    await db.asAdmin('delete from rates.counting_start');
    await counting(world.organization, 300);
    await counting(other, 3);
    for (let round = 0; round < 2; round += 1) await db.asAdmin(`select rates.sweep(now(), '0')`);
    expect([await dayOf(world.organization), await dayOf(other)]).toEqual([dayAgo(299), dayAgo(2)]);

    const never = `check (organization_id <> '${world.organization}' or day <= '${dayAgo(299)}')`;
    await db.asAdmin(`alter table rates.counting_start add constraint never ${never}`);
    for (let round = 0; round < 3; round += 1) await db.asAdmin(`select rates.sweep(now(), '0')`);
    expect(await dayOf(other)).not.toBe(dayAgo(2));
    await db.asAdmin('alter table rates.counting_start drop constraint never');
  });
});
