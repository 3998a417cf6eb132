import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseNumber } from './parse-number.ts';

describe('a number as people write it', () => {
  test.each([
    ['12,5', 'de', 12.5],
    ['12.5', 'de', 12.5],
    ['1.234', 'de', 1234],
    ['1,234', 'en', 1234],
    ['1,234', 'de', 1.234],
    ['1.234,5', 'en', 1234.5],
    ['1,234.5', 'de', 1234.5],
    ['1.234.567', 'en', 1_234_567],
    ["1'234.5", 'de-CH', 1234.5],
    ['1 234,5', 'fr', 1234.5],
    ['−3', 'en', -3],
    ['', 'en', null],
    ['  ', 'en', null],
  ])('%j in %s is %j', (text, locale, number) => {
    expect(parseNumber(text, locale)).toBe(number);
  });

  test.each(['abc', '1,2,3.4.5', '-', '.', '12 bar', '1e5'])('%j is no number', text => {
    expect(parseNumber(text, 'en')).toBeUndefined();
  });

  test('reads back whatever the languages write', () => {
    const written = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map(whole => whole / 100);
    fc.assert(
      fc.property(
        written,
        fc.constantFrom('en-GB', 'de', 'fr', 'de-CH'),
        fc.boolean(),
        (number, locale, useGrouping) => {
          const text = new Intl.NumberFormat(locale, { useGrouping, maximumFractionDigits: 2 }).format(number);
          expect(parseNumber(text, locale)).toBeCloseTo(number, 6);
        },
      ),
    );
  });
});
