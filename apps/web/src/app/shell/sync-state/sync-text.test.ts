import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import type { SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import sync from '../../../shared/i18n/en/sync.json';
import { badgeOf, stripText } from './sync-text.ts';

const i18n = createInstance();
await i18n.init({ lng: 'en', resources: { en: { sync } } });
const t = i18n.getFixedT('en', 'sync');

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
  lastPullAt: 1,
  firstPull: false,
};

describe('the sync badge', () => {
  test.each<[Partial<SyncStatus>, string, string]>([
    [{}, 'idle', 'Up to date'],
    [{ pendingItems: 1 }, 'waiting', '1 waiting'],
    [{ pendingItems: 2, pendingFiles: 1 }, 'waiting', '3 waiting'],
    [{ online: false }, 'offline', 'Offline'],
    [{ online: false, pendingItems: 3, pendingFiles: 2 }, 'offline', 'Offline · 5'],
    [{ conflicts: 1, pendingItems: 4 }, 'conflict', '1 conflict'],
    [{ failed: 1, conflicts: 2, online: false }, 'failed', '1 failed'],
  ])('%j says %s: %s', (change, state, label) => {
    expect(badgeOf({ ...quiet, ...change }, t)).toEqual({ state, label });
  });
});

test('nothing is claimed before it is counted', () => {
  expect(badgeOf(null, t)).toEqual({ state: 'unknown', label: 'Checking' });
});

describe('the offline strip', () => {
  test.each([
    [3, 2, 'Offline: 3 items and 2 photos waiting on this device'],
    [1, 0, 'Offline: 1 item waiting on this device'],
    [0, 2, 'Offline: 2 photos waiting on this device'],
    [0, 0, 'Offline: your work is saved on this device'],
  ])('%i items and %i files', (pendingItems, pendingFiles, text) => {
    expect(stripText({ ...quiet, online: false, pendingItems, pendingFiles }, t)).toBe(text);
  });

  test('names reports where nothing else waits', () => {
    const waiting = { ...quiet, online: false, pendingItems: 1, pendingFiles: 1 };
    expect(stripText({ ...waiting, pendingReports: 1 }, t)).toBe(
      'Offline: 1 report and 1 photo waiting on this device',
    );
    expect(stripText({ ...waiting, pendingItems: 2, pendingReports: 1 }, t)).toContain('2 items and 1 photo');
  });
});
