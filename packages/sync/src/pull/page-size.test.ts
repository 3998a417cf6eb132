import { expect, test } from 'vitest';
import { PageSize } from './page-size.ts';

/** What is asked for after pages that came as told: ms until the head was here, ms until all was. */
function sizesAfter(pages: readonly [head: number | null, whole: number][], isBreaking = false): number[] {
  const size = new PageSize(isBreaking);
  return [size.limit, ...pages.map(([head, whole]) => (size.came(size.limit, whole, head), size.limit))];
}

test.each<[string, [number | null, number][], number[]]>([
  ['near the server', [[40, 44]], [2500, 5000]],
  ['a phone 150 ms away at 2 Mbit/s', [[250, 615]], [2500, 2569]],
  ['a satellite at 256 kbit/s: the least keeps the line full', [[700, 3575]], [2500, 2500]],
  [
    'a wait behind the page before is no wait of the line',
    [
      [250, 615],
      [900, 1278],
    ],
    [2500, 2569, 2549],
  ],
  [
    'what took too long',
    [
      [40, 44],
      [40, 8000],
      [40, 44],
    ],
    [2500, 5000, 1000, 5000],
  ],
  [
    'no head is told, quick',
    [
      [null, 300],
      [null, 7999],
    ],
    [2500, 5000, 5000],
  ],
  ['no head is told, slow', [[null, 8000]], [2500, 1000]],
  [
    'a clock that stood still',
    [
      [0, 0],
      [50, 100],
    ],
    [2500, 3750, 2500],
  ],
  [
    'a page without a head behind one with',
    [
      [0, 0],
      [null, 50],
    ],
    [2500, 3750, 5000],
  ],
])('as much is asked for as the line carries meanwhile: %s', (_, pages, limits) => {
  expect(sizesAfter(pages)).toEqual(limits);
});

test('where the line has just broken less is asked for, one page at a time, until one came', () => {
  expect(new PageSize(true).isSlow).toBe(true);
  expect(sizesAfter([[700, 1850]], true)).toEqual([1000, 2500]);
  expect(sizesAfter([[700, 9000]], true)).toEqual([1000, 1000]);
});

test('what is too large is halved down to a single change, and grows again with each page that came', () => {
  const size = new PageSize(true);
  const refused = () => {
    const isLess = size.tooLarge(size.limit);
    return isLess ? size.limit : null;
  };
  const limits = [size.limit];
  for (let limit = refused(); limit !== null; limit = refused()) limits.push(limit);
  expect(limits).toEqual([1000, 500, 250, 125, 62, 31, 15, 7, 3, 1]);
  const came = Array.from({ length: 4 }, () => (size.came(size.limit, 44, 40), size.limit));
  expect(came).toEqual([2, 4, 8, 16]);
});
