// @vitest-environment jsdom
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { SessionProvider } from '../session/session-context.tsx';
import { deviceAndServer, sam, session } from '../session/session-for-tests.ts';
import { useMySpaces } from './use-my-spaces.ts';

test('R4.25 a refresh-playbooks event reads the playbooks again and asks the server', async () => {
  const kept = memoryStore({}, sam.id);
  const keys: string[] = [];
  const counting: Store = {
    ...kept,
    watch(query, onAnswer, onError) {
      keys.push(query.key);
      return kept.watch(query, onAnswer, onError);
    },
  };
  const { controller, engines } = deviceAndServer({ current_user: sam, auth_session: session }, counting);
  await controller.start();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SessionProvider controller={controller}>{children}</SessionProvider>
  );

  const { result } = renderHook(() => useMySpaces(), { wrapper });
  await waitFor(() => expect(result.current).not.toBeNull());
  expect(keys).toHaveLength(1);

  act(() => void dispatchEvent(new Event('refresh-playbooks')));
  expect(result.current).not.toBeNull();
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(engines[0]?.nudged).toBe(1);
});
