import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Edit, testDevice } from './device.ts';
import { change, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const about = 'cause/oil on the floor';
const applied = [{ st: 'applied' }];
const forbidden = [{ st: 'rejected', code: '42501' }];
const unknown = [{ st: 'rejected', code: '23503' }];

const decision = (more: Record<string, unknown> = {}): Edit & { id: string } => ({
  t: 'recurrence_decisions',
  op: 'insert',
  id: randomUUID(),
  patch: {
    ...place(),
    about,
    decision: 'dismissed',
    reason: 'The floor is renewed in May',
    source_ids: [world.action],
    decided_at: '2026-11-21T08:00:00Z',
    ...more,
  },
});
const measure = (): Edit & { id: string } => ({
  t: 'action_items',
  op: 'insert',
  id: randomUUID(),
  patch: { ...place(), title: 'Change the training: oil', kind: 'corrective' },
});
const answering = (action_id: string) =>
  decision({ decision: 'measure', changes: 'training', reason: null, action_id });

describe('who decides', () => {
  test('who manages action items there; in their own name, at a time that has come', async () => {
    const edit = decision({ created_by: world.worker, decided_at: '2199-01-01T00:00:00Z' });
    expect(await push(world.manager, edit)).toMatchObject(applied);
    const row = await rowOf('recurrence_decisions', edit.id);
    expect(row).toMatchObject({ created_by: world.manager, reason: 'The floor is renewed in May' });
    expect(Date.parse(String(row['decided_at']))).toBeLessThanOrEqual(Date.now());
  });

  test.each(['worker', 'auditor', 'stranger'] as const)('not the %s', async person => {
    expect(await push(world[person], decision())).toMatchObject(forbidden);
  });

  test('not who works elsewhere: what they may not see is to them as if it were not there', async () => {
    expect(await push(world.colleague, decision())).toMatchObject(unknown);
  });

  test('nobody for another organisation', async () => {
    const [theirs] = await db.asAdmin('select organization_id from organization_members where user_id = $1', [
      world.stranger,
    ]);
    const there = { organization_id: theirs?.['organization_id'], site_id: null };
    expect(await push(world.manager, decision(there))).toMatchObject(forbidden);
    // In their own they may, but not over what is another's.
    expect(await push(world.stranger, decision(there))).toMatchObject(unknown);
  });
});

describe('what is said', () => {
  test('a dismissal has a reason, a measure an action item that changes something', async () => {
    const refused = [{ st: 'rejected', code: '23514' }];
    expect(await push(world.manager, decision({ reason: ' ' }))).toMatchObject(refused);
    expect(await push(world.manager, decision({ decision: 'measure' }))).toMatchObject(refused);
    expect(await push(world.manager, decision({ source_ids: [] }))).toMatchObject(refused);
    expect(await push(world.manager, decision({ about: 'weather' }))).toMatchObject(refused);
  });

  test('a measure made offline arrives with its action item; what nobody has ever seen is no source', async () => {
    const made = measure();
    expect(await push(world.manager, made, answering(made.id))).toMatchObject([{ st: 'applied' }, { st: 'applied' }]);
    expect(await push(world.manager, answering(randomUUID()))).toMatchObject(unknown);
    expect(await push(world.manager, decision({ source_ids: [world.action, randomUUID()] }))).toMatchObject(unknown);
  });

  test('what was decided stays: nobody changes it or takes it away', async () => {
    const edit = decision();
    await push(world.manager, edit);
    const other = await change('recurrence_decisions', edit.id, { reason: 'Other' });
    expect(await push(world.manager, other)).toMatchObject(forbidden);
    const { version } = await rowOf('recurrence_decisions', edit.id);
    const gone: Edit = { t: 'recurrence_decisions', op: 'delete', id: edit.id, bv: Number(version) };
    expect(await push(world.manager, gone)).toMatchObject(forbidden);
    expect(await rowOf('recurrence_decisions', edit.id)).toMatchObject({
      deleted_at: null,
      reason: edit.patch?.['reason'],
    });
  });
});

test('who is at the place has it on the device, with its reason; who is elsewhere has not', async () => {
  const edit = decision();
  await push(world.manager, edit);
  const has = async (person: string) => {
    const device = testDevice(db, person);
    await device.pull();
    return device.has('recurrence_decisions', edit.id);
  };
  expect([await has(world.worker), await has(world.manager), await has(world.admin)]).toEqual([true, true, true]);
  expect([await has(world.colleague), await has(world.stranger)]).toEqual([false, false]);
});
