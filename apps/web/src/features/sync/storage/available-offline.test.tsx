// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Failure, type FailureCode } from '@cairn/base/failure.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { OfflineState } from '@cairn/sync/pull/offline-files.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import sync from '../../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { AvailableOffline } from './available-offline.tsx';
import { KeepOffline } from './keep-offline.tsx';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const of = { organization_id: id(1) };
const photo = (n: number) => ({
  id: id(n),
  ...of,
  inspection_id: id(20),
  mime: 'image/jpeg',
  bytes: 1_000_000,
  sha256: 'a'.repeat(64),
  state: 'complete' as const,
  captured_at: '2026-11-21T09:00:00Z',
});

beforeAll(async () => {
  await startI18n();
  addTexts('sync', sync);
});
afterEach(cleanup);

/** A device that keeps what it is asked to, for as long as there is room: `most` files. `tell` changes what it says of itself. */
function show(most = 9, isOnline = true, begin: Partial<OfflineState> = {}) {
  let state: OfflineState = { wanted: new Set(), here: new Set(), failure: null, waits: null, ...begin };
  const listeners = new Set<(state: OfflineState) => void>();
  const asked: string[] = [];
  const hold: { until: Promise<void> } = { until: Promise.resolve() };
  const trouble: { code: FailureCode | null } = { code: null };
  const next = (part: Partial<OfflineState>) => {
    state = { ...state, ...part };
    for (const listener of listeners) listener(state);
  };
  const offlineFiles: SyncEngine['offlineFiles'] = {
    watch: listener => {
      listeners.add(listener);
      listener(state);
      return () => void listeners.delete(listener);
    },
    want: async (playbook, on) => {
      await hold.until;
      next({ wanted: new Set(on ? [playbook] : []) });
    },
    keep: async file => {
      asked.push(file.id);
      if (trouble.code) {
        next({ failure: trouble.code });
        throw new Failure(trouble.code, 'as scripted');
      }
      if (state.here.size >= most) {
        next({ failure: 'storage_full' });
        throw new Failure('storage_full', 'no room');
      }
      next({ here: new Set([...state.here, file.id]), failure: null });
    },
    release: async ids => next({ here: new Set([...state.here].filter(each => !ids.includes(each))) }),
    mayFetch: async () => true,
  };
  const store = memoryStore({
    organizations: [{ id: id(1), name: 'Northfield', slug: 'n' }],
    playbooks: [{ id: id(10), ...of, name: 'Daily operations' }],
    inspections: [
      { id: id(20), ...of, playbook_id: id(10), form_id: id(40), form_version_id: id(41), title: 'Forklift' },
    ],
    media: [photo(30), photo(31)],
  });
  const watchStatus = (tell: (status: object) => void) => {
    tell({ online: isOnline });
    return () => {};
  };
  const engine = { store, offlineFiles, watchStatus } as unknown as SyncEngine;
  const root = createRootRoute({
    component: () => (
      <SignedInContext.Provider
        value={{ user: { id: id(3), email: 's@cairn.test', fullName: 'Sam' }, engine, verified: true }}
      >
        <StoreContext.Provider value={store}>
          <AvailableOffline />
          <KeepOffline />
        </StoreContext.Provider>
      </SignedInContext.Provider>
    ),
  });
  render(<RouterProvider router={createRouter({ routeTree: root, history: createMemoryHistory() })} />);
  return { asked, trouble, hold, tell: next };
}

const playbook = () => screen.findByRole('switch', { name: 'Daily operations' });

test('a playbook is switched on: its files are fetched and said to be here; switched off, they are let go', async () => {
  const { asked } = show();
  expect(await screen.findByText('2 photos and files, 2 MB')).toBeTruthy();
  expect(asked).toEqual([]);
  await userEvent.click(await playbook());
  expect(await screen.findByText('All 2 photos and files are here, 2 MB')).toBeTruthy();
  expect(asked).toEqual([id(30), id(31)]);
  await userEvent.click(await playbook());
  expect(await screen.findByText('2 photos and files, 2 MB')).toBeTruthy();
});

test('while a wish is written down its switch keeps the focus and takes no second press', async () => {
  const { asked, hold } = show();
  const written = Promise.withResolvers<void>();
  hold.until = written.promise;
  const control = await playbook();
  control.focus();
  await userEvent.keyboard(' ');
  await waitFor(() => expect(control.getAttribute('aria-disabled')).toBe('true'));
  expect(control).toHaveProperty('disabled', false);
  await userEvent.keyboard(' ');
  written.resolve();
  expect(await screen.findByText('All 2 photos and files are here, 2 MB')).toBeTruthy();
  expect(control.getAttribute('aria-disabled')).toBeNull();
  expect(document.activeElement).toBe(control);
  expect(asked).toEqual([id(30), id(31)]);
});

test('where there is no room for all of it, one is told how far it came and why', async () => {
  const { asked } = show(1);
  await userEvent.click(await playbook());
  expect(await screen.findByText('1 MB of 2 MB')).toBeTruthy();
  expect((await screen.findByRole('alert')).textContent).toBe(sync.available.full);
  expect(asked).toEqual([id(30), id(31)]);
});

test('with no signal the wish is kept, and nothing is asked for', async () => {
  const { asked } = show(9, false);
  await userEvent.click(await playbook());
  await waitFor(async () => expect((await playbook()).getAttribute('aria-checked')).toBe('true'));
  expect(await screen.findByText('0 kB of 2 MB')).toBeTruthy();
  expect(asked).toEqual([]);
});

test('what waits for Wi-Fi says so, with the way to the setting, and is fetched once there is Wi-Fi', async () => {
  const { asked, tell } = show(9, true, { wanted: new Set([id(10)]), waits: 'wifi' });
  expect(await screen.findByText(sync.fetch.wifi, { exact: false })).toBeTruthy();
  expect(screen.getByRole('link', { name: sync.wifi.setting }).getAttribute('href')).toBe('/settings');
  expect(asked).toEqual([]);
  act(() => tell({ waits: null }));
  expect(await screen.findByText('All 2 photos and files are here, 2 MB')).toBeTruthy();
  expect(asked).toEqual([id(30), id(31)]);
});

test('a connection that breaks off is said, and it goes on by itself a minute later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  try {
    const { asked, trouble, tell } = show();
    trouble.code = 'offline';
    await screen.findByRole('switch', { name: 'Daily operations' });
    act(() => tell({ wanted: new Set([id(10)]) }));
    expect((await screen.findByRole('alert')).textContent).toBe(sync.fetch.offline);
    expect(asked).toEqual([id(30)]);
    trouble.code = null;
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(await screen.findByText('All 2 photos and files are here, 2 MB')).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['not_found', sync.fetch.gone],
  ['signed_out', sync.fetch.signedOut],
  ['invalid', sync.fetch.other],
] as const)('a file that did not come (%s) is said', async (code, words) => {
  const { trouble, tell } = show();
  trouble.code = code;
  await screen.findByRole('switch', { name: 'Daily operations' });
  act(() => tell({ wanted: new Set([id(10)]) }));
  expect((await screen.findByRole('alert')).textContent).toBe(words);
});
