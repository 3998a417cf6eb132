// @vitest-environment jsdom
import type { ReactNode } from 'react';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { localDay } from '@cairn/base/local-day.ts';
import { dashboardFigures } from '@cairn/core/analytics/queries.ts';
import { complianceOverview } from '@cairn/core/dashboard/compliance.ts';
import { inbox, unreadCount } from '@cairn/core/notifications/queries.ts';
import { isInForce } from '@cairn/core/policies/version-states.ts';
import { policyEntries } from '@cairn/core/policies/queries.ts';
import { circle, isHelping, supportNetwork } from '@cairn/core/support-circle/queries.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore, type MemoryRows } from '@cairn/testing/memory-store.ts';
import { DutiesSheet, MembersSheet } from '../../features/dashboard/counted-sheets.tsx';
import { CompanyTiles, PersonalTiles } from '../../features/dashboard/dashboard-tiles.tsx';
import { DayPanel } from '../../features/dashboard/day-panel.tsx';
import { OverdueCard } from '../../features/dashboard/overdue-card.tsx';
import { useCompliance, useFigures, useWork } from '../../features/dashboard/use-dashboard.ts';
import { GoalsScreen } from '../../features/goals/goals-screen.tsx';
import { PoliciesScreen } from '../../features/policies/policies-screen.tsx';
import dashboard from '../../shared/i18n/en/dashboard.json';
import goalTexts from '../../shared/i18n/en/goals.json';
import policyTexts from '../../shared/i18n/en/policies.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { useNow } from '../../shared/format/use-now.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [ME, COLLEAGUE] = [uuid(1), uuid(2)];
const [COMPANY, PRIVATE] = [uuid(11), uuid(12)];
const [LINE_A, LINE_B] = [uuid(21), uuid(22)];
const TEAM = uuid(31);

/** Every context somebody can work in: a whole organisation, one playbook of it, one's own space. */
const SPACES = [
  { organization: COMPANY, playbook: null },
  { organization: COMPANY, playbook: LINE_A },
  { organization: COMPANY, playbook: LINE_B },
  { organization: PRIVATE, playbook: null },
] as const;

beforeAll(async () => {
  await startI18n();
  addTexts('dashboard', dashboard);
  addTexts('goals', goalTexts);
  addTexts('policies', policyTexts);
});
afterEach(cleanup);

const DAY_MS = 86_400_000;
const daysFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const some = fc.constantFrom;
const due = fc.option(fc.integer({ min: -20, max: 20 }).map(daysFromNow), { nil: null });
const person = some(ME, COLLEAGUE, null);
const gone = some(null, null, null, '2026-11-01T00:00:00Z');
const place = { organization_id: some(COMPANY, PRIVATE), playbook_id: some(null, LINE_A, LINE_B) };
const INSPECTION = ['scheduled', 'in_progress', 'has_issues', 'finalised', 'approved'] as const;
const ACTION = ['open', 'assigned', 'in_progress', 'closed', 'duplicate'] as const;

const inspection = fc.record({
  ...place,
  status: some(...INSPECTION),
  due_at: due,
  assigned_to: person,
  assigned_team: some(null, null, TEAM),
  conducted_by: person,
  schedule_id: some(null, uuid(41)),
  missed_at: some(null, null, '2026-11-01T00:00:00Z'),
  finished_at: due,
});
const action = fc.record({ ...place, status: some(...ACTION), due_at: due, assignee_id: person, created_by: person });
const task = fc.record({
  ...place,
  status: some('todo', 'in_progress', 'done'),
  due_at: due,
  assignee_id: person,
  created_by: person,
  series_id: some(null, uuid(42)),
});
const policy = fc.record({ organization_id: some(COMPANY, PRIVATE), state: some('draft', 'published', 'archived') });
const member = fc.record({ organization_id: some(COMPANY, PRIVATE) });
const goal = fc.record({ state: some('draft', 'active', 'paused', 'achieved', 'dropped') });
const relationship = fc.record({ state: some('active', 'paused', 'ended'), subject_id: some(ME, COLLEAGUE) });
const told = fc.record({ is_read: fc.boolean() });
const many = <T,>(each: fc.Arbitrary<T>) => fc.array(fc.tuple(each, gone), { maxLength: 9 });

const anyRows = fc.record({
  inspections: many(inspection),
  action_items: many(action),
  tasks: many(task),
  policies: many(policy),
  members: many(member),
  goals: many(goal),
  circle: many(relationship),
  notifications: many(told),
});
type GeneratedRows = typeof anyRows extends fc.Arbitrary<infer T> ? T : never;

/** What a device holds: rows soft-deleted here stay until the server's word. */
function storeOf(all: GeneratedRows): Store {
  const form = { form_id: uuid(90), form_version_id: uuid(91) };
  const user = (n: number) => uuid(500 + n);
  const rows = <T extends object>(made: readonly (readonly [T, string | null])[], start: number) =>
    made.map(([row, deleted_at], n) => ({
      ...row,
      id: uuid(start + n),
      title: `${start + n}`,
      deleted_at,
      version: 1,
    }));
  return memoryStore(
    {
      inspections: rows(all.inspections, 1000).map(row => ({ ...row, ...form })),
      action_items: rows(all.action_items, 2000),
      tasks: rows(all.tasks, 3000).map(row => ({ ...row, due_day: row.due_at?.slice(0, 10) ?? null })),
      policies: rows(all.policies, 4000),
      organization_members: rows(all.members, 5000).map((row, n) => ({
        ...row,
        user_id: user(n),
        role: 'member' as const,
        joined_at: '2026-01-01T00:00:00Z',
      })),
      goals: rows(all.goals, 6000).map(row => ({ ...row, user_id: ME, area: 'health' })),
      circle_relationships: rows(all.circle, 7000).map(row => ({
        ...row,
        helper_id: row.subject_id === ME ? COLLEAGUE : ME,
        role: 'mentor' as const,
        started_at: '2026-01-01T00:00:00Z',
      })),
      // One that the server took back is gone here: no device deletes a notification.
      notifications: rows(all.notifications, 8000).map(row => ({
        ...row,
        deleted_at: null,
        user_id: ME,
        module: 'tasks',
        type: 'due',
      })),
      team_members: [{ id: uuid(51), organization_id: COMPANY, team_id: TEAM, user_id: ME }],
    } as unknown as MemoryRows,
    ME,
  );
}

