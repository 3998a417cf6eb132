import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { Draft } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import type { EntryValue, Habit, HabitPause } from './habit.ts';

/** What a person writes about a habit; `target` in `unit` within `perDays`. */
export type HabitFields = {
  name: string;
  question: string;
  kind: Habit['kind'];
  unit: string;
  target: number | null;
  targetKind: Habit['target_kind'];
  times: number;
  perDays: number;
  /** HH:MM on the person's clocks; null: no reminder. */
  remindAt: string | null;
};

export type HabitProblem = 'nameNeeded' | 'targetNeeded' | 'tooOften';

/** What keeps a habit from being saved; null when nothing does. */
export function habitProblem({ name, kind, target, times, perDays }: HabitFields): HabitProblem | null {
  if (name.trim() === '') return 'nameNeeded';
  if (kind === 'number' && (target === null || !Number.isFinite(target) || target < 0)) return 'targetNeeded';
  const whole = [times, perDays].every(value => Number.isInteger(value) && value >= 1 && value <= 365);
  return !whole || (kind === 'yes_no' && times > perDays) ? 'tooOften' : null;
}

export type SaveHabit = {
  /** A fresh id, or that of the habit to change. */
  id: string;
  userId: string;
  fields: HabitFields;
  /** The local day it begins, YYYY-MM-DD; of a new one. */
  startedOn: string;
  /** Order on the screen, of a new one. */
  position: number;
};

/** Adds a habit, or changes one. @throws {Failure} `invalid` for what `habitProblem` names */
export async function saveHabit(tx: WriteTx, { id, userId, fields, startedOn, position }: SaveHabit): Promise<void> {
  const problem = habitProblem(fields);
  if (problem) throw new Failure('invalid', `saveHabit: ${id} ${problem}`);
  const isNumber = fields.kind === 'number';
  const values: Omit<Draft<'habits'>, 'id' | 'user_id' | 'started_on'> = {
    name: fields.name.trim(),
    question: fields.question.trim() || null,
    kind: fields.kind,
    unit: isNumber ? fields.unit.trim() || null : null,
    target: isNumber ? fields.target : null,
    target_kind: fields.targetKind,
    times: isNumber ? 1 : fields.times,
    per_days: fields.perDays,
    remind_at: fields.remindAt,
  };
  if (await tx.get('habits', id)) await tx.change('habits', id, values);
  else await tx.put('habits', { id, user_id: userId, started_on: startedOn, position, ...values });
}

/** Puts a habit away, or takes it up again. @param at ISO 8601, or null to take it up */
export async function archiveHabit(tx: WriteTx, id: string, at: string | null): Promise<void> {
  if (!(await tx.get('habits', id))) throw new Failure('not_found', `archiveHabit: no habit ${id}`);
  await tx.change('habits', id, { archived_at: at });
}

/** Takes a habit away with everything said about it. */
export async function removeHabit(tx: WriteTx, id: string): Promise<void> {
  const entries = await tx.range('habit_entries', 'habit', `${id}/`, `${id}/\uffff`);
  const pauses = (await tx.all('habit_pauses')).filter(pause => pause.habit_id === id);
  for (const entry of entries) await tx.remove('habit_entries', entry.id);
  for (const pause of pauses) await tx.remove('habit_pauses', pause.id);
  await tx.remove('habits', id);
}

export type SayDay = {
  userId: string;
  habitId: string;
  /** The local day, YYYY-MM-DD. */
  day: string;
  value: EntryValue;
  /** In the habit's unit; null for yes/no. */
  amount: number | null;
};

/** One entry a habit and day, under an id that every device derives alike. */
export const entryId = (habitId: string, day: string): string => derivedId(habitId, `habits/${day}`);

/** Says how one day was; what was said of it before is replaced. @throws {Failure} `invalid` for an amount below 0 */
export async function sayDay(tx: WriteTx, { userId, habitId, day, value, amount }: SayDay): Promise<void> {
  if (amount !== null && !(amount >= 0 && amount <= 1e9)) throw new Failure('invalid', `sayDay: ${habitId} ${day}`);
  const id = entryId(habitId, day);
  await tx.put('habit_entries', { id, user_id: userId, habit_id: habitId, day, value, amount });
}

export type PauseHabits = {
  id: string;
  userId: string;
  /** null: all of them. */
  habitId: string | null;
  fromDay: string;
  /** The last day; null: until it is ended. */
  untilDay: string | null;
  reason: HabitPause['reason'];
};

/** Days that count for nothing: no streak is lost, strength stands still. @throws {Failure} `invalid` when it ends before it begins */
export async function pauseHabits(tx: WriteTx, pause: PauseHabits): Promise<void> {
  if (pause.untilDay !== null && pause.untilDay < pause.fromDay) {
    throw new Failure('invalid', `pauseHabits: ${pause.id} ends before it begins`);
  }
  await tx.put('habit_pauses', {
    id: pause.id,
    user_id: pause.userId,
    habit_id: pause.habitId,
    from_day: pause.fromDay,
    until_day: pause.untilDay,
    reason: pause.reason,
  });
}

/** Ends a pause, or takes it away where it had not begun. @param lastDay the last day it counts for */
export async function endPause(tx: WriteTx, id: string, lastDay: string): Promise<void> {
  const pause = await tx.get('habit_pauses', id);
  if (!pause) throw new Failure('not_found', `endPause: no pause ${id}`);
  if (lastDay < pause.from_day) await tx.remove('habit_pauses', id);
  else await tx.change('habit_pauses', id, { until_day: lastDay });
}
