/** Degrees, WGS 84. */
export type MapBounds = { west: number; south: number; east: number; north: number };

/** What the beginning of a map says of it. */
export type MapHeader = MapBounds & { tiles: 'vector' | 'image'; minZoom: number; maxZoom: number };

/** Why a file cannot be a map here. */
export type MapProblem =
  | 'not_a_map'
  | 'old_version'
  | 'unknown_tiles'
  | 'unknown_packing'
  | 'cut_off'
  | 'no_place'
  | 'no_tiles'
  | 'unknown_layers'
  | 'too_large';

export const MAP_MIME = 'application/vnd.pmtiles';
/** bytes; what a phone takes over a mobile network, and the table says the same. */
export const MAX_MAP_BYTES = 100_000_000;
/** bytes of a header. */
export const MAP_HEADER_BYTES = 127;
const MAX_ZOOM = 22;

/** Types of tiles by their number: 1 MVT; 2 PNG, 3 JPEG, 4 WebP, 5 AVIF. */
const TILES: Record<number, MapHeader['tiles']> = { 1: 'vector', 2: 'image', 3: 'image', 4: 'image', 5: 'image' };
/** None and gzip: what every browser unpacks. */
const PACKINGS = new Set([1, 2]);

const DEGREES = 1e7;

/** Where the parts of a map lie in its file, bytes. */
function partsOf(view: DataView): { offset: number; length: number }[] {
  return [8, 24, 40, 56].map(at => ({
    offset: Number(view.getBigUint64(at, true)),
    length: Number(view.getBigUint64(at + 8, true)),
  }));
}

const isOnEarth = ({ west, south, east, north }: MapBounds): boolean =>
  west >= -180 && east <= 180 && south >= -90 && north <= 90 && west < east && south < north;

/**
 * Reads and judges the header of a map, as PMTiles version 3 defines it.
 *
 * @param bytes the first 127 bytes of the file
 * @param size of the whole file, bytes
 *
 * Source: PMTiles specification, version 3, chapter 3.
 */
export function readMapHeader(bytes: Uint8Array, size: number): { header: MapHeader } | { problem: MapProblem } {
  const magic = String.fromCharCode(...bytes.subarray(0, 7));
  if (magic !== 'PMTiles' || bytes.length < MAP_HEADER_BYTES) return { problem: 'not_a_map' };
  if (size > MAX_MAP_BYTES) return { problem: 'too_large' };
  const view = new DataView(bytes.buffer, bytes.byteOffset, MAP_HEADER_BYTES);
  if (view.getUint8(7) !== 3) return { problem: 'old_version' };
  const tiles = TILES[view.getUint8(99)];
  if (!tiles) return { problem: 'unknown_tiles' };
  if (!PACKINGS.has(view.getUint8(97)) || !PACKINGS.has(view.getUint8(98))) return { problem: 'unknown_packing' };
  const parts = partsOf(view);
  if (parts.some(({ offset, length }) => offset + length > size)) return { problem: 'cut_off' };
  if (parts[0]?.length === 0 || parts[3]?.length === 0) return { problem: 'no_tiles' };
  const degrees = (at: number) => view.getInt32(at, true) / DEGREES;
  const bounds = { west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114) };
  const [minZoom, maxZoom] = [view.getUint8(100), view.getUint8(101)];
  if (!isOnEarth(bounds) || minZoom > maxZoom || maxZoom > MAX_ZOOM) return { problem: 'no_place' };
  return { header: { ...bounds, tiles, minZoom, maxZoom } };
}
