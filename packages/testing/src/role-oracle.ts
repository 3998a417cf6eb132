import {
  memberTitle,
  type CircleRole,
  type MemberTitle,
  type OrganizationRole,
  type SystemRole,
} from '@cairn/core/roles/role-names.ts';

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

type RoleStatus = {
  organizationRole: OrganizationRole | null;
  systemRoles: readonly SystemRole[];
  supportRole: CircleRole | null;
};

const MEMBER_NAMES: Readonly<Record<MemberTitle, string>> = {
  organization_administrator: 'Organization Administrator',
  organization_admin: 'Organization Admin',
  system_administrator: 'System Administrator',
  manager: 'Manager',
  auditor: 'Auditor',
  moderator: 'Moderator',
  partner: 'Partner',
  member: 'Member',
};

/** What `identity.role_display_name` of the database should call a person. */
export function roleDisplayName({ organizationRole, systemRoles, supportRole }: RoleStatus): string {
  if (supportRole !== null && organizationRole === null) return CIRCLE_NAMES[supportRole];
  return MEMBER_NAMES[memberTitle(organizationRole, systemRoles)];
}
