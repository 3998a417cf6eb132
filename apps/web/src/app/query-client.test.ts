import { expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';

test('R9.20 queries are stale after 5 min, collected after 10, tried again once, not refetched on focus', () => {
  expect(createQueryClient().getDefaultOptions().queries).toEqual({
    staleTime: 300_000,
    gcTime: 600_000,
    retry: 1,
    refetchOnWindowFocus: false,
  });
});
