import { describe, expect, test } from 'vitest';
import { compareCodes, compareNames } from './order.ts';

/** All texts of up to three of these signs. */
const SIGNS = ['a', 'A', 'b', 'Z', '0', '9', ' '];
const longer = (texts: string[]): string[] => texts.flatMap(text => SIGNS.map(sign => text + sign));
const TEXTS = ['', ...SIGNS, ...longer(SIGNS), ...longer(longer(SIGNS))];

describe('the order of names', () => {
  test.each(['en', 'de'])('of plain ones it is that of the collator for %s, in every pair', language => {
    const collator = new Intl.Collator(language);
    const wrong = TEXTS.flatMap(a =>
      TEXTS.filter(b => Math.sign(compareNames(a, b)) !== Math.sign(collator.compare(a, b))).map(b => [a, b]),
    );
    expect(wrong).toEqual([]);
  });

  test('others are put where a reader looks for them', () => {
    const names = ['Zinc', 'Ärger', 'Bolt-on', 'anker', 'Bolt 9'];
    expect(names.toSorted(compareNames)).toEqual(names.toSorted(new Intl.Collator().compare));
  });

  test('codes are ordered by their letters alone', () => {
    expect(['b', 'B', 'a10', 'a9', 'ä'].toSorted(compareCodes)).toEqual(['B', 'a10', 'a9', 'b', 'ä']);
  });
});
