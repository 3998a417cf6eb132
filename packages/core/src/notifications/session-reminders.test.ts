import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { isWanted } from './reminders.ts';
import { sessionReminders } from './session-reminders.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [PIA, SAM, PAIR, SESSION] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const AT = '2026-11-24T10:00:00.000Z';
const NINE = Date.parse('2026-11-24T09:00:00.000Z');

const pair = {
  id: PAIR,
  subject_id: PIA,
  helper_id: SAM,
  role: 'mentor_coach' as const,
  state: 'active' as const,
  helper_name: 'Sam Worker',
};
const planned = {
  id: SESSION,
  relationship_id: PAIR,
  subject_id: PIA,
  helper_id: SAM,
  author_id: SAM,
  at: AT,
  state: 'planned' as const,
  created_at: '2026-11-20T10:00:00.000Z',
};
const told = {
  id: uuid(5),
  user_id: PIA,
  type: 'circle.session_soon',
  module: 'support-circle',
  key: 'k',
  subject_id: SESSION,
  path: '/support-circle',
};
type Part = { relationship?: object; session?: object; notifications?: { created_at: string }[] };

const reminded = async ({ relationship = {}, session = {}, notifications = [] }: Part = {}) => {
  const store = memoryStore(
    {
      circle_relationships: [{ ...pair, ...relationship }],
      circle_sessions: [{ ...planned, ...session }],
      notifications: notifications.map(row => ({ ...told, ...row })),
    },
    PIA,
  );
  return (await store.read(sessionReminders(PIA))).map(({ at, by, path }) => [at, by, path]);
};
const ONCE = [[NINE, 'Sam Worker', `/support-circle/${PAIR}`]];

test('a device reminds of a planned session an hour before, by the name of the other', async () => {
  expect(await reminded()).toEqual(ONCE);
});

test.each([
  ['one that was called off', { session: { state: 'cancelled' } }],
  ['one of a circle that rests', { relationship: { state: 'paused' } }],
  ['one that was planned within the hour', { session: { created_at: '2026-11-24T09:30:00.000Z' } }],
  ['one the server has told of', { notifications: [{ created_at: '2026-11-24T09:00:07.000Z' }] }],
])('not of %s', async (_, part) => {
  expect(await reminded(part)).toEqual([]);
});

test('again after it was moved to a later time than was told', async () => {
  expect(await reminded({ notifications: [{ created_at: '2026-11-23T09:00:00.000Z' }] })).toEqual(ONCE);
});

test.each([
  ['action.overdue', [true, false]],
  ['task.due_soon', [true, false]],
  ['habit.reminder', [false, true]],
  ['circle.session_soon', [true, true]],
] as const)('%s is called out by the switch the server has for it', (type, wanted) => {
  const by = (deadlines: boolean) => isWanted({ type }, { task_deadlines: deadlines, wellness_reminders: !deadlines });
  expect([by(true), by(false)]).toEqual(wanted);
});
