import { addDays } from '@cairn/base/local-day.ts';
import { addMonths, lastDayOf } from '../occurrences/short-months.ts';
import type { MatchMeaning } from './quick-part.ts';
import { comingWeekday, dayText, numberOf, weekdayIndex, weekdayOf } from './quick-words.ts';

/** What the ways to say a day mean, reckoned from a local day (YYYY-MM-DD). */

const yearOf = (day: string): number => Number(day.slice(0, 4));
export const only = (day: string | null): MatchMeaning => (day === null ? null : [day]);

/** A day without a year: this year's, or next year's where that is over. */
function coming(month: number | null, date: number, today: string): string | null {
  if (month === null) return null;
  for (let year = yearOf(today); year < yearOf(today) + 9; year += 1) {
    const day = dayText(year, month, date);
    if (day !== null && day >= today) return day;
  }
  return null;
}

export function onDate(
  parts: { date: string; month: number | null; year: string | undefined },
  today: string,
): string | null {
  const { date, month, year } = parts;
  if (month === null) return null;
  if (year === undefined) return coming(month, Number(date), today);
  return dayText(Number(year.length === 2 ? `20${year}` : year), month, Number(date));
}

/** A date with its weekday; where the two disagree, one of them is wrong. */
export function withWeekday(day: string | null, weekday: string | undefined, today: string): MatchMeaning {
  const wanted = weekday === undefined ? null : weekdayOf(weekday);
  if (day === null || wanted === null) return only(day);
  const meant = comingWeekday(today, wanted);
  return comingWeekday(day, wanted) === day ? [day] : [day, meant];
}

/** Said on its own day, a weekday may be today or a week from now. */
export function bareWeekday(word: string, today: string): MatchMeaning {
  const weekday = weekdayOf(word);
  if (weekday === null) return null;
  const next = comingWeekday(today, weekday);
  return next === today ? [today, addDays(today, 7)] : [next];
}

/** "next Friday" while one is still ahead in this week: that one, or the one after? */
export function nextWeekday(word: string, today: string): MatchMeaning {
  const weekday = weekdayOf(word);
  if (weekday === null) return null;
  const next = comingWeekday(addDays(today, 1), weekday);
  const sunday = addDays(today, 6 - weekdayIndex(today));
  return next <= sunday ? [next, addDays(next, 7)] : [next];
}

export function inSome(count: number | null, unit: string, today: string): MatchMeaning {
  if (count === null || count > 999) return null;
  if (/^(d|t)/i.test(unit)) return [addDays(today, count)];
  if (/^w/i.test(unit)) return [addDays(today, count * 7)];
  return only(monthsLater(today, /^(y|j)/i.test(unit) ? count * 12 : count));
}

/** The same day so many months later, by the one rule for short months; null beyond the days a line can say. */
export function monthsLater(day: string, months: number): string | null {
  const later = addMonths(day, months);
  return dayText(yearOf(later), Number(later.slice(5, 7)), Number(later.slice(8)));
}

export const mondayAfter = (today: string): string => addDays(today, 7 - weekdayIndex(today));
export const firstOfNextMonth = (today: string): string => monthsLater(`${today.slice(0, 8)}01`, 1) ?? today;

/** A date of the next month; null where it has none. */
export const dateOfNextMonth = (date: number, today: string): string | null => {
  const first = firstOfNextMonth(today);
  return dayText(yearOf(first), Number(first.slice(5, 7)), date);
};

export function weekend(today: string, weeks: number): MatchMeaning {
  const saturday = addDays(today, 5 - weekdayIndex(today) + weeks * 7);
  return [saturday, addDays(saturday, 1)].filter(day => day >= today);
}

/** The day from which something is counted: "tomorrow in a week". */
export function baseDays(word: string, today: string): readonly string[] {
  if (/^(today|heute)$/i.test(word)) return [today];
  if (/^(tomorrow|morgen)$/i.test(word)) return [addDays(today, 1)];
  return /^übermorgen$/i.test(word) ? [addDays(today, 2)] : (bareWeekday(word, today) ?? []);
}

export const counted = (word: string, count: string, unit: string, today: string): MatchMeaning =>
  baseDays(word, today).flatMap(day => inSome(numberOf(count), unit, day) ?? []);

/** A day of this week (0), the next (1) or the one after that. */
export function ofWeek(word: string, weeks: number, today: string): MatchMeaning {
  const weekday = weekdayOf(word);
  if (weekday === null) return null;
  const day = comingWeekday(addDays(mondayAfter(today), (weeks - 1) * 7), weekday);
  return day >= today ? [day] : null;
}

export const weeksOf = (text: string): number =>
  /^(this|diese)/i.test(text) ? 0 : /^(übernächst|the week|week)/i.test(text) ? 2 : 1;

/** "in two weeks on Monday": the Monday of that week, or the first one after. */
export function weekdayThen(count: string, day: string, today: string): MatchMeaning {
  const [weekday, weeks] = [weekdayOf(day), numberOf(count)];
  if (weekday === null || weeks === null || weeks > 99) return null;
  const then = addDays(today, weeks * 7);
  return [comingWeekday(addDays(then, -weekdayIndex(then)), weekday), comingWeekday(then, weekday)].toSorted();
}

/** The 15th, of this month or the next that has one. */
export function coming15th(date: number, today: string): string | null {
  for (let months = 0; months < 12; months += 1) {
    const first = monthsLater(`${today.slice(0, 8)}01`, months) ?? today;
    const day = dayText(yearOf(first), Number(first.slice(5, 7)), date);
    if (day !== null && day >= today) return day;
  }
  return null;
}

/** The last day of a month; without a year the coming one. */
export function endOfMonth(month: number | null, year: string | undefined, today: string): MatchMeaning {
  if (month === null) return null;
  if (year !== undefined) return only(endOfMonthIn(Number(year), month));
  const last = endOfMonthIn(yearOf(today), month);
  return only(last === null || last >= today ? last : endOfMonthIn(yearOf(today) + 1, month));
}

/** "Friday the 11th": the coming 11th where that is a Friday; else one of them is wrong, or it is far away. */
export function theNth(word: string, date: number, today: string): MatchMeaning {
  const [weekday, day] = [weekdayOf(word), coming15th(date, today)];
  return weekday !== null && day !== null && comingWeekday(day, weekday) === day ? [day] : null;
}

const endOfMonthIn = (year: number, month: number): string | null => dayText(year, month, lastDayOf(year, month));

/** 24/12 can only be the 24th of December; 3/4 is one day in London and another in New York. */
export function slashed(first: number, second: number, year: string | undefined, today: string): MatchMeaning {
  const asWritten = [
    onDate({ date: String(first), month: second <= 12 ? second : null, year }, today),
    onDate({ date: String(second), month: first <= 12 ? first : null, year }, today),
  ].filter(day => day !== null);
  return asWritten.length > 0 ? asWritten : null;
}
