// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { lastSeen, useLive } from '@cairn/sync/use-live.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { mySpaces } from '../space/my-spaces.ts';
import { deviceAndServer, sam, session } from '../session/session-for-tests.ts';
import { readStartAhead } from './read-ahead.ts';

afterEach(cleanup);

const organization = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Works',
  slug: 'works',
  kind: 'company',
} as const;

test('what a start shows is read before its screen is drawn, and is on the first picture of it', async () => {
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
  await expect.poll(() => lastSeen(store, mySpaces(sam.id).key)).not.toBeNull();

  const pictures: string[] = [];
  const { unmount } = renderHook(() => pictures.push(useLive(mySpaces(sam.id)).status), {
    wrapper: ({ children }) => <StoreContext value={store}>{children}</StoreContext>,
  });
  expect(pictures).not.toContain('loading');
  unmount();
});
