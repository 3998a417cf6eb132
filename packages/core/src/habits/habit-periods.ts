import { millionths } from './amounts.ts';
import type { HabitRule } from './habit.ts';

const DAY_MS = 86_400_000;

/**
 * The days that count, one behind the other: those that were skipped or paused are left out as if they never were, so that a
 * pause neither breaks nor lengthens anything. `number`: days since 1970; `done`: something was done; `amount` in millionths;
 * `isSaid`: an amount was said, zero too.
 */
export type CountedDay = { number: number; done: boolean; amount: number; isAnswered: boolean };

/** Days a rule covers, by their place: from its first act on, moved back where the one after it already reaches. */
type Cover = { begin: number; center: number; end: number };

/** Which days keep the habit, and which of the others still may, by their place. */
export type KeptDays = { kept: ReadonlySet<number>; over: ReadonlySet<number>; open: ReadonlySet<number> };

const daysInMonth = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();

/** "In 30 days" and "in 31 days" mean the month, as Loop has it: of a last day, the month after it. @param begin days since 1970 */
export function lengthFrom(begin: number, perDays: number): number {
  if (perDays !== 30 && perDays !== 31) return perDays;
  const [first, next] = [new Date(begin * DAY_MS), new Date((begin + 1) * DAY_MS)];
  return daysInMonth(next.getUTCMonth() === first.getUTCMonth() ? first : next);
}

/** Where a stretch that begins with an act has enough, by its place; null where it never has. */
type TargetSearch = (begin: number, length: number) => number | null;

/** Enough acts. */
function enoughActs(days: readonly CountedDay[], times: number): TargetSearch {
  return (begin, length) => {
    let acts = 0;
    for (let at = begin; at < Math.min(days.length, begin + length); at += 1) {
      if (days[at]?.done && (acts += 1) === times) return at;
    }
    return null;
  };
}

/** Enough of an amount, in millionths. */
function enoughAmount(days: readonly CountedDay[], target: number): TargetSearch {
  return (begin, length) => {
    let sum = 0;
    for (let at = begin; at < Math.min(days.length, begin + length); at += 1) {
      sum += days[at]?.amount ?? 0;
      if (sum >= target) return at;
    }
    return null;
  };
}

/** Slides each stretch back to where the newer one begins, never past the act that made it enough. @param stretches the newest first */
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

/** Stretches in which enough was done, slid together. */
function keptFrom(
  days: readonly CountedDay[],
  perDays: number,
  acts: readonly number[],
  enough: TargetSearch,
): KeptDays {
  const covers: Cover[] = [];
  const open = new Set<number>();
  for (const begin of acts) {
    const length = lengthFrom(days[begin]?.number ?? 0, perDays);
    const center = enough(begin, length);
    if (center !== null) covers.push({ begin, center, end: begin + length - 1 });
    // Its days are not over: what is missing may still come.
    else if (days.length < begin + length) for (let at = begin; at < days.length; at += 1) open.add(at);
  }
  const kept = new Set<number>();
  for (const { begin, end } of joined(covers.toReversed())) for (let at = begin; at <= end; at += 1) kept.add(at);
  return { kept, over: new Set(), open };
}

/** Days whose last `per_days` days together hold no more than the target; nothing said is no word about it. */
function keptWithin(days: readonly CountedDay[], perDays: number, target: number): KeptDays {
  const [kept, over] = [new Set<number>(), new Set<number>()];
  days.forEach(({ number }, at) => {
    const month = new Date(number * DAY_MS);
    const length = perDays === 30 || perDays === 31 ? daysInMonth(month) : perDays;
    const window = days.slice(Math.max(0, at + 1 - length), at + 1);
    const sum = window.reduce((all, { amount }) => all + amount, 0);
    if (sum > target) over.add(at);
    else if (window.some(({ isAnswered }) => isAnswered)) kept.add(at);
  });
  return { kept, over, open: new Set() };
}

/**
 * Which days keep a habit. Yes or no as Loop Habit Tracker publishes it (EntryList: stretches of `per_days` days with `times` acts,
 * slid together); "at least" in the same way, with an amount instead of acts; "at most" by the last `per_days` days.
 */
export function keptDays(rule: HabitRule, days: readonly CountedDay[]): KeptDays {
  const { kind, target_kind, per_days: perDays } = rule;
  const target = millionths(rule.target);
  if (kind === 'number' && target_kind === 'at_most') return keptWithin(days, perDays, target);
  const isAct = ({ done, amount, isAnswered }: CountedDay): boolean =>
    kind === 'yes_no' ? done : amount > 0 || (isAnswered && target <= 0);
  const acts = days.flatMap((day, at) => (isAct(day) ? [at] : []));
  const enough = kind === 'yes_no' ? enoughActs(days, rule.times) : enoughAmount(days, target);
  return keptFrom(days, perDays, acts, enough);
}
