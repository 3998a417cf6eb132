import type { Row } from '@cairn/schema';

export type SystemRole = Row<'user_roles'>['role'];
export type OrganizationRole = Row<'organization_members'>['role'];
export type CircleRole = Row<'circle_relationships'>['role'];

/** The roles there are, as the database's checks list them. */
export const SYSTEM_ROLES = [
  'admin',
  'moderator',
  'partner',
  'manager',
  'user',
  'customer_support',
] as const satisfies SystemRole[];
export const ORGANIZATION_ROLES = ['admin', 'manager', 'member', 'auditor'] as const satisfies OrganizationRole[];
export const CIRCLE_ROLES = [
  'managed_admin',
  'mentor_coach',
  'triad_intelligence_operator',
  'accountability_partner',
] as const satisfies CircleRole[];

const HIGHEST_FIRST = ['admin', 'moderator', 'partner', 'manager'] as const satisfies SystemRole[];

/** The role that wins where a person has several: admin, moderator, partner, manager, else user. */
export const highestSystemRole = (roles: readonly SystemRole[]): SystemRole =>
  HIGHEST_FIRST.find(role => roles.includes(role)) ?? 'user';

const RANKS: Readonly<Partial<Record<SystemRole, number>>> = {
  admin: 5,
  customer_support: 4,
  moderator: 3,
  partner: 2,
};

/** Where a role context stands among others: 5 is first, 1 last. */
export const roleContextRank = (role: SystemRole): number => RANKS[role] ?? 1;

/** Anybody with a support role belongs to a circle. */
export const isCircleMember = (supportRole: CircleRole | null): boolean => supportRole !== null;

const CIRCLE_NAMES: Readonly<Record<CircleRole, string>> = {
  managed_admin: 'Managed Admin',
  mentor_coach: 'Mentor/Coach',
  triad_intelligence_operator: 'Triad Intelligence',
  accountability_partner: 'Accountability Partner',
};

export const SUPPORT_NAME = 'Customer Support Representative';

type Standing = {
  organizationRole: OrganizationRole | null;
  systemRoles: readonly SystemRole[];
  supportRole: CircleRole | null;
};

/** What a person is called where they stand; the database's `sync.role_display_name` says the same. */
export function roleDisplayName({ organizationRole, systemRoles, supportRole }: Standing): string {
  if (supportRole !== null && organizationRole === null) return CIRCLE_NAMES[supportRole];
  const isSystemAdmin = systemRoles.includes('admin');
  if (organizationRole === 'admin') return isSystemAdmin ? 'Organization Administrator' : 'Organization Admin';
  if (isSystemAdmin) return 'System Administrator';
  if (organizationRole === 'manager') return 'Manager';
  if (organizationRole === 'auditor') return 'Auditor';
  if (systemRoles.includes('moderator')) return 'Moderator';
  if (systemRoles.includes('partner')) return 'Partner';
  return systemRoles.includes('manager') ? 'Manager' : 'Member';
}
