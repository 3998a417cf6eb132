import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addRow } from './add-row.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What somebody opened to people outside closes with their right to open it, whatever ends that. */
setUpWorld();

const SOON = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);

/** A member who gives an action item of their own to somebody outside. */
async function giver(role = 'manager'): Promise<{ person: string; link: string; action: string }> {
  const person = await db.person(`${randomUUID()}@giver.test`);
  await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)`, [
    world.organization,
    person,
    role,
  ]);
  const place = { organization_id: world.organization, site_id: null, created_by: person };
  const action = await addRow(db, 'action_items', { ...place, title: 'Mend it', status: 'open', priority: 'low' });
  await db.asAdmin(
    `insert into organization_invitations (organization_id, role, created_by, expires_at) values ($1, 'member', $2, now() + interval '7 days')`,
    [world.organization, person],
  );
  await db.asAdmin(
    `insert into partner_links (organization_id, name, created_by, expires_at) values ($1, 'Fair', $2, now() + interval '7 days')`,
    [world.organization, person],
  );
  const asked = { p_action: action, p_name: 'Bo', p_email: `${randomUUID()}@contractor.example`, p_until: SOON };
  const { token } = await db.rpc<{ token: string }>(person, 'give_guest_link', asked);
  return { person, link: token, action };
}
const isOpen = async (token: string) =>
  'title' in (await db.rpc<Record<string, unknown>>(null, 'open_guest_link', { p_token: token }));
const openDoors = async (person: string) =>
  Number(
    (
      await db.asAdmin(
        `select (select count(*) from organization_invitations where created_by = $1 and revoked_at is null)
           + (select count(*) from partner_links where created_by = $1 and revoked_at is null) as count`,
        [person],
      )
    )[0]?.['count'],
  );
const member = (person: string, set: string) =>
  db.asAdmin(`update organization_members set ${set} where organization_id = $1 and user_id = $2`, [
    world.organization,
    person,
  ]);

test.each([
  ['is removed', `deleted_at = now()`],
  ['may look only', `role = 'auditor'`],
  ['has run out', `valid_until = now() - interval '1 minute'`],
])('of a giver who %s no link opens any more', async (_, set) => {
  const { person, link } = await giver();
  expect(await isOpen(link)).toBe(true);
  await member(person, set);
  expect(await isOpen(link)).toBe(false);
  expect(await openDoors(person)).toBe(0);
});

test('a member keeps what they gave of their own when they manage no longer', async () => {
  const { person, link } = await giver();
  await member(person, `role = 'member'`);
  expect(await isOpen(link)).toBe(true);
});

test('a membership that ends by the clock closes them too', async () => {
  const { person, link } = await giver();
  await member(person, `valid_until = now() + interval '1 hour'`);
  expect(await isOpen(link)).toBe(true);
  // As if the hour had gone by: a stored time that is past without an edit.
  await db.asAdmin('alter table organization_members disable trigger user');
  await member(person, `valid_until = now() - interval '1 second'`);
  await db.asAdmin('alter table organization_members enable trigger user');
  await db.asAdmin(`update sync.sweep_cursor set at = now() - interval '1 hour' where what = 'ended_rights'`);
  await db.asAdmin('select access.nudge_ended_memberships()');
  expect([await isOpen(link), await openDoors(person)]).toEqual([false, 0]);
});

test('a system role that is taken closes the partner links it opened', async () => {
  const { person } = await giver('member');
  await addRow(db, 'user_roles', { user_id: person, role: 'partner' });
  expect(await openDoors(person)).toBe(2);
  await db.asAdmin('update user_roles set deleted_at = now() where user_id = $1', [person]);
  expect(await openDoors(person)).toBe(0);
});

test('a package of evidence is noted once a day, and a hundred a day of one person', async () => {
  const note = (hash: string) =>
    db.rpc(world.auditor, 'note_evidence_pack', { p_organization: world.organization, p_sha256: hash, p_files: 1 });
  const noted = async () =>
    Number((await db.asAdmin(`select count(*) from audit_entries where act = 'evidence.exported'`))[0]?.['count']);
  const hash = (n: number) => n.toString(16).padStart(64, '0');
  for (let n = 0; n < 3; n += 1) await note(hash(1));
  expect(await noted()).toBe(1);
  for (let n = 2; n <= 100; n += 1) await note(hash(n));
  await expect(note(hash(101))).rejects.toMatchObject({ code: 'P0001', hint: 'many' });
  expect(await noted()).toBe(100);
});
