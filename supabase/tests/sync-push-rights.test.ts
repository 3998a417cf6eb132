import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const renamed = (id: string, name: string) => ({
  t: 'sites' as const,
  id,
  op: 'update' as const,
  patch: { name },
  base: { name: 'North' },
  bv: 1,
});

describe('rights during one push are those of the person, as they stand after each edit', () => {
  test('who gives up a role in a push has lost its rights for the edits behind it', async () => {
    const second = await db.person('second-admin@test.example');
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      world.organization,
      second,
    ]);
    const [own] = await db.asAdmin('select id from organization_members where organization_id = $1 and user_id = $2', [
      world.organization,
      world.admin,
    ]);
    const demotion = { patch: { role: 'member' }, base: { role: 'admin' }, bv: 1 };
    const results = await testDevice(db, world.admin).push(
      { t: 'organization_members', id: String(own?.['id']), op: 'update', ...demotion },
      renamed(world.north, 'Mine'),
    );
    expect(results).toMatchObject([{ st: 'applied' }, { st: 'rejected', code: '42501' }]);
  });

  test('who joins a site in a push may work there with the edits behind it', async () => {
    const manager = await db.person('third-admin@test.example');
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      world.organization,
      manager,
    ]);
    const site = randomUUID();
    const results = await testDevice(db, manager).push(
      { t: 'sites', id: site, op: 'insert', patch: { organization_id: world.organization, name: 'West' } },
      {
        t: 'action_items',
        op: 'insert',
        patch: { organization_id: world.organization, site_id: site, title: 'Put up a fence' },
      },
    );
    expect(results).toMatchObject([{ st: 'applied' }, { st: 'applied' }]);
  });

  test('nothing of it is left for the next statement of the transaction', async () => {
    const left = await db.as(
      world.worker,
      `select public.sync_push(null, '[]') as answer, current_setting('sync.cached_scopes', true) as scopes`,
    );
    expect(left[0]?.['scopes'] ?? '').toBe('');
  });
});
