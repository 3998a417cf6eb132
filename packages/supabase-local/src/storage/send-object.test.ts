import { expect, test } from 'vitest';
import { rangeOf } from './send-object.ts';

test('no range leaves the object', () => {
  for (const header of ['bytes=0-', 'bytes=-1', 'bytes=0-0', 'bytes=-0', 'bytes=5-'])
    expect(rangeOf(header, 0)).toBe('beyond');
  expect(rangeOf('bytes=-99', 5)).toEqual({ start: 0, end: 4 });
  expect(rangeOf('bytes=999999999999999999-', 5)).toBeNull();
});
