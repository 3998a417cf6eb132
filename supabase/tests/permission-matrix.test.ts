import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import { mayDo, permissionsOf } from '@cairn/core/spaces/permissions.ts';
import { ORGANIZATION_ROLES } from '@cairn/core/roles/role-names.ts';
import { CIRCLE_ROLES, SYSTEM_ROLES } from '@cairn/testing/role-oracle.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { testDevice, type Edit } from './device.ts';
import { FACTS } from './pack-fixture.ts';

/**
 * Role × permission × own/other organisation, every row of it: what this file says, what the registry says, what SQL
 * grants and what the app shows are one. A new permission or role without its cell here fails.
 */
const MAY: Record<string, string[]> = {
  'organization/admin': [
    'organization.manage',
    'people.manage',
    'playbook.create',
    'playbook.manage',
    'place.all',
    'asset.manage',
    'form.manage',
    'inspection.conduct',
    'inspection.assign',
    'inspection.review',
    'action.create',
    'action.work',
    'action.manage',
    'action.accept_risk',
    'task.create',
    'task.work',
    'task.manage',
    'issue.report',
    'issue.triage',
    'issue.code',
    'policy.author',
    'policy.approve',
    'policy.publish',
    'policy.report',
    'policy.witness',
    'evidence.read',
    'evidence.add',
    'evidence.review',
    'control.manage',
    'finding.raise',
    'finding.answer',
    'workflow.manage',
    'workflow.approve',
    'sample.remove',
    'content.manage',
    'analytics.view',
    'marketplace.access',
    'partner.link',
    'orphaned_edits.review',
    'audit.read',
  ],
  'organization/manager': [
    'playbook.create',
    'place.all',
    'asset.manage',
    'form.manage',
    'inspection.conduct',
    'inspection.assign',
    'inspection.review',
    'action.create',
    'action.work',
    'action.manage',
    'action.accept_risk',
    'task.create',
    'task.work',
    'task.manage',
    'issue.report',
    'issue.triage',
    'policy.author',
    'policy.approve',
    'policy.publish',
    'policy.report',
    'policy.witness',
    'evidence.read',
    'evidence.add',
    'evidence.review',
    'control.manage',
    'finding.raise',
    'finding.answer',
    'workflow.manage',
    'workflow.approve',
  ],
  'organization/member': [
    'playbook.create',
    'inspection.conduct',
    'action.create',
    'action.work',
    'task.create',
    'task.work',
    'issue.report',
    'evidence.add',
  ],
  'organization/auditor': ['place.all', 'policy.report', 'evidence.read', 'finding.raise'],
  'system/admin': [
    'people.manage',
    'content.manage',
    'analytics.view',
    'marketplace.access',
    'partner.link',
    'platform.moderate',
    'platform.fulfil',
  ],
  'system/moderator': ['platform.moderate'],
  'system/partner': ['content.manage', 'marketplace.access', 'partner.link'],
  'system/manager': [],
  'system/user': [],
  'system/customer_support': ['analytics.view', 'platform.support'],
  'circle/managed_admin': ['analytics.view', 'circle.view', 'circle.nudge', 'circle.manage'],
  'circle/mentor_coach': ['circle.view', 'circle.nudge', 'circle.session'],
  'circle/accountability_partner': ['circle.view', 'circle.nudge'],
  'circle/triad_intelligence_operator': ['circle.view', 'circle.brief'],
};
const roles = Object.keys(MAY);

type Rule = Pick<Row<'role_permissions'>, 'role_kind' | 'role' | 'permission'>;
let db: TestDatabase;
let registry: { key: string; reach: string }[];
let rules: Rule[];
/** As the database has it. */
const rolesWith = (permission: string) =>
  roles.filter(role => rules.some(rule => rule.permission === permission && `${rule.role_kind}/${rule.role}` === role));
let [own, other, subject] = ['', '', ''];
const holders = new Map<string, string>();

async function addOrganization(): Promise<string> {
  const [row] = await db.asAdmin(`insert into organizations (name, slug) values ('Firm', $1) returning id`, [
    randomUUID(),
  ]);
  return String(row?.['id']);
}

