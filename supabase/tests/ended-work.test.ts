import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Mutation } from '@cairn/sync/transport/backend.ts';
import { change, photo, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What "done" rests on is there and stays; the order in which an honest device sends it is taken. */
setUpWorld();

const applied = { st: 'applied' };
const forbidden = { st: 'rejected', code: '42501' };

/** A task a manager gave the worker. */
async function given(more: Mutation['patch'] = {}): Promise<string> {
  const id = randomUUID();
  const patch = { ...place(), title: 'Check', assignee_id: world.worker, ...more };
  expect(await push(world.manager, { t: 'tasks', id, op: 'insert', patch })).toMatchObject([applied]);
  return id;
}
async function step(task: string): Promise<string> {
  const id = randomUUID();
  const patch = { organization_id: world.organization, task_id: task, title: 'Look', required: true };
  expect(await push(world.manager, { t: 'task_items', id, op: 'insert', patch })).toMatchObject([applied]);
  return id;
}
const tick = (id: string) => change('task_items', id, { done_at: '2026-11-21T08:30:00+00:00' });
const done = (id: string, more: Mutation['patch'] = {}) => change('tasks', id, { status: 'done', ...more });

describe('the evidence of a task', () => {
  test('is a file that is there: the id of none is none, and one taken and said in the same minute offline counts', async () => {
    const id = await given({ evidence_required: true });
    expect(await push(world.worker, change('tasks', id, { media_ids: [randomUUID()] }))).toMatchObject([applied]);
    expect(await push(world.worker, done(id))).toMatchObject([
      { st: 'rejected', code: '23514', msg: 'task_needs_evidence' },
    ]);
    const shot = photo();
    expect(await push(world.worker, shot, done(id, { media_ids: [String(shot.id)] }))).toMatchObject([
      applied,
      applied,
    ]);
  });

  test('stays once it is done; more may be added', async () => {
    const id = await given({ evidence_required: true });
    const [first, second] = [photo(), photo()];
    await push(world.worker, first, done(id, { media_ids: [String(first.id)] }));
    expect(await push(world.worker, change('tasks', id, { media_ids: [] }))).toMatchObject([forbidden]);
    expect(await push(world.worker, { t: 'media', id: String(first.id), op: 'delete', bv: 1 })).toMatchObject([
      forbidden,
    ]);
    const both = [String(first.id), String(second.id)];
    expect(await push(world.worker, second, await change('tasks', id, { media_ids: both }))).toMatchObject([
      applied,
      applied,
    ]);
  });
});

describe('a required step', () => {
  test('taken back after done opens the task; its time and words stay', async () => {
    const id = await given();
    const look = await step(id);
    expect(await push(world.worker, await tick(look), await done(id))).toMatchObject([applied, applied]);
    const { created_at, done_at } = await rowOf('task_items', look);
    // A step that was given is not ticked before it was.
    expect(done_at).toBe(created_at);
    await push(world.worker, change('task_items', look, { done_at: '2026-01-01T00:00:00Z' }));
    expect(await rowOf('task_items', look)).toMatchObject({ done_at, done_by: world.worker });
    expect(await push(world.worker, change('task_items', look, { title: 'Nothing' }))).toMatchObject([forbidden]);
    expect(await push(world.worker, change('task_items', look, { done_at: null }))).toMatchObject([applied]);
    expect(await rowOf('tasks', id)).toMatchObject({ status: 'reopened', ended_at: null, ended_by: null });
  });

  test('taken back and the task opened again offline arrive step first, and nothing is refused', async () => {
    const id = await given();
    const look = await step(id);
    await push(world.worker, await tick(look), await done(id));
    const [back, open] = [
      await change('task_items', look, { done_at: null, done_by: null }),
      await change('tasks', id, { status: 'reopened', ended_at: null, ended_by: null }),
    ];
    expect(await push(world.worker, back, open)).toMatchObject([applied, { st: 'merged' }]);
    expect(await rowOf('tasks', id)).toMatchObject({ status: 'reopened' });
    expect(await rowOf('task_items', look)).toMatchObject({ done_at: null });
  });
});

describe('a task with a reviewer', () => {
  test('is ended in no way by whoever does it, nor due another day; both may who reviews or manages', async () => {
    const id = await given({ reviewer_id: world.manager, due_day: '2026-01-02' });
    for (const patch of [
      { status: 'done' },
      { status: 'not_applicable', status_reason: 'x' },
      { status: 'cancelled' },
      { due_day: '2027-01-02' },
    ]) {
      expect(await push(world.worker, change('tasks', id, patch))).toMatchObject([forbidden]);
    }
    expect(await push(world.worker, change('tasks', id, { status: 'in_review' }))).toMatchObject([applied]);
    expect(await push(world.manager, change('tasks', id, { due_day: '2026-02-02' }))).toMatchObject([applied]);
    expect(await push(world.manager, done(id))).toMatchObject([applied]);
  });

  test('stays as its reviewer closed it', async () => {
    const id = await given({ reviewer_id: world.manager });
    expect(await push(world.manager, done(id))).toMatchObject([applied]);
    const { ended_at } = await rowOf('tasks', id);
    expect(await push(world.worker, change('tasks', id, { title: 'Other' }))).toMatchObject([forbidden]);
    await push(world.worker, change('tasks', id, { ended_at: '2020-01-01T00:00:00Z', ended_by: null }));
    expect(await rowOf('tasks', id)).toMatchObject({ status: 'done', ended_by: world.manager, ended_at });
  });

  test('that somebody gave themselves is due when they say', async () => {
    const id = randomUUID();
    const patch = {
      ...place(),
      title: 'Mine',
      assignee_id: world.worker,
      due_day: '2026-01-02',
      reviewer_id: world.manager,
    };
    await push(world.worker, { t: 'tasks', id, op: 'insert', patch });
    expect(await push(world.worker, change('tasks', id, { due_day: '2026-03-02' }))).toMatchObject([applied]);
  });
});

test('nobody ends what they were given before it was made, and one made and done offline keeps its time', async () => {
  const id = await given({ due_day: '2026-01-02' });
  expect(await push(world.worker, done(id, { ended_at: '2026-01-01T00:00:00Z' }))).toMatchObject([applied]);
  const { ended_at: at, created_at } = await rowOf('tasks', id);
  expect(at).toBe(created_at);
  const own = randomUUID();
  const ended_at = '2026-11-21T08:00:00+00:00';
  expect(
    await push(
      world.worker,
      { t: 'tasks', id: own, op: 'insert', patch: { ...place(), title: 'Own' } },
      {
        t: 'tasks',
        id: own,
        op: 'update',
        patch: { status: 'done', ended_at, ended_by: world.worker },
        base: { status: 'todo' },
        bv: 1,
      },
    ),
  ).toMatchObject([applied, applied]);
  expect(await rowOf('tasks', own)).toMatchObject({ ended_at, ended_by: world.worker });
});

describe('a closed action item', () => {
  const closed = async () => {
    const id = randomUUID();
    const shot = photo();
    const patch = { ...place(), title: 'Fix', assignee_id: world.worker, media_ids: [String(shot.id)] };
    expect(await push(world.manager, shot, { t: 'action_items', id, op: 'insert', patch })).toMatchObject([
      applied,
      applied,
    ]);
    // As the server's own word: who may close is asked elsewhere.
    await db.asAdmin(`update action_items set status = 'closed', closed_at = now(), closed_by = $2 where id = $1`, [
      id,
      world.manager,
    ]);
    return id;
  };

  test('stays as it was closed, and is not opened by whoever it was given to', async () => {
    const id = await closed();
    const { closed_at } = await rowOf('action_items', id);
    for (const patch of [
      { status: 'open' },
      { title: 'Other' },
      { due_at: '2027-01-01T00:00:00Z' },
      { media_ids: [] },
    ]) {
      expect(await push(world.worker, change('action_items', id, patch))).toMatchObject([forbidden]);
    }
    await push(world.worker, change('action_items', id, { closed_by: null, closed_at: '2020-01-01T00:00:00Z' }));
    expect(await rowOf('action_items', id)).toMatchObject({ status: 'closed', closed_by: world.manager, closed_at });
  });

  test('is opened again by who closed it, and takes another photo', async () => {
    const id = await closed();
    const shot = photo();
    const files: unknown = (await rowOf('action_items', id))['media_ids'];
    const media_ids = [...(Array.isArray(files) ? files : []), String(shot.id)];
    expect(await push(world.worker, shot, await change('action_items', id, { media_ids }))).toMatchObject([
      applied,
      applied,
    ]);
    expect(await push(world.manager, change('action_items', id, { status: 'open' }))).toMatchObject([applied]);
    expect(await rowOf('action_items', id)).toMatchObject({ closed_at: null, closed_by: null });
  });
});
