import { expect, test } from 'vitest';
import { PageSize } from './page-size.ts';

/** What is asked for after pages that came as told: ms until the head was here, ms until all was. */
function sizesAfter(pages: readonly [head: number | null, whole: number][]): number[] {
  const size = new PageSize();
  return [size.limit, ...pages.map(([head, whole]) => (size.came(size.limit, whole, head), size.limit))];
}

test.each<[string, [number | null, number][], number[]]>([
  ['near the server', [[40, 44]], [1000, 5000]],
  ['a phone 150 ms away at 2 Mbit/s', [[250, 395]], [1000, 2587]],
  ['a satellite at 256 kbit/s: small pages keep the line full', [[700, 1850]], [1000, 1000]],
  [
    'a wait behind the page before is no wait of the line',
    [
      [250, 395],
      [900, 1278],
    ],
    [1000, 2587, 2567],
  ],
  [
    'what took too long',
    [
      [40, 44],
      [40, 4100],
      [40, 44],
    ],
    [1000, 5000, 1000, 5000],
  ],
  [
    'no head is told, quick',
    [
      [null, 300],
      [null, 3999],
    ],
    [1000, 5000, 5000],
  ],
  ['no head is told, slow', [[null, 4000]], [1000, 1000]],
  [
    'a clock that stood still',
    [
      [0, 0],
      [50, 100],
    ],
    [1000, 1500, 1000],
  ],
  [
    'a page without a head behind one with',
    [
      [0, 0],
      [null, 50],
    ],
    [1000, 1500, 5000],
  ],
])('as much is asked for as the line carries meanwhile: %s', (_, pages, limits) => {
  expect(sizesAfter(pages)).toEqual(limits);
});
