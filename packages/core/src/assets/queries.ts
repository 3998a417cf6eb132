import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';

/** Assets of an organisation by name, without retired ones. */
export function assets(organizationId: string): Query<Row<'assets'>[]> {
  return {
    key: `assets/assets/${organizationId}`,
    tables: ['assets'],
    async read(tx) {
      const rows = await tx.all('assets');
      return rows
        .filter(row => row.organization_id === organizationId && row.deleted_at === null && row.status !== 'retired')
        .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    },
  };
}

/** The asset whose tag or barcode says `code`; null when there is none on this device. */
export function assetByCode(organizationId: string, code: string): Query<Row<'assets'> | null> {
  return {
    key: `assets/assetByCode/${organizationId}/${code}`,
    tables: ['assets'],
    async read(tx) {
      const rows = await tx.range('assets', 'code', code, code);
      return rows.find(row => row.organization_id === organizationId && row.deleted_at === null) ?? null;
    },
  };
}
