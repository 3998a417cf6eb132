import { millionths } from './amounts.ts';
import { type CountedDay, keptDays, type KeptDays, lengthFrom } from './habit-periods.ts';
import type { DayStatus, HabitDay, HabitRule, PauseRange, DayEntry } from './habit.ts';

const DAY_MS = 86_400_000;

/** A day as its number since 1970. Five years are some ten thousand steps: in text each would be written and read again. */
const numberOf = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** Whole days from one local day to another (both YYYY-MM-DD); no zone and no clock change reaches them. */
export const daysFrom = (from: string, to: string): number => numberOf(to) - numberOf(from);

/** How many days that count may lie before a day and still make it one that keeps the habit. */
export const reachDays = ({ per_days }: HabitRule): number => Math.max(per_days, lengthFrom(0, per_days));

const isPaused = (day: string, pauses: readonly PauseRange[]): boolean =>
  pauses.some(({ from_day: from, until_day: until }) => day >= from && (until === null || day <= until));

export type DaysRequest = {
  rule: HabitRule;
  /** In any order; of two of one day the later counts. */
  entries: readonly DayEntry[];
  pauses: readonly PauseRange[];
  /** First and last day wanted, YYYY-MM-DD. */
  from: string;
  to: string;
};

/** Whether a day counts for nothing: skipped, or paused with nothing done on it. */
function isSkipped(day: string, entry: DayEntry | undefined, pauses: readonly PauseRange[]): boolean {
  return entry?.value === 'skip' || (entry?.value !== 'done' && isPaused(day, pauses));
}

/** The furthest a reach is looked for, in days: longer than any pause that matters. */
const MAX_REACH_DAYS = 3660;

/**
 * The day from which on everything has to be known for a day to be reckoned right: so many days that count before it, however
 * many were skipped or paused in between.
 *
 * @param day YYYY-MM-DD @param said what is known so far: where the answer lies before it, it has to be asked again with more
 */
export function reachFrom(
  { rule, entries, pauses }: Pick<DaysRequest, 'rule' | 'entries' | 'pauses'>,
  day: string,
): string {
  const byDay = new Map(entries.map(each => [each.day, each]));
  let [at, left] = [numberOf(day), reachDays(rule)];
  for (let looked = 0; left > 0 && looked < MAX_REACH_DAYS; looked += 1) {
    at -= 1;
    const text = dayOf(at);
    if (!isSkipped(text, byDay.get(text), pauses)) left -= 1;
  }
  return dayOf(at);
}

/**
 * How each day from..to stands, the oldest first: the one answer that streak, strength, the heat map, counts and insights read.
 *
 * A day that was skipped or paused is skipped, unless something was done on it, and counts for nothing: the days around it are
 * reckoned as if it never was. Which days keep the habit: `keptDays`.
 */
export function habitDays({ rule, entries, pauses, from, to }: DaysRequest): HabitDay[] {
  const byDay = new Map(entries.map(each => [each.day, each]));
  const first = entries.reduce((early, { day }) => (day < early ? day : early), from);
  const [begin, last] = [numberOf(first), numberOf(to)];
  const counted: CountedDay[] = [];
  const places = new Map<number, number>();
  for (let number = begin; number <= last; number += 1) {
    const day = dayOf(number);
    const here = byDay.get(day);
    if (isSkipped(day, here, pauses)) continue;
    const isDone = here?.value === 'done';
    places.set(number, counted.length);
    counted.push({ number, done: isDone, amount: isDone ? millionths(here.amount) : 0, isAnswered: isDone });
  }
  const kept = keptDays(rule, counted);
  return Array.from({ length: Math.max(0, daysFrom(from, to) + 1) }, (_, index): HabitDay => {
    const number = numberOf(from) + index;
    const day = dayOf(number);
    const here = byDay.get(day);
    const place = places.get(number);
    const amount = here?.amount ?? null;
    if (place === undefined) return { day, status: 'skip', amount };
    const status = statusOf(rule, here, { place, kept, day: counted[place] });
    const isOpen = kept.open.has(place) || (number === last && isOpenToday(rule, status, here));
    return { day, status, amount, ...(isOpen && !KEPT.has(status) && { isOpen: true as const }) };
  });
}

const KEPT: ReadonlySet<DayStatus> = new Set(['done', 'rule']);

/** Of today more may come; of "at most" only less can be hoped for. */
function isOpenToday({ kind, target_kind }: HabitRule, status: DayStatus, entry: DayEntry | undefined): boolean {
  if (status === 'unknown') return true;
  return kind === 'number' && target_kind === 'at_least' && entry?.value === 'done';
}

type DayContext = { place: number; kept: KeptDays; day: CountedDay | undefined };

function statusOf(rule: HabitRule, entry: DayEntry | undefined, { place, kept, day }: DayContext): DayStatus {
  const value = entry?.value ?? 'unknown';
  if (rule.kind === 'yes_no') return value === 'done' ? 'done' : kept.kept.has(place) ? 'rule' : value;
  if (kept.over.has(place)) return 'missed';
  const isAtMost = rule.target_kind === 'at_most';
  const isAct = isAtMost ? day?.isAnswered : (day?.amount ?? 0) > 0 || (day?.isAnswered && (rule.target ?? 0) <= 0);
  if (kept.kept.has(place)) return isAct ? 'done' : isAtMost && value === 'no' ? 'no' : 'rule';
  if (value !== 'done') return value;
  return isAct ? 'missed' : 'no';
}

/** The first day that counts: where the habit began, or a day filled in before. */
export const firstDay = (startedOn: string, entries: readonly DayEntry[]): string =>
  entries.reduce((first, { day }) => (day < first ? day : first), startedOn);
