import { afterEach, expect, test, vi } from 'vitest';
import { silencePush } from './silence-push.ts';

afterEach(() => vi.unstubAllGlobals());

test('after a sign-out this browser is sent nothing more, and what it showed is gone', async () => {
  const done: string[] = [];
  const subscription = { unsubscribe: async () => void done.push('unsubscribed') };
  const registration = {
    getNotifications: async () => [1, 2].map(n => ({ close: () => void done.push(`closed ${n}`) })),
    pushManager: { getSubscription: async () => subscription },
  };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
  await silencePush();
  expect(done).toEqual(['closed 1', 'closed 2', 'unsubscribed']);
});

test('without a worker nothing is to be silenced', async () => {
  vi.stubGlobal('navigator', {});
  await silencePush();
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => undefined } });
  await silencePush();
});
