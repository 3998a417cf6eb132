import type { Row } from '@cairn/schema';
import type { MySpaces, OrganizationSpace } from './my-spaces.ts';

/** ms; an activation younger than this makes its organisation current (product decision 7). */
const RECENT_ACTIVATION_MS = 24 * 60 * 60 * 1000;

/**
 * The organisation to work in: one activated in the last 24 h, else the stored choice, else the most recently joined
 * partner-link one, else the most recently joined (R4.20).
 *
 * @param now ms since 1970
 */
export function chooseOrganization(
  organizations: readonly OrganizationSpace[],
  storedId: string | null,
  now: number,
): OrganizationSpace | null {
  const fresh = organizations
    .filter(({ activatedAt }) => activatedAt !== null && now - Date.parse(activatedAt) < RECENT_ACTIVATION_MS)
    .toSorted((a, b) => Date.parse(b.activatedAt ?? '') - Date.parse(a.activatedAt ?? ''));
  const joined = organizations.toSorted(byCompanyThenNewest);
  return (
    fresh[0] ??
    organizations.find(({ organization }) => organization.id === storedId) ??
    joined.find(({ activatedAt }) => activatedAt !== null) ??
    joined[0] ??
    null
  );
}

/** One's private space was never joined, it came with the sign-up: any organisation goes before it. */
function byCompanyThenNewest(a: OrganizationSpace, b: OrganizationSpace): number {
  return kindRank(a) - kindRank(b) || Date.parse(b.joinedAt) - Date.parse(a.joinedAt);
}

const kindRank = ({ organization }: OrganizationSpace): number => (organization.kind === 'company' ? 0 : 1);

/** The stored playbook if it is still there, else the first (R4.24). */
export function choosePlaybook(
  playbooks: readonly Row<'playbooks'>[],
  storedId: string | null,
): Row<'playbooks'> | null {
  return playbooks.find(({ id }) => id === storedId) ?? playbooks[0] ?? null;
}

/** Every permission the person holds in an organisation, from system and organisation role together. */
export function permissionsIn({ granted, systemRoles }: MySpaces, role: OrganizationSpace['role']): Set<string> {
  const held = granted.filter(row => (row.role_kind === 'system' ? systemRoles.includes(row.role) : row.role === role));
  return new Set(held.map(row => row.permission));
}
