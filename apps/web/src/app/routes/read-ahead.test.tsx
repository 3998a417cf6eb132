// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreContext } from '@cairn/sync/store-context.ts';
import type { Store } from '@cairn/sync/store.ts';
import { lastSeen, useLive } from '@cairn/sync/use-live.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { mySpaces } from '../space/my-spaces.ts';
import { deviceAndServer, sam, session } from '../session/session-for-tests.ts';
import { readStartAhead } from './read-ahead.ts';

// When a page is quiet is for each test to say: this one is quiet at once, however long ago it was opened.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run());
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const organization = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Works',
  slug: 'works',
  kind: 'company',
} as const;

/** A device that remembers Sam; answers once it says so. */
async function started(): Promise<Store> {
  history.replaceState(null, '', '/dashboard');
  const store = memoryStore(
    {
      organizations: [organization],
      organization_members: [
        {
          id: '00000000-0000-4000-8000-000000000002',
          organization_id: organization.id,
          user_id: sam.id,
          role: 'member',
        },
      ],
    },
    sam.id,
  );
  const { controller } = deviceAndServer({ current_user: sam, auth_session: session }, store);
  readStartAhead(controller);
  expect(lastSeen(store, mySpaces(sam.id).key)).toBeNull();
  await controller.start();
  return store;
}
const isRead = (store: Store) => lastSeen(store, mySpaces(sam.id).key) !== null;

test('what a start shows is read before its screen is drawn, and is on the first picture of it', async () => {
  const store = await started();
  await expect.poll(() => isRead(store)).toBe(true);

  const pictures: string[] = [];
  const { unmount } = renderHook(() => pictures.push(useLive(mySpaces(sam.id)).status), {
    wrapper: ({ children }) => <StoreContext value={store}>{children}</StoreContext>,
  });
  expect(pictures).not.toContain('loading');
  unmount();
});

test('on a page that was opened long ago it is kept for the screen as long, and then let go', async () => {
  vi.advanceTimersByTime(60_000);
  const store = await started();
  await expect.poll(() => isRead(store)).toBe(true);
  vi.advanceTimersByTime(1500);
  expect(isRead(store)).toBe(true);
  vi.advanceTimersByTime(1500);
  expect(isRead(store)).toBe(false);
});
