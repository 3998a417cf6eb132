import type { CircleRole, OrganizationRole, SystemRole } from '@cairn/core/roles/role-names.ts';

/** The roles the specification names; the database's checks hold the same. */
export const SYSTEM_ROLES = [
  'admin',
  'moderator',
  'partner',
  'manager',
  'user',
  'customer_support',
] as const satisfies SystemRole[];
export const CIRCLE_ROLES = [
  'managed_admin',
  'mentor_coach',
  'triad_intelligence_operator',
  'accountability_partner',
] as const satisfies CircleRole[];

const CIRCLE_NAMES: Readonly<Record<CircleRole, string>> = {
  managed_admin: 'Managed Admin',
  mentor_coach: 'Mentor/Coach',
  triad_intelligence_operator: 'Triad Intelligence',
  accountability_partner: 'Accountability Partner',
};

type Standing = {
  organizationRole: OrganizationRole | null;
  systemRoles: readonly SystemRole[];
  supportRole: CircleRole | null;
};

/** What `sync.role_display_name` of the database should call a person. */
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
