import type { Row } from '@cairn/schema';
import type { Tx } from '@cairn/sync/store.ts';

/** What `othersAt` reads. */
export const OTHERS_TABLES = ['organization_members', 'role_permissions', 'site_members'] as const;

type OrganizationAndSite = { organization_id: string; site_id: string | null };

/** Who else holds a permission at a place, as far as this device knows: by their role there, everywhere or at the site. */
export async function othersAt(
  tx: Tx,
  place: OrganizationAndSite,
  { permission, without }: { permission: string; without: readonly (string | null)[] },
): Promise<string[]> {
  const { organization_id: organization, site_id: site } = place;
  const members = await tx.range('organization_members', 'organization', organization, organization);
  const rights = await tx.all('role_permissions');
  const [holding, everywhere] = [rolesWith(rights, permission), rolesWith(rights, 'place.all')];
  const here = new Set(site === null ? [] : await peopleAt(tx, site));
  return members
    .filter(({ user_id: user, role, deleted_at: gone, site_limited: limited }) => {
      const isHere = site === null || (everywhere.has(role) && !limited) || here.has(user);
      return gone === null && !without.includes(user) && holding.has(role) && isHere;
    })
    .map(({ user_id: user }) => user);
}

function rolesWith(rights: readonly Row<'role_permissions'>[], permission: string): ReadonlySet<string> {
  const given = rights.filter(
    row => row.role_kind === 'organization' && row.permission === permission && row.deleted_at === null,
  );
  return new Set(given.map(({ role }) => role));
}

async function peopleAt(tx: Tx, site: string): Promise<string[]> {
  const rows = await tx.all('site_members');
  return rows.filter(row => row.site_id === site && row.deleted_at === null).map(({ user_id: user }) => user);
}
