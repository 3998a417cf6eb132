// @vitest-environment jsdom
import { readdirSync, readFileSync } from 'node:fs';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Json } from '@cairn/schema';
import type { OutboxItem, SyncEngine, SyncStatus } from '@cairn/sync/engine.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { rescue } from '../../shared/i18n/en/rescue.ts';
import { sync } from '../../shared/i18n/en/sync.ts';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../shared/session.ts';
import { DECIDED } from './refusal-words.ts';
import { SyncScreen } from './sync-screen.tsx';

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

const item = (table: 'inspections' | 'inspection_answers', id: string, more: Partial<OutboxItem>): OutboxItem => ({
  key: `record/${table}/${id}`,
  table,
  recordId: id,
  kind: 'record',
  under: `inspections/${CHECK}`,
  title: 'Forklift 3',
  operation: 'update',
  edits: 1,
  at: Date.parse('2026-11-21T09:00:00Z'),
  state: 'failed',
  attempts: 1,
  lastError: '42501',
  bytes: null,
  sentBytes: null,
  detail: 'a decided inspection stays as it was signed',
  ...more,
});
const finish = item('inspections', CHECK, {});
const answer = item('inspection_answers', ANSWER, { title: 'q1', detail: 'the inspection is decided' });

const quiet: SyncStatus = {
  online: true,
  offlineByChoice: false,
  phase: 'idle',
  pendingItems: 1,
  pendingReports: 0,
  pendingFiles: 0,
  failed: 1,
  conflicts: 0,
  lockedWork: false,
  oldestPendingAt: 0,
  lastPullAt: 0,
  firstPull: false,
};

function show(outbox: OutboxItem[]) {
  const of = { organization_id: ORG, form_id: FORM };
  const definition = { format: 1, title: 'C', items: [{ type: 'text', name: 'q1', label: 'Which wheel?' }] } as Json;
  const store = memoryStore({
    forms: [{ id: FORM, organization_id: ORG, name: 'Check' }],
    form_versions: [{ id: VERSION, ...of, number: 1, definition }],
    inspections: [{ id: CHECK, ...of, form_version_id: VERSION, title: 'Forklift 3', status: 'finalised' }],
    inspection_answers: [{ id: ANSWER, organization_id: ORG, inspection_id: CHECK, question: 'q1', value: 'left' }],
  });
  const discarded: string[] = [];
  const tells =
    <T,>(word: T) =>
    (tell: (word: T) => void) => {
      tell(word);
      return () => {};
    };
  const engine = {
    store,
    watchStatus: tells(quiet),
    watchOutbox: tells(outbox),
    watchConflicts: tells([]),
    watchReceipts: tells([]),
    watchHealth: () => () => {},
    discard: async (key: string) => void discarded.push(key),
    lockedWork: { isThere: async () => false },
    offlineChoice: { isOn: () => false, choose: () => {} },
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
  return discarded;
}

const refusals = () => screen.findByRole('region', { name: sync.failed.title });

test('what was refused needs a decision: neither the headline nor the outbox counts it as waiting', async () => {
  show([finish, answer]);
  expect(await screen.findByRole('heading', { name: '1 thing needs your choice' })).toBeTruthy();
  expect(screen.queryByText(sync.head.kept)).toBeNull();
  expect(screen.queryByText('1 item')).toBeNull();
  expect(screen.getByText(sync.outbox.empty)).toBeTruthy();
});

test('what waits beside it is counted alone', async () => {
  show([finish, answer, { ...finish, key: 'x', recordId: 'x', under: 'tasks/x', table: 'tasks', state: 'waiting' }]);
  expect(await screen.findByRole('heading', { name: '1 item waits to be sent' })).toBeTruthy();
});

test('what was decided meanwhile: nobody is sent to ask for a right, and a copy can be kept', async () => {
  show([finish, answer]);
  const list = await refusals();
  expect(within(list).getAllByText(sync.refused.decided)[0]).toBeTruthy();
  expect(within(list).queryByText(sync.refused.not_allowed)).toBeNull();
  expect(within(list).queryByRole('button', { name: sync.failed.retry })).toBeNull();
  expect(within(list).getByRole('button', { name: sync.failed.save })).toBeTruthy();
});

test('a right that is really missing is asked for', async () => {
  show([{ ...finish, detail: 'new row violates row-level security policy' }]);
  expect((await screen.findAllByText(sync.refused.not_allowed)).length).toBeGreaterThan(0);
  expect(screen.getByRole('button', { name: sync.failed.retry })).toBeTruthy();
});

test('an answer is named by its question and its inspection, not by the short name', async () => {
  show([answer]);
  const list = await refusals();
  expect(await within(list).findByText('Which wheel?')).toBeTruthy();
  expect(within(list).getByText('In: Forklift 3')).toBeTruthy();
  expect(within(list).queryByText('q1')).toBeNull();
});

test('what belongs to one inspection is let go together, after one question', async () => {
  const discarded = show([finish, answer]);
  const list = await refusals();
  await userEvent.click(within(list).getByRole('button', { name: sync.failed.discardAll }));
  expect(await screen.findByText(/All that was refused of "Forklift 3"/)).toBeTruthy();
  expect(discarded).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: sync.discard.yes }));
  await waitFor(() => expect(discarded).toEqual([answer.key, finish.key]));
});

test('every word the server has for a decision that stands is in its SQL', () => {
  const folder = `${import.meta.dirname}/../../../../../supabase/migrations/`;
  const all = readdirSync(folder).map(name => readFileSync(folder + name, 'utf8'));
  const missing = DECIDED.filter(words => !all.some(text => text.includes(`raise exception '${words}`)));
  expect(missing).toEqual([]);
});
