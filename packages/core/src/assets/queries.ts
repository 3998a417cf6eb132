import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { codeIn, isSameCode } from './scanned-code.ts';
import { type HoldsByAsset, HOLDS_TABLES, holdsIn } from './service-status.ts';

export type Asset = Row<'assets'>;

export type Register = {
  assets: Asset[];
  sites: Row<'sites'>[];
  /** What keeps assets out of service. */
  holds: HoldsByAsset;
};

/** Every asset of an organisation on this device, retired ones too, and the sites they stand at; both by name. */
export function register(organizationId: string): Query<Register> {
  return {
    key: `assets/register/${organizationId}`,
    tables: ['assets', 'sites', ...HOLDS_TABLES],
    async read(tx) {
      const sites = await tx.range('sites', 'organization', organizationId, organizationId);
      return {
        assets: await present(tx, organizationId),
        sites: sites.filter(row => row.deleted_at === null).toSorted(byName),
        holds: await holdsIn(tx, organizationId),
      };
    },
  };
}

/** The asset whose tag or barcode was scanned or typed; null when there is none on this device. */
export function assetByCode(organizationId: string, scanned: string): Query<Asset | null> {
  const code = codeIn(scanned);
  return {
    key: `assets/assetByCode/${organizationId}/${code}`,
    tables: ['assets'],
    async read(tx) {
      const exact = [
        ...(await tx.range('assets', 'code', code, code)),
        ...(await tx.range('assets', 'barcode', code, code)),
      ].find(row => row.organization_id === organizationId && row.deleted_at === null);
      if (exact || code === '') return exact ?? null;
      // Typed by hand, or read off another kind of label.
      const rows = await present(tx, organizationId);
      return rows.find(row => [row.code, row.barcode].some(each => each !== null && isSameCode(each, code))) ?? null;
    },
  };
}

export type AssetHistory = {
  asset: Asset;
  site: Row<'sites'> | null;
  /** What it is part of, the outermost first. */
  above: Asset[];
  /** Its own parts, by name. */
  parts: Asset[];
  /** What keeps assets of the organisation out of service. */
  holds: HoldsByAsset;
  /** Newest first. */
  inspections: Row<'inspections'>[];
  actions: Row<'action_items'>[];
  reports: Row<'issue_reports'>[];
};

/** One asset with all that happened to it, as far as this device knows; null when the asset is not on it. */
export function assetHistory(id: string): Query<AssetHistory | null> {
  return {
    key: `assets/assetHistory/${id}`,
    tables: ['assets', 'sites', 'inspections', 'action_items', 'issue_reports'],
    async read(tx) {
      const asset = await tx.get('assets', id);
      if (!asset || asset.deleted_at !== null) return null;
      const all = await present(tx, asset.organization_id);
      const actions = await tx.all('action_items');
      return {
        asset,
        site: asset.site_id === null ? null : ((await tx.get('sites', asset.site_id)) ?? null),
        above: aboveOf(asset, all),
        parts: all.filter(row => row.parent_id === id),
        holds: await holdsIn(tx, asset.organization_id),
        inspections: newestFirst(await tx.range('inspections', 'asset', id, id)),
        actions: newestFirst(actions.filter(row => row.asset_id === id)),
        reports: newestFirst(await tx.range('issue_reports', 'asset', id, id)),
      };
    },
  };
}

/** What an asset is part of, the outermost first. A ring, which two phones may close together, ends where it began. */
export function aboveOf(asset: Asset, all: readonly Asset[]): Asset[] {
  const byId = new Map(all.map(row => [row.id, row]));
  const above: Asset[] = [];
  const seen = new Set([asset.id]);
  for (let at = byId.get(asset.parent_id ?? ''); at && !seen.has(at.id); at = byId.get(at.parent_id ?? '')) {
    seen.add(at.id);
    above.unshift(at);
  }
  return above;
}

const byName = (a: { name: string }, b: { name: string }): number =>
  a.name.localeCompare(b.name, undefined, { numeric: true });

async function present(tx: Tx, organizationId: string): Promise<Asset[]> {
  const rows = await tx.all('assets');
  return rows.filter(row => row.organization_id === organizationId && row.deleted_at === null).toSorted(byName);
}

const newestFirst = <R extends { created_at: string; deleted_at: string | null }>(rows: readonly R[]): R[] =>
  rows.filter(row => row.deleted_at === null).toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
