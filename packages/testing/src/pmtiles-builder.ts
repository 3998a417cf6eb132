import { gzipSync } from 'node:zlib';

/** A small true map, for tests: PMTiles version 3 with vector tiles of the Protomaps basemap's layers, or with pictures. */
export type MapWish = {
  /** Degrees. */
  bounds: { west: number; south: number; east: number; north: number };
  minZoom: number;
  maxZoom: number;
  /** A PNG that every tile is; vector tiles without it. */
  picture?: Uint8Array;
  /** Names of the vector layers; those a basemap has where nothing is said. */
  layers?: readonly string[];
  attribution?: string;
  /** Bytes that belong to no tile, so that a file is as large as real ones. */
  padding?: number;
};

type Tile = { id: number; bytes: Uint8Array };

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

/** A field of Protocol Buffers that has a length: words, messages, packed figures. */
const field = (number: number, bytes: readonly number[]): number[] => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const figure = (number: number, value: number): number[] => [...varint(number * 8), ...varint(value)];
const chars = (text: string): number[] => [...new TextEncoder().encode(text)];
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** Commands of a vector tile (2.1, chapter 4.3): to the first corner, on to the others, and closed where it is an area. */
function drawn(corners: readonly [number, number][], closed: boolean): number[] {
  let [x, y] = [0, 0];
  const step = ([nextX, nextY]: readonly [number, number]): number[] => {
    const moved = [zigzag(nextX - x), zigzag(nextY - y)];
    [x, y] = [nextX, nextY];
    return moved;
  };
  const [first, ...others] = corners.map(step);
  return [9, ...(first ?? []), others.length * 8 + 2, ...others.flat(), ...(closed ? [15] : [])];
}

const LINE = 2;
const AREA = 3;
const EXTENT = 4096;

function layer(name: string, kind: string, shape: { type: number; corners: readonly [number, number][] }): number[] {
  const commands = drawn(shape.corners, shape.type === AREA).flatMap(varint);
  const feature = [...field(2, [0, 0]), ...figure(3, shape.type), ...field(4, commands)];
  const value = field(1, chars(kind));
  return field(3, [
    ...figure(15, 2),
    ...field(1, chars(name)),
    ...field(2, feature),
    ...field(3, chars('kind')),
    ...field(4, value),
    ...figure(5, EXTENT),
  ]);
}

const WHOLE: readonly [number, number][] = [
  [0, 0],
  [EXTENT, 0],
  [EXTENT, EXTENT],
  [0, EXTENT],
];
const POND: readonly [number, number][] = [
  [600, 600],
  [1800, 600],
  [1800, 1800],
  [600, 1800],
];
const ROAD: readonly [number, number][] = [
  [0, 2048],
  [EXTENT, 2048],
];

const vectorTile = (): Uint8Array =>
  Uint8Array.from([
    ...layer('earth', 'earth', { type: AREA, corners: WHOLE }),
    ...layer('water', 'water', { type: AREA, corners: POND }),
    ...layer('roads', 'major_road', { type: LINE, corners: ROAD }),
  ]);

/** Where a tile stands on the Hilbert curve over all levels (PMTiles 3, chapter 4.1). */
function tileId(zoom: number, column: number, row: number): number {
  let [x, y, id] = [column, row, (4 ** zoom - 1) / 3];
  for (let side = 2 ** (zoom - 1); side >= 1; side /= 2) {
    const [right, below] = [(x & side) > 0 ? 1 : 0, (y & side) > 0 ? 1 : 0];
    id += side * side * ((3 * right) ^ below);
    if (below === 0) {
      if (right === 1) [x, y] = [side - 1 - (x & (side - 1)), side - 1 - (y & (side - 1))];
      [x, y] = [y, x];
    }
  }
  return id;
}

const columnOf = (lon: number, zoom: number): number => Math.floor(((lon + 180) / 360) * 2 ** zoom);
function rowOf(lat: number, zoom: number): number {
  const turn = (lat * Math.PI) / 180;
  return Math.floor(((1 - Math.asinh(Math.tan(turn)) / Math.PI) / 2) * 2 ** zoom);
}

function tilesOf({ bounds, minZoom, maxZoom, picture }: MapWish): Tile[] {
  const bytes = picture ?? new Uint8Array(gzipSync(vectorTile()));
  const tiles: Tile[] = [];
  for (let zoom = minZoom; zoom <= maxZoom; zoom += 1) {
    for (let x = columnOf(bounds.west, zoom); x <= columnOf(bounds.east, zoom); x += 1) {
      for (let y = rowOf(bounds.north, zoom); y <= rowOf(bounds.south, zoom); y += 1)
        tiles.push({ id: tileId(zoom, x, y), bytes });
    }
  }
  return tiles.toSorted((a, b) => a.id - b.id);
}

/** Entries column by column (PMTiles 3, chapter 4.2); all tiles of our maps are the same bytes, at the beginning. */
function directoryOf(tiles: readonly Tile[]): Uint8Array {
  const steps = tiles.map(({ id }, index) => id - (tiles[index - 1]?.id ?? 0));
  const figures = [
    tiles.length,
    ...steps,
    ...tiles.map(() => 1),
    ...tiles.map(tile => tile.bytes.length),
    ...tiles.map(() => 1),
  ];
  return Uint8Array.from(figures.flatMap(varint));
}

const HEADER = 127;
const NONE = 1;
const GZIP = 2;

/** Writes the map. The Hilbert curve, the directory and the tiles are those of the specification; nothing is taken from a library. */
export function pmtiles(wish: MapWish): Uint8Array<ArrayBuffer> {
  const tiles = tilesOf(wish);
  const root = directoryOf(tiles);
  const layers = (wish.layers ?? ['earth', 'water', 'roads']).map(id => ({ id, fields: { kind: 'String' } }));
  const words = { name: 'Test', attribution: wish.attribution ?? '', ...(!wish.picture && { vector_layers: layers }) };
  const metadata = new TextEncoder().encode(JSON.stringify(words));
  const data = tiles[0]?.bytes ?? new Uint8Array();
  const padding = wish.padding ?? 0;
  const at = { root: HEADER, metadata: HEADER + root.length, data: HEADER + root.length + metadata.length };
  const file = new Uint8Array(at.data + data.length + padding);
  const view = new DataView(file.buffer);
  const parts = [at.root, root.length, at.metadata, metadata.length, 0, 0, at.data, data.length + padding];
  file.set(chars('PMTiles'));
  file[7] = 3;
  parts.forEach((value, index) => view.setBigUint64(8 + index * 8, BigInt(value), true));
  [72, 80].forEach(place => view.setBigUint64(place, BigInt(tiles.length), true));
  view.setBigUint64(88, 1n, true);
  file.set([1, NONE, wish.picture ? NONE : GZIP, wish.picture ? 2 : 1, wish.minZoom, wish.maxZoom], 96);
  const { west, south, east, north } = wish.bounds;
  [west, south, east, north].forEach((value, index) => view.setInt32(102 + index * 4, Math.round(value * 1e7), true));
  file[118] = wish.minZoom;
  view.setInt32(119, Math.round(((west + east) / 2) * 1e7), true);
  view.setInt32(123, Math.round(((south + north) / 2) * 1e7), true);
  file.set(root, at.root);
  file.set(metadata, at.metadata);
  file.set(data, at.data);
  return file;
}
