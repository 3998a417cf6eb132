import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metresBetween } from '@cairn/base/globe.ts';
import { nearest, positionOf } from './nearby.ts';
import type { Asset } from './queries.ts';

const asset = (id: string, latitude: number | null, longitude: number | null) => ({ id, latitude, longitude }) as Asset;
const anyPlace = fc.record({
  lat: fc.double({ min: -89, max: 89, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});

test('the nearest come first, across the date line too; what nobody measured and what is far is left out', () => {
  const found = nearest(
    [asset('far', 10, 179), asset('east', 0, -179.999), asset('none', null, null), asset('west', 0, 179.9995)],
    { lat: 0, lon: 180 },
    { within: 5000, most: 10 },
  );
  expect(found.map(({ asset: { id } }) => id)).toEqual(['west', 'east']);
  expect(found[1]?.metres).toBeCloseTo(111.3, 0);
});

test('a list is never longer than asked for, never farther, and in order', () => {
  fc.assert(
    fc.property(fc.array(anyPlace), anyPlace, fc.nat(20_000_000), fc.nat(10), (places, here, within, most) => {
      const found = nearest(
        places.map(({ lat, lon }, index) => asset(String(index), lat, lon)),
        here,
        { within, most },
      );
      expect(found.length).toBeLessThanOrEqual(most);
      for (const { asset: each, metres } of found) {
        const at = positionOf(each);
        expect(at && metresBetween(here, at)).toBe(metres);
        expect(metres).toBeLessThanOrEqual(within);
      }
      expect(found.map(({ metres }) => metres)).toEqual(found.map(({ metres }) => metres).toSorted((a, b) => a - b));
    }),
  );
});
