import { pmtiles, type MapWish } from '@cairn/testing/pmtiles-builder.ts';
import { PMTiles, type Source } from 'pmtiles';
import { expect, test } from 'vitest';
import { readMapFile } from './read-map-file.ts';

const HAMBURG = { west: 9.97, south: 53.53, east: 10.02, north: 53.57 };
const wish = (more: Partial<MapWish> = {}): MapWish => ({ bounds: HAMBURG, minZoom: 10, maxZoom: 14, ...more });
const fileOf = (bytes: Uint8Array<ArrayBuffer>, name = 'yard.pmtiles') => new File([bytes], name);

test('a map is read with its place, its hash and whom to name; the library finds its tiles where we wrote them', async () => {
  const bytes = pmtiles(wish({ attribution: '<b>&copy; OpenStreetMap</b>' }));
  const read = await readMapFile(fileOf(bytes));
  expect(read).toMatchObject({
    map: {
      ...HAMBURG,
      tiles: 'vector',
      minZoom: 10,
      maxZoom: 14,
      attribution: '© OpenStreetMap',
      fileName: 'yard.pmtiles',
    },
  });
  const source: Source = {
    getKey: () => 'yard',
    getBytes: async (offset, length) => ({ data: bytes.buffer.slice(offset, offset + length) }),
  };
  const map = new PMTiles(source);
  // 53.551° N, 9.994° E, reckoned by the usual formula of web maps.
  const tile = await map.getZxy(14, 8646, 5296);
  expect(tile?.data.byteLength).toBeGreaterThan(100);
  expect(await map.getZxy(14, 0, 0)).toBeUndefined();
});

test.each([
  ['a picture', () => fileOf(new Uint8Array([0x89, 0x50, 0x4e, 0x47]), 'plan.pmtiles'), 'not_a_map'],
  ['a map with layers of another kind', () => fileOf(pmtiles(wish({ layers: ['cadastre'] }))), 'unknown_layers'],
  [
    'a header over noise',
    () => {
      const bytes = pmtiles(wish());
      bytes.fill(0xff, 127);
      return fileOf(bytes);
    },
    'cut_off',
  ],
])('%s is refused before anything is sent', async (_, file, problem) => {
  expect(await readMapFile(file())).toEqual({ problem });
});
