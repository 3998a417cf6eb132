import { addDays } from '@cairn/base/local-day.ts';
import { printRecurrence, type Recurrence } from './recurrence.ts';
import { recurringDays } from './recurring-days.ts';

/** A rule with its first day, and the day from which it is to go on by itself; YYYY-MM-DD. */
export type SeriesSplit = { rule: Recurrence; start: string; from: string };

/**
 * The rule by which a duty goes on from one of its days, so that both parts together have the days of the whole: what is left
 * of so many times, and the 31st where the part begins in a month that has none.
 *
 * @param next how it goes on where that was changed; a number of times that is still the same counts from the first day of all
 */
export function ruleFrom({ rule, start, from }: SeriesSplit, next: Recurrence = rule): Recurrence {
  const goesOn = printRecurrence(next) === printRecurrence(rule) ? anchored(next, start, from) : next;
  if (rule.count === undefined || next.count !== rule.count) return goesOn;
  const before = [...recurringDays(rule, start, addDays(from, -1))].length;
  return { ...goesOn, count: Math.max(0, rule.count - before) };
}

/** Says the day that the first date gave, where another date would give another. */
function anchored(rule: Recurrence, start: string, from: string): Recurrence {
  const isLong = rule.every === 'month' || rule.every === 'year';
  if (!isLong || rule.monthDays || rule.nthWeekdays || start.slice(8) === from.slice(8)) return rule;
  const monthDays = [Number(start.slice(8))];
  return rule.every === 'year' ? { months: [Number(start.slice(5, 7))], ...rule, monthDays } : { ...rule, monthDays };
}
