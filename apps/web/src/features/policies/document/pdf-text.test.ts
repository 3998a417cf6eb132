import { expect, test } from 'vitest';
import { paragraphsOf } from './pdf-text.ts';

const item = (str: string, y: number, hasEOL = false) => ({ str, hasEOL, height: 10, transform: [1, 0, 0, 1, 0, y] });

test('lines that stand close are one paragraph, a gap begins the next', () => {
  const pieces = [
    item('Isolate', 700),
    item(' every', 700, true),
    item('source.', 688, true),
    item('Try to start.', 640, true),
  ];
  expect(paragraphsOf(pieces)).toEqual(['Isolate every source.', 'Try to start.']);
});

test('a page without words has none', () => {
  expect(paragraphsOf([])).toEqual([]);
  expect(paragraphsOf([item(' ', 700, true)])).toEqual([]);
});
