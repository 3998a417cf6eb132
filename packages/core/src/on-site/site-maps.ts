import { Failure } from '@cairn/base/failure.ts';
import type { LatLon } from '@cairn/base/globe.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import { keepFile } from '../media/keep-file.ts';
import { MAP_MIME, MAX_MAP_BYTES, type MapBounds, type MapHeader } from './map-header.ts';

export type SiteMap = Row<'site_maps'>;

/** A file that was read and judged to be a map. */
export type MapFile = MapHeader & {
  /** A fresh id. */
  id: string;
  bytes: ArrayBuffer;
  /** Hex, over `bytes`. */
  sha256: string;
  /** Of the picked file. */
  fileName: string;
  /** Whom to name beside it, as plain text. */
  attribution: string;
};

export type AddMap = {
  /** A fresh id. */
  mapId: string;
  organizationId: string;
  siteId: string;
  /** What people call it. */
  name: string;
  file: MapFile;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/** Maps of an organisation's sites, as far as the person sees those sites, by name. */
export function siteMaps(organizationId: string): Query<SiteMap[]> {
  return {
    key: `field/site-maps/${organizationId}`,
    tables: ['site_maps'],
    async read(tx) {
      const rows = await tx.range('site_maps', 'organization', organizationId, organizationId);
      return rows.filter(row => row.deleted_at === null).toSorted((a, b) => a.name.localeCompare(b.name));
    },
  };
}

const MAX_FILE_NAME_LENGTH = 200;

/**
 * Keeps a map for a site and queues its file for the server. Run it as one piece (`together`).
 *
 * @throws {Failure} `invalid` for a map without a name or of no size that is taken
 */
export async function addSiteMap(tx: WriteTx, given: AddMap): Promise<void> {
  const { file } = given;
  const size = file.bytes.byteLength;
  if (given.name.trim() === '' || size === 0 || size > MAX_MAP_BYTES)
    throw new Failure('invalid', `addSiteMap: ${file.id} has ${size} bytes`);
  const { id, bytes, sha256 } = file;
  const media = { id, bytes, sha256, mime: MAP_MIME, width: null, height: null };
  await keepFile(tx, media, {
    organization_id: given.organizationId,
    site_id: given.siteId,
    name: file.fileName.replaceAll(/[/\\\p{Cc}]/gu, '_').slice(-MAX_FILE_NAME_LENGTH) || 'map.pmtiles',
    captured_at: given.at,
    captured_by: given.by,
  });
  await tx.put('site_maps', {
    id: given.mapId,
    organization_id: given.organizationId,
    site_id: given.siteId,
    media_id: file.id,
    name: given.name.trim(),
    bytes: size,
    tiles: file.tiles,
    west: file.west,
    south: file.south,
    east: file.east,
    north: file.north,
    min_zoom: file.minZoom,
    max_zoom: file.maxZoom,
    attribution: file.attribution,
  });
}

/**
 * Takes a map away from its site; devices that kept it let it go.
 *
 * @throws {Failure} `not_found`
 */
export async function removeSiteMap(tx: WriteTx, id: string): Promise<void> {
  if (!(await tx.get('site_maps', id))) throw new Failure('not_found', `removeSiteMap: no map ${id}`);
  await tx.remove('site_maps', id);
}

const holds = ({ west, south, east, north }: MapBounds, { lat, lon }: LatLon): boolean =>
  lat >= south && lat <= north && lon >= west && lon <= east;

const extentOf = ({ west, south, east, north }: MapBounds): number => (east - west) * (north - south);

/**
 * The map to show places on: of those that hold any of them the one that holds most, of these the closest-fitting.
 * Undefined where none holds any.
 */
export function mapFor<M extends MapBounds>(maps: readonly M[], places: readonly LatLon[]): M | undefined {
  const count = (map: M) => places.filter(place => holds(map, place)).length;
  return maps.filter(map => count(map) > 0).toSorted((a, b) => count(b) - count(a) || extentOf(a) - extentOf(b))[0];
}

/** A name people gave a place in a map's own words, as plain text: no markup, entities of HTML resolved where they are usual. */
export function plainAttribution(html: unknown): string {
  if (typeof html !== 'string') return '';
  const text = html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&copy;', '©')
    .replaceAll('&amp;', '&')
    .replaceAll(/[<>\p{Cc}]/gu, ' ');
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 500);
}
