import { addDays } from '@cairn/base/local-day.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { firstDay, habitDays } from './habit-days.ts';
import type { Habit, HabitDay, HabitEntry, HabitPause } from './habit.ts';
import { strengths, streaks, type Streaks } from './strength.ts';

/** A habit with its last days, the oldest first, today the last. */
export type HabitWeek = { habit: Habit; days: HabitDay[] };

const bySort = (a: Habit, b: Habit): number => a.position - b.position || a.name.localeCompare(b.name);

async function habitsIn(tx: Tx): Promise<Habit[]> {
  return (await tx.all('habits')).filter(habit => habit.deleted_at === null).toSorted(bySort);
}

const pausesOf = (pauses: readonly HabitPause[], id: string): HabitPause[] =>
  pauses.filter(pause => pause.deleted_at === null && (pause.habit_id === null || pause.habit_id === id));

/**
 * The habits in use with their last `length` days up to `today`. Reads only the days a rule can reach back to.
 */
export function habitWeeks(today: string, length: number): Query<HabitWeek[]> {
  return {
    key: `habits/habitWeeks/${today}/${length}`,
    tables: ['habits', 'habit_entries', 'habit_pauses'],
    async read(tx) {
      const habits = (await habitsIn(tx)).filter(habit => habit.archived_at === null);
      const reach = Math.max(1, ...habits.map(habit => habit.per_days)) * 2;
      const from = addDays(today, 1 - length);
      const entries = await tx.range('habit_entries', 'habitDay', addDays(from, -reach), `${today}\uffff`);
      const pauses = await tx.all('habit_pauses');
      const byHabit = Map.groupBy(
        entries.filter(entry => entry.deleted_at === null),
        entry => entry.habit_id,
      );
      return habits.map(habit => {
        const said = byHabit.get(habit.id) ?? [];
        return { habit, days: habitDays({ rule: habit, said, pauses: pausesOf(pauses, habit.id), from, to: today }) };
      });
    },
  };
}

/** Every habit, also those put away, in order. */
export const allHabits: Query<Habit[]> = { key: 'habits/allHabits', tables: ['habits'], read: habitsIn };

export type HabitHistory = {
  habit: Habit;
  /** Every day from the first one said about, the oldest first. */
  days: HabitDay[];
  /** At the end of each of these days, 0 to 1. */
  strengths: number[];
  streaks: Streaks;
  pauses: HabitPause[];
};

async function entriesOf(tx: Tx, id: string): Promise<HabitEntry[]> {
  const entries = await tx.range('habit_entries', 'habit', `${id}/`, `${id}/\uffff`);
  return entries.filter(entry => entry.deleted_at === null);
}

/** One habit with everything that was said about it; null when it is not on this device. @param today YYYY-MM-DD */
export function habitHistory(id: string, today: string): Query<HabitHistory | null> {
  return {
    key: `habits/habitHistory/${id}/${today}`,
    tables: ['habits', 'habit_entries', 'habit_pauses'],
    async read(tx) {
      const habit = await tx.get('habits', id);
      if (!habit || habit.deleted_at !== null) return null;
      const said = await entriesOf(tx, id);
      const pauses = pausesOf(await tx.all('habit_pauses'), id);
      const from = firstDay(habit.started_on, said);
      const days = habitDays({ rule: habit, said, pauses, from, to: today });
      return { habit, days, strengths: strengths(habit, days), streaks: streaks(habit, days), pauses };
    },
  };
}

export type ExportedHabit = { habit: Habit; entries: HabitEntry[] };

/** Everything about habits, for an export. */
export const habitsToExport: Query<ExportedHabit[]> = {
  key: 'habits/habitsToExport',
  tables: ['habits', 'habit_entries'],
  async read(tx) {
    const all: ExportedHabit[] = [];
    for (const habit of await habitsIn(tx)) all.push({ habit, entries: await entriesOf(tx, habit.id) });
    return all;
  },
};
