// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { usedFeature } from '../../shared/analytics/used-feature.ts';
import { keepError } from '../../shared/errors/recent-errors.ts';
import { tellSyncFault } from '../../shared/sync/sync-faults.ts';
import { openUsageTrail } from './usage-trail.ts';

function site(first: string) {
  const listeners = new Set<(change: { pathChanged: boolean }) => void>();
  const router = {
    state: { matches: [{ fullPath: first }] },
    subscribe(_event: 'onResolved', listener: (change: { pathChanged: boolean }) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const open = (fullPath: string, pathChanged = true) => {
    router.state.matches = [{ fullPath }];
    listeners.forEach(listener => listener({ pathChanged }));
  };
  return { router, open, listeners };
}

test('R7.27 pages opened before it is known whether usage is shared are told in their order, once', () => {
  const { router, open } = site('/dashboard');
  const { sources } = openUsageTrail(router);
  open('/tasks');
  open('/tasks', false);
  const told: string[] = [];
  const stop = sources.onPage(route => told.push(route));
  open('/dashboard');
  expect(told).toEqual(['/dashboard', '/tasks', '/dashboard']);
  stop();
  const later: string[] = [];
  sources.onPage(route => later.push(route));
  expect(later).toEqual([]);
});

test('R7.27 R4.33 errors, faults and uses of the first moments are told too, when somebody counts', () => {
  const { sources, stop } = openUsageTrail(site('/dashboard').router);
  keepError(new Error('permission denied'), null, new Date());
  tellSyncFault({ code: 'set_aside', count: 1, at: 5 });
  usedFeature('export');
  const told: unknown[] = [];
  sources.onError(({ code }) => told.push(code));
  sources.onFault(({ code }) => told.push(code));
  sources.onUse(({ feature }) => told.push(feature));
  expect(told).toEqual(['PERMISSION_DENIED', 'set_aside', 'export']);
  usedFeature('search');
  expect(told.at(-1)).toBe('search');
  stop();
  usedFeature('export');
  expect(told.at(-1)).toBe('search');
});

test('R7.27 who follows takes what waits, the next one nothing of it; nothing is heard after the end', () => {
  const { router, open, listeners } = site('/dashboard');
  const { sources, stop } = openUsageTrail(router);
  const unsubscribe = sources.onPage(() => undefined);
  open('/tasks');
  unsubscribe();
  const told: string[] = [];
  sources.onPage(route => told.push(route));
  open('/field');
  expect(told).toEqual(['/field']);
  stop();
  expect(listeners.size).toBe(0);
});

test('a trail nobody follows does not grow', () => {
  const { router, open } = site('/0');
  const { sources } = openUsageTrail(router);
  for (let page = 1; page < 200; page += 1) open(`/${page}`);
  const told: string[] = [];
  sources.onPage(route => told.push(route));
  expect([told.length, told.at(-1)]).toEqual([20, '/199']);
});
