// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Json } from '@cairn/schema';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { toasts, type ToastEvent } from '@cairn/ui/feedback/toast.ts';
import rescue from '../../shared/i18n/en/rescue.json';
import sync from '../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { HEADINGS } from './lists/use-focus-after.ts';
import { quiet, tells, waitingItem } from './lists/sync-for-tests.ts';
import { SyncScreen } from './sync-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const PHOTO = '00000000-0000-4000-8000-0000000000b1';
const FORM = '00000000-0000-4000-8000-0000000000f1';
const VERSION = '00000000-0000-4000-8000-0000000000f2';
const CHECK = '00000000-0000-4000-8000-0000000000c1';
const ANSWER = '00000000-0000-4000-8000-0000000000d1';
const MANY = 1000;

beforeAll(async () => {
  await startI18n();
  addTexts('sync', sync);
  addTexts('rescue', rescue);
  Object.defineProperty(navigator, 'storage', { configurable: true, value: {} });
  window.scrollTo = () => {};
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const waiting = (n: number, more: Partial<OutboxItem> = {}): OutboxItem =>
  waitingItem('action_items', `${n}`, { title: `Action ${n}.`, ...more });
const refused: Partial<OutboxItem> = { state: 'failed', lastError: '42501', detail: 'no right', attempts: 1 };
const photo = waiting(1, {
  ...refused,
  key: `file/media/${PHOTO}`,
  table: 'media',
  recordId: PHOTO,
  kind: 'file',
  aggregateKey: 'inspections/c',
  discardGroup: 'inspections/c',
  title: 'Forklift 3',
  operation: 'upload',
  lastError: 'not_found',
  bytes: 3,
});

async function show(outbox: OutboxItem[], { online = true, broken = false } = {}) {
  const of = { organization_id: ORG, form_id: FORM };
  const definition = { format: 1, title: 'C', items: [{ type: 'text', name: 'q1', label: 'Which wheel?' }] } as Json;
  const store = memoryStore({
    forms: [{ id: FORM, organization_id: ORG, name: 'Check' }],
    form_versions: [{ id: VERSION, ...of, number: 1, definition }],
    inspections: [{ id: CHECK, ...of, form_version_id: VERSION, title: 'Forklift 3', status: 'finalised' }],
    inspection_answers: [{ id: ANSWER, organization_id: ORG, inspection_id: CHECK, question: 'q1', value: 'left' }],
  });
  const file = { id: PHOTO, organization_id: ORG, mime: 'image/png', bytes: 3, sha256: 'a'.repeat(64) };
  await store.write('photo', async tx => {
    await tx.put('media', { ...file, captured_at: '2026-11-21T09:00:00.000Z' });
    await tx.putBytes(PHOTO, Uint8Array.of(1, 2, 3).buffer);
  });
  const world = { broken, done: [] as string[], tell: (_items: OutboxItem[]) => {} };
  const engine = {
    store,
    watchStatus: tells({ ...quiet, online }),
    watchOutbox(tell: (items: OutboxItem[]) => void, onError: (error: unknown) => void) {
      world.tell = tell;
      if (world.broken) onError(new Error('storage'));
      else tell(outbox);
      return () => {};
    },
    watchConflicts: tells([]),
    watchReceipts: tells([]),
    watchHealth: () => () => {},
    retry: async (key: string) => void world.done.push(key),
    discard: async () => 'gone',
    offlineFiles: { watch: () => () => {} },
    lockedOutbox: { isThere: async () => false },
    offlineChoice: { isOn: () => false, choose: () => {} },
    syncNow: () => world.done.push('sync'),
    storageUse: async () => [],
  } as unknown as SyncEngine;
  const user = { id: ME, email: 'sam@cairn.test', fullName: 'Sam' };
  const root = createRootRoute({
    component: () => (
      <SignedInContext.Provider value={{ user, engine, verified: true }}>
        <StoreContext.Provider value={store}>
          <SyncScreen addressOf={() => null} />
        </StoreContext.Provider>
      </SignedInContext.Provider>
    ),
  });
  render(<RouterProvider router={createRouter({ routeTree: root, history: createMemoryHistory() })} />);
  await screen.findByText(sync.title, {}, { timeout: 20_000 });
  return world;
}

const button = (name: string) => document.querySelector<HTMLElement>(`button[aria-label="${name}"]`);
const rows = () => document.querySelectorAll('.outbox-row');

test('a refused photo is told to be the only one, and can be saved from this phone', async () => {
  const files: { name: string; size: number; type: string }[] = [];
  const made: Blob[] = [];
  const createObjectURL = (blob: Blob) => `blob:${made.push(blob)}`;
  Object.assign(URL, { createObjectURL, revokeObjectURL: () => {} });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const { size = 0, type = '' } = made.at(-1) ?? {};
    files.push({ name: this.download, size, type });
  });
  await show([photo]);
  expect(button(`${sync.failed.save}: Forklift 3`)).toBeNull();
  fireEvent.click(button('Save photo: Forklift 3') as HTMLElement);
  await waitFor(() => expect(files).toEqual([{ name: 'Forklift 3.png', size: 3, type: 'image/png' }]));
  fireEvent.click(button('Discard: Forklift 3') as HTMLElement);
  const dialog = await screen.findByRole('alertdialog', { name: sync.took.title });
  expect(within(dialog).getByText(sync.discard.file)).toBeTruthy();
  expect(within(dialog).queryByText(/the version on the server|All refused changes/)).toBeNull();
}, 60_000);

