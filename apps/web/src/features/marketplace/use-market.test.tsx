// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startI18n } from '../../shared/i18n/start-i18n.ts';
import { ServerCallsContext, type ServerCalls } from '../../shared/server/server-calls.ts';
import { SignedInContext, type SignedInSession } from '../../shared/session/session.ts';
import { pendingDevice, type Figures } from '../../shared/server/pending-for-tests.ts';
import { useMarketAct } from './use-market.ts';

const install = (calls: ServerCalls): Promise<unknown> => calls.call('install_pack', {});

/** The hook on a device with so much unsent. */
function device(figures: Figures) {
  const { engine, calls, seen, tell } = pendingDevice(figures);
  const queries = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>
      <SignedInContext.Provider value={{ engine } as unknown as SignedInSession}>
        <ServerCallsContext.Provider value={calls}>{children}</ServerCallsContext.Provider>
      </SignedInContext.Provider>
    </QueryClientProvider>
  );
  const { result } = renderHook(() => useMarketAct(install), { wrapper });
  return { seen, result, tell };
}

beforeAll(async () => startI18n());
afterEach(cleanup);

test('a company made on this device a moment ago is sent before a pack is installed into it', async () => {
  const waiting: Figures = { pendingItems: 3, failed: 0, online: true };
  const { seen, result, tell } = device(waiting);
  let done: Promise<boolean> | undefined;
  act(() => {
    done = result.current.run();
  });
  await waitFor(() => expect(seen.syncs).toBe(1));
  expect(seen.asked).toEqual([]);
  act(() => tell({ ...waiting, pendingItems: 0 }));
  await act(async () => expect(await done).toBe(true));
  expect(seen.asked).toEqual(['install_pack']);
});

test('what the server refused elsewhere holds nothing back here', async () => {
  const { seen, result } = device({ pendingItems: 1, failed: 1, online: true });
  await act(async () => expect(await result.current.run()).toBe(true));
  expect(seen.asked).toEqual(['install_pack']);
});
