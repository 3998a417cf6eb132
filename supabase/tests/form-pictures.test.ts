import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const JPEG = `/9j/${'A'.repeat(96)}`;

async function add(person: string, more: Record<string, unknown> = {}) {
  const patch = { organization_id: world.organization, name: 'dent.jpg', width: 40, height: 30, data: JPEG, ...more };
  const [answer] = await testDevice(db, person).push({ t: 'form_pictures', id: randomUUID(), op: 'insert', patch });
  return answer;
}

describe('pictures of choices', () => {
  test('whoever manages forms adds them, nobody else does, and not for another organisation', async () => {
    expect(await add(world.manager)).toMatchObject({ st: 'applied' });
    for (const person of [world.worker, world.stranger]) expect(await add(person)).toMatchObject({ st: 'rejected' });
    expect(await add(world.stranger, { organization_id: world.organization })).toMatchObject({ st: 'rejected' });
  });

  test.each([
    ['a script', `PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+${'A'.repeat(96)}`],
    ['letters that are no base64', `/9j/${'<'.repeat(96)}`],
    ['more than a device should carry', `/9j/${'A'.repeat(61_440)}`],
    ['nothing', ''],
  ])('%s is no picture', async (_, data) => {
    expect(await add(world.manager, { data })).toMatchObject({ st: 'rejected' });
  });

  test('what a version shows stays as it was: a picture is neither changed nor taken away', async () => {
    const id = randomUUID();
    const device = testDevice(db, world.manager);
    const patch = { organization_id: world.organization, name: 'a.jpg', width: 40, height: 30, data: JPEG };
    await device.push({ t: 'form_pictures', id, op: 'insert', patch });
    const other = { data: `${JPEG}BBBB` };
    for (const edit of [
      { t: 'form_pictures' as const, id, op: 'update' as const, bv: 1, patch: other, base: { data: JPEG } },
      { t: 'form_pictures' as const, id, op: 'delete' as const, bv: 1, patch: {}, base: {} },
    ]) {
      expect((await device.push(edit))[0]).not.toMatchObject({ st: 'applied' });
    }
    expect(await db.asAdmin('select data, deleted_at from form_pictures where id = $1', [id])).toEqual([
      { data: JPEG, deleted_at: null },
    ]);
  });

  test('an organisation has no more than every device can carry', async () => {
    await db.asAdmin(
      `insert into form_pictures (id, organization_id, name, width, height, data)
       select gen_random_uuid(), $1, 'x.jpg', 4, 3, $2 from generate_series(1, 400)`,
      [world.organization, JPEG],
    );
    expect(await add(world.manager)).toMatchObject({ st: 'rejected', code: '23514' });
  });
});
