import { expect, test } from 'vitest';
import { isBottomless, jsonFault } from './json-bounds.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ['64 levels', nested(64)],
  ['objects and lists together', '{"a":['.repeat(32) + ']}'.repeat(32)],
  ['brackets in texts', JSON.stringify(['['.repeat(500), '"[[', '\\', '{'.repeat(500)])],
  ['many side by side', `[${'[],'.repeat(1000)}1]`],
  ['a text without an end', `"${'['.repeat(500)}`],
  ['nothing', ''],
])('%s have a bottom', (_, text) => expect(isBottomless(bytes(text))).toBe(false));

test.each([
  ['65 levels', nested(65)],
  ['65 levels of objects', '{"a":'.repeat(65)],
  ['what never closes', '['.repeat(100_000)],
  ['levels behind a text that ends in an escape', `["\\\\",${nested(65)}]`],
  ['more brackets than anybody has', `[${'[],'.repeat(300_000)}1]`],
])('%s have none', (_, text) => expect(isBottomless(bytes(text))).toBe(true));

test.each([
  ['the largest and the smallest of JavaScript', JSON.stringify([Number.MAX_VALUE, Number.MIN_VALUE, -1e-300])],
  ['an exponent in a text', '["1e9000", "2E+9000"]'],
  ['words with an e', '[true,false]'],
  ['a thousand with exponents', `[${'1e300,'.repeat(1000)}1]`],
])('%s are no fault', (_, text) => expect(jsonFault(bytes(text))).toBeNull());

test.each([
  ['a number of 401 digits', '[1e401]'],
  ['one of so many behind the point', '{"a":-1.5E-401}'],
  ['one with a sign and zeros before its exponent', '[1e+000401]'],
  ['more digits in all than anybody has', `[${'1e400,'.repeat(25_001)}1]`],
])('%s are too long', (_, text) => expect(jsonFault(bytes(text))).toBe('numbers'));
