import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import type { Mutation } from '@cairn/sync/transport/backend.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { type Edit, testDevice } from './device.ts';
import { makeWorld, type World } from './world.ts';

/** What is ended is not ended anew by a side door; what honest people did with no signal still arrives. */
let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
});
afterAll(() => db.drop());

const applied = { st: 'applied' };
const forbidden = { st: 'rejected', code: '42501' };
const push = async (person: string, ...edits: (Edit | Promise<Edit>)[]) =>
  testDevice(db, person).push(...(await Promise.all(edits.map(edit => Promise.resolve(edit)))));
const rowOf = async (table: string, id: string) => {
  const [found] = await db.asAdmin(`select to_jsonb(x) as row from ${table} x where id = $1`, [id]);
  const row: Record<string, unknown> = Object(found?.['row']);
  return row;
};
async function change(t: Edit['t'], id: string, patch: Mutation['patch']): Promise<Edit> {
  const row = await rowOf(t, id);
  const base = Object.fromEntries(Object.keys(patch).map(name => [name, row[name]]));
  return { t, id, op: 'update', patch, base, bv: Number(row['version']) };
}
const removal = async (t: Edit['t'], id: string): Promise<Edit> => ({
  t,
  id,
  op: 'delete',
  bv: Number((await rowOf(t, id))['version']),
});
const place = () => ({ organization_id: world.organization, site_id: world.north });
const photo = (id = randomUUID()): Edit & { id: string } => ({
  t: 'media',
  id,
  op: 'insert',
  patch: {
    ...place(),
    kind: 'photo',
    mime: 'image/png',
    bytes: 10,
    sha256: 'a'.repeat(64),
    captured_at: '2026-11-21T08:00:00Z',
  },
});
async function made(person: string, t: Edit['t'], patch: Mutation['patch'], id = randomUUID()): Promise<string> {
  expect(await push(person, { t, id, op: 'insert', patch })).toMatchObject([applied]);
  return id;
}
const task = (more: Mutation['patch'] = {}) =>
  made(world.manager, 'tasks', { ...place(), title: 'Check', assignee_id: world.worker, ...more });
/** Another person of the site who may work and decide nothing, or who manages. */
async function person(role: 'member' | 'manager'): Promise<string> {
  const id = await db.person(`${randomUUID()}@a.test`);
  await db.asAdmin('insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)', [
    world.organization,
    id,
    role,
  ]);
  if (role === 'member') {
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.north,
      id,
    ]);
  }
  return id;
}

