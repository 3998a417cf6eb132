// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import policies from '../../../shared/i18n/en/policies.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { ServerCallsContext } from '../../../shared/server/server-calls.ts';
import { SignedInContext, type SignedInSession } from '../../../shared/session/session.ts';
import { pendingDevice, type Figures } from '../../../shared/server/pending-for-tests.ts';
import { publishVersion, usePolicyCall } from './use-policy-call.ts';

const WAITING: Figures = { pendingItems: 1, failed: 0, online: true };

/** The hook on a device with so much unsent. */
function device(figures: Figures, counted?: () => number) {
  const { engine, calls, seen, tell } = pendingDevice(figures, counted);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SignedInContext.Provider value={{ engine } as unknown as SignedInSession}>
      <ServerCallsContext.Provider value={calls}>{children}</ServerCallsContext.Provider>
    </SignedInContext.Provider>
  );
  const { result } = renderHook(() => usePolicyCall(publishVersion), { wrapper });
  return { seen, result, tell };
}

beforeAll(async () => {
  await startI18n();
  addTexts('policies', policies);
});
afterEach(cleanup);

test('the server is asked once the words of this device are there: they are sent first', async () => {
  const { seen, result, tell } = device(WAITING);
  let done: Promise<boolean> | undefined;
  act(() => {
    done = result.current.run('version');
  });
  await waitFor(() => expect(seen.syncs).toBe(1));
  expect(seen.asked).toEqual([]);
  expect(result.current.busy).toBe(true);
  act(() => tell({ ...WAITING, pendingItems: 0 }));
  await act(async () => expect(await done).toBe(true));
  expect(seen.asked).toEqual(['publish_policy_version']);
  expect(seen.listeners.size).toBe(0);
});

test('words written so lately that the figures know nothing of them are sent first too', async () => {
  let pending = 1;
  const { seen, result, tell } = device({ ...WAITING, pendingItems: 0 }, () => pending);
  let done: Promise<boolean> | undefined;
  act(() => {
    done = result.current.run('version');
  });
  act(() => tell(WAITING));
  await waitFor(() => expect(seen.syncs).toBe(1));
  expect(seen.asked).toEqual([]);
  pending = 0;
  act(() => tell({ ...WAITING, pendingItems: 0 }));
  await act(async () => expect(await done).toBe(true));
  expect(seen.asked).toEqual(['publish_policy_version']);
});

test.each([
  ['there is no signal', { ...WAITING, online: false }],
  ['some were refused', { ...WAITING, failed: 1 }],
])('it is not asked without them where %s, and that is said', async (_, figures) => {
  const { seen, result } = device(figures);
  await act(async () => expect(await result.current.run('version')).toBe(false));
  expect(result.current.problem).toBe(policies.manage.unsent);
  expect(seen.asked).toEqual([]);
});
