import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addRow } from './add-row.ts';
import { change, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** A guard that speaks before the policy tells whoever the policy would refuse nothing of what there is. */
setUpWorld();

const applied = [{ st: 'applied' }];
/** Answers without their ids and times, which are never the same twice. */
const plain = (answers: unknown) =>
  JSON.stringify(answers)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[^"]+/g, 'TIME');

test('whether somebody works at a company is not told to whoever sends their consent', async () => {
  const consent = (user_id: string) => ({
    t: 'cohort_consents' as const,
    op: 'insert' as const,
    id: randomUUID(),
    patch: { user_id, employer_id: world.organization },
  });
  const outsider = await db.person(`${randomUUID()}@b.test`);
  const [member, nobody] = [consent(world.colleague), consent(outsider)];
  const answers = [await push(world.stranger, member), await push(world.stranger, nobody)];
  expect(answers[0]).toMatchObject([{ st: 'rejected', code: '42501' }]);
  expect(plain(answers[0])).toBe(plain(answers[1]));
});

describe('pictures of choices', () => {
  const add = (person: string) => {
    const patch = {
      organization_id: world.organization,
      name: 'a.jpg',
      width: 4,
      height: 3,
      data: `/9j/${'A'.repeat(96)}`,
    };
    return push(person, { t: 'form_pictures', op: 'insert', id: randomUUID(), patch });
  };

  test('are counted to whoever may add them, without those that are gone', async () => {
    const before = await add(world.stranger);
    await db.asAdmin(
      `insert into form_pictures (id, organization_id, name, width, height, data)
       select gen_random_uuid(), $1, 'x.jpg', 4, 3, $2 from generate_series(1, 400)`,
      [world.organization, `/9j/${'A'.repeat(96)}`],
    );
    expect(await add(world.manager)).toMatchObject([{ st: 'rejected', code: '23514' }]);
    expect(plain(await add(world.stranger))).toBe(plain(before));
    await db.asAdmin('update form_pictures set deleted_at = now() where organization_id = $1', [world.organization]);
    expect(await add(world.manager)).toMatchObject(applied);
  });
});

describe('a step', () => {
  const step = (task_id: string, more: object = {}) => ({
    t: 'task_items' as const,
    op: 'insert' as const,
    id: randomUUID(),
    patch: { organization_id: world.organization, task_id, title: 'Call Sam', required: true, ...more },
  });
  const task = (id: string, more: object = {}) => ({
    t: 'tasks' as const,
    op: 'insert' as const,
    id,
    patch: { organization_id: world.organization, site_id: world.south, title: 'Quiet work', ...more },
  });
  const done = async (id: string) => push(world.manager, change('tasks', id, { status: 'done' }));

  test('of a task out of sight is answered as one of a task that is not there, and is no step of it', async () => {
    const hidden = randomUUID();
    expect(await push(world.manager, task(hidden))).toMatchObject(applied);
    const [there, missing] = [step(hidden), step(randomUUID())];
    const answers = [await push(world.worker, there), await push(world.worker, missing)];
    expect(plain(answers[0])).toBe(plain(answers[1]));
    const [ticked, other] = [
      await push(world.worker, change('task_items', there.id, { title: 'Now' })),
      await push(world.worker, change('task_items', missing.id, { title: 'Now' })),
    ];
    expect(ticked.map(({ st }) => st)).toEqual(other.map(({ st }) => st));
    expect(await db.as(world.manager, 'select id from task_items where task_id = $1', [hidden])).toEqual([]);
    expect(await push(world.manager, change('tasks', hidden, { title: 'Moved', site_id: world.north }))).toMatchObject(
      applied,
    );
    expect(await done(hidden)).toMatchObject(applied);
  });

  test('sent before its task is not taken up where its author may not see the task', async () => {
    const id = randomUUID();
    const planted = step(id);
    expect(await push(world.worker, planted)).toMatchObject(applied);
    expect(await push(world.manager, task(id))).toMatchObject(applied);
    expect(await db.as(world.manager, 'select id from task_items where task_id = $1', [id])).toEqual([]);
    expect(await done(id)).toMatchObject(applied);
  });

  test('sent before its own task goes with it, and has to be ticked', async () => {
    const id = randomUUID();
    const own = step(id);
    expect(await push(world.worker, own, task(id, place()))).toMatchObject([...applied, ...applied]);
    expect(await db.as(world.manager, 'select id from task_items where task_id = $1', [id])).toEqual([{ id: own.id }]);
    expect(await push(world.worker, change('tasks', id, { status: 'done' }))).toMatchObject([{ st: 'rejected' }]);
    const ended = randomUUID();
    const open = [step(ended), task(ended, { ...place(), status: 'done' })];
    expect(await push(world.worker, ...open)).toMatchObject([...applied, { st: 'rejected', code: '23514' }]);
  });
});

describe('a request for an approval', () => {
  test('is withdrawn by who reads what it is about, or asked; what a workflow asked by nobody', async () => {
    await db.asAdmin(`update organizations set plan = 'enterprise' where id = $1`, [world.organization]);
    await db.asAdmin(
      `update organization_members set role = 'manager', site_limited = true where user_id = $1 and organization_id = $2`,
      [world.colleague, world.organization],
    );
    const id = await addRow(db, 'action_items', { ...place(), title: 'Secret', status: 'open', priority: 'high' });
    const request = await db.rpc<string>(world.worker, 'ask_to_accept_risk', {
      p_action: id,
      p_until: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
      p_reason: 'The part comes in March',
    });
    const withdraw = (person: string, of: string) => db.rpc(person, 'withdraw_approval', { p_request: of });
    await expect(withdraw(world.colleague, request)).rejects.toMatchObject({ code: '42501' });
    expect(await rowOf('approval_requests', request)).toMatchObject({ state: 'pending' });
    await withdraw(world.manager, request);
    expect(await rowOf('approval_requests', request)).toMatchObject({ state: 'withdrawn' });
    const of = await addRow(db, 'approval_requests', {
      organization_id: world.organization,
      permission: 'workflow.approve',
      subject_table: 'workflow_runs',
      subject_id: randomUUID(),
      path: '/workflows',
      title: 'Run',
      stages: [{ name: '', rule: 'any', people: [world.admin] }],
    });
    await expect(withdraw(world.admin, of)).rejects.toMatchObject({ code: '42501' });
  });
});
