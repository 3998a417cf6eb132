import { expect, test } from 'vitest';
import { addRow, bucketOf, emptySum, onWire, rowHash } from './row-hash.ts';

const id = '0192f1c4-7a3b-4c5d-8e9f-0a1b2c3d4e5f';

test('a sum does not know the order of its rows, and a row taken twice is no row', () => {
  const sum = (...rows: [string, number][]) => {
    const all = emptySum();
    for (const row of rows) addRow(all, ...row);
    return onWire(all);
  };
  const other = '0192f1c4-7a3b-4c5d-8e9f-0a1b2c3d4e60';
  expect(sum([id, 1], [other, 2])).toEqual(sum([other, 2], [id, 1]));
  expect(sum([id, 1], [other, 2])).not.toEqual(sum([id, 2], [other, 1]));
  expect(sum([id, 1])).not.toEqual(sum([id, 2]));
});

test('a bucket is the last byte of the id', () => {
  expect(bucketOf(id)).toBe(0x5f);
});

test('a version beyond 32 bits counts whole', () => {
  expect(rowHash(id, 2 ** 32 + 1)).not.toEqual(rowHash(id, 1));
});
