import { randomUUID } from 'node:crypto';
import type { Mutation } from '@cairn/sync/transport/backend.ts';
import { expect, test } from 'vitest';
import { mutation, testDevice, type Edit } from './device.ts';
import { place, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** An id has one spelling: what carries another is refused, and takes nothing with it. */
setUpWorld();

const REFUSED = { code: '22023' };
const made = (id: string, title: string): Edit => ({
  t: 'action_items',
  id,
  op: 'insert',
  patch: { ...place(), title },
});
const edited = (id: string, patch: Mutation['patch']): Edit => ({ t: 'action_items', id, op: 'update', patch, bv: 1 });
/** In the forms a uuid may have for the database. */
const spellings = (id: string) => [id.toUpperCase(), `{${id}}`, id.replaceAll('-', ''), ` ${id}`];

test('a mutation whose id comes again in another spelling is not applied a second time', async () => {
  const device = testDevice(db, world.worker);
  const [id, mid] = [randomUUID(), randomUUID()];
  await device.push(made(id, 'one'));
  await device.push({ ...edited(id, { title: 'two' }), base: { title: 'one' }, mid });
  for (const spelt of spellings(mid))
    await expect(
      device.push({ ...edited(id, { title: 'three' }), base: { title: 'two' }, bv: 2, mid: spelt }),
    ).rejects.toMatchObject(REFUSED);
  expect(await rowOf('action_items', id)).toMatchObject({ title: 'two', version: 2 });
});

test('a record under another spelling of its id is refused with the call, and nothing of the call is kept', async () => {
  const device = testDevice(db, world.worker);
  const [id, innocent] = [randomUUID(), randomUUID()];
  await device.push(made(id, 'one'));
  for (const spelt of spellings(id)) {
    const call = device.push(made(innocent, 'new'), edited(id, { description: 'a' }), edited(spelt, { title: 'b' }));
    await expect(call).rejects.toMatchObject(REFUSED);
  }
  expect(await rowOf('action_items', innocent)).toEqual({});
  expect(await rowOf('action_items', id)).toMatchObject({ title: 'one', version: 1 });
});

test.for([[null], ['x'], [7]])('nor is %s an id', async ([id]) => {
  const sent = [mutation({ ...made(randomUUID(), 'one'), mid: id as never })];
  const call = db.rpc(world.worker, 'sync_push', { p_device: randomUUID(), p_mutations: JSON.stringify(sent) });
  await expect(call).rejects.toMatchObject(REFUSED);
});

test('a review queue takes no edit under another spelling: accepted, it would stop those beside it', async () => {
  const leaver = await db.person(`${randomUUID()}@a.test`);
  const membership = 'insert into organization_members (organization_id, user_id, deleted_at) values ($1, $2, now())';
  await db.asAdmin(membership, [world.organization, leaver]);
  const edit = mutation(made(randomUUID(), 'one'));
  const sent = [edit, { ...edit, mid: edit.mid.toUpperCase() }, { ...edit, id: edit.id.toUpperCase() }];
  const answer = await db.rpc(leaver, 'submit_orphaned_edits', {
    p_organization: world.organization,
    p_device: randomUUID(),
    p_mutations: JSON.stringify(sent),
  });
  expect(answer).toMatchObject({ accepted: 1, refused: [edit.mid.toUpperCase(), edit.mid] });
});