describe('a task of a series', () => {
  const series = (more: Mutation['patch'] = {}, by = world.manager) =>
    made(by, 'task_series', {
      ...place(),
      title: 'Lifting gear',
      reviewer_id: world.manager,
      assignee_id: world.worker,
      evidence_required: true,
      recurrence: 'FREQ=MONTHLY',
      start_day: '2027-01-01',
      zone: 'UTC',
      ...more,
    });
  const on = (series_id: string, day: string, more: Mutation['patch'] = {}): Edit & { id: string } => ({
    t: 'tasks',
    id: derivedId(series_id, `occurrence/${day}`),
    op: 'insert',
    patch: { ...place(), title: 'anything', series_id, occurs_on: day, due_day: day, due_zone: 'UTC', ...more },
    base: { status: 'todo', media_ids: [], evidence_required: false, priority: 'none', labels: [] },
  });

  test('of the calendar is made by its planner: nobody else takes a day early, done or to be taken away', async () => {
    const id = await series();
    for (const more of [{ status: 'done' }, {}, { status: 'cancelled' }]) {
      expect(await push(world.worker, on(id, '2027-02-01', more))).toMatchObject([forbidden]);
    }
    expect(await db.asAdmin('select id from tasks where series_id = $1', [id])).toEqual([]);
  });

  test('made offline by who planned the series has its reviewer and its evidence, and is theirs to take away', async () => {
    const id = await series();
    const own = on(id, '2027-01-01', { title: 'Lifting gear' });
    expect(await push(world.manager, own)).toMatchObject([applied]);
    expect(await rowOf('tasks', own.id)).toMatchObject({
      reviewer_id: world.manager,
      evidence_required: true,
      created_by: world.manager,
    });
    expect(await push(world.worker, removal('tasks', own.id))).toMatchObject([forbidden]);
    expect(await push(world.manager, removal('tasks', own.id))).toMatchObject([applied]);
  });

  test('that follows one which was done arrives from a device with no signal, as the series says, with its steps', async () => {
    const steps = [{ title: 'All chains', required: true }];
    const id = await series({ based_on: 'completed', recurrence: 'FREQ=DAILY;INTERVAL=10', reviewer_id: null, steps });
    const first = on(id, '2027-01-01', { title: 'Lifting gear', assignee_id: world.worker });
    await push(world.manager, first);
    const shot = photo();
    const next = on(id, '2027-01-11', { title: 'Lifting gear', assignee_id: world.worker, created_by: world.manager });
    const step: Edit = {
      t: 'task_items',
      id: derivedId(next.id, 'step/0'),
      op: 'insert',
      patch: { organization_id: world.organization, task_id: next.id, title: 'Nothing', required: false },
    };
    // As a device sends it: files, steps, then tasks; the next one was made as the first was ended.
    const answers = await push(
      world.worker,
      shot,
      step,
      await change('tasks', first.id, { status: 'done', media_ids: [shot.id] }),
      next,
    );
    expect(answers).toMatchObject([applied, applied, applied, { st: 'merged' }]);
    expect(await rowOf('tasks', next.id)).toMatchObject({
      title: 'Lifting gear',
      evidence_required: true,
      created_by: world.manager,
      deleted_at: null,
      status: 'todo',
    });
    expect(await rowOf('task_items', String(step.id))).toMatchObject({ title: 'All chains', required: true });
    expect(await push(world.worker, change('tasks', next.id, { status: 'done' }))).toMatchObject([{ st: 'rejected' }]);
  });

  test('that follows nothing, or is far from it, is taken back at once', async () => {
    const id = await series({ based_on: 'completed', recurrence: 'FREQ=DAILY;INTERVAL=10' });
    expect((await push(world.worker, on(id, '2190-01-01')))[0]).toMatchObject({ st: 'conflict' });
    const open = await db.asAdmin('select id from tasks where series_id = $1 and deleted_at is null', [id]);
    expect(open).toEqual([]);
  });
});

describe('steps of a task its reviewer closed', () => {
  const closed = async () => {
    const id = await task({ reviewer_id: world.manager });
    const step = (title: string) =>
      made(world.manager, 'task_items', { organization_id: world.organization, task_id: id, title, required: false });
    const [ticked, open] = [await step('ticked'), await step('open')];
    await push(world.worker, change('task_items', ticked, { done_at: new Date().toISOString() }));
    const before = new Date().toISOString();
    expect(await push(world.manager, change('tasks', id, { status: 'done' }))).toMatchObject([applied]);
    return { id, ticked, open, before };
  };

  test('are not added, ticked, taken back or worded anew afterwards', async () => {
    const { id, ticked, open } = await closed();
    const added = { organization_id: world.organization, task_id: id, title: 'later', required: true };
    const later = new Date(Date.now() + 1000).toISOString();
    const edits = [
      change('task_items', open, { done_at: '2020-01-01T00:00:00Z' }),
      change('task_items', open, { done_at: later }),
      change('task_items', ticked, { done_at: null }),
      change('task_items', ticked, { done_at: null, title: 'forged', required: true }),
      change('task_items', open, { title: 'forged' }),
      { t: 'task_items', op: 'insert', patch: added } as const,
      { t: 'task_items', op: 'insert', patch: { ...added, done_at: '2019-01-01T00:00:00Z' } } as const,
    ];
    for (const edit of edits) expect(await push(world.worker, edit)).toMatchObject([forbidden]);
    expect(await push(world.manager, change('task_items', open, { title: 'Said better' }))).toMatchObject([applied]);
  });

  test('that were ticked before, on a device with no signal, arrive, and the log says so', async () => {
    const { id, open, before } = await closed();
    expect(await push(world.worker, change('task_items', open, { done_at: before }))).toMatchObject([applied]);
    expect(await rowOf('task_items', open)).toMatchObject({ done_by: world.worker });
    expect(await db.asAdmin('select act from audit_entries where subject_id = $1', [id])).toContainEqual({
      act: 'task.step_late',
    });
  });
});

