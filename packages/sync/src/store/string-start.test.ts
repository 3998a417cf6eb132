import { newId } from '@cairn/base/id.ts';
import type { TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringStart } from './string-start.ts';

/** Names of keys any table has; each table is tried with all of them, so that new keys do not meet either. */
const KEYS = [
  'status',
  'source',
  'whose',
  'created',
  'closed',
  'organization',
  'user',
  'subject',
  'policy',
  'due',
  'time',
];

const starts = (owner: string): string[] =>
  (Object.keys(syncedTables) as TableName[]).flatMap(table => KEYS.map(key => stringStart(owner, table, key)));

test('no two tables or keys of forty people on one device begin their strings alike', () => {
  const all = Array.from({ length: 40 }, () => starts(newId())).flat();
  expect(new Set(all).size).toBe(all.length);
});

test('a start is nine letters whatever it is of, and follows from the three', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (owner, table, key) => {
      expect(stringStart(owner, table, key)).toMatch(/^![\w-]{8}$/);
    }),
  );
  // Copies on devices hold these: other letters would need another mark.
  expect(stringStart('00000000-0000-4000-8000-0000000000b1', 'tasks', 'due')).toBe('!lKF3I3Yy');
});
