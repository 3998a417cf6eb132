import { expect, test } from 'vitest';
import type { Draft } from '@cairn/schema';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { dutiesElsewhere, pendingCount, today, upcoming } from './queries.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organization, me, other] = [uuid(1), uuid(3), uuid(4)];
const request = {
  space: { organizationId: organization, playbookId: uuid(8) },
  userId: me,
  endOfDay: '2026-11-21T23:59:59.999Z',
};

const inspection = (n: number, title: string, more: Partial<Draft<'inspections'>>): Draft<'inspections'> => ({
  id: uuid(n),
  organization_id: organization,
  form_id: uuid(90),
  form_version_id: uuid(91),
  title,
  status: 'scheduled',
  ...more,
});
const action = (n: number, title: string, more: Partial<Draft<'action_items'>>): Draft<'action_items'> => ({
  id: uuid(n),
  organization_id: organization,
  title,
  assignee_id: me,
  ...more,
});

const store = memoryStore(
  {
    inspections: [
      inspection(10, 'due at noon', { due_at: '2026-11-21T12:00:00Z', assigned_to: me }),
      inspection(11, 'for anyone', { due_at: '2026-11-21T15:00:00Z' }),
      inspection(12, 'missed yesterday', { due_at: '2026-11-20T12:00:00Z', assigned_to: me }),
      inspection(13, 'tomorrow', { due_at: '2026-11-22T12:00:00Z', assigned_to: me }),
      inspection(14, "somebody else's", { due_at: '2026-11-21T12:00:00Z', assigned_to: other }),
      inspection(15, 'older draft', { status: 'in_progress', conducted_by: me, started_at: '2026-11-21T07:00:00Z' }),
      inspection(16, 'newer draft', { status: 'in_progress', conducted_by: me, started_at: '2026-11-21T08:00:00Z' }),
      inspection(17, "somebody else's draft", { status: 'in_progress', conducted_by: other, assigned_to: me }),
      inspection(18, 'of another playbook', { due_at: '2026-11-21T12:00:00Z', assigned_to: me, playbook_id: uuid(7) }),
      inspection(19, 'finished', { status: 'finalised', due_at: '2026-11-21T12:00:00Z', assigned_to: me }),
    ],
    action_items: [
      action(20, 'overdue action', { due_at: '2026-11-19T12:00:00Z' }),
      action(21, 'action without a date', {}),
      action(22, 'action next week', { due_at: '2026-11-28T12:00:00Z' }),
      action(23, "somebody else's action", { assignee_id: other, due_at: '2026-11-21T12:00:00Z' }),
      action(24, 'closed action', { status: 'closed', due_at: '2026-11-21T12:00:00Z' }),
    ],
  },
  me,
);

test('today has drafts first, then all that is mine and due by tonight, what is overdue first', async () => {
  const { next, items, later } = await store.read(today(request));
  expect(items.map(({ title }) => title)).toEqual([
    'newer draft',
    'older draft',
    'overdue action',
    'missed yesterday',
    'due at noon',
    'for anyone',
  ]);
  expect(next?.title).toBe('newer draft');
  expect(later.map(({ title }) => title)).toEqual(['tomorrow', 'action next week', 'action without a date']);
});

test('pending is what is open and mine, each of it a row of the day, also what is planned for me without a date', async () => {
  const undated = memoryStore(
    {
      inspections: [
        inspection(30, 'planned for me', { assigned_to: me }),
        inspection(31, 'planned for somebody else', { assigned_to: other }),
        inspection(32, 'planned for nobody', { due_at: '2026-11-25T12:00:00Z' }),
        inspection(33, 'my draft', { status: 'in_progress', conducted_by: me }),
        inspection(34, 'finished', { status: 'finalised', assigned_to: me }),
        ...[23, 24, 25].map(day =>
          inspection(day + 20, `of a schedule, ${day}`, {
            assigned_to: me,
            schedule_id: uuid(70),
            due_at: `2026-11-${day}T12:00:00Z`,
          }),
        ),
      ],
      action_items: [action(50, 'mine', {}), action(51, 'closed', { status: 'closed' })],
    },
    me,
  );
  const day = await undated.read(today(request));
  expect(day.items.map(({ title }) => title)).toEqual(['my draft']);
  expect(day.later.map(({ title }) => title)).toEqual(['of a schedule, 23', 'planned for me', 'mine']);
  expect(pendingCount(day)).toBe(4);
});

