// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { TableName } from '@cairn/schema';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { OutboxItem, SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import rescue from '../../../shared/i18n/en/rescue.json';
import sync from '../../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { HEADINGS } from '../lists/use-focus-after.ts';
import { quiet, tells, waitingItem as waiting } from '../lists/sync-for-tests.ts';
import { SyncScreen } from '../sync-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const CHECK = '00000000-0000-4000-8000-0000000000c1';
const FORM = '00000000-0000-4000-8000-0000000000f1';
const VERSION = '00000000-0000-4000-8000-0000000000f2';
const LADDER = '00000000-0000-4000-8000-0000000000e1';
const ON_LADDER = '00000000-0000-4000-8000-0000000000e2';
const ON_CHECK = '00000000-0000-4000-8000-0000000000e3';

beforeAll(async () => {
  await startI18n();
  addTexts('sync', sync);
  addTexts('rescue', rescue);
  Object.defineProperty(navigator, 'storage', { configurable: true, value: {} });
  window.scrollTo = () => {};
});
afterEach(cleanup);

const idOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

const comment = (id: string, subject_table: 'action_items' | 'inspections', subject_id: string, body: string) => ({
  id,
  organization_id: ORG,
  subject_table,
  subject_id,
  body,
  author_id: ME,
  written_at: '2026-11-21T09:00:00Z',
});

async function show(outbox: OutboxItem[], status: Partial<SyncStatus> = {}) {
  const store = memoryStore({
    inspections: [{ id: CHECK, organization_id: ORG, form_id: FORM, form_version_id: VERSION, title: 'Forklift 3' }],
    inspection_answers: [1, 2, 3].map(n => ({
      id: idOf(n),
      organization_id: ORG,
      inspection_id: CHECK,
      question: `q${n}`,
    })),
    action_items: [{ id: LADDER, organization_id: ORG, title: 'Mend the ladder' }],
    comments: [
      comment(ON_LADDER, 'action_items', LADDER, `The third rung is loose.\n${'It moves. '.repeat(20)}`),
      comment(ON_CHECK, 'inspections', CHECK, 'Looked at the brakes twice. '.repeat(20)),
    ],
  });
  const world = { tell: (_items: OutboxItem[]) => {} };
  const engine = {
    store,
    watchStatus: tells({ ...quiet, ...status }),
    watchOutbox(tell: (items: OutboxItem[]) => void) {
      world.tell = tell;
      tell(outbox);
      return () => {};
    },
    watchConflicts: tells([]),
    watchReceipts: tells([]),
    watchHealth: () => () => {},
    offlineFiles: { watch: () => () => {} },
    lockedOutbox: { isThere: async () => false },
    storageUse: async () => [],
  } as unknown as SyncEngine;
  const user = { id: ME, email: 'sam@cairn.test', fullName: 'Sam' };
  const addressOf = (table: TableName, id: string) => (table === 'comments' ? null : `/${table}/${id}`);
  const root = createRootRoute({
    component: () => (
      <SignedInContext.Provider value={{ user, engine, verified: true }}>
        <StoreContext.Provider value={store}>
          <SyncScreen addressOf={addressOf} />
        </StoreContext.Provider>
      </SignedInContext.Provider>
    ),
  });
  render(<RouterProvider router={createRouter({ routeTree: root, history: createMemoryHistory() })} />);
  await screen.findByText(sync.title, {}, { timeout: 20_000 });
  return world;
}

const theOutbox = () => screen.findByRole('region', { name: sync.outbox.title });
const opened = async () => {
  const outbox = await theOutbox();
  await userEvent.click(within(outbox).getByText(sync.outbox.details));
  await within(outbox).findAllByText(sync.outbox.trouble);
  return outbox;
};

const tried = waiting('action_items', LADDER, {
  title: 'Mend the ladder',
  state: 'retrying',
  attempts: 1,
  lastError: 'network',
  detail: 'Failed to fetch',
});

test('while somebody stays offline nothing is said to be tried, nor that a connection is missing', async () => {
  await show([tried], { online: false, offlineByChoice: true });
  const outbox = await opened();
  expect(within(outbox).getByText(sync.trouble.staying)).toBeTruthy();
  expect(within(outbox).getAllByText(sync.state.waiting)).toHaveLength(2);
  for (const words of [sync.state.retrying, sync.trouble.network, 'network', 'Failed to fetch'])
    expect(within(outbox).queryByText(words)).toBeNull();
});

