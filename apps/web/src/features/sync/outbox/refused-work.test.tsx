// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Json } from '@cairn/schema';
import type { DiscardResult } from '@cairn/sync/outbox/discard.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { OutboxItem, SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { toasts, type ToastEvent } from '@cairn/ui/feedback/toast.ts';
import rescue from '../../../shared/i18n/en/rescue.json';
import sync from '../../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { isTooLate } from './refusal-text.ts';
import { quiet, tells, waitingItem } from '../lists/sync-for-tests.ts';
import { SyncScreen } from '../sync-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const FORM = '00000000-0000-4000-8000-0000000000f1';
const VERSION = '00000000-0000-4000-8000-0000000000f2';
const CHECK = '00000000-0000-4000-8000-0000000000c1';
const ANSWER = '00000000-0000-4000-8000-0000000000d1';

beforeAll(async () => {
  await startI18n();
  addTexts('sync', sync);
  addTexts('rescue', rescue);
  Object.defineProperty(navigator, 'storage', { configurable: true, value: {} });
});
afterEach(cleanup);

const item = (table: 'inspections' | 'inspection_answers', id: string, more: Partial<OutboxItem>): OutboxItem =>
  waitingItem(table, id, {
    aggregateKey: `inspections/${CHECK}`,
    discardGroup: `inspections/${CHECK}`,
    title: 'Forklift 3',
    operation: 'update',
    at: Date.parse('2026-11-21T09:00:00Z'),
    state: 'failed',
    attempts: 1,
    lastError: '42501',
    detail: 'a decided inspection stays as it was signed',
    reason: 'CN269',
    ...more,
  });
const finish = item('inspections', CHECK, {});
const answer = item('inspection_answers', ANSWER, {
  title: 'q1',
  detail: 'the inspection is decided',
  reason: 'CN265',
});

/** A button of a row says which record it acts on. */
const of = (name: string, act: string) => `${act}: ${name}`;

type World = { status?: Partial<SyncStatus>; end?: DiscardResult };

function show(outbox: OutboxItem[], { status = {}, end = 'gone' }: World = {}) {
  const of = { organization_id: ORG, form_id: FORM };
  const definition = { format: 1, title: 'C', items: [{ type: 'text', name: 'q1', label: 'Which wheel?' }] } as Json;
  const store = memoryStore({
    forms: [{ id: FORM, organization_id: ORG, name: 'Check' }],
    form_versions: [{ id: VERSION, ...of, number: 1, definition }],
    inspections: [{ id: CHECK, ...of, form_version_id: VERSION, title: 'Forklift 3', status: 'finalised' }],
    inspection_answers: [{ id: ANSWER, organization_id: ORG, inspection_id: CHECK, question: 'q1', value: 'left' }],
  });
  const done: string[] = [];
  const engine = {
    store,
    watchStatus: tells({ ...quiet, failed: 1, ...status }),
    watchOutbox: tells(outbox),
    watchConflicts: tells([]),
    watchReceipts: tells([]),
    watchHealth: () => () => {},
    discard: async (key: string) => {
      done.push(key);
      return end;
    },
    offlineFiles: { watch: () => () => {} },
    lockedOutbox: { isThere: async () => false },
    offlineChoice: { isOn: () => false, choose: (on: boolean) => done.push(`stay ${on}`) },
    syncNow: () => done.push('sync'),
    storageUse: async () => [],
  } as unknown as SyncEngine;
  const user = { id: ME, email: 'sam@cairn.test', fullName: 'Sam' };
  const root = createRootRoute({
    component: () => (
      <SignedInContext.Provider value={{ user, engine, verified: true }}>
        <StoreContext.Provider value={store}>
          <SyncScreen addressOf={(table, id) => (table === 'inspections' ? `/field/${id}` : null)} />
        </StoreContext.Provider>
      </SignedInContext.Provider>
    ),
  });
  render(<RouterProvider router={createRouter({ routeTree: root, history: createMemoryHistory() })} />);
  return done;
}

const refusals = () => screen.findByRole('region', { name: sync.failed.title });

test('what was refused needs a decision: neither the headline nor the outbox counts it as waiting', async () => {
  show([finish, answer]);
  expect(await screen.findByRole('heading', { name: '1 item needs your decision' })).toBeTruthy();
  expect(screen.queryByText(sync.head.kept)).toBeNull();
  expect(screen.queryByText('1 item')).toBeNull();
  expect(screen.getByText(sync.outbox.empty)).toBeTruthy();
});

test('what waits beside it is counted alone', async () => {
  show([
    finish,
    answer,
    { ...finish, key: 'x', recordId: 'x', aggregateKey: 'tasks/x', table: 'tasks', state: 'waiting' },
  ]);
  expect(await screen.findByRole('heading', { name: '1 item waiting to send' })).toBeTruthy();
});

test('what was decided meanwhile: nobody is sent to ask for a right, and a copy can be kept', async () => {
  show([finish, answer]);
  const list = await refusals();
  expect(within(list).getAllByText(sync.refused.decided)[0]).toBeTruthy();
  expect(within(list).queryByText(sync.refused.not_allowed)).toBeNull();
  expect(within(list).queryByRole('button', { name: /^Send/ })).toBeNull();
  expect(within(list).getByRole('button', { name: of('Forklift 3', sync.failed.save) })).toBeTruthy();
});