function Company() {
  const now = useNow();
  const [work, figures, overview] = [useWork(now), useFigures(), useCompliance(now)];
  if (!work || !figures || !overview) return null;
  return (
    <>
      <CompanyTiles work={work} figures={figures} overview={overview} now={now} />
      <OverdueCard now={now} />
      <DutiesSheet overview={overview} now={now} onClose={() => undefined} />
      <MembersSheet onClose={() => undefined} />
    </>
  );
}

function Personal() {
  const now = useNow();
  const work = useWork(now);
  return work && <PersonalTiles work={work} now={now} />;
}

const rowOf = (_id: string, title: ReactNode) => title;
const noop = () => undefined;

async function draw(store: Store, { organization: id, playbook }: (typeof SPACES)[number]) {
  const kind = id === PRIVATE ? 'private' : 'company';
  const world = kind === 'private' ? ('personal' as const) : ('company' as const);
  const organization = { id, name: 'Northfield', kind } as Row<'organizations'>;
  const open = { userId: ME, organization, playbook: playbook && { id: playbook }, world, may: () => true };
  const root = createRootRoute({
    component: () => (
      <StoreContext.Provider value={store}>
        <SpaceContext.Provider value={open as unknown as Space}>
          {kind === 'company' ? <Company /> : <Personal />}
          <section aria-label="the day">
            <DayPanel />
          </section>
          <section aria-label="the policies">
            <PoliciesScreen
              title=""
              opened="inForce"
              links={null}
              renderPolicy={(_policy, _version, face) => face}
              onBegun={noop}
            />
          </section>
          <GoalsScreen title="" renderTitle={rowOf} onMade={noop} />
        </SpaceContext.Provider>
      </StoreContext.Provider>
    ),
  });
  const view = render(<RouterProvider router={createRouter({ routeTree: root, history: createMemoryHistory() })} />);
  await waitFor(() => {
    expect(screen.getByRole('region', { name: dashboard.tiles.label, hidden: true })).toBeDefined();
    expect(view.container.querySelector('.skeleton')).toBeNull();
  });
  return view;
}

/** The figure of a tile, as it is read on the screen. */
const figure = (label: string): number => {
  const tile = screen.getAllByText(label, { selector: '.tile .k' })[0]?.closest('.tile');
  return Number(tile?.querySelector('.n')?.textContent);
};

/** Rows of the region or dialog of that name; a list without rows is not drawn. Behind a dialog nothing has a role. */
function rowsIn(name: string): number {
  const title = screen.queryByText(name, { selector: '[role=dialog] .h2' });
  const place = title?.closest('[role=dialog]') ?? document.querySelector(`section[aria-label="${name}"]`);
  const rows = [...(place?.querySelectorAll('li') ?? [])];
  // A row may hold a list of its own.
  return rows.filter(row => !row.parentElement?.closest('li')).length;
}

const equals = (label: string, list: string): Promise<void> =>
  waitFor(() => expect([label, figure(label)]).toEqual([label, rowsIn(list)]));

async function dutiesEqual(store: Store, space: (typeof SPACES)[number]): Promise<void> {
  const { due, duties } = await store.read(complianceOverview({ space: spaceOf(space), today: localDay(new Date()) }));
  expect([rowsIn(dashboard.duties.title), duties.length]).toEqual([due, due]);
}

test('a tile equals the rows it opens, in an organisation, in each playbook of it, in a space of one’s own', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, some(...SPACES), async (all, space) => {
      const store = storeOf(all);
      await draw(store, space);
      try {
        const { tiles } = dashboard;
        const isCompany = space.organization === COMPANY;
        await equals(isCompany ? tiles.tasks : tiles.actions, 'the day');
        if (isCompany) {
          await equals(tiles.policies, 'the policies');
          await equals(tiles.team, dashboard.members.title);
          await dutiesEqual(store, space);
        } else {
          await equals(tiles.goals, goalTexts.running);
        }
      } finally {
        cleanup();
      }
    }),
    { numRuns: 40, endOnFailure: true },
  );
});

const spaceOf = ({ organization, playbook }: (typeof SPACES)[number]) => ({
  organizationId: organization,
  playbookId: playbook,
});

test('the figures read without a screen equal the rows of their lists too', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, some(COMPANY, PRIVATE), async (all, organizationId) => {
      const store = storeOf(all);
      const entries = await store.read(policyEntries({ organizationId, userId: ME }));
      const { activePolicies } = await store.read(dashboardFigures(organizationId));
      expect(activePolicies).toBe(entries.filter(entry => isInForce(entry.policy)).length);
      const { helpers } = await store.read(circle(ME));
      const helping = helpers.filter(entry => isHelping(entry.relationship));
      expect(await store.read(supportNetwork(ME))).toBe(helping.length);
      expect(await store.read(unreadCount)).toBe((await store.read(inbox({ unreadOnly: true }))).rows.length);
    }),
  );
});
