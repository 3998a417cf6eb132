import { expect, test } from 'vitest';
import { requestPersistence } from './request-persistence.ts';

/** A browser's storage as far as it is asked; `asked` counts how often it was asked to keep the data. */
function storageThat(keeps: boolean, agrees: boolean) {
  const state = { asked: 0 };
  const storage = {
    persisted: async () => keeps,
    persist: async () => ((state.asked += 1), agrees),
    estimate: async () => ({ usage: 5_000_000, quota: 60_000_000 }),
  } as unknown as StorageManager;
  return { storage, state };
}

test('the browser is asked to keep the data, and what it says is what is said', async () => {
  const willing = storageThat(false, true);
  expect(await requestPersistence(willing.storage)).toEqual({ persisted: true, usage: 5_000_000, quota: 60_000_000 });
  const unwilling = storageThat(false, false);
  expect((await requestPersistence(unwilling.storage)).persisted).toBe(false);
  expect([willing.state.asked, unwilling.state.asked]).toEqual([1, 1]);
});

test('a browser that has promised is not asked again: some ask the person each time', async () => {
  const { storage, state } = storageThat(true, false);
  expect((await requestPersistence(storage)).persisted).toBe(true);
  expect(state.asked).toBe(0);
});

test('a browser that knows nothing of it promises nothing', async () => {
  const nothing = { persisted: false, usage: null, quota: null };
  expect(await requestPersistence({} as StorageManager)).toEqual(nothing);
});