/** Somebody who holds one role and nothing else; a system or circle role is held by an auditor, who may hardly anything. */
async function addHolder(kindAndRole: string): Promise<void> {
  const [kind, role] = kindAndRole.split('/');
  const person = await db.person(`${randomUUID()}@x.test`);
  await db.asAdmin('insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)', [
    own,
    person,
    kind === 'organization' ? role : 'auditor',
  ]);
  if (kind === 'system') await db.asAdmin('insert into user_roles (user_id, role) values ($1, $2)', [person, role]);
  if (kind === 'circle') {
    await db.asAdmin('insert into circle_relationships (subject_id, helper_id, role) values ($1, $2, $3)', [
      subject,
      person,
      role,
    ]);
  }
  holders.set(kindAndRole, person);
}

beforeAll(async () => {
  db = await freshDatabase();
  [own, other, subject] = [await addOrganization(), await addOrganization(), await db.person('subject@x.test')];
  registry = (await db.asAdmin('select key, reach from permissions order by key')) as typeof registry;
  rules = (await db.asAdmin('select role_kind, role, permission from role_permissions')) as Rule[];
  await Promise.all(roles.map(addHolder));
});
afterAll(() => db.drop());

/** What SQL answers a person for one permission, asked the way policies ask. */
async function answers(person: string, permission: string) {
  const [row] = await db.as(
    person,
    `select $2::uuid in (select my_organizations_with($1)) as own, $3::uuid in (select my_organizations_with($1)) as other,
      my_platform_permission($1) as platform, $4::uuid in (select my_circle_with($1)) as circle`,
    [permission, own, other, subject],
  );
  return row;
}

/** A role's own bundle, and the auditor's for whoever holds a system or circle role. */
const inOrganization = (role: string, permission: string, reach: string) =>
  reach === 'organization' &&
  ((!role.startsWith('circle/') && MAY[role]?.includes(permission)) ||
    (!role.startsWith('organization/') && MAY['organization/auditor']?.includes(permission)));

describe('the registry', () => {
  test('has the roles there are, and for each the permissions that stand here', () => {
    expect(roles.toSorted()).toEqual(
      [
        ...ORGANIZATION_ROLES.map(role => `organization/${role}`),
        ...SYSTEM_ROLES.map(role => `system/${role}`),
        ...CIRCLE_ROLES.map(role => `circle/${role}`),
      ].toSorted(),
    );
    const expected = roles.map(role => [role, MAY[role]?.toSorted()]);
    const kept = roles.map(role => [
      role,
      rules
        .filter(rule => `${rule.role_kind}/${rule.role}` === role)
        .map(({ permission }) => permission)
        .toSorted(),
    ]);
    expect(kept).toEqual(expected);
    expect(rules.filter(rule => !Object.hasOwn(MAY, `${rule.role_kind}/${rule.role}`))).toEqual([]);
  });

  test('every permission is held by some role', () => {
    expect(registry.map(({ key }) => key).filter(key => rolesWith(key).length === 0)).toEqual([]);
  });
});

