import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { addRow } from './add-row.ts';
import type { Edit } from './device.ts';
import { change, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What somebody said stays theirs: it is neither taken away nor said again by who comes after. */
setUpWorld();

const applied = [{ st: 'applied' }];
const refused = [{ st: 'rejected', code: '42501' }];
const at = '2026-11-21T08:00:00Z';
const removal = async (t: Edit['t'], id: string): Promise<Edit> => ({
  t,
  id,
  op: 'delete',
  bv: Number((await rowOf(t, id))['version']),
});
const made = async (person: string, t: Edit['t'], patch: Record<string, unknown>, id = randomUUID()) => {
  expect(await push(person, { t, op: 'insert', id, patch })).toMatchObject(applied);
  return id;
};

describe('a task', () => {
  const task = () => made(world.worker, 'tasks', { ...place(), title: 'Check', assignee_id: world.worker });
  const move = async (person: string, id: string, patch: Record<string, unknown>) =>
    expect(await push(person, change('tasks', id, patch))).toMatchObject(applied);
  const removed = (id: string) =>
    db.asAdmin(`select actor_id from audit_entries where act = 'task.removed' and subject_id = $1`, [id]);

  test('that its reviewer looked at is not taken away by who made it', async () => {
    const id = await task();
    await move(world.worker, id, { status: 'in_progress' });
    await move(world.manager, id, { reviewer_id: world.manager });
    expect(await push(world.worker, removal('tasks', id))).toMatchObject(refused);
    expect(await push(world.manager, removal('tasks', id))).toMatchObject(applied);
    expect(await removed(id)).toEqual([{ actor_id: world.manager }]);
  });

  test('that somebody else once ended is not taken away by who made it, opened again or not; the log tells of it', async () => {
    const id = await task();
    await move(world.manager, id, { status: 'done' });
    expect(await push(world.worker, removal('tasks', id))).toMatchObject(refused);
    await move(world.worker, id, { status: 'reopened' });
    expect(await push(world.worker, removal('tasks', id))).toMatchObject(refused);
    const own = await task();
    await move(world.worker, own, { status: 'done' });
    expect(await push(world.worker, removal('tasks', own))).toMatchObject(applied);
    expect(await removed(own)).toEqual([{ actor_id: world.worker }]);
    expect(await push(world.worker, removal('tasks', await task()))).toMatchObject(applied);
  });
});

describe('an inspection that was finished', () => {
  const STATUSES = ['finalised', 'has_issues', 'approved', 'rejected', 'closed'];
  const inspection = (status: string) =>
    addRow(db, 'inspections', {
      ...place(),
      form_id: world.form,
      form_version_id: world.formVersion,
      title: 'Walk',
      status,
      result: 'fail',
      conducted_by: world.manager,
      started_at: at,
      finished_at: at,
    });
  const entries = (id: string) =>
    db.asAdmin(
      `select act, actor_id, detail ->> 'status' as status from audit_entries where subject_id = $1 and act like 'inspection%removed'`,
      [id],
    );

  test.each(STATUSES)(
    '(%s) is taken away by another reviewer than who did it, and the log tells of it',
    async status => {
      const id = await inspection(status);
      expect(await push(world.worker, removal('inspections', id))).toMatchObject(refused);
      expect(await push(world.manager, removal('inspections', id))).toMatchObject([{ ...refused[0], reason: 'CN092' }]);
      expect(await rowOf('inspections', id)).toMatchObject({ deleted_at: null });
      expect(await entries(id)).toEqual([]);
      expect(await push(world.admin, removal('inspections', id))).toMatchObject(applied);
      const act = status === 'finalised' ? 'inspection.finished_removed' : 'inspection.removed';
      expect(await entries(id)).toEqual([{ act, actor_id: world.admin, status }]);
    },
  );

  test('is not taken away by who finished it once, whoever conducts it now', async () => {
    const id = await inspection('in_progress');
    expect(await push(world.manager, change('inspections', id, { status: 'finalised' }))).toMatchObject(applied);
    await db.asAdmin('update inspections set conducted_by = $2 where id = $1', [id, world.worker]);
    expect(await push(world.manager, removal('inspections', id))).toMatchObject(refused);
  });

  test.each(['scheduled', 'in_progress'])('(%s: not yet) is its conductor’s to throw away', async status => {
    const id = await inspection(status);
    expect(await push(world.manager, removal('inspections', id))).toMatchObject(applied);
    expect(await entries(id)).toEqual([]);
  });
});

test('a report is not taken away before its author had a word', async () => {
  const id = await made(world.worker, 'issue_reports', { ...place(), title: 'Leak' });
  expect(await push(world.manager, removal('issue_reports', id))).toMatchObject([{ st: 'rejected', code: '23514' }]);
  const dismissed = { status: 'dismissed', answer: 'It is dry', decided_at: at };
  expect(await push(world.manager, change('issue_reports', id, dismissed))).toMatchObject(applied);
  expect(await push(world.manager, removal('issue_reports', id))).toMatchObject(applied);
});

test('evidence of others that a reviewer takes away undecided stands in the log, one’s own does not', async () => {
  const log = (id: string) =>
    db.asAdmin(`select actor_id from audit_entries where act = 'evidence.removed' and subject_id = $1`, [id]);
  const piece = async (person: string) => {
    const id = randomUUID();
    const words = { organization_id: world.organization, series_id: id, title: 'Drill', collected_at: at };
    return made(person, 'evidence', words, id);
  };
  const [others, own] = [await piece(world.worker), await piece(world.manager)];
  for (const id of [others, own]) expect(await push(world.manager, removal('evidence', id))).toMatchObject(applied);
  expect([await log(others), await log(own)]).toEqual([[{ actor_id: world.manager }], []]);
});

describe('a series of somebody else', () => {
  const DAYS = ['2126-12-01', '2126-12-02'];
  const idOn = (id: string, day: string) => derivedId(id, `occurrence/${day}`);
  const series = (more: Record<string, unknown> = {}) =>
    made(world.worker, 'task_series', {
      ...place(),
      title: 'Lock the gate',
      recurrence: 'FREQ=DAILY',
      start_day: DAYS[0],
      zone: 'UTC',
      ...more,
    });
  const plan = (id: string, days = DAYS) =>
    db.asAdmin('select task.plan_series($1, (select version from task_series where id = $1), $2)', [
      id,
      days.map(day => ({ id: idOn(id, day), day })),
    ]);
  const told = async (task: string) => {
    const log = await db.rpc<{ field: string; by: string | null; after: string | null }[]>(
      world.worker,
      'record_activity',
      {
        p_table: 'tasks',
        p_id: task,
      },
    );
    return log.filter(({ by }) => by !== null).map(({ field, by, after }) => [field, by, after]);
  };
  const on = (series_id: string, day: string, more: Record<string, unknown> = {}): Edit => ({
    t: 'tasks',
    id: idOn(series_id, day),
    op: 'insert',
    patch: { ...place(), title: 'Lock the gate', series_id, occurs_on: day, due_day: day, due_zone: 'UTC', ...more },
  });

  test('makes tasks whose log says who changed what they say, made before and after', async () => {
    const id = await series();
    const [first = '', second = ''] = DAYS.map(day => idOn(id, day));
    await plan(id, DAYS.slice(0, 1));
    expect(await told(first)).toEqual([]);
    const words = {
      title: 'Cy works the night shift alone',
      assignee_id: world.admin,
      steps: [{ title: 'Alone', required: true }],
    };
    expect(await push(world.manager, change('task_series', id, words))).toMatchObject(applied);
    await plan(id);
    for (const task of [first, second]) {
      expect(await rowOf('tasks', task)).toMatchObject({ title: words.title, created_by: world.worker });
      expect((await told(task)).toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
        ['assignee_id', world.manager, world.admin],
        ['steps', world.manager, null],
        ['title', world.manager, null],
      ]);
    }
    // Its maker's own word follows, and is theirs.
    expect(await push(world.worker, change('task_series', id, { title: 'Lock both gates' }))).toMatchObject(applied);
    const third = '2126-12-03';
    await plan(id, [...DAYS, third]);
    expect((await told(idOn(id, third))).map(([field]) => String(field)).toSorted()).toEqual(['assignee_id', 'steps']);
  });

  test.each([
    { title: 'Cy works the night shift alone', status: 'in_progress' },
    { notes: 'Alone' },
    { assignee_id: 'x' },
    {},
  ])('has no task in its maker’s name that somebody else sent: %j', async more => {
    const id = await series();
    const named = 'assignee_id' in more ? { assignee_id: world.admin } : more;
    const sent = on(id, DAYS[0]!, named);
    expect(await push(world.manager, sent)).toMatchObject(applied);
    expect(await rowOf('tasks', String(sent.id))).toMatchObject({ created_by: world.manager });
  });

  test('has the next one in its maker’s name, where it follows what was done and says the same', async () => {
    const id = await series({ based_on: 'completed' });
    await plan(id, DAYS.slice(0, 1));
    const first = idOn(id, DAYS[0]!);
    expect(await push(world.manager, change('tasks', first, { status: 'done' }))).toMatchObject(applied);
    const next = on(id, DAYS[1]!);
    expect(await push(world.manager, next)).toMatchObject(applied);
    expect(await rowOf('tasks', String(next.id))).toMatchObject({ created_by: world.worker });
  });

  const sentBy = (person: () => string) => async (id: string, words: Record<string, unknown>) => {
    expect(await push(person(), on(id, DAYS[1]!, words))).toMatchObject(applied);
  };
  test.each([
    ['who wrote them', sentBy(() => world.manager)],
    ['who made the series', sentBy(() => world.worker)],
    [
      'a colleague, for whom the server makes it',
      (id: string) => db.asAdmin('select task.plan_occurrence($1, $2, $3, true)', [id, idOn(id, DAYS[1]!), DAYS[1]]),
    ],
  ])('has tasks that say whose words they are, sent by the device of %s', async (_, make) => {
    const id = await series({ based_on: 'completed' });
    await plan(id, DAYS.slice(0, 1));
    const first = idOn(id, DAYS[0]!);
    expect(await push(world.worker, change('tasks', first, { status: 'done' }))).toMatchObject(applied);
    const words = { title: 'Cy works the night shift alone', labels: ['alone'] };
    expect(await push(world.manager, change('task_series', id, words))).toMatchObject(applied);
    await make(id, words);
    const task = idOn(id, DAYS[1]!);
    expect(await rowOf('tasks', task)).toMatchObject({ title: words.title, created_by: world.worker });
    const said = [
      ['labels', world.manager, null],
      ['title', world.manager, null],
    ];
    expect(await told(task)).toEqual(expect.arrayContaining(said));
    expect(await told(task)).toHaveLength(2);
    // The planner comes upon it later, and says nothing twice.
    await plan(id, [DAYS[1]!]);
    expect(await told(task)).toHaveLength(2);
  });

  test('has words of its maker’s own device in its maker’s name alone', async () => {
    const id = await series({ based_on: 'completed' });
    await plan(id, DAYS.slice(0, 1));
    expect(await push(world.worker, change('tasks', idOn(id, DAYS[0]!), { status: 'done' }))).toMatchObject(applied);
    expect(await push(world.manager, change('task_series', id, { title: 'Alone' }))).toMatchObject(applied);
    expect(await push(world.worker, on(id, DAYS[1]!, { title: 'Lock my gate' }))).toMatchObject(applied);
    expect(await told(idOn(id, DAYS[1]!))).toEqual([]);
  });

  test('is by who wrote last, also within minutes', async () => {
    const id = await series();
    for (const [person, title] of [
      [world.manager, 'One'],
      [world.worker, 'Two'],
      [world.manager, 'Three'],
    ] as const)
      expect(await push(person, change('task_series', id, { title }))).toMatchObject(applied);
    await plan(id, DAYS.slice(0, 1));
    expect(await told(idOn(id, DAYS[0]!))).toEqual([['title', world.manager, null]]);
  });

  test('notes each change of what its tasks take over', async () => {
    const [compared] = await db.asAdmin(`select pg_get_functiondef('task.is_as_planned'::regproc) as body`);
    const [trigger] = await db.asAdmin(
      `select encode(tgargs, 'escape') as args from pg_trigger where tgname = 'y_activity' and tgrelid = 'task_series'::regclass`,
    );
    const taken = [...String(compared?.['body']).matchAll(/\(?\bs\)?\.(\w+)/g)].map(([, column = '']) => column);
    const noted = String(trigger?.['args']).split(/,|\\000/);
    expect(taken.length).toBeGreaterThan(9);
    expect(taken.filter(column => column !== 'organization_id' && !noted.includes(column))).toEqual([]);
  });
});

