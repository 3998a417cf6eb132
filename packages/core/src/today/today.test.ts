import { expect, test } from 'vitest';
import type { Draft } from '@cairn/schema';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { isOverdue, today } from './queries.ts';

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
  expect(later.map(({ title }) => title)).toEqual(['action next week', 'action without a date']);
});

test('what is overdue is past its due date', () => {
  const now = '2026-11-21T12:00:00Z';
  expect(isOverdue({ dueAt: '2026-11-21T11:59:59Z' }, now)).toBe(true);
  expect(isOverdue({ dueAt: '2026-11-21T13:30:00+01:00' }, now)).toBe(false);
  expect(isOverdue({ dueAt: null }, now)).toBe(false);
});
