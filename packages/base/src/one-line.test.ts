import { expect, test } from 'vitest';
import { MAX_NAME_LENGTH, oneLine } from './one-line.ts';

test('a name is one line: breaks, tabs and runs of spaces of any kind become one space', () => {
  expect(oneLine(' Sam\r\n Reed\u2028\u2029\u0085\t\u3000Jr \u00a0')).toBe('Sam Reed Jr');
});

test('what turns the direction, hides or has no mark is gone; letters of every language stay', () => {
  expect(oneLine('Eve\u202e kcaJ\u2066\u200b\u200f\ufeff\u0007')).toBe('Eve kcaJ');
  expect(oneLine('\u{e0041}\u3164\u2800\ufe0f\u2060')).toBe('');
  for (const name of ['Zoë Müller-Lüdenscheid', '王小明', 'محمد', 'Nguyễn Thị Ánh', '👩🚒 Ada'])
    expect(oneLine(name)).toBe(name);
});

test('marks do not pile up, and no name is longer than its bound, in code points', () => {
  expect(oneLine(`Z${'\u0301'.repeat(30)}oe`)).toBe(`Z${'\u0301'.repeat(4)}oe`);
  expect(Array.from(oneLine('😀'.repeat(500)))).toHaveLength(MAX_NAME_LENGTH);
  expect(oneLine('abc def', 4)).toBe('abc');
  expect(oneLine('a\ud800b')).toBe('a\ufffdb');
});
