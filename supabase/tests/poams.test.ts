import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { poamActionId } from '@cairn/core/controls/take-poam.ts';
import { testDevice, type Edit } from './device.ts';
import { change, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

function plan(document = '{}') {
  const source = randomUUID();
  const id = derivedId(world.organization, `poam/${source}`);
  const patch = { organization_id: world.organization, title: 'Plan', source_id: source, document };
  return { id, edit: { t: 'poams', op: 'insert', id, patch } satisfies Edit };
}

function item(poam: string, uuid: string, more: object = {}): Edit {
  const source = { source_type: 'poam', source_id: poam, source_question: uuid };
  const patch = { organization_id: world.organization, title: 'Mend', ...source, ...more };
  return { t: 'action_items', op: 'insert', id: poamActionId(poam, uuid), patch };
}

test('a plan and its action items arrive whole; those who see evidence have the plan, everybody there the work', async () => {
  const { id, edit } = plan();
  const group = randomUUID();
  const uuid = randomUUID();
  const results = await push(world.manager, ...[edit, item(id, uuid)].map(each => ({ ...each, group })));
  expect(results.map(({ st }) => st)).toEqual(['applied', 'applied']);
  const sees = async (person: string) => {
    const device = testDevice(db, person);
    await device.pull();
    return [device.has('poams', id), device.has('action_items', poamActionId(id, uuid))];
  };
  expect(await sees(world.admin)).toEqual([true, true]);
  expect(await sees(world.auditor)).toEqual([true, true]);
  expect(await sees(world.worker)).toEqual([false, true]);
  expect(await sees(world.stranger)).toEqual([false, false]);
  const told = await db.asAdmin(`select act, detail from audit_entries where subject_id = $1`, [id]);
  expect(told).toMatchObject([{ act: 'poam.added', detail: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }]);
});

test('the same item from two devices is one action item, and the same plan one plan', async () => {
  const { id, edit } = plan();
  const uuid = randomUUID();
  expect((await push(world.manager, edit, item(id, uuid))).map(({ st }) => st)).toEqual(['applied', 'applied']);
  expect((await push(world.admin, edit, item(id, uuid))).map(({ st }) => st)).toEqual(['merged', 'merged']);
  const [row] = await db.asAdmin(
    'select count(*)::int as n from action_items where source_id = $1 and deleted_at is null',
    [id],
  );
  expect(row).toEqual({ n: 1 });
});

test('members, auditors and strangers bring no plan, change none, and make no work in the name of one', async () => {
  const { id, edit } = plan();
  await push(world.manager, edit);
  for (const person of [world.worker, world.auditor, world.stranger]) {
    expect((await push(person, plan().edit))[0]).toMatchObject({ st: 'rejected' });
    expect((await push(person, await change('poams', id, { title: 'Theirs' })))[0]?.st).not.toBe('applied');
    expect((await push(person, item(id, randomUUID())))[0]?.st).toBe('rejected');
  }
  expect(await rowOf('poams', id)).toMatchObject({ title: 'Plan', document: '{}' });
});

test('work of a plan needs the plan and has the id that follows from its item', async () => {
  const { id, edit } = plan();
  const uuid = randomUUID();
  expect(await push(world.manager, item(randomUUID(), uuid))).toMatchObject([{ st: 'rejected', code: '23503' }]);
  await push(world.manager, edit);
  expect(await push(world.manager, { ...item(id, uuid), id: randomUUID() })).toMatchObject([
    { st: 'rejected', code: '23514' },
  ]);
  expect(await push(world.manager, { ...edit, id: randomUUID() })).toMatchObject([{ st: 'rejected', code: '23514' }]);
});

test('who brings a plan closes nothing with it and accepts no risk', async () => {
  const { id, edit } = plan();
  await push(world.manager, edit);
  for (const status of ['closed', 'risk_accepted'])
    expect(await push(world.manager, item(id, randomUUID(), { status }))).toMatchObject([{ st: 'rejected' }]);
  const ready = { status: 'ready_for_verification' };
  expect(await push(world.manager, item(id, randomUUID(), ready))).toMatchObject([{ st: 'applied' }]);
});

test('a later edition is another document of the same plan; one that is put away stays, and is taken up again', async () => {
  const { id, edit } = plan();
  await push(world.manager, edit);
  for (const patch of [{ source_id: randomUUID(), document: '{"a":1}' }, { state: 'put_away' }, { state: 'followed' }])
    expect(await push(world.manager, await change('poams', id, patch))).toMatchObject([{ st: 'applied' }]);
  const { version } = await rowOf('poams', id);
  const gone: Edit = { t: 'poams', op: 'delete', id, bv: Number(version) };
  expect(await push(world.manager, gone)).toMatchObject([{ st: 'rejected', code: '42501' }]);
  const told = await db.asAdmin('select act from audit_entries where subject_id = $1 order by seq', [id]);
  expect(told.map(({ act }) => act)).toEqual(['poam.added', 'poam.changed', 'poam.put_away', 'poam.followed']);
});

test('action items answer to controls, those in sight only', async () => {
  const control = await db.asAdmin('select id from controls where organization_id = $1', [world.organization]);
  const link = (target_id: string): Edit => ({
    t: 'control_links',
    op: 'insert',
    patch: {
      organization_id: world.organization,
      control_id: String(control[0]?.['id']),
      target_table: 'action_items',
      target_id,
    },
  });
  expect(await push(world.manager, link(world.action), link(randomUUID()))).toMatchObject([
    { st: 'applied' },
    { st: 'rejected', code: '23503' },
  ]);
});
