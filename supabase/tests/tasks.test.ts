import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { planSeries, type SeriesCalls, type SeriesToPlan } from '@cairn/api/tasks/plan-series.ts';
import { type Edit, testDevice } from './device.ts';
import { change, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const applied = { st: 'applied' };
const forbidden = { st: 'rejected', code: '42501' };

const taskChange = (id: string, patch: Record<string, unknown>): Promise<Edit> => change('tasks', id, patch);

async function make(more: Record<string, unknown> = {}, by = world.worker): Promise<string> {
  const id = randomUUID();
  const patch = { organization_id: world.organization, site_id: world.north, title: 'Call the vendor', ...more };
  expect(await push(by, { t: 'tasks', id, op: 'insert', patch })).toMatchObject([applied]);
  return id;
}

const addStep = (task: string, more: Record<string, unknown> = {}): Edit => ({
  t: 'task_items',
  op: 'insert',
  patch: { organization_id: world.organization, task_id: task, title: 'Find the number', required: true, ...more },
});

describe('when it is due', () => {
  test.each([
    ['2026-11-24', '09:00', 'Europe/Berlin', '2026-11-24T08:00:00.000Z'],
    ['2026-11-24', null, 'Europe/Berlin', '2026-11-24T22:59:59.000Z'],
    ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-07-01', '09:00', 'America/New_York', '2026-07-01T13:00:00.000Z'],
  ])('%s %s %s is %s, whatever the device sent', async (day, time, zone, at) => {
    const id = await make({ due_day: day, due_time: time, due_zone: zone, due_at: '2026-01-01T00:00:00Z' });
    expect(new Date(String((await rowOf('tasks', id))['due_at'])).toISOString()).toBe(at);
  });

  test('a zone that is none is refused', async () => {
    const patch = { organization_id: world.organization, title: 'x', due_day: '2026-11-24', due_zone: 'Mars/Base' };
    expect(await push(world.worker, { t: 'tasks', op: 'insert', patch })).toMatchObject([
      { st: 'rejected', code: '22023' },
    ]);
  });
});

test('what one person brings twice under one name is one task; the names others use are not theirs to find out', async () => {
  const imported = { source_type: 'import', external_id: 'A-1' };
  await make(imported);
  const patch = { organization_id: world.organization, site_id: world.north, title: 'Again', ...imported };
  expect(await push(world.worker, { t: 'tasks', op: 'insert', patch })).toMatchObject([
    { st: 'rejected', code: '23505' },
  ]);
  await make(imported, world.manager);
});

describe('who may do what with a task', () => {
  test('members make tasks at their own place only', async () => {
    const patch = { organization_id: world.organization, site_id: world.south, title: 'There' };
    expect(await push(world.worker, { t: 'tasks', op: 'insert', patch })).toMatchObject([forbidden]);
    expect(await push(world.auditor, { t: 'tasks', op: 'insert', patch: { ...patch, site_id: null } })).toMatchObject([
      forbidden,
    ]);
    expect(await push(world.stranger, { t: 'tasks', op: 'insert', patch: { ...patch, site_id: null } })).toMatchObject([
      forbidden,
    ]);
  });

  test('whoever has it closes it; another member does not, a manager may', async () => {
    const id = await make({ site_id: null, assignee_id: world.worker }, world.manager);
    const done = { status: 'done', ended_at: '2026-11-21T09:00:00Z' };
    expect(await push(world.colleague, taskChange(id, { ...done, ended_by: world.colleague }))).toMatchObject([
      forbidden,
    ]);
    expect(await push(world.worker, taskChange(id, { ...done, ended_by: world.manager }))).toMatchObject([forbidden]);
    expect(await push(world.worker, taskChange(id, { ...done, ended_by: world.worker }))).toMatchObject([applied]);
    expect(
      await push(world.manager, taskChange(id, { status: 'reopened', ended_at: null, ended_by: null })),
    ).toMatchObject([applied]);
    expect(await rowOf('tasks', id)).toMatchObject({ status: 'reopened', ended_at: null, ended_by: null });
  });

  test('a member takes what nobody has and gives back their own; giving it to others needs task.manage', async () => {
    const id = await make({ site_id: null }, world.manager);
    expect(await push(world.colleague, taskChange(id, { assignee_id: world.worker }))).toMatchObject([forbidden]);
    expect(await push(world.colleague, taskChange(id, { assignee_id: world.colleague }))).toMatchObject([applied]);
    expect(await push(world.worker, taskChange(id, { assignee_id: null }))).toMatchObject([forbidden]);
    expect(await push(world.colleague, taskChange(id, { assignee_id: null }))).toMatchObject([applied]);
    expect(await push(world.worker, { t: 'tasks', id, op: 'delete', bv: 3 })).toMatchObject([forbidden]);
    expect(await push(world.manager, taskChange(id, { assignee_id: world.worker }))).toMatchObject([applied]);
  });

  test('nobody is named who does not belong there, as assignee, reviewer or watcher', async () => {
    const id = await make();
    for (const patch of [
      { assignee_id: world.stranger },
      { reviewer_id: world.stranger },
      { watcher_ids: [world.stranger] },
    ]) {
      expect(await push(world.worker, taskChange(id, patch))).toMatchObject([forbidden]);
    }
  });

  test('a watcher of another place sees the task and its steps, and changes neither', async () => {
    const id = await make({ watcher_ids: [world.colleague] });
    const [step] = await push(world.worker, addStep(id));
    const phone = testDevice(db, world.colleague);
    await phone.pull();
    expect(phone.has('tasks', id)).toBe(true);
    expect([...phone.rows.keys()].filter(key => key.startsWith('task_items/'))).toHaveLength(1);
    expect(step).toMatchObject(applied);
    expect(await push(world.colleague, taskChange(id, { title: 'Mine' }))).toMatchObject([forbidden]);
  });

  test('a task is not part of itself, however far up', async () => {
    const top = await make();
    const middle = await make({ parent_id: top });
    const bottom = await make({ parent_id: middle });
    expect(await push(world.worker, taskChange(top, { parent_id: bottom }))).toMatchObject([
      { st: 'rejected', code: '23514' },
    ]);
  });
});

describe('done means done', () => {
  const done = () => ({ status: 'done', ended_at: '2026-11-21T09:00:00Z', ended_by: world.worker });

  test('is refused while a step that is asked for or the evidence is missing', async () => {
    const id = await make({ evidence_required: true });
    const step = { ...addStep(id), id: randomUUID() };
    await push(world.worker, step, addStep(id, { required: false, title: 'Nice to have' }));
    const missing = { st: 'rejected', code: '23514' };
    expect(await push(world.worker, taskChange(id, done()))).toMatchObject([missing]);
    expect(await push(world.worker, taskChange(id, { ...done(), media_ids: [world.media] }))).toMatchObject([missing]);
    const ticked = change('task_items', step.id, { done_at: '2026-11-21T08:59:00Z' });
    expect(await push(world.worker, ticked, taskChange(id, { ...done(), media_ids: [world.media] }))).toMatchObject([
      applied,
      applied,
    ]);
    expect(await rowOf('task_items', step.id)).toMatchObject({ done_by: world.worker });
  });

  test('is said by the reviewer, where there is one', async () => {
    const id = await make({ reviewer_id: world.manager, assignee_id: world.worker });
    expect(await push(world.worker, taskChange(id, done()))).toMatchObject([forbidden]);
    expect(await push(world.worker, taskChange(id, { status: 'in_review' }))).toMatchObject([applied]);
    const told = await db.asAdmin(`select type from notifications where user_id = $1 and subject_id = $2`, [
      world.manager,
      id,
    ]);
    expect(told).toEqual([{ type: 'task.to_review' }]);
    expect(await push(world.manager, taskChange(id, { ...done(), ended_by: world.manager }))).toMatchObject([applied]);
  });

  test('blocked and not applicable say why', async () => {
    const id = await make();
    expect(await push(world.worker, taskChange(id, { status: 'not_applicable' }))).toMatchObject([
      { st: 'rejected', code: '23514' },
    ]);
    expect(await push(world.worker, taskChange(id, { status: 'blocked', status_reason: 'No key' }))).toMatchObject([
      applied,
    ]);
  });
});

describe('steps', () => {
  test('may arrive before their task, and are then seen by whoever sees it', async () => {
    const task = randomUUID();
    const step = { ...addStep(task), id: randomUUID() };
    const patch = { organization_id: world.organization, site_id: world.north, title: 'Later' };
    expect(await push(world.worker, step)).toMatchObject([applied]);
    const seen = () => db.as(world.manager, 'select id from task_items where id = $1', [step.id]);
    expect(await seen()).toEqual([]);
    expect(await push(world.worker, { t: 'tasks', id: task, op: 'insert', patch })).toMatchObject([applied]);
    expect(await seen()).toEqual([{ id: step.id }]);
    expect(await push(world.worker, { t: 'tasks', id: task, op: 'delete', bv: 1 })).toMatchObject([applied]);
    expect(await seen()).toEqual([]);
  });

  test('of a task one does not see are no steps of it', async () => {
    await push(world.colleague, addStep(world.task));
    expect(await push(world.stranger, addStep(world.task))).toMatchObject([forbidden]);
    const seen = await db.as(world.manager, 'select created_by from task_items where task_id = $1', [world.task]);
    expect(seen.map(row => row['created_by'])).not.toContain(world.colleague);
  });

  test('two people tick two steps at once, and both ticks stay', async () => {
    const id = await make({ site_id: null });
    const steps = [randomUUID(), randomUUID()];
    await push(world.worker, ...steps.map(step => ({ ...addStep(id), id: step })));
    const tick = (step = '') => change('task_items', step, { done_at: '2026-11-21T09:00:00Z' });
    const answers = await Promise.all([push(world.worker, tick(steps[0])), push(world.colleague, tick(steps[1]))]);
    expect(answers).toMatchObject([[applied], [applied]]);
  });
});

describe('what is told by the clock', () => {
  const told = async (id: string) =>
    (await db.asAdmin('select type from notifications where subject_id = $1 order by created_at, type', [id])).map(
      row => row['type'],
    );
  const sweep = (at: string) => db.asAdmin('select inbox.sweep_tasks($1)', [at]);

  test('a task of a day is due soon at nine in the morning there, late at midnight, each told once', async () => {
    const id = await make({ assignee_id: world.worker, due_day: '2099-01-15', due_zone: 'Europe/Berlin' });
    await sweep('2099-01-15T07:58:00Z');
    expect(await told(id)).toEqual([]);
    for (const at of ['2099-01-15T08:01:00Z', '2099-01-15T08:02:00Z']) await sweep(at);
    expect(await told(id)).toEqual(['task.due_soon']);
    for (const at of ['2099-01-15T23:00:00Z', '2099-01-15T23:01:00Z']) await sweep(at);
    expect(await told(id)).toEqual(['task.due_soon', 'task.overdue']);
  });

  test('one with a time is due soon an hour before; ended ones are not told', async () => {
    const due = { due_day: '2099-02-01', due_time: '09:00', due_zone: 'UTC', assignee_id: world.worker };
    const open = await make(due);
    const ended = await make({ ...due, status: 'cancelled' });
    await sweep('2099-02-01T07:59:00Z');
    expect(await told(open)).toEqual([]);
    await sweep('2099-02-01T08:00:00Z');
    expect([await told(open), await told(ended)]).toEqual([['task.due_soon'], []]);
  });

  test('who is given a task is told, and not who takes it', async () => {
    const given = await make({ assignee_id: world.worker }, world.manager);
    const taken = await make({ assignee_id: world.worker });
    expect([await told(given), await told(taken)]).toEqual([['task.assigned'], []]);
  });
});

describe('a series', () => {
  /** As the server plans, at a moment of the test's. */
  const calls = (now: Date): SeriesCalls => ({
    toPlan: async () =>
      (await db.asAdmin('select s from task.series_to_plan($1) s', [now.toISOString()])).map(
        row => row['s'] as SeriesToPlan,
      ),
    plan: async (id, version, occurrences) => {
      const [row] = await db.asAdmin('select task.plan_series($1, $2, $3, $4) as n', [
        id,
        version,
        occurrences,
        now.toISOString(),
      ]);
      return Number(row?.['n']);
    },
    failed: async (id, version) => {
      await db.asAdmin('select schedule.plan_failed($1, $2, $3, $4)', ['series', id, version, now.toISOString()]);
    },
  });
  const plan = (at: Date) => planSeries(calls(at), at, Infinity);
  const soon = () => new Date();

  async function series(more: Record<string, unknown> = {}): Promise<string> {
    const id = randomUUID();
    const patch = {
      organization_id: world.organization,
      site_id: world.north,
      title: 'Round',
      recurrence: 'FREQ=WEEKLY;BYDAY=MO',
      start_day: '2026-01-05',
      zone: 'Europe/Berlin',
      due_time: '09:00',
      ...more,
    };
    expect(await push(world.worker, { t: 'task_series', id, op: 'insert', patch })).toMatchObject([applied]);
    return id;
  }
  const daysOf = async (id: string) =>
    (
      await db.asAdmin(
        'select occurs_on::text as day from tasks where series_id = $1 and deleted_at is null order by 1',
        [id],
      )
    ).map(row => String(row['day']));

  test('has its tasks for at least 13 months, each with the id that follows from its day, however often it is planned', async () => {
    const id = await series({ steps: [{ title: 'Look', required: true }] });
    await plan(soon());
    const days = await daysOf(id);
    expect(days.length).toBeGreaterThanOrEqual(56);
    expect(await plan(soon())).toBe(0);
    expect(await plan(new Date(Date.now() + 2 * 86_400_000))).toBeLessThan(9);
    const rows = await db.asAdmin(
      'select t.id, t.occurs_on::text as day, i.title from tasks t join task_items i on i.task_id = t.id where t.series_id = $1',
      [id],
    );
    expect(rows.length).toBeGreaterThanOrEqual(56);
    for (const row of rows)
      expect(row).toMatchObject({ id: derivedId(id, `occurrence/${String(row['day'])}`), title: 'Look' });
  });

  test('never stops at New Year, and has the 29th of February where the rule does', async () => {
    const weekly = await series();
    const leap = await series({ recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1' });
    await plan(new Date('2055-12-27T12:00:00Z'));
    expect(await daysOf(weekly)).toEqual(
      expect.arrayContaining(['2055-12-27', '2056-01-03', '2056-01-10', '2056-12-25', '2057-01-01']),
    );
    expect(await daysOf(leap)).toContain('2056-02-29');
  });

  test('a device that made one offline and the server have one task, and what was done on it stays', async () => {
    const id = await series();
    await plan(soon());
    const [day = ''] = await daysOf(id);
    const task = derivedId(id, `occurrence/${day}`);
    const patch = {
      organization_id: world.organization,
      site_id: world.north,
      title: 'Round',
      series_id: id,
      occurs_on: day,
      due_day: day,
      due_time: '09:00',
      due_zone: 'Europe/Berlin',
    };
    expect(await push(world.worker, { t: 'tasks', id: task, op: 'insert', patch })).not.toMatchObject([
      { st: 'rejected' },
    ]);
    expect(await push(world.worker, taskChange(task, { status: 'in_progress' }))).not.toMatchObject([
      { st: 'rejected' },
    ]);
    await db.asAdmin(`update task_series set title = 'Another round' where id = $1`, [id]);
    await plan(soon());
    expect(await rowOf('tasks', task)).toMatchObject({ title: 'Round', status: 'in_progress' });
    const rest = await db.asAdmin('select distinct title from tasks where series_id = $1 and id <> $2', [id, task]);
    expect(rest).toEqual([{ title: 'Another round' }]);
  });

  test('only the task of that day has its id, and a task keeps its series', async () => {
    const id = await series();
    const patch = { organization_id: world.organization, title: 'x', series_id: id, occurs_on: '2027-01-04' };
    const wrong = { st: 'rejected', code: '23514' };
    expect(await push(world.worker, { t: 'tasks', id: randomUUID(), op: 'insert', patch })).toMatchObject([wrong]);
    expect(
      await push(world.worker, { t: 'tasks', id: derivedId(id, 'occurrence/2027-01-11'), op: 'insert', patch }),
    ).toMatchObject([wrong]);
    expect(
      await push(world.colleague, { t: 'tasks', id: derivedId(id, 'occurrence/2027-01-04'), op: 'insert', patch }),
    ).toMatchObject([{ st: 'rejected', code: '23503' }]);
  });

  test('one that was moved stays where it was put; ending the series takes back only what nobody touched', async () => {
    const id = await series();
    await plan(soon());
    const [first = '', second = ''] = await daysOf(id);
    const [moved, begun] = [derivedId(id, `occurrence/${first}`), derivedId(id, `occurrence/${second}`)];
    expect(
      await push(
        world.worker,
        taskChange(moved, { due_day: '2027-06-01' }),
        taskChange(begun, { status: 'in_progress' }),
      ),
    ).toMatchObject([applied, applied]);
    await db.asAdmin(`update task_series set due_time = '10:00' where id = $1`, [id]);
    await plan(soon());
    expect(await rowOf('tasks', moved)).toMatchObject({ due_time: '09:00', is_exception: true });
    await db.asAdmin(`update task_series set state = 'ended' where id = $1`, [id]);
    await plan(soon());
    expect(await daysOf(id)).toEqual([first, second]);
  });

  test('one that counts from completion has its next task once the last is done', async () => {
    const id = await series({ recurrence: 'FREQ=DAILY;INTERVAL=10', based_on: 'completed' });
    await plan(soon());
    const [day = ''] = await daysOf(id);
    expect(await daysOf(id)).toEqual([day]);
    await db.asAdmin(`update tasks set status = 'done', ended_at = now() where series_id = $1`, [id]);
    await plan(soon());
    expect(await daysOf(id)).toHaveLength(2);
  });

  test('is changed by who made it and by managers, and a year of it is one piece of news', async () => {
    const id = randomUUID();
    const patch = {
      organization_id: world.organization,
      title: 'Given',
      recurrence: 'FREQ=DAILY',
      start_day: '2026-01-05',
      zone: 'UTC',
      assignee_id: world.worker,
    };
    await push(world.manager, { t: 'task_series', id, op: 'insert', patch });
    await plan(soon());
    const news = await db.asAdmin(
      `select type from notifications where user_id = $1 and type = 'task.assigned' and params ->> 'title' = 'Given'`,
      [world.worker],
    );
    expect(news).toHaveLength(1);
    expect(await push(world.worker, change('task_series', id, { title: 'Mine' }))).toMatchObject([forbidden]);
  });
});