describe('role × permission × own and other organisation', () => {
  test.for(roles)('%s has in SQL what stands here, in its own place and in no other', async role => {
    const person = holders.get(role) ?? '';
    for (const { key, reach } of registry) {
      const held = MAY[role]?.includes(key) ?? false;
      expect([role, key, await answers(person, key)]).toEqual([
        role,
        key,
        {
          own: inOrganization(role, key, reach) ?? false,
          other: false,
          platform: role.startsWith('system/') && reach === 'platform' && held,
          circle: role.startsWith('circle/') && held,
        },
      ]);
    }
  });

  test.for(roles)('%s is shown in the app what SQL grants', async role => {
    const person = holders.get(role) ?? '';
    const [kind, name = ''] = role.split('/');
    const held = {
      memberships: [{ organization_id: own, role: (kind === 'organization' ? name : 'auditor') as 'auditor' }],
      systemRoles: kind === 'system' ? [{ role: name as 'user' }] : [],
      helps: kind === 'circle' ? [{ subject_id: subject, role: name as 'mentor_coach' }] : [],
    };
    const shown = permissionsOf(held, rules);
    for (const { key } of registry) {
      const granted = await answers(person, key);
      expect([key, mayDo(shown, own, key), mayDo(shown, other, key)]).toEqual([key, granted?.['own'], false]);
      expect([key, shown.byPerson.get(subject)?.has(key) ?? false]).toEqual([key, granted?.['circle']]);
    }
  });

  test('a visitor has nothing', async () => {
    for (const call of [`my_organizations_with('place.all')`, `my_circle_with('circle.view')`, 'my_scopes()']) {
      await expect(db.as(null, `select * from ${call}`)).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('what the specification says of them', () => {
  /** The roles whose holder could do it, asked of each of them. */
  const whoCan = async (attempt: (person: string) => Promise<boolean>): Promise<string[]> => {
    const can: string[] = [];
    for (const role of roles) if (await attempt(holders.get(role) ?? '')) can.push(role);
    return can;
  };
  const isRefused = (reason: unknown): false => {
    expect(reason).toMatchObject({ code: '42501' });
    return false;
  };

  test('R6.08 only system and organisation admins manage users: nobody else invites, changes what somebody is, or removes them', async () => {
    expect(
      await whoCan(person =>
        db.rpc(person, 'invite_to_organization', { p_organization: own }).then(() => true, isRefused),
      ),
    ).toEqual(['organization/admin', 'system/admin']);

    const colleague = await db.person(`${randomUUID()}@x.test`);
    const [member] = await db.asAdmin(
      `insert into organization_members (organization_id, user_id, role) values ($1, $2, 'member') returning id`,
      [own, colleague],
    );
    const id = String(member?.['id']);
    const roleNow = async () =>
      (await db.asAdmin('select role, version::int as v from organization_members where id = $1', [id]))[0];
    const changed = await whoCan(async person => {
      const before = await roleNow();
      const role = before?.['role'] === 'member' ? 'manager' : 'member';
      const edit = { op: 'update', id, patch: { role }, base: { role: before?.['role'] }, bv: Number(before?.['v']) };
      await testDevice(db, person).push({ t: 'organization_members', ...edit } as Edit);
      return (await roleNow())?.['role'] === role;
    });
    expect(changed).toEqual(['organization/admin', 'system/admin']);

    const removed = await whoCan(async person => {
      const [leaver] = await db.asAdmin(
        `insert into organization_members (organization_id, user_id, role) values ($1, $2, 'member')
         returning id, version::int as v`,
        [own, await db.person(`${randomUUID()}@x.test`)],
      );
      const bv = Number(leaver?.['v']);
      await testDevice(db, person).push({ t: 'organization_members', op: 'delete', id: String(leaver?.['id']), bv });
      const query = 'select deleted_at is not null as is_out from organization_members where id = $1';
      return (await db.asAdmin(query, [leaver?.['id']]))[0]?.['is_out'] === true;
    });
    expect(removed).toEqual(['organization/admin', 'system/admin']);
  });

  test('R6.09 only system admins, organisation admins and partners manage content: nobody else makes a pack, whatever the tier allows', async () => {
    const make = (person: string) =>
      db
        .rpc(person, 'save_pack', { p_id: randomUUID(), p_organization: own, p_facts: JSON.stringify(FACTS) })
        .then(() => true, isRefused);
    // Without a tier that creates the permission alone makes nothing (docs/decisions/37-marketplace-packs.md).
    expect(await whoCan(make)).toEqual(['system/admin']);
    const setCreating = (may: boolean) =>
      db.asAdmin(`update subscription_tiers set can_create_content = $1 where tier = 'personal_consumer'`, [may]);
    await setCreating(true);
    try {
      expect(await whoCan(make)).toEqual(['organization/admin', 'system/admin', 'system/partner']);
    } finally {
      await setCreating(false);
    }
  });

  test('only admin, organisation admin, managed_admin and customer support view analytics', () => {
    expect(rolesWith('analytics.view')).toEqual([
      'organization/admin',
      'system/admin',
      'system/customer_support',
      'circle/managed_admin',
    ]);
  });
  test('R6.11 only system admin, partner and organisation admin access the marketplace', () => {
    expect(rolesWith('marketplace.access')).toEqual(['organization/admin', 'system/admin', 'system/partner']);
  });
  test('R6.13 only customer support reads across organisations', () => {
    expect(rolesWith('platform.support')).toEqual(['system/customer_support']);
  });
});
