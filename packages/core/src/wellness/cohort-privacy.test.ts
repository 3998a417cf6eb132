import { expect, test } from 'vitest';
import { COUNTED_PART, RELEASE_MU, rightAtMost, rightInLifeAtMost } from '@cairn/testing/cohort-formula.ts';
import { MAX_RELEASES, RIGHT_OF_100 } from './cohort-privacy.ts';

test('what a person reads of the doubt that stays is what the formula says, rounded up', () => {
  const rounded = (part: number): number => Math.ceil(part * 100);
  expect(RIGHT_OF_100).toEqual({
    one: rounded(rightAtMost(1)),
    twelveWeeks: rounded(rightAtMost(3)),
    year: rounded(rightAtMost(13)),
    life: rounded(rightInLifeAtMost()),
  });
});

test('without a release nobody knows more than by chance, and what adds up never passes the limit of a life', () => {
  expect(rightAtMost(0)).toBe(0.5);
  const parts = Array.from({ length: MAX_RELEASES }, (_, releases) => rightAtMost(releases));
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  expect(rightAtMost(MAX_RELEASES)).toBeLessThan(rightInLifeAtMost());
});

test('one release is the Gaussian mechanism of three sevenths, seen three times in four', () => {
  expect(RELEASE_MU).toBeCloseTo(3 / 7, 9);
  expect(rightAtMost(1)).toBeCloseTo(0.5 + COUNTED_PART * 0.08485, 4);
});