test('without its bytes a file is neither sent again nor saved, and nobody is told that a server refused it', async () => {
  await show([{ ...photo, lastError: 'bytes_missing', detail: null }]);
  expect(screen.getByText(sync.aside.bytes_missing)).toBeTruthy();
  expect(document.querySelector(`section[aria-label="${sync.aside.title}"]`)).toBeTruthy();
  expect(button('Save photo: Forklift 3')).toBeNull();
  expect(button('Send again: Forklift 3')).toBeNull();
}, 60_000);

test('any other refusal offers a copy, and says what was never received', async () => {
  await show([waiting(2, refused)]);
  expect(button('Save a copy: Action 2.')).toBeTruthy();
  fireEvent.click(button('Discard: Action 2.') as HTMLElement);
  const dialog = await screen.findByRole('alertdialog', { name: sync.discard.title });
  expect(
    within(dialog).getByText('“Action 2.” exists only on this device. If you discard it, it is permanently deleted.'),
  ).toBeTruthy();
}, 60_000);

test('lists that cannot be read say so, and are read again when asked', async () => {
  const world = await show([waiting(1)], { broken: true });
  expect(screen.getByText(sync.notRead.outbox)).toBeTruthy();
  expect(screen.queryAllByText(sync.loading)).toEqual([]);
  world.broken = false;
  fireEvent.click(screen.getByText(sync.notRead.again));
  expect(await screen.findByText('Action 1.')).toBeTruthy();
  expect(screen.queryByText(sync.notRead.outbox)).toBeNull();
}, 60_000);

test('sending without a signal is heard: busy for a moment, then told that it goes by itself', async () => {
  const calls: unknown[] = [];
  toasts.addEventListener('toast', event => calls.push((event as ToastEvent).message), { once: true });
  const world = await show([waiting(1)], { online: false });
  const all = screen.getByText(sync.sendNow).closest('button') as HTMLElement;
  fireEvent.click(all);
  expect(all.getAttribute('aria-busy')).toBe('true');
  await waitFor(() => expect(calls).toMatchObject([{ title: sync.send.noSignal }]), { timeout: 20_000 });
  expect(world.done).toEqual(['sync']);
  await waitFor(() => expect(all.getAttribute('aria-busy')).toBeNull());
}, 60_000);

test('what was never sent is sent now, what was is sent again', async () => {
  const world = await show([waiting(1), waiting(2, { attempts: 1, state: 'retrying', lastError: 'network' })]);
  for (const details of document.querySelectorAll('details')) details.open = true;
  await waitFor(() => expect(button('Send again: Action 2.')).toBeTruthy());
  fireEvent.click(button('Send now: Action 1.') as HTMLElement);
  await waitFor(() => expect(world.done).toEqual(['record/action_items/1']));
  expect(button('Send again: Action 1.')).toBeNull();
}, 60_000);

test('of a thousand entries so many are drawn as are looked at', async () => {
  const some = Array.from({ length: MANY }, (_, n) => waiting(n));
  await show([
    ...some,
    ...some.map((item, n) => ({ ...item, ...refused, key: `r${n}`, aggregateKey: `action_items/r${n}` })),
  ]);
  expect(rows().length).toBe(50);
  expect(document.querySelectorAll('.failed-row').length).toBe(50);
  expect(screen.getAllByText(sync.more).length).toBe(2);
}, 120_000);

test('what an answer is called stays while another entry comes and goes', async () => {
  const answer = waiting(0, {
    key: `record/inspection_answers/${ANSWER}`,
    table: 'inspection_answers',
    recordId: ANSWER,
    aggregateKey: `inspections/${CHECK}`,
    discardGroup: `inspections/${CHECK}`,
    title: 'q1',
  });
  const world = await show([{ ...answer, ...refused }]);
  expect(await screen.findByText('Which wheel?')).toBeTruthy();
  act(() => world.tell([{ ...answer, ...refused }, waiting(1)]));
  expect(screen.getByText('Which wheel?')).toBeTruthy();
  expect(screen.getByText('In: Forklift 3')).toBeTruthy();
}, 60_000);

test('an entry that leaves closes no question about another, and no open details', async () => {
  const some = [waiting(1), waiting(2), waiting(3)];
  const world = await show(some);
  const details = [...document.querySelectorAll('details')].find(each => each.textContent.includes('Action 2.'));
  if (details) details.open = true;
  await waitFor(() => expect(button('Send now: Action 2.')).toBeTruthy());
  fireEvent.click(button('Discard: Action 2.') as HTMLElement);
  const dialog = await screen.findByRole('alertdialog', { name: sync.discard.title });
  act(() => world.tell(some.slice(1)));
  act(() => world.tell([...some.slice(1, 2), waiting(4)]));
  // Also while it is being sent: what is asked for then is told apart by the engine.
  act(() => world.tell([{ ...waiting(2), state: 'sending' }, waiting(4)]));
  expect(dialog.isConnected).toBe(true);
  expect(details?.isConnected && details.open).toBe(true);
  expect(rows().length).toBe(2);
}, 60_000);

test('the headline is announced, not the bytes below it', async () => {
  await show([{ ...photo, state: 'sending', lastError: null, sentBytes: 1 }]);
  const live = [...document.querySelectorAll('[aria-live]')].map(each => each.tagName);
  expect(live).toEqual(['H2']);
}, 60_000);

test('whoever pressed something in a row that goes stands at its heading', async () => {
  const world = await show([waiting(1, refused), waiting(2, refused), waiting(3)]);
  button('Discard: Action 1.')?.focus();
  act(() => world.tell([waiting(2, refused), waiting(3)]));
  await waitFor(() => expect(document.activeElement?.id).toBe(HEADINGS.needs));
  button('Discard: Action 2.')?.focus();
  act(() => world.tell([waiting(3)]));
  await waitFor(() => expect(document.activeElement?.id).toBe(HEADINGS.page));
}, 60_000);