describe('an end', () => {
  test('after another keeps the files of the first; a name without a file is no evidence', async () => {
    const id = await task({ evidence_required: true });
    const [first, second] = [photo(), photo()];
    const unknown = { status: 'done', media_ids: [first.id, randomUUID()] };
    expect(await push(world.worker, first, await change('tasks', id, unknown))).toMatchObject([
      applied,
      { st: 'rejected', code: '23514' },
    ]);
    await push(world.worker, change('tasks', id, { status: 'done', media_ids: [first.id] }));
    expect(await push(world.worker, change('tasks', id, { status: 'cancelled', media_ids: [] }))).toMatchObject([
      forbidden,
    ]);
    expect(await push(world.worker, change('tasks', id, { status: 'cancelled' }))).toMatchObject([applied]);
    const swapped = { status: 'done', media_ids: [second.id], ended_at: '2026-11-21T00:00:00Z' };
    expect(await push(world.worker, second, await change('tasks', id, swapped))).toMatchObject([applied, forbidden]);
    expect(await push(world.worker, removal('media', first.id))).toMatchObject([forbidden]);
  });

  test('by the maker gets no reviewer afterwards who never looked, and a review does not lose its own', async () => {
    const id = await made(world.worker, 'tasks', {
      ...place(),
      title: 'Mine',
      status: 'in_review',
      assignee_id: world.worker,
      reviewer_id: world.manager,
    });
    expect(await push(world.worker, change('tasks', id, { reviewer_id: null }))).toMatchObject([forbidden]);
    const plain = await made(world.worker, 'tasks', { ...place(), title: 'Mine' });
    const named = { status: 'cancelled', reviewer_id: world.manager };
    expect(await push(world.worker, change('tasks', plain, named))).toMatchObject([forbidden]);
    expect(await push(world.worker, change('tasks', plain, { status: 'done' }))).toMatchObject([applied]);
    expect(await push(world.worker, change('tasks', plain, { reviewer_id: world.manager }))).toMatchObject([forbidden]);
    // Opened again, it is the maker's to give on.
    expect(
      await push(world.worker, change('tasks', plain, { status: 'reopened', reviewer_id: world.manager })),
    ).toMatchObject([applied]);
  });
});

describe('an action item', () => {
  const item = (more: Mutation['patch'] = {}, by = world.manager) =>
    made(by, 'action_items', { ...place(), title: 'Fix', assignee_id: world.worker, ...more });
  const move = async (by: string, id: string, patch: Mutation['patch']) =>
    (await push(by, change('action_items', id, patch)))[0];

  test('that somebody had is not closed by them, though they gave it away first; once another did it, it is', async () => {
    const id = await item({ assignee_id: world.manager });
    expect(await move(world.manager, id, { assignee_id: null })).toMatchObject(applied);
    expect(await move(world.manager, id, { status: 'closed' })).toMatchObject(forbidden);
    await move(world.manager, id, { assignee_id: world.worker });
    await move(world.worker, id, { status: 'ready_for_verification' });
    expect(await move(world.manager, id, { status: 'closed' })).toMatchObject(applied);
  });

  test('is called a duplicate or not valid by somebody else, as it is closed', async () => {
    const id = await item();
    expect(await move(world.worker, id, { status: 'not_valid' })).toMatchObject(forbidden);
    const own = await item({ assignee_id: null }, world.worker);
    expect(await move(world.worker, own, { status: 'duplicate' })).toMatchObject(forbidden);
    expect(await move(world.manager, own, { status: 'duplicate' })).toMatchObject(applied);
    expect(await move(world.manager, id, { status: 'not_valid' })).toMatchObject(applied);
  });

  test('that somebody closed is opened by no third person but one who finds that it did not work', async () => {
    const colleague = await person('member');
    const id = await item();
    await move(world.worker, id, { status: 'ready_for_verification' });
    await move(world.manager, id, { status: 'closed' });
    expect(await move(colleague, id, { status: 'open' })).toMatchObject(forbidden);
    const failed = { outcome: 'not_effective', outcome_note: 'Loose again', status: 'open' };
    expect(await move(world.worker, id, failed)).toMatchObject(forbidden);
    expect(await move(colleague, id, failed)).toMatchObject(applied);
    const own = await item({ assignee_id: world.worker });
    // As the server has it where nobody else could check: whoever closed it themselves opens it again.
    await db.asAdmin(`update action_items set status = 'closed', closed_by = $2 where id = $1`, [own, world.worker]);
    expect(await move(world.worker, own, { status: 'open' })).toMatchObject(applied);
  });
});

