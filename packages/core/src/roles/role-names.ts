import type { Row } from '@cairn/schema';

export type SystemRole = Row<'user_roles'>['role'];
export type OrganizationRole = Row<'organization_members'>['role'];
export type CircleRole = Row<'circle_relationships'>['role'];

/** The roles of an organisation, as the database's checks list them. */
export const ORGANIZATION_ROLES = ['admin', 'manager', 'member', 'auditor'] as const satisfies OrganizationRole[];

const HIGHEST_FIRST = ['admin', 'moderator', 'partner', 'manager'] as const satisfies SystemRole[];

/** The role that wins where a person has several: admin, moderator, partner, manager, else user. */
export const highestSystemRole = (roles: readonly SystemRole[]): (typeof HIGHEST_FIRST)[number] | 'user' =>
  HIGHEST_FIRST.find(role => roles.includes(role)) ?? 'user';

const RANKS: Readonly<Partial<Record<SystemRole, number>>> = {
  admin: 5,
  customer_support: 4,
  moderator: 3,
  partner: 2,
};

/** Where a role context stands among others: 5 is first, 1 last. */
export const roleContextRank = (role: SystemRole): number => RANKS[role] ?? 1;

export const SUPPORT_NAME = 'Customer Support Representative';

/** What a member of an organisation is called there, as a code. */
export type MemberTitle =
  | 'organization_administrator'
  | 'organization_admin'
  | 'system_administrator'
  | 'manager'
  | 'auditor'
  | 'moderator'
  | 'partner'
  | 'member';

/**
 * What a member is called, from the role in the organisation and the system roles held; `identity.role_display_name` of the database says
 * the same, and a test compares (R6.06, R6.07, product.md Q12).
 */
export function memberTitle(role: OrganizationRole | null, systemRoles: readonly SystemRole[]): MemberTitle {
  const isSystemAdmin = systemRoles.includes('admin');
  if (role === 'admin') return isSystemAdmin ? 'organization_administrator' : 'organization_admin';
  if (isSystemAdmin) return 'system_administrator';
  if (role === 'manager' || role === 'auditor') return role;
  const special = highestSystemRole(systemRoles);
  return special === 'user' || special === 'admin' ? 'member' : special;
}
