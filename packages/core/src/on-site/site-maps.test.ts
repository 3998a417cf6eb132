import { pmtiles } from '@cairn/testing/pmtiles-builder.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAP_HEADER_BYTES, MAX_MAP_BYTES, readMapHeader } from './map-header.ts';
import { mapFor, plainAttribution } from './site-maps.ts';

const HAMBURG = { west: 9.97, south: 53.53, east: 10.02, north: 53.57 };
const map = () => pmtiles({ bounds: HAMBURG, minZoom: 10, maxZoom: 15 });
const judged = (bytes: Uint8Array, size = bytes.length) => readMapHeader(bytes.subarray(0, MAP_HEADER_BYTES), size);
const changed = (at: number, ...values: number[]) => {
  const bytes = map();
  bytes.set(values, at);
  return judged(bytes);
};

describe('the header of a map', () => {
  test('says what its tiles are, where on earth they lie and how deep they go', () => {
    expect(judged(map())).toEqual({ header: { ...HAMBURG, tiles: 'vector', minZoom: 10, maxZoom: 15 } });
    const picture = pmtiles({ bounds: HAMBURG, minZoom: 12, maxZoom: 12, picture: new Uint8Array([1]) });
    expect(judged(picture)).toMatchObject({ header: { tiles: 'image' } });
  });

  test.each([
    ['another file', () => judged(new TextEncoder().encode('<svg onload=alert(1)>'.padEnd(200))), 'not_a_map'],
    ['nothing', () => judged(new Uint8Array()), 'not_a_map'],
    ['the name alone', () => judged(map().subarray(0, 40)), 'not_a_map'],
    ['an older version', () => changed(7, 2), 'old_version'],
    ['tiles nobody knows', () => changed(99, 9), 'unknown_tiles'],
    ['Brotli', () => changed(98, 3), 'unknown_packing'],
    ['half of a file', () => judged(map(), map().length / 2), 'cut_off'],
    ['parts beyond all numbers', () => changed(8, ...Array.from({ length: 16 }, () => 255)), 'cut_off'],
    ['an empty directory', () => changed(16, 0, 0, 0, 0, 0, 0, 0, 0), 'no_tiles'],
    ['west of the earth', () => changed(102, 0, 0, 0, 128), 'no_place'],
    ['zoom upside down', () => changed(100, 14, 3), 'no_place'],
    ['zoom without end', () => changed(101, 99), 'no_place'],
    ['more than a phone should fetch', () => judged(map(), MAX_MAP_BYTES + 1), 'too_large'],
  ])('%s is no map: %s', (_, judge, problem) => {
    expect(judge()).toEqual({ problem });
  });

  test('whatever bytes come, it is judged and never thrown at', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 140 }), fc.nat(), (noise, size) => {
        const bytes = map().slice(0, MAP_HEADER_BYTES);
        bytes.set(noise.subarray(0, 119), 8);
        expect(Object.keys(readMapHeader(bytes, size))).toHaveLength(1);
      }),
    );
  });
});

describe('the map for places', () => {
  const city = { id: 'city', ...HAMBURG };
  const yard = { id: 'yard', west: 9.99, south: 53.55, east: 9.995, north: 53.555 };

  test('is the one that holds most of them, then the closest-fitting', () => {
    const inYard = { lat: 53.552, lon: 9.992 };
    const inCity = { lat: 53.535, lon: 9.98 };
    expect(mapFor([city, yard], [inYard])?.id).toBe('yard');
    expect(mapFor([yard, city], [inYard, inCity])?.id).toBe('city');
  });

  test('is none where no map holds any', () => {
    expect(mapFor([city, yard], [{ lat: 0, lon: 0 }])).toBeUndefined();
    expect(mapFor([city], [])).toBeUndefined();
  });
});

test('whom to name beside a map is text, whatever the map says', () => {
  expect(plainAttribution('<a href="https://osm.org">&copy; OpenStreetMap</a> & <script>alert(1)</script>')).toBe(
    '© OpenStreetMap & alert(1)',
  );
  expect(plainAttribution({ html: '<b>' })).toBe('');
  fc.assert(fc.property(fc.string(), words => !/[<>]/.test(plainAttribution(words))));
});
