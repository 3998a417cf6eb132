import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { testDevice, type Edit } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

/** Acts by which something that counted goes away or changes hands, each through the door people use. */
setUpWorld();
let from = 0;

const entries = () =>
  db.asAdmin('select act, actor_id, subject_id, detail from audit_entries where organization_id = $1 order by seq', [
    world.organization,
  ]);
const noted = async () => (await entries()).slice(from);
beforeEach(async () => {
  from = (await entries()).length;
});

type Table = Edit['t'];
const rowOf = async (table: Table, id: string) =>
  (await db.asAdmin(`select *, version::int as v from ${table} where id = $1`, [id]))[0];
async function change(person: string, t: Table, id: string, patch: Record<string, unknown>): Promise<void> {
  const row = await rowOf(t, id);
  const base = Object.fromEntries(Object.keys(patch).map(key => [key, row?.[key] ?? null]));
  const edit = { t, op: 'update', id, patch, base, bv: Number(row?.['v']) } as const;
  expect(await testDevice(db, person).push(edit)).toMatchObject([{ st: 'applied' }]);
}
async function remove(person: string, t: Table, id: string): Promise<void> {
  const bv = Number((await rowOf(t, id))?.['v']);
  expect(await testDevice(db, person).push({ t, op: 'delete', id, bv })).toMatchObject([{ st: 'applied' }]);
}

test('a decided inspection and a closed action item that are removed; not those that are still open', async () => {
  const place = { organization_id: world.organization, site_id: world.north };
  const made = async (table: string, fields: Record<string, unknown>) => {
    const id = randomUUID();
    const row = { id, ...place, title: 'Gone', ...fields };
    const columns = Object.keys(row).join(', ');
    await db.asAdmin(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1)`,
      [row],
    );
    return id;
  };
  const check = { form_id: world.form, form_version_id: world.formVersion };
  const inspection = await made('inspections', { ...check, status: 'approved' });
  const [closed, open] = [await made('action_items', { status: 'closed' }), await made('action_items', {})];
  await remove(world.admin, 'inspections', inspection);
  await remove(world.admin, 'action_items', closed);
  await remove(world.admin, 'action_items', open);
  expect(await noted()).toEqual([
    { act: 'inspection.removed', actor_id: world.admin, subject_id: inspection, detail: { status: 'approved' } },
    { act: 'action.removed', actor_id: world.admin, subject_id: closed, detail: { status: 'closed' } },
  ]);
});

test('a form or a site removed, a site renamed, without its name', async () => {
  const [form, site] = [randomUUID(), randomUUID()];
  await db.asAdmin('insert into forms (id, organization_id, name) values ($1, $2, $3)', [
    form,
    world.organization,
    'X',
  ]);
  await db.asAdmin('insert into sites (id, organization_id, name) values ($1, $2, $3)', [
    site,
    world.organization,
    'X',
  ]);
  await change(world.admin, 'sites', site, { name: 'Secret yard' });
  await remove(world.admin, 'sites', site);
  await remove(world.admin, 'forms', form);
  const acts = await noted();
  expect(acts.map(({ act }) => act)).toEqual(['site.renamed', 'site.removed', 'form.removed']);
  expect(JSON.stringify(acts)).not.toContain('Secret');
});

test('a role in a playbook', async () => {
  const who = [world.organization, world.playbook, world.colleague];
  await db.asAdmin('insert into playbook_members (organization_id, playbook_id, user_id) values ($1, $2, $3)', who);
  await db.asAdmin(`update playbook_members set role = 'admin' where playbook_id = $1 and user_id = $2`, who.slice(1));
  expect(await noted()).toMatchObject([
    { act: 'playbook.role_changed', subject_id: world.colleague, detail: { from: 'member', to: 'admin' } },
  ]);
});

test('that a member is limited to their sites, or no longer', async () => {
  const set = 'update organization_members set site_limited = $3 where organization_id = $1 and user_id = $2';
  for (const limited of [true, false]) await db.asAdmin(set, [world.organization, world.colleague, limited]);
  expect(await noted()).toMatchObject(
    [true, false].map(limited => ({ act: 'member.sites_changed', subject_id: world.colleague, detail: { limited } })),
  );
});

test('a report code made, replaced and taken back; an invitation that works again', async () => {
  const call = <T>(name: string, args: Record<string, unknown>) => db.rpc<T>(world.admin, name, args);
  const asked = { p_organization: world.organization };
  const code = await call<{ id: string }>('create_report_code', { ...asked, p_site: world.north });
  await call('rotate_report_code', { p_id: code.id });
  await call('revoke_report_code', { p_id: code.id });
  const invitation = await call<{ id: string }>('invite_to_organization', { ...asked, p_role: 'member' });
  await call('renew_invitation', { p_id: invitation.id });
  expect((await noted()).map(({ act }) => act)).toEqual([
    'report_code.made',
    'report_code.renewed',
    'report_code.revoked',
    'invitation.made',
    'invitation.renewed',
  ]);
});

test('what stands beside the text of a policy in force, by name; a campaign with another time, and removed', async () => {
  const policies = new PolicyFixture(db, world);
  const { policy } = await policies.inForce('Beside');
  await policies.ask(policy);
  const [campaign] = await db.asAdmin('select id from acknowledgement_campaigns where policy_id = $1', [policy]);
  from = (await entries()).length;
  await change(world.manager, 'policies', policy, { summary: 'Secret words', classification: 'public' });
  await change(world.manager, 'acknowledgement_campaigns', String(campaign?.['id']), { due_days: 300 });
  await remove(world.manager, 'acknowledgement_campaigns', String(campaign?.['id']));
  const acts = await noted();
  expect(acts).toMatchObject([
    { act: 'policy.changed', actor_id: world.manager, detail: { fields: ['classification', 'summary'] } },
    { act: 'campaign.changed', detail: { from: 14, to: 300 } },
    { act: 'campaign.removed', subject_id: policy },
  ]);
  expect(JSON.stringify(acts)).not.toContain('Secret');
});