test('with no signal, and nobody who wants it so, the last trouble is told', async () => {
  await show([tried], { online: false });
  const outbox = await opened();
  expect(within(outbox).getByText(sync.trouble.network)).toBeTruthy();
  expect(within(outbox).getAllByText(sync.state.retrying)).toHaveLength(2);
  expect(within(outbox).queryByText(sync.trouble.staying)).toBeNull();
});

test('what stays for a reason of its own says that one, also while somebody stays offline', async () => {
  await show([{ ...tried, state: 'waiting', lastError: 'not_a_member' }], { online: false, offlineByChoice: true });
  expect(within(await opened()).getAllByText(sync.given.row, { exact: false })).toHaveLength(2);
});

test('what a row is made of stands under it, not beside its state', async () => {
  await show([tried]);
  const details = within(await theOutbox())
    .getByText(sync.outbox.details)
    .closest('details');
  expect(details?.parentElement?.className).toContain('outbox-row');
});

const answer = (n: number, more: Partial<OutboxItem> = {}) =>
  waiting('inspection_answers', idOf(n), {
    operation: 'update',
    aggregateKey: `inspections/${CHECK}`,
    discardGroup: `inspections/${CHECK}`,
    ...more,
  });
const choice = { operation: 'resolve' } as const;

test('choices that wait are told as choices, not as answers', async () => {
  await show([answer(1, choice), answer(2, choice), answer(3)]);
  const outbox = await opened();
  expect(within(outbox).getByText('2 conflicts resolved, 1 answer')).toBeTruthy();
  const kinds = within(outbox).getAllByText(sync.failed.what);
  expect(kinds.map(each => each.nextElementSibling?.textContent)).toEqual([
    'Resolved conflict',
    'Resolved conflict',
    'Answer',
  ]);
});

test('a choice about a record itself is told, and one with an edit behind it is that record', async () => {
  await show([waiting('action_items', LADDER, { ...choice, title: 'Mend the ladder' })]);
  expect(within(await theOutbox()).getByText('1 conflict resolved')).toBeTruthy();
  cleanup();
  await show([answer(1, { ...choice, edits: 2 })]);
  expect(within(await theOutbox()).getByText('1 answer')).toBeTruthy();
});

test('a comment is told by its beginning and by what it is on, which can be opened', async () => {
  await show([waiting('comments', ON_LADDER)]);
  const outbox = await opened();
  expect((await within(outbox).findAllByText('Comment: The third rung is loose.', { exact: true })).length).toBe(1);
  expect(within(outbox).getByText('In: Mend the ladder')).toBeTruthy();
  const open = within(outbox).getByRole('link', { name: `${sync.outbox.open}: The third rung is loose.` });
  expect(open.getAttribute('href')).toBe(`/action_items/${LADDER}`);
  expect(document.querySelectorAll('.outbox-row')).toHaveLength(1);
});

test('a long comment is cut, and one on an inspection stays under it', async () => {
  await show([waiting('comments', ON_CHECK, { aggregateKey: `inspections/${CHECK}` })]);
  const outbox = await opened();
  expect(within(outbox).getByText('Forklift 3')).toBeTruthy();
  const begins = await within(outbox).findByText(/^Looked at the brakes twice\. Looked .* twice\.…$/);
  expect(begins.textContent.length).toBeLessThanOrEqual(61);
});

test('whoever stands on a heading or a button that goes with the last of its kind stands at the page', async () => {
  const failed = { ...tried, state: 'failed', lastError: '42501' } as const;
  const world = await show([failed]);
  document.getElementById(HEADINGS.needs)?.focus();
  expect(document.activeElement?.id).toBe(HEADINGS.needs);
  act(() => world.tell([tried]));
  await waitFor(() => expect(document.activeElement?.id).toBe(HEADINGS.page));
  screen.getByRole('button', { name: rescue.pack }).focus();
  act(() => world.tell([]));
  await waitFor(() => expect(screen.queryByRole('button', { name: rescue.pack })).toBeNull());
  await waitFor(() => expect(document.activeElement?.id).toBe(HEADINGS.page));
});
