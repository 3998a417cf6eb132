// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { getFixedT } from 'i18next';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { OutboxItem, SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import rescue from '../../../shared/i18n/en/rescue.json';
import sync from '../../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../../shared/session/space.ts';
import { troubleText } from '../outbox/outbox-item.tsx';
import { SyncScreen } from '../sync-screen.tsx';

beforeAll(async () => {
  await startI18n();
  addTexts('sync', sync);
  addTexts('rescue', rescue);
  Object.defineProperty(navigator, 'storage', { configurable: true, value: {} });
});
afterEach(cleanup);

const photo: OutboxItem = {
  key: 'file/media/m1',
  table: 'media',
  recordId: 'm1',
  kind: 'file',
  aggregateKey: 'media/m1',
  discardGroup: 'media/m1',
  title: null,
  operation: 'upload',
  edits: 1,
  at: 0,
  state: 'waiting',
  attempts: 0,
  lastError: null,
  bytes: 3,
  sentBytes: null,
  mime: 'audio/webm',
  waits: 'wifi',
  detail: null,
};

function show(status: Partial<SyncStatus>, outbox: OutboxItem[], world: Space['world'] = 'company') {
  const done: string[] = [];
  const tells =
    <T,>(word: T) =>
    (tell: (word: T) => void) => {
      tell(word);
      return () => {};
    };
  const quiet = { online: true, offlineByChoice: false, phase: 'idle', conflicts: 0, lastPullAt: 0, ...status };
  const store = memoryStore({});
  const engine = {
    store,
    watchStatus: tells(quiet),
    watchOutbox: tells(outbox),
    watchConflicts: tells([]),
    watchReceipts: tells([]),
    watchHealth: () => () => {},
    sendFilesAnyway: async () => void done.push('anyway'),
    offlineFiles: { watch: () => () => {} },
    lockedOutbox: { isThere: async () => false },
  } as unknown as SyncEngine;
  const user = { id: 'sam', email: 'sam@cairn.test', fullName: 'Sam' };
  const root = createRootRoute({
    component: () => (
      <SignedInContext.Provider value={{ user, engine, verified: true }}>
        <StoreContext.Provider value={store}>
          <SpaceContext.Provider value={{ world } as Space}>
            <SyncScreen addressOf={() => null} />
          </SpaceContext.Provider>
        </StoreContext.Provider>
      </SignedInContext.Provider>
    ),
  });
  render(<RouterProvider router={createRouter({ routeTree: root, history: createMemoryHistory() })} />);
  return done;
}

test('files that wait for Wi-Fi say so, lead to the setting, and go at once where one wants it', async () => {
  const done = show({ filesWait: 'wifi' }, [photo]);
  expect(await screen.findByText(sync.wifi.title)).toBeTruthy();
  expect(screen.getByRole('link', { name: sync.wifi.setting }).getAttribute('href')).toBe('/settings');
  const outbox = screen.getByRole('region', { name: sync.outbox.title });
  expect(within(outbox).getByText(`· ${sync.wifi.row}`, { exact: false })).toBeTruthy();
  expect(within(outbox).getAllByText('Voice note').length).toBeGreaterThan(0);
  await userEvent.click(within(outbox).getByText(sync.outbox.details));
  expect(await within(outbox).findAllByText(sync.wifi.row)).not.toHaveLength(0);
  expect(within(outbox).queryByText(sync.trouble.none)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: sync.wifi.anyway }));
  await waitFor(() => expect(done).toEqual(['anyway']));
});

test('nothing is said of Wi-Fi where nothing waits for it, or with no network at all', async () => {
  const { waits: _waits, ...free } = photo;
  show({}, [free]);
  await userEvent.click(await screen.findByText(sync.outbox.details));
  expect((await screen.findAllByText(sync.trouble.none)).length).toBeGreaterThan(0);
  expect(screen.queryByText(sync.wifi.title)).toBeNull();
  cleanup();
  show({ filesWait: 'wifi', online: false }, [photo]);
  await screen.findByRole('region', { name: sync.outbox.title });
  expect(screen.queryByText(sync.wifi.title)).toBeNull();
});

test('work for a former organisation is not called refused while it waits to be handed over', () => {
  const t = getFixedT(null, 'sync');
  const handing = { state: 'waiting', lastError: 'not_a_member', detail: 'not_a_member' } as const;
  expect(troubleText(handing, t)).toBe(sync.given.row);
  expect(troubleText({ ...handing, state: 'failed', lastError: '42501' }, t)).toBe(sync.refused.not_allowed);
});

test('what works offline is told of the space that is open', async () => {
  show({}, [], 'personal');
  const own = await screen.findByRole('region', { name: sync.offline.title });
  expect(within(own).getByText(sync.offlineOwn.works.checkIn)).toBeTruthy();
  expect(within(own).queryByText(sync.offline.works.inspect)).toBeNull();
  cleanup();
  show({}, []);
  const company = await screen.findByRole('region', { name: sync.offline.title });
  expect(within(company).getByText(sync.offline.works.inspect)).toBeTruthy();
  expect(within(company).queryByText(sync.offlineOwn.works.checkIn)).toBeNull();
});
