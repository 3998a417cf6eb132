import '@cairn/testing/fake-storage.ts';
import { managedPlaybooks } from '@cairn/core/spaces/manage-playbook.ts';
import { ownOrganizations, playbooks } from '@cairn/core/spaces/queries.ts';
import { counted, drain, openTab, type Tab } from '@cairn/testing/device-on-sql.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What a device pulled from the database, read as the screens read it. */
setUpWorld();

let phone: Tab;
beforeAll(async () => {
  await db.asAdmin(
    `update organizations set name = 'Northfield', slug = 'northfield', description = 'Lifts', program_name = 'Safe',
       program_description = 'Safe lifts' where id = $1`,
    [world.organization],
  );
  await db.asAdmin('delete from organization_activations where user_id = $1', [world.worker]);
  await db.asAdmin(
    `insert into organization_activations (organization_id, user_id, activation_source) values ($1, $2, 'partner_link')`,
    [world.organization, world.worker],
  );
  await db.asAdmin(
    `update playbooks set name = 'Warehouse', description = 'All shifts', locations = '["North"]', settings = '{"shift": "early"}' where id = $1`,
    [world.playbook],
  );
  await db.asAdmin(`update playbook_members set joined_at = now() - interval '3 days' where playbook_id = $1`, [
    world.playbook,
  ]);
  phone = await openTab({ person: world.worker, backend: counted(sqlBackend(db, world.worker)) });
  phone.engine.start();
  await drain(phone);
});
afterAll(() => phone.close());

const stored = async (table: string, id: string) => (await db.asAdmin(`select * from ${table} where id = $1`, [id]))[0];
const iso = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

test('R3.04 a membership that was pulled, joined to its organisation, has the mobile shape and the role, and nothing else', async () => {
  const own = await phone.engine.store.read(ownOrganizations(world.worker));
  expect(own.map(({ organization }) => organization)).toContainEqual({
    id: world.organization,
    name: 'Northfield',
    slug: 'northfield',
    description: 'Lifts',
    programName: 'Safe',
    programDescription: 'Safe lifts',
    activationSource: 'partner_link',
    role: 'member',
  });
});

test('R3.05 a playbook that was pulled has its name, description, type, owner, locations, organisation and settings as they are stored', async () => {
  const all = await phone.engine.store.read(playbooks(world.organization, world.worker));
  const row = await stored('playbooks', world.playbook);
  const found = all.find(({ id }) => id === world.playbook);
  expect(found).toMatchObject({
    id: world.playbook,
    name: 'Warehouse',
    description: 'All shifts',
    type: 'company',
    owner_id: row?.['owner_id'],
    locations: ['North'],
    organization_id: world.organization,
    settings: { shift: 'early' },
  });
  expect(new Date(found?.created_at ?? '').toISOString()).toBe(iso(row?.['created_at']));
});

test('R3.08 a member of a playbook that was pulled has id, playbook, person, role and when they joined', async () => {
  const managed = await phone.engine.store.read(managedPlaybooks(world.organization, world.worker));
  const [row] = await db.asAdmin('select * from playbook_members where playbook_id = $1 and user_id = $2', [
    world.playbook,
    world.worker,
  ]);
  const member = managed
    .find(({ playbook }) => playbook.id === world.playbook)
    ?.members.find(({ userId }) => userId === world.worker);
  expect(member).toEqual({
    id: row?.['id'],
    playbookId: world.playbook,
    userId: world.worker,
    name: expect.any(String),
    role: row?.['role'],
    joinedAt: expect.any(String),
  });
  expect(new Date(member?.joinedAt ?? '').toISOString()).toBe(iso(row?.['joined_at']));
});