test('evidence is not accepted by who answered for it until a moment ago', async () => {
  const id = randomUUID();
  const second = await person('manager');
  const patch = { organization_id: world.organization, series_id: id, title: 'Proof', owner_id: world.manager };
  await made(world.worker, 'evidence', { ...patch, collected_at: '2026-11-21T08:00:00Z' }, id);
  expect(await push(world.manager, change('evidence', id, { owner_id: world.worker }))).toMatchObject([applied]);
  expect(await push(world.manager, change('evidence', id, { state: 'accepted' }))).toMatchObject([forbidden]);
  expect(await push(second, change('evidence', id, { state: 'accepted' }))).toMatchObject([applied]);
});

describe('a photo that a colleague names', () => {
  test('on a report or a done task of their own is still its author’s to take away', async () => {
    const author = await person('member');
    for (const [t, patch] of [
      ['issue_reports', { title: 'r', reported_at: '2026-11-21T08:00:00Z' }],
      ['tasks', { title: 'mine', status: 'done' }],
    ] as const) {
      const shot = photo();
      await push(author, shot);
      await made(world.worker, t, { ...place(), ...patch, media_ids: [shot.id] });
      expect(await push(author, removal('media', shot.id))).toMatchObject([applied]);
    }
  });

  test('stays where its author named it too, or where a reviewer decided on it', async () => {
    const author = await person('member');
    const [own, shown] = [photo(), photo()];
    const shared = await task({ assignee_id: null });
    await push(author, own, shown, await change('tasks', shared, { media_ids: [own.id] }));
    expect(await push(world.worker, change('tasks', shared, { status: 'done' }))).toMatchObject([applied]);
    const reviewed = await task({ reviewer_id: world.manager });
    await push(world.worker, change('tasks', reviewed, { media_ids: [shown.id] }));
    await push(world.manager, change('tasks', reviewed, { status: 'done' }));
    for (const shot of [own, shown]) expect(await push(author, removal('media', shot.id))).toMatchObject([forbidden]);
  });
});

test('a zone is one that every clock knows by the same name', async () => {
  const zoned = (zone: string) => [
    { t: 'tasks', op: 'insert', patch: { ...place(), title: 'z', due_day: '2027-01-01', due_zone: zone } } as const,
    {
      t: 'task_series',
      op: 'insert',
      patch: { ...place(), title: 'z', recurrence: 'FREQ=YEARLY', start_day: '2198-01-01', zone },
    } as const,
  ];
  const none = { st: 'rejected', code: '22023' };
  for (const zone of ['QQQ5', 'Zabc+3', 'CEST', 'posix/Europe/Berlin']) {
    expect(await push(world.worker, ...zoned(zone))).toMatchObject([none, none]);
  }
  for (const zone of ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3']) {
    expect(await push(world.worker, ...zoned(zone))).toMatchObject([applied, applied]);
  }
});
