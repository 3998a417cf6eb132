import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import { firstAddress } from './first-address.ts';

const me = '00000000-0000-4000-8000-000000000003';
const quiet: SyncStatus = {
  online: true,
  offlineByChoice: false,
  phase: 'idle',
  pendingItems: 0,
  pendingReports: 0,
  pendingFiles: 0,
  failed: 0,
  conflicts: 0,
  lockedOutbox: false,
  oldestPendingAt: null,
  lastPullAt: null,
  firstPull: true,
};

/** An engine as far as the first address asks it. */
function engineWith(saved: boolean, ...statuses: Partial<SyncStatus>[]) {
  const store = memoryStore(saved ? { user_preferences: [{ id: me, user_id: me }] } : {}, me);
  const listeners = new Set<(status: SyncStatus) => void>();
  const watchStatus = (listener: (status: SyncStatus) => void) => {
    listeners.add(listener);
    for (const status of statuses) listener({ ...quiet, ...status });
    return () => listeners.delete(listener);
  };
  return { engine: { store, watchStatus } as unknown as SyncEngine, listeners };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('R2.24 who never saved preferences is led to /welcome, once the server was heard', async () => {
  const { engine, listeners } = engineWith(false, {}, { firstPull: false });
  expect(await firstAddress(engine)).toBe('/welcome');
  expect(listeners.size).toBe(0);
});

test('R2.24 saved preferences lead to the dashboard at once', async () => {
  expect(await firstAddress(engineWith(true).engine)).toBe('/dashboard');
});

test('R2.24 a device that cannot know leads to the dashboard: with no signal at once, with a slow one after 3 s', async () => {
  expect(await firstAddress(engineWith(false, { online: false }).engine)).toBe('/dashboard');
  const slow = firstAddress(engineWith(false, {}).engine);
  await vi.advanceTimersByTimeAsync(3000);
  expect(await slow).toBe('/dashboard');
});
