import { expect, test } from 'vitest';
import { openPageTrail } from './page-trail.ts';

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
  const trail = openPageTrail(router);
  open('/tasks');
  open('/tasks', false);
  const told: string[] = [];
  const stop = trail.follow(route => told.push(route));
  open('/dashboard');
  expect(told).toEqual(['/dashboard', '/tasks', '/dashboard']);
  stop();
  const later: string[] = [];
  trail.follow(route => later.push(route));
  expect(later).toEqual([]);
});

test('R7.27 who follows takes what waits, the next one nothing of it; nothing is heard after the end', () => {
  const { router, open, listeners } = site('/dashboard');
  const trail = openPageTrail(router);
  const deaf = trail.follow(() => undefined);
  open('/tasks');
  deaf();
  const told: string[] = [];
  trail.follow(route => told.push(route));
  open('/field');
  expect(told).toEqual(['/field']);
  trail.stop();
  expect(listeners.size).toBe(0);
});

test('a trail nobody follows does not grow', () => {
  const { router, open } = site('/0');
  const trail = openPageTrail(router);
  for (let page = 1; page < 200; page += 1) open(`/${page}`);
  const told: string[] = [];
  trail.follow(route => told.push(route));
  expect([told.length, told.at(-1)]).toEqual([20, '/199']);
});
