import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SYSTEM_ROLES } from '@cairn/testing/role-oracle.ts';
import {
  chooseRoleContext,
  type OrganizationContextRow,
  organizationRoleContexts,
  roleContexts,
} from './role-contexts.ts';
import { highestSystemRole, roleContextRank, SUPPORT_NAME } from './role-names.ts';

const row = (over: Partial<OrganizationContextRow> = {}): OrganizationContextRow => ({
  organization_id: 'acme',
  organization_name: 'Acme',
  program_name: null,
  program_description: null,
  activation_source: null,
  display_name: 'Member',
  user_role: 'member',
  support_role: null,
  joined_at: '2026-11-01T08:00:00Z',
  ...over,
});

describe('R4.18 the highest system role', () => {
  test.each([
    [['user', 'manager', 'partner', 'moderator', 'admin'], 'admin'],
    [['manager', 'partner', 'moderator'], 'moderator'],
    [['manager', 'partner', 'user'], 'partner'],
    [['user', 'manager'], 'manager'],
    [['user'], 'user'],
    [['customer_support'], 'user'],
    [[], 'user'],
  ] as const)('of %j is %s', (roles, highest) => {
    expect(highestSystemRole(roles)).toBe(highest);
  });

  test('does not depend on the order they come in', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...SYSTEM_ROLES]), roles => {
        expect(highestSystemRole(roles)).toBe(highestSystemRole(roles.toSorted()));
      }),
    );
  });
});

test('R4.19 ranks: admin 5, customer_support 4, moderator 3, partner 2, user 1', () => {
  expect(SYSTEM_ROLES.map(role => [role, roleContextRank(role)])).toEqual([
    ['admin', 5],
    ['moderator', 3],
    ['partner', 2],
    ['manager', 1],
    ['user', 1],
    ['customer_support', 4],
  ]);
});

test('R6.05 customer_support is called Customer Support Representative', () => {
  expect(roleContexts([row()], ['customer_support'])[0]?.displayName).toBe('Customer Support Representative');
  expect(SUPPORT_NAME).toBe('Customer Support Representative');
});

describe('role contexts', () => {
  const circle = row({
    organization_id: 'home',
    user_role: null,
    support_role: 'managed_admin',
    display_name: 'Managed Admin',
  });

  test('R4.26 the stored choice, else the one with managed_admin, else the first', () => {
    const contexts = roleContexts([row(), row({ organization_id: 'other' }), circle], []);
    expect(chooseRoleContext(contexts, 'other')?.id).toBe('other');
    expect(chooseRoleContext(contexts, 'gone')?.id).toBe('home/managed_admin');
    expect(chooseRoleContext(roleContexts([row(), row({ organization_id: 'other' })], []), null)?.id).toBe('acme');
    expect(chooseRoleContext([], 'acme')).toBeNull();
  });

  test('R4.19 the highest rank comes first', () => {
    expect(roleContexts([circle, row()], ['moderator']).map(({ id, rank }) => [id, rank])).toEqual([
      ['acme', 3],
      ['home/managed_admin', 1],
    ]);
  });

  test('R4.27 customer support has one context, made for it', () => {
    const contexts = roleContexts([row(), row({ organization_id: 'other' })], ['customer_support', 'user']);
    expect(contexts).toMatchObject([{ organizationId: null, isCustomerSupport: true, readsAcrossOrganizations: true }]);
  });

  test('R6.14 whoever holds customer_support has its flag in every context, R6.13 and nobody else has it', () => {
    const rows = [row(), row({ organization_id: 'other' }), circle];
    const flags = (roles: Parameters<typeof organizationRoleContexts>[1]) =>
      organizationRoleContexts(rows, roles).flatMap(one => [one.isCustomerSupport, one.readsAcrossOrganizations]);
    expect(flags(['user', 'customer_support'])).toEqual([true, true, true, true, true, true]);
    for (const role of SYSTEM_ROLES.filter(each => each !== 'customer_support')) {
      expect([role, flags([role])]).toEqual([role, [false, false, false, false, false, false]]);
    }
  });
});
