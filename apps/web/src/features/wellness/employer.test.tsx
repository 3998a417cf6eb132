// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { employerView, reportedWeeks, type CohortFigure } from '@cairn/core/wellness/cohort.ts';
import type { Row } from '@cairn/schema';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import cohort from '../../shared/i18n/en/cohort.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { ServerCallsContext, type ServerCalls } from '../../shared/server/server-calls.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { EmployerScreen } from './employer-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const NORTH = '00000000-0000-4000-8000-0000000000b1';

let store: Store;
let isOn: boolean;
let calls: [string, unknown][];
beforeAll(async () => {
  await startI18n();
  addTexts('cohort', cohort);
});
afterEach(cleanup);
beforeEach(() => {
  isOn = true;
  calls = [];
  store = memoryStore(
    {
      organizations: [{ id: ORG, name: 'Northfield', slug: 'n', kind: 'company' }],
      organization_members: [{ id: 'm', organization_id: ORG, user_id: ME, role: 'admin' }],
      sites: [{ id: NORTH, organization_id: ORG, name: 'Site North' }],
    },
    ME,
  );
});

const [week = ''] = reportedWeeks(Date.now());
const figure = (part: Partial<CohortFigure>): CohortFigure => ({
  week,
  measure: 'mood',
  kind: 'organization',
  place_id: ORG,
  people: 105,
  percent: 62,
  margin: 15,
  overdue: null,
  overdue_before: null,
  ...part,
});
const FIGURES = [
  figure({}),
  figure({ measure: 'stress', percent: 55, overdue: 9, overdue_before: 3 }),
  figure({ measure: 'stress', percent: 20, week: 'earlier' }),
];

/** A server that holds these figures. */
const server: ServerCalls = {
  rows: async ({ table, filter }) =>
    (table === 'cohort_settings'
      ? [{ is_on: isOn, minimum: 70 }]
      : FIGURES.filter(row => (filter['week'] === week) === (row.week === week))) as never,
  call: async (name, args) => {
    calls.push([name, args]);
    return null as never;
  },
  insert: () => Promise.reject(new Error('nothing is inserted here')),
  send: () => Promise.reject(new Error('nothing is sent here')),
};

function show(may: boolean) {
  const organization = { id: ORG, name: 'Northfield', kind: 'company' } as Row<'organizations'>;
  const space: Space = { userId: ME, organization, playbook: null, world: 'company', may: () => may };
  const signedIn = { user: { id: ME, email: 'a@a.test', fullName: null }, engine: {} as SyncEngine, verified: true };
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SignedInContext.Provider value={signedIn}>
        <SpaceContext.Provider value={space}>
          <ServerCallsContext.Provider value={server}>
            <StoreContext.Provider value={store}>
              <EmployerScreen backLink={null} />
            </StoreContext.Provider>
          </ServerCallsContext.Provider>
        </SpaceContext.Provider>
      </SignedInContext.Provider>
    </QueryClientProvider>,
  );
}

test('shows each estimate with its range, says where too few people count, and hints only where both went up', async () => {
  show(false);
  const whole = await screen.findByRole('heading', { name: 'Northfield' });
  const row = whole.closest('li');
  expect(row && within(row).getByText('About 62%, between 47% and 77%')).toBeTruthy();
  expect(row && within(row).getByText(/about 105 people counted/)).toBeTruthy();
  expect(row && within(row).queryByText(/Not enough people/)).toBeNull();
  expect(screen.getByText('More stress and more overdue work')).toBeTruthy();
  const site = screen.getByRole('heading', { name: 'Site North' }).closest('li');
  expect(site?.textContent).toContain('Not enough people');
  expect(site?.textContent).not.toContain('%');
  expect(screen.queryByText('For administrators')).toBeNull();
});

test('says in numbers what somebody who knows all other answers would learn, and no less', async () => {
  show(false);
  const rules = await screen.findByRole('region', { name: 'What protects you' });
  for (const words of [
    'at most 63 times in 100',
    'at most 57 of 100',
    'after a year 75',
    '20 periods',
    'After all of them it is 84',
  ]) {
    expect(rules.textContent).toContain(words);
  }
});

test('a person is counted only from their own yes on, and it is taken back by the same switch', async () => {
  show(false);
  const own = await screen.findByRole('switch', { name: 'Include me in Northfield’s figures' });
  expect(own.getAttribute('aria-checked')).toBe('false');
  const isCounted = async () => (await store.read(employerView({ id: ORG, name: 'Northfield' }))).isCounted;
  await userEvent.click(own);
  await vi.waitFor(async () => expect(await isCounted()).toBe(true));
  await userEvent.click(screen.getByRole('switch', { name: 'Include me in Northfield’s figures' }));
  await vi.waitFor(async () => expect(await isCounted()).toBe(false));
});

test('where the organisation asks for nothing nothing is shown; an administrator asks, with no fewer than sixty people', async () => {
  isOn = false;
  show(true);
  expect(await screen.findByText('Northfield does not collect these figures')).toBeTruthy();
  const minimum = screen.getByLabelText('Smallest group size');
  await userEvent.clear(minimum);
  await userEvent.type(minimum, '59');
  expect(screen.getByRole('alert').textContent).toContain('from 60 to 1000');
  await userEvent.clear(minimum);
  await userEvent.type(minimum, '75');
  await userEvent.click(screen.getByRole('switch', { name: 'Collect wellbeing figures for groups' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(calls).toEqual([['set_cohort_settings', { p_organization: ORG, p_on: true, p_minimum: 75 }]]),
  );
});