test('the days after today have what falls due in them: neither drafts, nor what is late, nor what comes after', async () => {
  const until = '2026-11-28T11:59:59Z';
  expect((await store.read(upcoming({ ...request, until }))).map(({ title }) => title)).toEqual(['tomorrow']);
  const later = await store.read(upcoming({ ...request, until: '2026-11-28T23:59:59Z' }));
  expect(later.map(({ title }) => title)).toEqual(['tomorrow', 'action next week']);
});

test('duties elsewhere are those of the other organisations one belongs to, each under its name', async () => {
  const [mine, company, left] = [uuid(40), uuid(41), uuid(42)];
  const place = (n: number, organization_id: string, deleted_at: string | null = null) => ({
    id: uuid(n),
    organization_id,
    user_id: me,
    role: 'member' as const,
    joined_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    version: 1,
    deleted_at,
  });
  const due = { due_at: '2026-11-21T12:00:00Z' };
  const several = memoryStore(
    {
      organizations: [
        { id: mine, name: 'Private', slug: 'p' },
        { id: company, name: 'Works', slug: 'w' },
        { id: left, name: 'Former', slug: 'f' },
      ],
      organization_members: [place(50, mine), place(51, company), place(52, left, '2026-02-01T00:00:00Z')],
      action_items: [
        action(60, 'private matter', { ...due, organization_id: mine }),
        action(61, 'company duty', { ...due, organization_id: company }),
        action(62, 'next week', { due_at: '2026-11-28T12:00:00Z', organization_id: company }),
        action(63, 'former duty', { ...due, organization_id: left }),
      ],
    },
    me,
  );
  const { endOfDay } = request;
  const titles = async (except: string) =>
    (await several.read(dutiesElsewhere({ userId: me, except, endOfDay }))).map(({ name, items }) => [
      name,
      items.map(({ title }) => title),
    ]);
  expect(await titles(mine)).toEqual([['Works', ['company duty']]]);
  expect(await titles(company)).toEqual([['Private', ['private matter']]]);
});

const managing = {
  organization_members: [{ id: uuid(60), organization_id: organization, user_id: me, role: 'manager' as const }],
  role_permissions: ['action.manage', 'action.work'].map((permission, n) => ({
    id: uuid(61 + n),
    role_kind: 'organization' as const,
    role: 'manager',
    permission,
  })),
};
const criticals = [
  action(70, 'parcel', { due_at: '2026-11-21T08:00:00Z' }),
  action(71, 'mine, without a date', { priority: 'critical' }),
  action(72, "nobody's", { priority: 'critical', assignee_id: null, created_by: other }),
  action(73, "somebody else's", { priority: 'critical', assignee_id: other }),
  action(74, 'to be verified', {
    priority: 'critical',
    assignee_id: other,
    done_by: other,
    status: 'ready_for_verification',
    due_at: '2026-11-30T08:00:00Z',
  }),
  action(75, 'closed', { priority: 'critical', status: 'closed' }),
];
const draftOf = [
  inspection(76, 'draft', { status: 'in_progress', conducted_by: me, started_at: '2026-11-21T07:00:00Z' }),
];
const titlesOf = (items: readonly { title: string }[]) => items.map(({ title }) => title);

test('what is critical comes before drafts and everything that is due, with or without a date', async () => {
  const own = memoryStore({ inspections: draftOf, action_items: criticals }, me);
  const { next, items } = await own.read(today(request));
  expect(titlesOf(items)).toEqual(['mine, without a date', 'draft', 'parcel']);
  expect(next?.title).toBe('mine, without a date');
});

test('whoever manages action items has in their day what is critical and nobody has, and what waits to be verified', async () => {
  const manager = memoryStore({ ...managing, inspections: draftOf, action_items: criticals }, me);
  const { items, later } = await manager.read(today(request));
  expect(titlesOf(items)).toEqual(['to be verified', 'mine, without a date', "nobody's", 'draft', 'parcel']);
  expect(titlesOf(later)).toEqual([]);
});

test('what somebody said is ready is not the first thing they have to do while another can verify it', async () => {
  const ready = action(80, 'mended', { priority: 'critical', done_by: me, status: 'ready_for_verification' });
  const others = [{ id: uuid(63), organization_id: organization, user_id: other, role: 'manager' as const }];
  const members = [...managing.organization_members, ...others];
  const two = memoryStore(
    { ...managing, organization_members: members, inspections: draftOf, action_items: [ready] },
    me,
  );
  expect((await two.read(today(request))).next?.title).toBe('draft');
  const alone = memoryStore({ ...managing, inspections: draftOf, action_items: [ready] }, me);
  expect((await alone.read(today(request))).next?.title).toBe('mended');
});
