import { beforeAll, describe, expect, test } from 'vitest';
import { addRow } from './add-row.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { loggedRead } from './logged-read.ts';

setUpWorld();
let helper: string;
let relationship: string;
let support: string;
let operator: string;
let operated: string;
beforeAll(async () => {
  support = await db.person('support@cairn.test');
  await db.asAdmin(`insert into user_roles (user_id, role) values ($1, 'customer_support')`, [support]);
  const [made] = await db.asAdmin(
    `select r.id, r.helper_id from circle_relationships r where r.state = 'active' and r.deleted_at is null limit 1`,
  );
  relationship = String(made?.['id']);
  helper = String(made?.['helper_id']);
  operator = world.stranger;
  operated = await addRow(db, 'circle_relationships', {
    subject_id: world.worker,
    helper_id: operator,
    role: 'triad_intelligence_operator',
    state: 'active',
    started_at: '2026-11-01T08:00:00Z',
  });
  await db.asAdmin(
    `insert into consent_grants (relationship_id, subject_id, helper_id, role, scope, level)
     values ($1, $2, $3, 'triad_intelligence_operator', 'habits', 'summary')`,
    [operated, world.worker, operator],
  );
});

type LoggedCall = { person: string; name: string; args: Record<string, unknown>; entries: string };
const asked = (): LoggedCall[] => {
  const inOrganization = { p_organization: world.organization };
  const why = { p_reason: 'Ticket 4711' };
  const acts = (act: string) => `select 1 from audit_entries where act = '${act}'`;
  return [
    {
      person: helper,
      name: 'read_circle',
      args: { p_relationship: relationship },
      entries: 'select generate_series(1, times) from grant_reads',
    },
    {
      person: operator,
      name: 'brief_for_review',
      args: { p_relationship: operated },
      entries: `select generate_series(1, times) from grant_reads where helper_id = '${operator}'`,
    },
    { person: world.admin, name: 'verify_audit_log', args: inOrganization, entries: acts('audit.verified') },
    { person: world.admin, name: 'read_audit_log', args: inOrganization, entries: acts('audit.read') },
    { person: world.admin, name: 'export_audit_log', args: inOrganization, entries: acts('audit.exported') },
    {
      person: support,
      name: 'support_read',
      args: { ...inOrganization, p_table: 'sites', ...why },
      entries: `select 1 from support_reads where tbl = 'sites'`,
    },
    {
      person: support,
      name: 'support_find_organizations',
      args: { p_search: 'acme', ...why },
      entries: `select 1 from support_reads where tbl = 'organizations'`,
    },
  ];
};
const listOf = (args: Record<string, unknown>) =>
  Object.entries(args)
    .map(([key, value]) => `${key} => '${String(value)}'`)
    .join(', ');
const count = async (entries: string) => (await db.asAdmin(entries)).length;

describe('a read that must be written down', () => {
  test('gives nothing but a ticket first, and the data for it; each has its entry', async () => {
    for (const { person, name, args, entries } of asked()) {
      const before = await count(entries);
      const first = await db.rpc<object>(person, name, args);
      expect([name, Object.keys(first)]).toEqual([name, ['ticket']]);
      expect([name, await count(entries)]).toEqual([name, before + 1]);
      const data = await db.rpc<object>(person, name, { ...args, p_ticket: (first as { ticket: string }).ticket });
      expect([name, Object.keys(data).includes('ticket')]).toEqual([name, false]);
    }
  });

  test('keeps its entry when the answer breaks on its way out, and before the entry stands there is no answer', async () => {
    for (const { person, name, args, entries } of asked()) {
      // Both in one transaction: the ticket is none yet.
      const list = listOf(args);
      const nested = `select ${name}(${list}, p_ticket => (${name}(${list}) ->> 'ticket')::uuid)`;
      await expect(db.as(person, nested)).rejects.toMatchObject({ code: '42501' });
      const { ticket } = await db.rpc<{ ticket: string }>(person, name, args);
      const before = await count(entries);
      const broken = db.as(person, `select ${name}(${list}, p_ticket => '${ticket}')::text::int`);
      await expect(broken).rejects.toMatchObject({ code: '22P02' });
      expect([name, before > 0, await count(entries)]).toEqual([name, true, before]);
    }
  });

  test('gives nothing for the ticket of somebody else, of another read, or of five minutes ago', async () => {
    for (const { person, name, args } of asked()) {
      const { ticket } = await db.rpc<{ ticket: string }>(person, name, args);
      const again = (fields: object) => db.rpc(person, name, { ...args, p_ticket: ticket, ...fields });
      const others = [{ p_ticket: relationship }, ...(name === 'support_read' ? [{ p_table: 'people' }] : [])];
      for (const other of others) await expect(again(other)).rejects.toMatchObject({ code: '42501' });
      for (const [set, back] of [
        [`person_id = '${world.worker}'`, `person_id = '${person}'`],
        [`kind = 'x'`, `kind = '${name}'`],
        [`at = now() - interval '6 minutes'`, 'at = now()'],
      ] as const) {
        await db.asAdmin(`update sync.read_tickets set ${set} where id = '${ticket}'`);
        await expect(again({})).rejects.toMatchObject({ code: '42501' });
        await db.asAdmin(`update sync.read_tickets set ${back} where id = '${ticket}'`);
      }
      await again({});
    }
  });

  test('shows what is granted at the second call and was written down at the first, no more', async () => {
    const args = { p_relationship: relationship };
    type View = { parts: { grant_id: string }[] };
    const view = await loggedRead<View>(db, helper, 'read_circle', args);
    expect(view.parts.length).toBeGreaterThan(0);
    const { ticket } = await db.rpc<{ ticket: string }>(helper, 'read_circle', args);
    await db.asAdmin(`update circle_relationships set state = 'paused' where id = '${relationship}'`);
    expect((await db.rpc<View>(helper, 'read_circle', { ...args, p_ticket: ticket })).parts).toEqual([]);
    await db.asAdmin(`update circle_relationships set state = 'active' where id = '${relationship}'`);
    await db.asAdmin(`update sync.read_tickets set about = about || '{"grants": []}' where id = '${ticket}'`);
    expect((await db.rpc<View>(helper, 'read_circle', { ...args, p_ticket: ticket })).parts).toEqual([]);
  });
});
