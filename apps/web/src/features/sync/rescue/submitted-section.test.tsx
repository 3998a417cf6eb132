// @vitest-environment jsdom
import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import type { SubmittedEdit } from '@cairn/sync/push/submitted-edits.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import sync from '../../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { ServerCallsContext, type ServerCalls } from '../../../shared/server/server-calls.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { SubmittedSection } from './submitted-section.tsx';
import type { QueuedEdit } from './submitted-groups.ts';
import { tells } from '../lists/sync-for-tests.ts';

const ORGANIZATION = '00000000-0000-4000-8000-0000000000a1';
const TASK = '00000000-0000-4000-8000-0000000000b1';

beforeAll(async () => {
  await startI18n();
  addTexts('sync', sync);
});
afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
});

const forklift: SubmittedEdit = {
  mid: 'm1',
  organizationId: ORGANIZATION,
  organization: 'Northfield',
  aggregateKey: 'inspections/i1',
  at: Date.parse('2026-11-21T09:00:00Z'),
};
const queued = (mid: string, state: QueuedEdit['state']): QueuedEdit => ({ mid, organization_id: ORGANIZATION, state });

const waits = { key: 'record/tasks/1', table: 'tasks', recordId: TASK, state: 'waiting' } as const;

type World = { pieces?: SubmittedEdit[]; outbox?: Partial<OutboxItem>[]; answer: () => Promise<QueuedEdit[]> };

function show({ pieces = [], outbox = [], answer }: World) {
  const store = memoryStore({
    organizations: [{ id: ORGANIZATION, name: 'Northfield', slug: 'n' }],
    tasks: [{ id: TASK, organization_id: ORGANIZATION, title: 'Sweep the hall' }],
  });
  const engine = { store, watchOutbox: tells(outbox), watchSubmitted: tells(pieces) } as unknown as SyncEngine;
  const asked: string[] = [];
  const calls = {
    call: (name: string) => {
      asked.push(name);
      return answer();
    },
  } as unknown as ServerCalls;
  const user = { id: 'sam', email: 'sam@cairn.test', fullName: 'Sam' };
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ServerCallsContext.Provider value={calls}>
        <SignedInContext.Provider value={{ user, engine, verified: true }}>
          <StoreContext.Provider value={store}>
            <SubmittedSection />
          </StoreContext.Provider>
        </SignedInContext.Provider>
      </ServerCallsContext.Provider>
    </QueryClientProvider>,
  );
  return asked;
}

const card = () => screen.findByRole('region', { name: 'Handed over to Northfield' });

test('what was submitted stands there with what became of it, as the server says', async () => {
  const asked = show({ pieces: [forklift], answer: async () => [queued('m1', 'declined'), queued('x', 'accepted')] });
  const list = await card();
  expect(within(list).getByText('Inspection')).toBeTruthy();
  expect(within(list).getByText(/over .*2026/)).toBeTruthy();
  expect(await within(list).findByText(sync.given.state.declined)).toBeTruthy();
  expect(within(list).getByText('1 item from another device or a backup')).toBeTruthy();
  expect(asked).toEqual(['my_submitted_edits']);
});

test('before the server answered one is told that it is being asked', async () => {
  show({ pieces: [forklift], answer: () => new Promise(() => {}) });
  expect(within(await card()).getByText(sync.given.state.unknown)).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe(sync.given.loading);
});

test('where the server could not be read one is told, and can ask again', async () => {
  let isThere = false;
  show({
    pieces: [forklift],
    answer: async () => (isThere ? [queued('m1', 'accepted')] : Promise.reject(new Error('no'))),
  });
  expect(await screen.findByText(sync.given.failed)).toBeTruthy();
  isThere = true;
  await userEvent.click(screen.getByRole('button', { name: sync.given.again }));
  expect(await within(await card()).findByText(sync.given.state.accepted)).toBeTruthy();
  expect(screen.queryByText(sync.given.failed)).toBeNull();
});

test('with no signal what this phone submitted still stands there, and why no more is known', async () => {
  onlineManager.setOnline(false);
  const asked = show({ pieces: [forklift], answer: async () => [] });
  expect(await screen.findByText(sync.given.offline)).toBeTruthy();
  expect(within(await card()).getByText('Inspection')).toBeTruthy();
  expect(asked).toEqual([]);
});

test('who gave nothing away sees nothing of it', async () => {
  const asked = show({ outbox: [{ ...waits, lastError: null }], answer: async () => [] });
  await waitFor(() => expect(asked).toHaveLength(1));
  // The reads of this device have ended too.
  await act(async () => undefined);
  expect(screen.queryByRole('region')).toBeNull();
  expect(screen.queryByText(/no longer a member/)).toBeNull();
});

test('what is still to be submitted names whose administrators get it', async () => {
  show({ outbox: [{ ...waits, lastError: 'not_a_member' }], answer: async () => [] });
  expect(await screen.findByText(/You are no longer a member of Northfield/)).toBeTruthy();
});