test('a right that is really missing is asked for', async () => {
  const { reason: _, ...unnamed } = finish;
  show([{ ...unnamed, detail: 'new row violates row-level security policy' }]);
  expect((await screen.findAllByText(sync.refused.not_allowed)).length).toBeGreaterThan(0);
  expect(screen.getByRole('button', { name: of('Forklift 3', sync.failed.retry) })).toBeTruthy();
});

test('an answer is named by its question and its inspection, not by the short name', async () => {
  show([answer]);
  const list = await refusals();
  expect(await within(list).findByText('Which wheel?')).toBeTruthy();
  expect(within(list).getByText('In: Forklift 3')).toBeTruthy();
  expect(within(list).queryByText('q1')).toBeNull();
});

test('what belongs to one inspection is let go together, after one question', async () => {
  const done = show([finish, answer]);
  const list = await refusals();
  await userEvent.click(within(list).getByRole('button', { name: of('Forklift 3', sync.failed.discardAll) }));
  expect(await screen.findByText(/^All refused changes to “Forklift 3” are undone\./)).toBeTruthy();
  expect(done).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: sync.discard.yes }));
  await waitFor(() => expect(done).toEqual([answer.key, finish.key]));
});

const waits = (one: OutboxItem): OutboxItem => ({
  ...one,
  state: 'waiting',
  attempts: 0,
  lastError: null,
  detail: null,
});
const brake: OutboxItem = {
  ...waits(finish),
  key: 'record/action_items/b1',
  table: 'action_items',
  recordId: 'b1',
  aggregateKey: 'action_items/b1',
  title: 'Parking brake',
  operation: 'insert',
};

test('what waits of a signed inspection is let go whole, after a question that names all of it', async () => {
  const alone = {
    ...brake,
    key: 'x',
    recordId: 'x',
    aggregateKey: 'action_items/x',
    discardGroup: 'action_items/x',
    title: 'Else',
  };
  const done = show([waits(finish), waits(answer), brake, alone]);
  const [all] = await screen.findAllByRole('button', { name: of('Forklift 3', sync.failed.discardAll) });
  await userEvent.click(all as HTMLElement);
  const dialog = await screen.findByRole('alertdialog', { name: sync.discard.allTitle });
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map(each => each.textContent),
  ).toEqual(['Forklift 3 · 1 answer', 'Parking brake']);
  expect(within(dialog).queryByText(sync.discard.maybe)).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: sync.discard.yes }));
  await waitFor(() => expect(done).toEqual([finish.key]));
});

test('what was sent before may have arrived, and one is told; what is being sent just now stays, and one is told', async () => {
  const calls: unknown[] = [];
  toasts.addEventListener('toast', event => calls.push((event as ToastEvent).message), { once: true });
  const done = show([{ ...brake, attempts: 2, state: 'retrying', lastError: 'network' }], { end: 'on_its_way' });
  await userEvent.click(await screen.findByRole('button', { name: of('Parking brake', sync.failed.discard) }));
  const dialog = await screen.findByRole('alertdialog', { name: sync.discard.title });
  expect(within(dialog).getByText(sync.discard.maybe)).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: sync.discard.yes }));
  await waitFor(() => expect(calls).toMatchObject([{ title: sync.discard.late }]));
  expect(done).toEqual([brake.key]);
});

test('who wants to stay offline is told so also where work waits, and sends by going online', async () => {
  const done = show([brake], { status: { online: false, offlineByChoice: true } });
  expect(
    await screen.findByRole('heading', { name: 'You chose to stay offline: 1 item waiting on this device' }),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: sync.goOnline }));
  expect(done).toEqual(['stay false', 'sync']);
});

test.each([
  ['CN111', '% inspection stays as it was signed'],
  ['CN112', 'only a reviewer changes the state of a finished inspection'],
  ['CN113', 'a finished inspection stays as it was signed'],
  ['CN265', 'the inspection is decided'],
  ['CN269', 'a decided inspection stays as it was signed'],
  ['CN300', 'what was decided on stays as it is'],
  ['CN339', 'what was decided on stays as it is; a revision follows it'],
])('%s, "%s", is a decision that stands', (reason, sentence) => {
  const table = readFileSync(`${import.meta.dirname}/../../../../../../supabase/error-codes.tsv`, 'utf8');
  expect(table).toContain(`\n${reason}\t42501\t${sentence}\n`);
  expect(isTooLate({ lastError: '42501', reason })).toBe(true);
});

test('no other sentence is, whatever it says', () => {
  expect(isTooLate({ lastError: '42501', reason: 'CN001' })).toBe(false);
  expect(isTooLate({ lastError: '42501' })).toBe(false);
});

test('a refused choice is taken back, and nobody is told that words are lost; what only came with it was not decided on', async () => {
  const choice = { ...answer, operation: 'resolve' as const };
  const made = {
    ...brake,
    key: 'b2',
    state: 'failed' as const,
    lastError: '42501',
    detail: finish.detail,
    reason: 'CN269',
  };
  show([choice, made]);
  expect(await screen.findByText(sync.refused.came_with)).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: of('Which wheel?', sync.failed.discard) }));
  const dialog = await screen.findByRole('alertdialog', { name: sync.discard.title });
  expect(within(dialog).getByText(/^This undoes your decision\./)).toBeTruthy();
  expect(within(dialog).queryByText(/permanently deleted|also deletes photos and files/)).toBeNull();
});
