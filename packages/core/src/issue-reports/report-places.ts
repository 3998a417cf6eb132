import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';

export type ReportPlaces = { sites: Row<'sites'>[]; assets: Row<'assets'>[] };

type Wish = {
  organizationId: string;
  userId: string;
  /** Whether the person sees every site (`place.all`). */
  all: boolean;
};

/** Where a person may report something, and what stands there: their sites and the assets of those, by name. */
export function reportPlaces({ organizationId, userId, all }: Wish): Query<ReportPlaces> {
  return {
    key: `issue-reports/reportPlaces/${organizationId}/${userId}/${all}`,
    tables: ['sites', 'site_members', 'assets'],
    async read(tx) {
      const memberships = await tx.range('site_members', 'user', userId, userId);
      const mine = new Set(memberships.filter(row => row.deleted_at === null).map(row => row.site_id));
      const sites = await tx.range('sites', 'organization', organizationId, organizationId);
      const shown = sites.filter(site => site.deleted_at === null && (all || mine.has(site.id)));
      const ids = new Set(shown.map(({ id }) => id));
      const assets = (await tx.all('assets')).filter(
        asset =>
          asset.organization_id === organizationId &&
          asset.deleted_at === null &&
          asset.status !== 'retired' &&
          (asset.site_id === null || ids.has(asset.site_id)),
      );
      return { sites: shown.toSorted(byName), assets: assets.toSorted(byName) };
    },
  };
}

const byName = (a: { name: string }, b: { name: string }): number =>
  a.name.localeCompare(b.name, undefined, { numeric: true });
