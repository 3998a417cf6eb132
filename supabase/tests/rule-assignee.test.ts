import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '@cairn/base/id.ts';
import { assigneeOf } from '@cairn/core/inspections/find-assignee.ts';
import type { RuleAssignee } from '@cairn/core/forms/definition/rule-assignee.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { addRow } from './add-row.ts';
import { db, setUpWorld } from './set-up-world.ts';

setUpWorld();

const PEOPLE = 4;
const aPerson = fc.record({
  role: fc.constantFrom('admin', 'manager', 'member', 'auditor'),
  isGone: fc.boolean(),
  isLimited: fc.boolean(),
  atSite: fc.boolean(),
  atOther: fc.boolean(),
  inTeam: fc.boolean(),
  open: fc.nat(2),
  ended: fc.nat(1),
});
type Person = typeof aPerson extends fc.Arbitrary<infer P> ? P : never;
const RULES = ['role:member', 'role:manager', 'role:admin', 'conductors_manager'] as const;

/** A company of four people with two sites and a team, whose first person inspects. */
async function company(people: readonly Person[]) {
  const organization = await addRow(db, 'organizations', { name: 'Any', slug: newId() });
  const [site, other] = [
    await addRow(db, 'sites', { organization_id: organization, name: 'North' }),
    await addRow(db, 'sites', { organization_id: organization, name: 'South' }),
  ];
  const team = await addRow(db, 'teams', { organization_id: organization, name: 'Trucks' });
  const ids: string[] = [];
  for (const each of people) {
    const user_id = await db.person(`${newId()}@example.test`);
    ids.push(user_id);
    const own = { organization_id: organization, user_id };
    // An administrator sees every place.
    const site_limited = each.isLimited && each.role !== 'admin';
    await addRow(db, 'organization_members', { ...own, role: each.role, site_limited });
    if (each.atSite) await addRow(db, 'site_members', { ...own, site_id: site });
    if (each.atOther) await addRow(db, 'site_members', { ...own, site_id: other });
    if (each.inTeam) await addRow(db, 'team_members', { ...own, team_id: team });
    for (let n = 0; n < each.open + each.ended; n += 1) {
      const status = n < each.open ? 'assigned' : 'closed';
      await addRow(db, 'action_items', { organization_id: organization, title: 'x', assignee_id: user_id, status });
    }
    // An organisation keeps an administrator.
    if (each.isGone && each.role !== 'admin')
      await db.asAdmin(
        'update organization_members set deleted_at = now() where organization_id = $1 and user_id = $2',
        [organization, user_id],
      );
  }
  return { organization, site, ids };
}

const TABLES = ['organization_members', 'site_members', 'team_members', 'action_items'] as const;

/** The copy a device of the company has. */
async function deviceOf(organization: string) {
  const rows = async (table: string, where: string, values: unknown[]) =>
    (await db.asAdmin(`select to_jsonb(x) as row from ${table} x where ${where}`, values)).map(({ row }) =>
      Object(row),
    );
  const copies = await Promise.all(
    TABLES.map(async table => [table, await rows(table, 'organization_id = $1', [organization])]),
  );
  const rights = await rows('role_permissions', "role_kind = 'organization'", []);
  return memoryStore({ ...Object.fromEntries(copies), role_permissions: rights });
}

test('the device and the database name the same person, whoever works where, in whichever role', async () => {
  const people = fc.array(aPerson, { minLength: PEOPLE, maxLength: PEOPLE });
  let found = 0;
  const property = fc.asyncProperty(people, fc.boolean(), async (each, hasSite) => {
    const { organization, site, ids } = await company(each);
    const [conductor = ''] = ids;
    const place = { organization_id: organization, site_id: hasSite ? site : null };
    const device = await deviceOf(organization);
    const rules: RuleAssignee[] = [...RULES, `person:${ids[1] ?? ''}`];
    for (const rule of rules) {
      const read = { key: rule, tables: TABLES };
      const here = await device.read({ ...read, read: tx => assigneeOf(tx, { rule, place, conductor }) });
      const args = [rule, organization, place.site_id, conductor];
      const [there] = await db.asAdmin('select action.rule_assignee($1, $2, $3, $4) as person', args);
      expect({ rule, person: here }).toEqual({ rule, person: there?.['person'] ?? null });
      if (here !== null) found += 1;
    }
  });
  await fc.assert(property, { numRuns: 25 });
  expect(found).toBeGreaterThan(20);
});
