import { expect, test } from 'vitest';
import { isBottomless } from './json-bounds.ts';

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
