import type { Row } from '@cairn/schema';

export type Habit = Row<'habits'>;
export type HabitEntry = Row<'habit_entries'>;
export type HabitPause = Row<'habit_pauses'>;
export type EntryValue = HabitEntry['value'];

/** What a habit asks for: the part of its row that the rules need. */
export type HabitRule = Pick<Habit, 'kind' | 'target' | 'target_kind' | 'times' | 'per_days'>;

/** What was said about one day; `amount` in the habit's unit. */
export type DayEntry = Pick<HabitEntry, 'day' | 'value' | 'amount'>;

/** Days that count for nothing; `until_day` is the last one, null while it goes on. */
export type PauseRange = Pick<HabitPause, 'from_day' | 'until_day'>;

/**
 * How a day stands. `done`: something was done and its target is met. `rule`: nothing had to be done that day, because enough was
 * done around it. `missed`: its amount does not meet the target: not enough yet, or too much. `skip`: skipped or paused. `unknown`:
 * nothing was said.
 */
export type DayStatus = 'done' | 'rule' | 'missed' | 'skip' | 'no' | 'unknown';

/**
 * One reckoned day; `amount` null where none was written. `isOpen`: its target can still be met in the days to come, so that it
 * breaks no streak yet.
 */
export type HabitDay = { day: string; status: DayStatus; amount: number | null; isOpen?: true };

/** Whether a day keeps the habit. */
export const isKept = ({ status }: Pick<HabitDay, 'status'>): boolean => status === 'done' || status === 'rule';
