import { addDays } from '@cairn/base/local-day.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { firstDay, habitDays, reachDays, reachFrom } from './habit-days.ts';
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
      const pauses = await tx.all('habit_pauses');
      const from = addDays(today, 1 - length);
      const byHabit = await entriesSince(tx, { habits, pauses, from, today });
      return habits.map(habit => {
        const dayEntries = byHabit.get(habit.id) ?? [];
        return {
          habit,
          days: habitDays({ rule: habit, entries: dayEntries, pauses: pausesOf(pauses, habit.id), from, to: today }),
        };
      });
    },
  };
}

type Weeks = { habits: readonly Habit[]; pauses: readonly HabitPause[]; from: string; today: string };

/** What was said of each habit since its rule reaches back to, over whatever was skipped in between. */
async function entriesSince(tx: Tx, { habits, pauses, from, today }: Weeks): Promise<Map<string, HabitEntry[]>> {
  const reach = Math.max(0, ...habits.map(reachDays));
  for (let since = addDays(from, -reach); ;) {
    const entries = await tx.range('habit_entries', 'habitDay', since, `${today}\uffff`);
    const dayEntries = Map.groupBy(
      entries.filter(entry => entry.deleted_at === null),
      entry => entry.habit_id,
    );
    const wanted = habits.map(habit =>
      reachFrom({ rule: habit, entries: dayEntries.get(habit.id) ?? [], pauses: pausesOf(pauses, habit.id) }, from),
    );
    const earliest = wanted.reduce((first, day) => (day < first ? day : first), since);
    if (earliest === since) return dayEntries;
    since = earliest;
  }
}

/** Every habit, also those put away, in order. */
export const allHabits: Query<Habit[]> = { key: 'habits/allHabits', tables: ['habits'], read: habitsIn };

/** Of which days (YYYY-MM-DD, inclusive), and how many at most; all of them where nothing is said. */
type Stretch = { from?: string; to?: string; limit?: number };

async function entriesOf(tx: Tx, id: string, { from = '', to = '\uffff', limit }: Stretch = {}): Promise<HabitEntry[]> {
  const entries = await tx.range('habit_entries', 'habit', `${id}/${from}`, `${id}/${to}`, limit);
  return entries.filter(entry => entry.deleted_at === null);
}

const MONTH = 31;

/** One habit with its last days. */
export type HabitYear = {
  habit: Habit;
  /** The last days up to today that count, the oldest first: fewer than were asked for where the habit is younger. */
  days: HabitDay[];
  pauses: HabitPause[];
  /** What was said since `readFrom` (YYYY-MM-DD), the oldest first; what was said before that is `entriesBefore`. */
  dayEntries: HabitEntry[];
  readFrom: string;
};

/**
 * One habit with its last `length` days up to `today` (YYYY-MM-DD); null when it is not on this device. Reads only the days a rule
 * can reach back to, and the very first one.
 */
export function habitYear(id: string, today: string, length = 365): Query<HabitYear | null> {
  return {
    key: `habits/habitYear/${id}/${today}/${length}`,
    tables: ['habits', 'habit_entries', 'habit_pauses'],
    async read(tx) {
      const begin = addDays(today, 1 - length);
      // Asked for together, as far back as most rules reach: each question on its own is a trip to the database.
      const [habit, lately, first, all] = await Promise.all([
        tx.get('habits', id),
        entriesOf(tx, id, { from: addDays(begin, -MONTH) }),
        entriesOf(tx, id, { limit: 1 }),
        tx.all('habit_pauses'),
      ]);
      if (!habit || habit.deleted_at !== null) return null;
      const pauses = pausesOf(all, id);
      const { dayEntries, readFrom } = await entriesReaching(tx, { habit, pauses, begin, lately });
      const counts = firstDay(habit.started_on, [...first, ...dayEntries]);
      const days = habitDays({
        rule: habit,
        entries: dayEntries,
        pauses,
        from: counts > begin ? counts : begin,
        to: today,
      });
      return { habit, days, pauses, dayEntries, readFrom };
    },
  };
}

type HabitWindow = { habit: Habit; pauses: readonly HabitPause[]; begin: string; lately: HabitEntry[] };

/** What was said since the rule reaches back to from `begin`; `lately` is what was said since a month before it. */
async function entriesReaching(tx: Tx, { habit, pauses, begin, lately }: HabitWindow) {
  let [dayEntries, readFrom] = [lately, addDays(begin, -MONTH)];
  for (;;) {
    const wanted = reachFrom({ rule: habit, entries: dayEntries, pauses }, begin);
    if (wanted >= readFrom) return { dayEntries, readFrom };
    readFrom = wanted;
    dayEntries = await entriesOf(tx, habit.id, { from: readFrom });
  }
}

/** What was said about a habit before `day` (YYYY-MM-DD), the oldest first. What changes later leaves it as it is. */
export function entriesBefore(id: string, day: string): Query<HabitEntry[]> {
  return {
    key: `habits/entriesBefore/${id}/${day}`,
    tables: ['habit_entries'],
    read: tx => entriesOf(tx, id, { to: addDays(day, -1) }),
    async renew(before, changed, tx) {
      const ids = changed.get('habit_entries') ?? new Set();
      if (before.some(entry => ids.has(entry.id))) return null;
      const rows = await Promise.all([...ids].map(each => tx.get('habit_entries', each)));
      return rows.some(row => row && row.habit_id === id && row.day < day) ? null : before;
    },
  };
}

export type HabitHistory = {
  /** Every day from the first one said about, the oldest first. */
  days: HabitDay[];
  /** At the end of today, 0 to 1. */
  strength: number;
  streaks: Streaks;
};

/** A habit over its whole life. @param before what `entriesBefore` its `readFrom` tells @param today YYYY-MM-DD */
export function habitHistory(
  { habit, pauses, dayEntries: since }: HabitYear,
  before: readonly HabitEntry[],
  today: string,
): HabitHistory {
  const dayEntries = [...before, ...since];
  const days = habitDays({
    rule: habit,
    entries: dayEntries,
    pauses,
    from: firstDay(habit.started_on, dayEntries),
    to: today,
  });
  return { days, strength: strengths(habit, days).at(-1) ?? 0, streaks: streaks(habit, days) };
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
