import { expect, test } from 'vitest';
import { counts, expiryOf } from './evidence-states.ts';

test('evidence still holds on its last day, and no longer the day after', () => {
  const evidence = { state: 'accepted', expires_on: '2026-11-28' } as Parameters<typeof counts>[0];
  expect(expiryOf(evidence, '2026-11-28')).toEqual({ kind: 'soon', days: 0 });
  expect(counts(evidence, '2026-11-28')).toBe(true);
  expect(counts(evidence, '2026-11-29')).toBe(false);
});
