import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { openActionsOf } from '../action-items/queries.ts';
import { openTasksOf } from '../tasks/queries.ts';

/** Something the device itself reminds of, also without a network: the twin of what the server tells by the clock. */
export type Reminder = {
  /** Once a key was called out, it is not again. */
  key: string;
  type:
    | 'action.due_soon'
    | 'action.overdue'
    | 'task.due_soon'
    | 'task.overdue'
    | 'habit.reminder'
    | 'wellness.reminder'
    | 'circle.session_soon';
  subjectId: string;
  title: string;
  /** Who else it is about; no property where nobody is, or they have no name. */
  by?: string;
  path: string;
  /** When to remind, ms since 1970. */
  at: number;
};

const DAY_MS = 86_400_000;

type DueAction = Pick<Row<'action_items'>, 'id' | 'title' | 'due_at' | 'created_at'>;

/** A day before an action item is due, unless its date was set within that day, and when it is late. */
function remindersOf({ id, title, due_at: due, created_at: made }: DueAction): Reminder[] {
  if (due === null) return [];
  const at = Date.parse(due);
  const reminder = (type: Reminder['type'], when: number): Reminder => ({
    key: `${id}/${type}/${at}`,
    type,
    subjectId: id,
    title,
    path: `/action-items/${id}`,
    at: when,
  });
  const soon = Date.parse(made) < at - DAY_MS ? [reminder('action.due_soon', at - DAY_MS)] : [];
  return [...soon, reminder('action.overdue', at)];
}

const HOUR_MS = 3_600_000;

/** At nine o'clock of the day a task is due, or an hour before its time, and when it is late: as `inbox.sweep_tasks` does. */
function taskRemindersOf({ id, title, due_at: due, due_time: time, created_at: made }: Row<'tasks'>): Reminder[] {
  if (due === null) return [];
  const at = Date.parse(due);
  const soon = at - (time === null ? 15 : 1) * HOUR_MS;
  const reminder = (type: Reminder['type'], when: number): Reminder => ({
    key: `${id}/${type}/${at}`,
    type,
    subjectId: id,
    title,
    path: `/tasks/${id}`,
    at: when,
  });
  return [...(Date.parse(made) < soon ? [reminder('task.due_soon', soon)] : []), reminder('task.overdue', at)];
}

/**
 * What this device has to remind its person of, the earliest first: their open tasks and action items, as far as not told
 * yet.
 */
export function reminders(userId: string): Query<Reminder[]> {
  return {
    key: `notifications/reminders/${userId}`,
    tables: ['action_items', 'tasks', 'notifications'],
    async read(tx) {
      const mine = (await openActionsOf(tx, userId)).filter(row => row.deleted_at === null);
      const tasks = (await openTasksOf(tx, userId)).filter(row => row.deleted_at === null);
      const all = [...mine.flatMap(remindersOf), ...tasks.flatMap(taskRemindersOf)].toSorted((a, b) => a.at - b.at);
      const told: Reminder[] = [];
      for (const each of all) {
        const key = `${each.subjectId}/${each.type}`;
        const known = await tx.range('notifications', 'subject', key, key);
        // One that was told of an earlier due date does not stand for this one.
        if (known.some(row => Date.parse(row.created_at) >= each.at)) told.push(each);
      }
      return all.filter(each => !told.includes(each));
    },
  };
}

/**
 * What to call out now, and when to look again.
 *
 * @param since ms since 1970; what fell due before this device began to look is not called out late
 * @param now ms since 1970
 */
export function dueReminders(
  all: readonly Reminder[],
  { since, now }: { since: number; now: number },
): { due: Reminder[]; next: number | null } {
  const due = all.filter(each => each.at > since && each.at <= now);
  return { due, next: all.find(each => each.at > now)?.at ?? null };
}

type Switches = { task_deadlines: boolean; wellness_reminders: boolean };

/** Whether a person wants to be reminded of it: what the server's types name as their `setting`; a session has none. */
export function isWanted({ type }: Pick<Reminder, 'type'>, chosen: Switches): boolean {
  const [area] = type.split('.');
  if (area === 'circle') return true;
  return area === 'action' || area === 'task' ? chosen.task_deadlines : chosen.wellness_reminders;
}
