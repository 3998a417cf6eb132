import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metresBetween } from '@cairn/base/globe.ts';
import { placePlan } from './place-plan.ts';

const paper = { width: 300, height: 200 };
/** Corners of a yard: nobody walks around the Earth. */
const anyWay = fc
  .record({
    lat: fc.double({ min: -70, max: 70, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
    steps: fc.array(
      fc.record({
        north: fc.double({ min: -0.01, max: 0.01, noNaN: true }),
        east: fc.double({ min: -0.01, max: 0.01, noNaN: true }),
      }),
      { minLength: 1, maxLength: 20 },
    ),
  })
  .map(({ lat, lon, steps }) => steps.map(({ north, east }) => ({ lat: lat + north, lon: lon + east })));

test('every place is on the paper, and distances on it are those on the ground', () => {
  fc.assert(
    fc.property(anyWay, places => {
      const { spots, grid, gridMetres } = placePlan(places, paper);
      for (const { x, y } of spots) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(paper.width);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(paper.height);
      }
      const [a, b] = [places[0], places.at(-1)];
      const [from, to] = [spots[0], spots.at(-1)];
      if (!a || !b || !from || !to) return;
      const drawn = (Math.hypot(to.x - from.x, to.y - from.y) * gridMetres) / grid;
      expect(Math.abs(drawn - metresBetween(a, b))).toBeLessThan(1 + metresBetween(a, b) * 0.002);
    }),
  );
});

test('north is up, east is right, also across the date line', () => {
  const { spots } = placePlan(
    [
      { lat: 0, lon: 179.999 },
      { lat: 0.001, lon: -179.999 },
    ],
    paper,
  );
  expect(spots[1]?.x).toBeGreaterThan(spots[0]?.x ?? Number.NaN);
  expect(spots[1]?.y).toBeLessThan(spots[0]?.y ?? Number.NaN);
});

test('one place stands in the middle, on squares of a few metres', () => {
  const { spots, gridMetres } = placePlan([{ lat: 48.4, lon: 10.2 }], paper);
  expect(spots).toEqual([{ x: 150, y: 100 }]);
  expect(gridMetres).toBe(2);
});
