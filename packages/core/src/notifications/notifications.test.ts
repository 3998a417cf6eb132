import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { cadencesOf, chooseCadence, choiceMatrix, type ChooseCadence } from './choices.ts';
import { markAllRead, markRead } from './mark-read.ts';
import { asAppNotification, inbox, unreadCount, unreadNotifications } from './queries.ts';
import { dueReminders, reminders } from './reminders.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [me, other, organization] = [uuid(1), uuid(2), uuid(3)];
const told = (n: number, more: object = {}) => ({
  id: uuid(100 + n),
  user_id: me,
  organization_id: organization,
  type: 'action.assigned',
  module: 'action-items',
  key: `k${n}`,
  params: { title: `Brake ${n}` },
  path: '/tasks',
  created_at: `2026-11-2${n}T09:00:00.000Z`,
  ...more,
});
const type = (key: string, more: object = {}) => ({
  id: uuid(key.length + 200),
  key,
  module: 'action-items',
  class: 'normal' as const,
  app: 'immediate' as const,
  push: 'immediate' as const,
  email: 'daily' as const,
  ...more,
});
let store: Store;

beforeEach(() => {
  store = memoryStore(
    {
      notifications: [told(1), told(2, { is_read: true }), told(3, { module: 'field', type: 'inspection.failed' })],
      notification_types: [
        type('action.assigned'),
        type('security.new_device', { class: 'security', email: 'immediate' }),
      ],
    },
    me,
  );
});

describe('the inbox', () => {
  test('newest first, with what is not read by module', async () => {
    const { rows, unread } = await store.read(inbox());
    expect(rows.map(row => row.key)).toEqual(['k3', 'k2', 'k1']);
    expect(Object.fromEntries(unread)).toEqual({ 'action-items': 1, field: 1 });
    expect((await store.read(inbox({ module: 'field' }))).rows.map(row => row.key)).toEqual(['k3']);
    expect((await store.read(inbox({ unreadOnly: true }))).rows.map(row => row.key)).toEqual(['k3', 'k1']);
    expect((await store.read(unreadNotifications)).map(row => row.key)).toEqual(['k3', 'k1']);
  });

  test('R3.29 a notification has id, timestamp, read flag and module, and marking it read shows in all of them', async () => {
    const [first] = (await store.read(inbox({ module: 'field' }))).rows;
    if (!first) throw new Error('no notification');
    expect(asAppNotification(first)).toEqual({
      id: first.id,
      timestamp: first.created_at,
      read: false,
      module: 'field',
    });
    expect(await store.read(unreadCount)).toBe(2);
    await store.write('mark', tx => markRead(tx, [first.id, uuid(999)], true));
    expect(await store.read(unreadCount)).toBe(1);
    await store.write('mark', tx => markRead(tx, [first.id], false));
    expect(await store.read(unreadCount)).toBe(2);
  });

  test('all of a module, or all, are marked at once and named for undo', async () => {
    expect(await store.write('all', tx => markAllRead(tx, 'field'))).toEqual([uuid(103)]);
    expect(await store.write('all', tx => markAllRead(tx))).toEqual([uuid(101)]);
    expect(await store.read(unreadCount)).toBe(0);
  });
});

describe('choices', () => {
  const choose = (more: Partial<ChooseCadence>) =>
    store.write('choose', tx =>
      chooseCadence(tx, { userId: me, type: 'action.assigned', channel: 'email', cadence: 'off', ...more }),
    );
  const cadence = async (key: string) => (await store.read(choiceMatrix)).find(line => line.type.key === key)?.cadence;

  test('the default of the type holds until something is chosen; the last choice holds', async () => {
    expect(await cadence('action.assigned')).toEqual({ app: 'immediate', push: 'immediate', email: 'daily' });
    await choose({});
    await choose({ cadence: 'immediate' });
    await choose({ channel: 'push', cadence: 'daily' });
    expect(await cadence('action.assigned')).toEqual({ app: 'immediate', push: 'daily', email: 'immediate' });
  });

  test('safety and security are always told at once; the app has no digest; a type must be known', async () => {
    expect((await store.read(choiceMatrix)).map(line => line.fixed)).toEqual([false, true]);
    await expect(choose({ type: 'security.new_device' })).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(choose({ channel: 'app', cadence: 'daily' })).rejects.toMatchObject({ code: 'invalid' });
    await expect(choose({ type: 'nothing' })).rejects.toMatchObject({ code: 'not_found' });
    expect(cadencesOf('app')).not.toContain('daily');
  });
});

describe('reminders of the device', () => {
  const due = '2026-11-25T12:00:00.000Z';
  const action = (n: number, more: object = {}) => ({
    id: uuid(300 + n),
    organization_id: organization,
    title: `Mend ${n}`,
    status: 'assigned' as const,
    assignee_id: me,
    due_at: due,
    created_at: '2026-11-01T00:00:00.000Z',
    ...more,
  });
  const planned = async (rows: ReturnType<typeof action>[], notifications: ReturnType<typeof told>[] = []) =>
    (await memoryStore({ action_items: rows, notifications }, me).read(reminders(me))).map(each => [
      each.type,
      each.at,
    ]);
  const at = Date.parse(due);

  test('a day before, and when it is late', async () => {
    expect(await planned([action(1)])).toEqual([
      ['action.due_soon', at - 86_400_000],
      ['action.overdue', at],
    ]);
  });

  test('only mine, open ones, and not a day ahead of a date that was set within it', async () => {
    const rows = [action(1, { assignee_id: other }), action(2, { status: 'closed' }), action(3, { due_at: null })];
    expect(await planned(rows)).toEqual([]);
    expect(await planned([action(1, { created_at: '2026-11-25T08:00:00.000Z' })])).toEqual([['action.overdue', at]]);
  });

  test('what the server told already is not told again', async () => {
    const soon = told(9, { type: 'action.due_soon', subject_id: uuid(301), created_at: '2026-11-24T12:00:30.000Z' });
    expect(await planned([action(1)], [soon])).toEqual([['action.overdue', at]]);
  });

  test('what fell due before the device began to look is not called out late; the next one is known', async () => {
    const all = await memoryStore({ action_items: [action(1)] }, me).read(reminders(me));
    const soonAt = at - 86_400_000;
    expect(dueReminders(all, { since: soonAt - 1, now: soonAt })).toMatchObject({
      due: [{ type: 'action.due_soon' }],
      next: at,
    });
    expect(dueReminders(all, { since: soonAt, now: soonAt + 1 })).toEqual({ due: [], next: at });
    expect(dueReminders(all, { since: at, now: at + 1 })).toEqual({ due: [], next: null });
  });
});
