import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '@cairn/base/id.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { openChanges } from './store/changes.ts';
import { openDatabase } from './store/database.ts';
import { openStore } from './store/local-store.ts';
import type { Query } from './store.ts';
import { lastSeen, LINGER, watchTogether } from './use-live.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function device() {
  const { clock, openChannel } = virtualPlatform();
  const owner = newId();
  const changes = openChanges(openChannel('test'), owner);
  const store = openStore({ db: await openDatabase(newId()), owner, device: 'device', clock, changes });
  const add = (name: string) =>
    store.write('add', tx => tx.put('sites', { id: newId(), organization_id: owner, name }));
  return { store, add };
}

const names = (lingers: boolean): Query<string[]> => ({
  key: 'names',
  tables: ['sites'],
  ...(lingers && { lingers }),
  read: async tx => (await tx.all('sites')).map(({ name }) => name).toSorted(),
});

const seen = (store: Awaited<ReturnType<typeof device>>['store']) => lastSeen<string[]>(store, 'names');

test.each([
  { lingers: true, later: { answer: ['Depot', 'Quay'] } },
  { lingers: false, later: null },
])('who comes back finds what lingers ($lingers), and finds it fresh', async ({ lingers, later }) => {
  const { store, add } = await device();
  await add('Depot');
  const leave = watchTogether(store, names(lingers), () => undefined);
  await expect.poll(() => seen(store)).toMatchObject({ answer: ['Depot'] });
  leave();
  await add('Quay');
  await expect.poll(() => seen(store)).toEqual(later && { key: 'names', ...later });
});

test('it ends after its time with nobody there, not under who came back', async () => {
  const { store } = await device();
  const leave = watchTogether(store, names(true), () => undefined);
  await expect.poll(() => seen(store)).toMatchObject({ answer: [] });
  leave();
  vi.advanceTimersByTime(LINGER - 1);
  const leaveAgain = watchTogether(store, names(true), () => undefined);
  vi.advanceTimersByTime(LINGER * 2);
  expect(seen(store)).not.toBeNull();
  leaveAgain();
  vi.advanceTimersByTime(LINGER);
  expect(seen(store)).toBeNull();
});
