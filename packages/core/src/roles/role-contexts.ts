import { type CircleRole, highestSystemRole, roleContextRank, SUPPORT_NAME, type SystemRole } from './role-names.ts';

/** One row of `get_user_organization_contexts`. */
export type OrganizationContextRow = {
  organization_id: string;
  organization_name: string;
  program_name: string | null;
  program_description: string | null;
  activation_source: string | null;
  display_name: string;
  user_role: string | null;
  support_role: CircleRole | null;
  /** ISO 8601. */
  joined_at: string;
};

/** Something a person can act as: a member of an organisation, somebody's helper, or customer support. */
export type RoleContext = {
  /** Stable from one read to the next; what the device remembers as the choice. */
  id: string;
  organizationId: string | null;
  displayName: string;
  organizationName: string | null;
  supportRole: CircleRole | null;
  /** 5 to 1; the higher, the further up. */
  rank: number;
  isCustomerSupport: boolean;
  /** Whether data of organisations one does not belong to may be read; each read is logged. */
  readsAcrossOrganizations: boolean;
};

const SUPPORT_ID = 'customer_support';

const supportContext: RoleContext = {
  id: SUPPORT_ID,
  organizationId: null,
  displayName: SUPPORT_NAME,
  organizationName: null,
  supportRole: null,
  rank: roleContextRank('customer_support'),
  isCustomerSupport: true,
  readsAcrossOrganizations: true,
};

/**
 * A person's organisations and circles as contexts, the highest rank first. Whoever holds customer_support has the flag in
 * every one of them.
 */
export function organizationRoleContexts(
  rows: readonly OrganizationContextRow[],
  systemRoles: readonly SystemRole[],
): RoleContext[] {
  const isCustomerSupport = systemRoles.includes('customer_support');
  const own = roleContextRank(highestSystemRole(systemRoles));
  const contexts = rows.map(row => ({
    id: row.support_role === null ? row.organization_id : `${row.organization_id}/${row.support_role}`,
    organizationId: row.organization_id,
    displayName: row.display_name,
    organizationName: row.organization_name,
    supportRole: row.support_role,
    rank: row.user_role === null ? 1 : own,
    isCustomerSupport,
    readsAcrossOrganizations: isCustomerSupport,
  }));
  return contexts.toSorted((a, b) => b.rank - a.rank);
}

/** The contexts to choose from: one made for it for customer support, else organisations and circles. */
export const roleContexts = (
  rows: readonly OrganizationContextRow[],
  systemRoles: readonly SystemRole[],
): RoleContext[] =>
  systemRoles.includes('customer_support') ? [supportContext] : organizationRoleContexts(rows, systemRoles);

/**
 * The context to act in: the stored choice while there is one, else the highest of those with the support role
 * managed_admin, else the first. Null when there is none.
 */
export function chooseRoleContext(contexts: readonly RoleContext[], stored: string | null): RoleContext | null {
  const kept = contexts.find(({ id }) => id === stored);
  if (kept) return kept;
  const managed = contexts.filter(({ supportRole }) => supportRole === 'managed_admin');
  return managed.toSorted((a, b) => b.rank - a.rank)[0] ?? contexts[0] ?? null;
}
