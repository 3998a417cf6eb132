import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { controlId } from '@cairn/core/controls/take-framework.ts';
import { testDevice, type Edit } from './device.ts';
import { push } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const refused = { st: 'rejected', code: '42501' };

function framework(count: number) {
  const id = randomUUID();
  const here = { organization_id: world.organization };
  const control = (n: number): Edit => {
    const code = `x-${n}`;
    const words = { code, label: code.toUpperCase(), title: `Control ${n}`, family: 'X', statement: '', position: n };
    const patch = { ...here, framework_id: id, ...words };
    return { t: 'controls', op: 'insert', id: controlId(id, code), patch };
  };
  const first: Edit = { t: 'frameworks', op: 'insert', id, patch: { ...here, title: 'X' } };
  return { id, edits: [first, ...Array.from({ length: count }, (_, n) => control(n))] };
}

const link = (control: string, table: string, target: string): Edit => ({
  t: 'control_links',
  op: 'insert',
  patch: { organization_id: world.organization, control_id: control, target_table: table, target_id: target },
});

test('a baseline of 149 controls arrives whole in one group, reaches every member, and nobody elsewhere', async () => {
  const { id, edits } = framework(149);
  const group = randomUUID();
  const results = await push(world.manager, ...edits.map(edit => ({ ...edit, group })));
  expect(results.every(({ st }) => st === 'applied')).toBe(true);
  const worker = testDevice(db, world.worker);
  await worker.pull();
  expect(worker.has('controls', controlId(id, 'x-148'))).toBe(true);
  const stranger = testDevice(db, world.stranger);
  await stranger.pull();
  expect(stranger.has('frameworks', id)).toBe(false);
  const told = await db.asAdmin(`select act from audit_entries where subject_id = $1`, [id]);
  expect(told).toEqual([{ act: 'framework.added' }]);
});

test('members, auditors and strangers bring nothing in and link nothing', async () => {
  const mine = framework(1);
  await push(world.manager, ...mine.edits);
  for (const person of [world.worker, world.auditor, world.stranger]) {
    expect((await push(person, ...framework(0).edits))[0]).toMatchObject(refused);
    expect((await push(person, link(controlId(mine.id, 'x-0'), 'policies', world.policy)))[0]?.st).toBe('rejected');
  }
});

test('a control has the id that follows from its framework, keeps its code, and needs its framework', async () => {
  const { id, edits } = framework(1);
  const [first, second] = edits;
  if (!first || !second) throw new Error('two edits');
  await push(world.manager, first);
  expect(await push(world.manager, { ...second, id: randomUUID() })).toMatchObject([{ st: 'rejected' }]);
  await push(world.manager, second);
  const control = controlId(id, 'x-0');
  const rename: Edit = { t: 'controls', op: 'update', id: control, bv: 1, patch: { code: 'y' }, base: { code: 'x-0' } };
  expect(await push(world.manager, rename)).toMatchObject([refused]);
  const orphan = framework(1).edits[1];
  expect(orphan && (await push(world.manager, orphan))).toMatchObject([{ st: 'rejected', code: '23503' }]);
});

test('links lead to policies and forms of the same organisation, and evidence to controls', async () => {
  const { id, edits } = framework(1);
  await push(world.manager, ...edits);
  const control = controlId(id, 'x-0');
  expect(
    await push(world.manager, link(control, 'policies', world.policy), link(control, 'forms', world.form)),
  ).toMatchObject([{ st: 'applied' }, { st: 'applied' }]);
  expect((await push(world.manager, link(control, 'policies', randomUUID())))[0]).toMatchObject({ code: '23503' });
  expect((await push(world.manager, link(control, 'inspections', world.inspection)))[0]?.st).toBe('rejected');
  const proof: Edit = {
    t: 'evidence_links',
    op: 'insert',
    patch: {
      organization_id: world.organization,
      evidence_id: world.evidence,
      target_table: 'controls',
      target_id: control,
    },
  };
  expect(await push(world.worker, proof)).toMatchObject([{ st: 'applied' }]);
});

test('a framework that is taken away takes its controls along', async () => {
  const { id, edits } = framework(3);
  await push(world.manager, ...edits);
  expect(await push(world.manager, { t: 'frameworks', op: 'delete', id, bv: 1 })).toMatchObject([{ st: 'applied' }]);
  const left = await db.asAdmin('select 1 from controls where framework_id = $1 and deleted_at is null', [id]);
  expect(left).toEqual([]);
  const device = testDevice(db, world.worker);
  await device.pull();
  expect(device.has('controls', controlId(id, 'x-0'))).toBe(false);
});
