import { compareNames } from '@cairn/base/order.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { isPartnerLink, type OrganizationContext } from './current-space.ts';
import { type MobileOrganization, mobileOrganization } from './mobile-shapes.ts';

export type OwnOrganization = { organization: MobileOrganization; context: OrganizationContext };

/** The organisations a person belongs to, by name, with what choosing one needs. */
export function ownOrganizations(userId: string): Query<OwnOrganization[]> {
  return {
    key: `spaces/ownOrganizations/${userId}`,
    tables: ['organizations', 'organization_members', 'organization_activations'],
    async read(tx) {
      const memberships = await tx.range('organization_members', 'user', userId, userId);
      const own = memberships
        .filter(({ deleted_at: left }) => left === null)
        .map(async (membership): Promise<OwnOrganization[]> => {
          const [organization, activation] = await Promise.all([
            tx.get('organizations', membership.organization_id),
            countingActivation(tx, membership),
          ]);
          if (!organization || organization.deleted_at !== null) return [];
          const context: OrganizationContext = {
            organization_id: organization.id,
            activation_source: activation?.activation_source ?? null,
            joined_at: membership.joined_at,
            activated_at: activation?.activated_at ?? null,
          };
          return [{ organization: mobileOrganization(membership, organization, activation), context }];
        });
      return (await Promise.all(own)).flat().toSorted((a, b) => compareNames(a.organization.name, b.organization.name));
    },
  };
}

/** The person's activation of an organisation that counts: the newest through a partner link, which no other kind hides; else the newest. */
async function countingActivation(tx: Tx, membership: Row<'organization_members'>) {
  const all = await tx.all('organization_activations');
  const own = all
    .filter(
      row =>
        row.user_id === membership.user_id &&
        row.organization_id === membership.organization_id &&
        row.deleted_at === null,
    )
    .toSorted((a, b) => Date.parse(b.activated_at) - Date.parse(a.activated_at));
  return own.find(row => isPartnerLink(row.activation_source)) ?? own[0] ?? null;
}

/** Playbooks of an organisation that are not archived, the oldest first; a personal one only for its owner. */
export function playbooks(organizationId: string, userId: string): Query<Row<'playbooks'>[]> {
  return {
    key: `spaces/playbooks/${organizationId}/${userId}`,
    tables: ['playbooks'],
    async read(tx) {
      const rows = await tx.range('playbooks', 'organization', organizationId, organizationId);
      return rows
        .filter(
          row =>
            row.deleted_at === null && row.archived_at === null && (row.type === 'company' || row.owner_id === userId),
        )
        .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
    },
  };
}
