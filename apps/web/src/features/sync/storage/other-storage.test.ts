import { expect, test } from 'vitest';
import { otherStorage } from './other-storage.ts';

const says = (estimate: object) => ({ estimate: async () => estimate });

/** A cache with files of these sizes. */
function holding(...sizes: number[]): CacheStorage {
  const cache = { matchAll: async () => sizes.map(size => new Response(new Uint8Array(size))) };
  return { keys: async () => ['precache'], open: async () => cache } as unknown as CacheStorage;
}

test('where the browser says what of it is which, the app is what its caches and its worker take', async () => {
  const storage = says({ usage: 24_000, usageDetails: { caches: 9000, serviceWorkerRegistrations: 1000 } });
  expect(await otherStorage(800, { storage, caches: holding(1) })).toEqual({ app: 10_000, rest: 13_200 });
});

test('where it does not, the files are weighed', async () => {
  expect(await otherStorage(800, { storage: says({ usage: 5000 }), caches: holding(300, 700) })).toEqual({
    app: 1000,
    rest: 3200,
  });
});

test('where it says nothing at all, nothing is made up', async () => {
  expect(await otherStorage(800, { storage: undefined, caches: undefined })).toEqual({ app: 0, rest: 0 });
});
