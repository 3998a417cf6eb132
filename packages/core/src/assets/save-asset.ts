import { Failure } from '@cairn/base/failure.ts';
import type { LatLon } from '@cairn/base/globe.ts';
import type { Draft } from '@cairn/schema';
import type { Tx, WriteTx } from '@cairn/sync/store.ts';
import { withParts } from './asset-tree.ts';
import type { Asset } from './queries.ts';

/** What a person writes about an asset; texts as typed, empty for none. */
export type AssetFields = {
  name: string;
  category: string;
  code: string;
  barcode: string;
  location: string;
  siteId: string | null;
  parentId: string | null;
  status: Asset['status'];
  serialNumber: string;
  manufacturer: string;
  model: string;
  notes: string;
  tags: readonly string[];
  /** Where it stands, as a device measured it. */
  position: LatLon | null;
};

export type SaveAsset = {
  /** A fresh id, or that of the asset to change. */
  id: string;
  organizationId: string;
  fields: AssetFields;
};

/** What keeps an asset from being saved, by field. */
export type AssetProblem = 'nameNeeded' | 'codeTaken' | 'barcodeTaken' | 'partOfItself';

/**
 * What is wrong with an asset as it would be saved; null when nothing is. Looks at this device only: the server judges
 * again, for what other devices did meanwhile.
 */
export async function assetProblem(tx: Tx, { id, organizationId, fields }: SaveAsset): Promise<AssetProblem | null> {
  if (fields.name.trim() === '') return 'nameNeeded';
  const all = await tx.all('assets');
  const others = all.filter(row => row.organization_id === organizationId && row.deleted_at === null && row.id !== id);
  const code = fields.code.trim();
  const barcode = fields.barcode.trim();
  if (code !== '' && others.some(row => row.code === code)) return 'codeTaken';
  if (barcode !== '' && others.some(row => row.barcode === barcode)) return 'barcodeTaken';
  if (fields.parentId !== null && withParts(id, all).has(fields.parentId)) return 'partOfItself';
  return null;
}

/** Adds an asset, or changes it. @throws {Failure} `invalid` for what `assetProblem` names */
export async function saveAsset(tx: WriteTx, asset: SaveAsset): Promise<void> {
  const problem = await assetProblem(tx, asset);
  if (problem) throw new Failure('invalid', `saveAsset: ${asset.id} ${problem}`);
  await tx.put('assets', { id: asset.id, organization_id: asset.organizationId, ...columnsOf(asset.fields) });
}

const orNone = (text: string): string | null => text.trim() || null;

function columnsOf(fields: AssetFields): Omit<Draft<'assets'>, 'id' | 'organization_id'> {
  return {
    name: fields.name.trim(),
    category: orNone(fields.category),
    code: orNone(fields.code),
    barcode: orNone(fields.barcode),
    location: orNone(fields.location),
    site_id: fields.siteId,
    parent_id: fields.parentId,
    status: fields.status,
    serial_number: orNone(fields.serialNumber),
    manufacturer: orNone(fields.manufacturer),
    model: orNone(fields.model),
    notes: orNone(fields.notes),
    latitude: fields.position?.lat ?? null,
    longitude: fields.position?.lon ?? null,
    tags: [...new Set(fields.tags.map(tag => tag.trim()).filter(tag => tag !== ''))],
  };
}
