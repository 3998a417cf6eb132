import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patternSize, readPattern } from './expression-pattern.ts';

const matches = (pattern: string, text: string): boolean => readPattern(pattern).matches(text);
const isChecked = (pattern: string): boolean => readPattern(pattern).isChecked;

describe('a pattern', () => {
  test.each(['(a+)+b', '(a|aa)+b', '(a|a)*b', '([a-z]+)*[0-9]', '(.*a){20}b', '(a?){40}a{40}b'])(
    '%s takes no longer than its text is long',
    pattern => {
      expect(matches(pattern, 'a'.repeat(40))).toBe(false);
      expect(matches(pattern, 'a'.repeat(20_000))).toBe(false);
    },
  );

  test('means what it means to the engine of the browser', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '[ab]',
      '[^a]',
      '.',
      '\\d',
      '\\w',
      '\\s',
      '\\.',
      '(?:ab|b)',
      '(a)',
      '1',
      '-',
    );
    const times = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{2,}', '*?');
    const fragment = fc.tuple(atom, times).map(parts => parts.join(''));
    const sequence = fc.array(fragment, { maxLength: 4 }).map(parts => parts.join(''));
    const whole = fc.array(sequence, { minLength: 1, maxLength: 3 }).map(parts => parts.join('|'));
    const ahead = fc.tuple(fc.constantFrom('(?=', '(?!', '^(?='), sequence, sequence);
    const patterns = fc.oneof(
      whole,
      ahead.map(([open, inside, rest]) => `${open}${inside})${rest}`),
    );
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '.', ' ', '\n'), maxLength: 6 });
    fc.assert(
      fc.property(patterns, text, (pattern, given) => {
        expect(isChecked(pattern)).toBe(true);
        expect(matches(pattern, given)).toBe(new RegExp(`^(?:${pattern})$`).test(given));
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, string, boolean]>([
    ['[äöü]+', 'öä', true],
    ['\\p{L}{2}', 'äß', true],
    ['\\u00e4', 'ä', true],
    ['^[A-Z]{2}-\\d{4}$', 'AB-1234', true],
    ['(?<year>\\d{4})', '2026', true],
    ['(?i)abc', 'aBC', true],
    ['(?=.*[A-Z])(?=.*\\d).{4,}', 'abC1', true],
    ['(?=.*[A-Z])(?=.*\\d).{4,}', 'abc1', false],
    ['^(?!0+$)\\d+$', '000', false],
    ['^(?!0+$)\\d+$', '010', true],
    ['(?=[)]a|[^)])..', 'xa', true],
    ['(?=\\)).*', ')', true],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(isChecked(pattern)).toBe(true);
    expect(matches(pattern, text)).toBe(expected);
  });

  test.each([
    '(a)\\1',
    'a(?=b)b',
    '(?<=a)b',
    '(?=a)b|c',
    '((?=a)a)+',
    'a{1,2000}',
    '(a{1000}){1000}',
    '(?:(?:x{30}){30}y){30}'.repeat(20),
    'x{1000}'.repeat(60),
  ])('that needs more than linear time, or too much room, is not checked: %s', pattern => {
    expect(isChecked(pattern)).toBe(false);
    expect(matches(pattern, 'anything')).toBe(true);
  });

  test.each(['[', '(', 'a**', '(?=', '\\'])('that is none is refused: %s', pattern => {
    expect(() => readPattern(pattern)).toThrow(`"${pattern}" is not a valid pattern`);
  });

  test('is not tried on a text too long for it, which does not match', () => {
    expect(matches('a*', 'a'.repeat(100_000))).toBe(true);
    expect(matches('a{0,1000}.*', 'a'.repeat(100_000))).toBe(false);
  });

  const outcome = (pattern: string): unknown => {
    try {
      return matches(pattern, 'a1');
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };

  test('no text makes it fail in any other way', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a(?=!<:)[]^-\\d{1,}|*+$.é'.split('')) }), pattern => {
        expect([true, false, `"${pattern}" is not a valid pattern`]).toContain(outcome(pattern));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the size of a pattern is reckoned from its text', () => {
  const atom = fc.constantFrom('a', '.', '\\d', '[a-z]', '\\p{L}', '(?:ab|c)', '(x)');
  const times = fc.constantFrom('', '*', '+', '?', '{3}', '{2,5}', '{0,9}', '{4,}');
  const part = fc.tuple(atom, times).map(([what, often]) => what + often);
  const nested = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 5 }), times)
    .map(([all, often]) => `(${all.join('')})${often}`);

  test('and is never far below what the machine then has', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(part, nested), { minLength: 1, maxLength: 6 }), parts => {
        const pattern = parts.join('');
        const { steps } = readPattern(pattern);
        expect(steps).toBeLessThanOrEqual(2 * patternSize(pattern) + 20);
      }),
    );
  });

  test('a short text that would become a huge one is not read at all, and hundreds of large ones not before they are needed', () => {
    const began = performance.now();
    for (let n = 0; n < 100; n += 1) {
      expect(readPattern(`${n}${'a{1000}'.repeat(100)}`).isChecked).toBe(false);
      expect(readPattern(`${n}${'a{1000}'.repeat(4)}`).isChecked).toBe(true);
      expect(readPattern(`^(?=.*\\d)${n}${'a{1000}'.repeat(4)}`).isChecked).toBe(true);
      expect(readPattern(`${n}(?=.)${'a{1000}'.repeat(4)}`).isChecked).toBe(false);
    }
    expect(performance.now() - began).toBeLessThan(1000);
    const { matches, firstSteps } = readPattern('(?:[a-z]{40}-){5}');
    expect(firstSteps).toBeGreaterThan(10_000);
    expect([matches(`${'q'.repeat(40)}-`.repeat(5)), matches('q')]).toEqual([true, false]);
  });
});
