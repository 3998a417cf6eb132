import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

test('who came in by a partner link and leaves holds no row of the organisation after the next pull', async () => {
  const person = await db.person(`${randomUUID()}@b.test`);
  const { token } = await db.rpc<{ token: string }>(world.admin, 'create_partner_link', {
    p_organization: world.organization,
    p_name: 'Fair',
  });
  await db.rpc(person, 'activate_partner_link', { partner_link_token: token });
  const device = testDevice(db, person);
  await device.pull();
  const ofIt = () => [...device.rows].filter(([, { row }]) => JSON.stringify(row).includes(world.organization));
  expect(ofIt().map(([key]) => key.split('/')[0])).toContain('organization_activations');
  await db.rpc(person, 'leave_organization', { p_organization: world.organization });
  await device.pull();
  expect(ofIt()).toEqual([]);
});
