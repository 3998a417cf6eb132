import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { change, push } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const applied = { st: 'applied' };
const forbidden = { st: 'rejected', code: '42501' };

async function task(by: string, more: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const place = { organization_id: world.organization, site_id: world.north };
  expect(
    await push(by, { t: 'tasks', id, op: 'insert', patch: { ...place, title: 'Check the lift', ...more } }),
  ).toMatchObject([applied]);
  return id;
}

const move = async (by: string, id: string, patch: Record<string, unknown>) =>
  (await push(by, await change('tasks', id, patch)))[0];

describe('a reviewer', () => {
  test('is not got rid of by the maker in three steps', async () => {
    const id = await task(world.worker, { assignee_id: world.worker, reviewer_id: world.manager });
    expect(await move(world.worker, id, { status: 'in_review' })).toMatchObject(applied);
    expect(await move(world.worker, id, { status: 'in_progress' })).toMatchObject(applied);
    expect(await move(world.worker, id, { reviewer_id: null })).toMatchObject(forbidden);
    expect(await move(world.worker, id, { status: 'todo' })).toMatchObject(applied);
    for (const reviewer of [null, world.worker, world.admin]) {
      expect(await move(world.worker, id, { reviewer_id: reviewer })).toMatchObject(forbidden);
    }
    expect(await move(world.worker, id, { status: 'done' })).toMatchObject(forbidden);
    expect(await move(world.manager, id, { status: 'done' })).toMatchObject(applied);
  });

  test('named by somebody else stays before work begins; one the maker named is theirs until then', async () => {
    const own = await task(world.worker, { reviewer_id: world.manager });
    expect(await move(world.worker, own, { reviewer_id: world.admin })).toMatchObject(applied);
    expect(await move(world.manager, own, { reviewer_id: world.manager })).toMatchObject(applied);
    expect(await move(world.worker, own, { reviewer_id: null })).toMatchObject(forbidden);
    const freed = await task(world.worker, { reviewer_id: world.manager });
    expect(await move(world.worker, freed, { reviewer_id: null, status: 'in_progress' })).toMatchObject(applied);
    expect(await move(world.worker, freed, { status: 'done' })).toMatchObject(applied);
  });

  test('who gave it back is followed by another, not by whoever does it', async () => {
    const id = await task(world.worker, {
      assignee_id: world.worker,
      reviewer_id: world.colleague,
      status: 'in_progress',
    });
    expect(await move(world.colleague, id, { reviewer_id: null })).toMatchObject(forbidden);
    expect(await move(world.manager, id, { reviewer_id: null })).toMatchObject(applied);
    expect(await move(world.worker, id, { status: 'cancelled' })).toMatchObject(forbidden);
    expect(await move(world.worker, id, { status: 'done' })).toMatchObject(forbidden);
    expect(await move(world.worker, id, { reviewer_id: world.worker })).toMatchObject(forbidden);
    expect(await move(world.worker, id, { reviewer_id: world.manager })).toMatchObject(applied);
    expect(await move(world.manager, id, { status: 'done' })).toMatchObject(applied);
    expect(await db.asAdmin('select status from tasks where id = $1', [id])).toEqual([{ status: 'done' }]);
  });

  test('whose account ended leaves the task to its maker', async () => {
    const id = await task(world.worker, { reviewer_id: world.manager, status: 'in_progress' });
    await db.asAdmin(`delete from sync.past_assignee where tbl = 'tasks' and id = $1`, [id]);
    await db.asAdmin('update tasks set reviewer_id = null where id = $1', [id]);
    expect(await move(world.worker, id, { status: 'done' })).toMatchObject(applied);
  });
});