test('a session that the person ended is not taken away by the coach who wrote it', async () => {
  const pair = { subject_id: world.worker, helper_id: world.stranger };
  const relationship = { ...pair, role: 'mentor_coach', state: 'active', started_at: at };
  const relationship_id = await addRow(db, 'circle_relationships', relationship);
  const planned = { relationship_id, author_id: world.stranger, subject_id: world.worker, at, state: 'planned' };
  const id = await made(world.stranger, 'circle_sessions', planned);
  const cancelled = { state: 'cancelled', reason: 'Ill' };
  expect(await push(world.worker, change('circle_sessions', id, cancelled))).toMatchObject(applied);
  expect(await push(world.stranger, removal('circle_sessions', id))).toMatchObject(refused);
  expect(await rowOf('circle_sessions', id)).toMatchObject({ ...cancelled, deleted_at: null });
  const own = await made(world.stranger, 'circle_sessions', planned);
  expect(await push(world.stranger, removal('circle_sessions', own))).toMatchObject(applied);
});

describe('a finding', () => {
  const raised = () =>
    made(world.auditor, 'findings', {
      organization_id: world.organization,
      subject_table: 'policies',
      subject_id: world.policy,
      title: 'No date',
      body: '',
      severity: 'major',
      state: 'open',
      raised_by: world.auditor,
      raised_at: at,
    });
  const move = async (person: string, id: string, patch: Record<string, unknown>) =>
    push(person, change('findings', id, patch));
  const answered = { state: 'answered', answer: 'Done', answered_at: at };

  test('that somebody closes without a word does not bear the verdict of another', async () => {
    const id = await raised();
    await move(world.admin, id, answered);
    const verdict = 'Not good enough: the door is still blocked';
    expect(await move(world.auditor, id, { state: 'reopened', verdict, decided_at: at })).toMatchObject(applied);
    await move(world.admin, id, { ...answered, answer: 'Open now' });
    expect(await move(world.manager, id, { state: 'closed', decided_at: at })).toMatchObject(applied);
    expect(await rowOf('findings', id)).toMatchObject({ verdict: null, decided_by: world.manager });
  });

  test('is not told to who may see it no longer', async () => {
    const id = await raised();
    await move(world.admin, id, answered);
    expect(await move(world.manager, id, { state: 'reopened', verdict: 'No', decided_at: at })).toMatchObject(applied);
    const role = (to: string) =>
      db.asAdmin('update organization_members set role = $3 where user_id = $1 and organization_id = $2', [
        world.manager,
        world.organization,
        to,
      ]);
    await role('member');
    await move(world.admin, id, { ...answered, answer: 'Open now' });
    const asked = `select user_id from notifications where subject_id = $1 and type = 'finding.answered' and user_id = $2`;
    expect(await db.asAdmin(asked, [id, world.manager])).toEqual([]);
    await role('manager');
  });
});

test('the answer to a report bears the name of who wrote it, whoever decides later', async () => {
  const id = await made(world.worker, 'issue_reports', { ...place(), title: 'Leak' });
  const move = async (person: string, patch: Record<string, unknown>) =>
    expect(await push(person, change('issue_reports', id, patch))).toMatchObject(applied);
  await move(world.manager, { status: 'triaged', answer: 'We look' });
  expect(await rowOf('issue_reports', id)).toMatchObject({ answered_by: world.manager, decided_by: world.manager });
  await move(world.admin, { answer: 'You made this up' });
  expect(await rowOf('issue_reports', id)).toMatchObject({ answered_by: world.admin, decided_by: world.manager });
  await move(world.manager, { status: 'acting', answered_by: world.worker });
  expect(await rowOf('issue_reports', id)).toMatchObject({ answered_by: world.admin, decided_by: world.manager });
});
