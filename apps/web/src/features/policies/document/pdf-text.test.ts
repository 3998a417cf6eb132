import { expect, test } from 'vitest';
import { paragraphsOf } from './pdf-text.ts';

const piece = (str: string, y: number, hasEOL = false) => ({ str, hasEOL, height: 10, transform: [1, 0, 0, 1, 0, y] });

test('lines that stand close are one paragraph, a gap begins the next', () => {
  const pieces = [
    piece('Isolate', 700),
    piece(' every', 700, true),
    piece('source.', 688, true),
    piece('Try to start.', 640, true),
  ];
  expect(paragraphsOf(pieces)).toEqual(['Isolate every source.', 'Try to start.']);
});

test('a page without words has none', () => {
  expect(paragraphsOf([])).toEqual([]);
  expect(paragraphsOf([piece(' ', 700, true)])).toEqual([]);
});
