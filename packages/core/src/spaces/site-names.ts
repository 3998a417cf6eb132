import type { Query } from '@cairn/sync/store.ts';

/** The sites of an organisation on this device, by name. */
export const siteNames = (organizationId: string): Query<{ id: string; name: string }[]> => ({
  key: `spaces/siteNames/${organizationId}`,
  tables: ['sites'],
  async read(tx) {
    const sites = await tx.range('sites', 'organization', organizationId, organizationId);
    return sites
      .filter(site => site.deleted_at === null)
      .map(({ id, name }) => ({ id, name }))
      .toSorted((a, b) => a.name.localeCompare(b.name));
  },
});
