import type { DayStanding, HabitDay, HabitRule, PauseRange, SaidDay } from './habit.ts';

const DAY_MS = 86_400_000;

/** A day as its number since 1970. Five years are some ten thousand steps: in text each would be written and read again. */
const numberOf = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** Whole days from one local day to another (both YYYY-MM-DD); no zone and no clock change reaches them. */
export const daysFrom = (from: string, to: string): number => numberOf(to) - numberOf(from);

/** Days a rule covers, by number: from its first act on, moved back where the one after it already reaches. */
type Cover = { begin: number; center: number; end: number };

const daysInMonth = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();

/** "In 30 days" and "in 31 days" mean the month, as Loop has it: of a last day, the month after it. */
function lengthFrom(begin: number, perDays: number): number {
  if (perDays !== 30 && perDays !== 31) return perDays;
  const [first, next] = [new Date(begin * DAY_MS), new Date((begin + 1) * DAY_MS)];
  return daysInMonth(next.getUTCMonth() === first.getUTCMonth() ? first : next);
}

/** How many days before a day something may have been done that makes it one done by rule. */
export const reachDays = ({ per_days }: HabitRule): number => Math.max(per_days, lengthFrom(0, per_days));

/** Stretches in which enough was done, the newest first. @param done numbers of days, the newest first */
function covers(done: readonly number[], { times, per_days }: HabitRule): Cover[] {
  return done.flatMap((begin, index) => {
    const center = index < times - 1 ? undefined : done[index - times + 1];
    const length = lengthFrom(begin, per_days);
    if (center === undefined || center - begin >= length) return [];
    return [{ begin, center, end: begin + length - 1 }];
  });
}

/** Slides each stretch back to where the newer one begins, never past its own last act. */
function joined(stretches: readonly Cover[]): Cover[] {
  const placed: Cover[] = [];
  for (const { begin, center, end } of stretches) {
    const newer = placed.at(-1);
    const overlap = newer ? end - newer.begin : -1;
    const shift = overlap < 0 ? 0 : Math.min(end - center, overlap + 1);
    placed.push({ begin: begin - shift, center, end: end - shift });
  }
  return placed;
}

/** Days that need nothing, because the rule is already met around them, by number. */
function coveredDays(done: readonly number[], rule: HabitRule): Set<number> {
  const days = new Set<number>();
  for (const { begin, end } of joined(covers(done, rule))) {
    for (let day = begin; day <= end; day += 1) days.add(day);
  }
  return days;
}

const isPaused = (day: string, pauses: readonly PauseRange[]): boolean =>
  pauses.some(({ from_day: from, until_day: until }) => day >= from && (until === null || day <= until));

export type DaysRequest = {
  rule: HabitRule;
  /** In any order; of two of one day the later counts. */
  said: readonly SaidDay[];
  pauses: readonly PauseRange[];
  /** First and last day wanted, YYYY-MM-DD. */
  from: string;
  to: string;
};

/**
 * How each day from..to stands, the oldest first.
 *
 * Done by rule as Loop Habit Tracker publishes it (EntryList: stretches of `per_days` days with `times` acts, slid together).
 * A day that was skipped or paused is skipped, unless something was done on it.
 */
export function habitDays({ rule, said, pauses, from, to }: DaysRequest): HabitDay[] {
  const byDay = new Map(said.map(each => [each.day, each]));
  const done = [...byDay.values()].filter(each => each.value === 'done').map(({ day }) => numberOf(day));
  const byRule =
    rule.kind === 'yes_no'
      ? coveredDays(
          done.toSorted((one, other) => other - one),
          rule,
        )
      : new Set<number>();
  const standing = (day: string, number: number): DayStanding => {
    const value = byDay.get(day)?.value ?? 'unknown';
    if (value === 'done' || value === 'skip') return value;
    if (isPaused(day, pauses)) return 'skip';
    return byRule.has(number) ? 'rule' : value;
  };
  const first = numberOf(from);
  return Array.from({ length: Math.max(0, daysFrom(from, to) + 1) }, (_, index) => {
    const day = dayOf(first + index);
    return { day, standing: standing(day, first + index), amount: byDay.get(day)?.amount ?? null };
  });
}

/** The first day that counts: where the habit began, or a day filled in before. */
export const firstDay = (startedOn: string, said: readonly SaidDay[]): string =>
  said.reduce((first, { day }) => (day < first ? day : first), startedOn);
