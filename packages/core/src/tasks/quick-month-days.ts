import { type Recurrence, printRecurrence, type NthWeekday } from '../occurrences/recurrence.ts';
import type { MatchMeaning, Rule } from './quick-part.ts';
import { NUMBER, numberOf, ORDINAL, ordinalOf, SHORT_DAY, SIGN, weekdayOf, words } from './quick-words.ts';

/** Days of every month as they are said: "on the 1st and 15th", "last day of every month", "first and third Monday". */

export const EVERY = '(?:an\\s+)?(?:every|each|jeden|jedem|jede|jedes|jeder)';
export const OF_MONTH = '\\s+(?:of\\s+(?:the|every|each)\\s+month|im\\s+monat|des\\s+monats)';
export const OF_EVERY_MONTH = '(?:of\\s+(?:every|each)\\s+month|(?:eines\\s+)?jed(?:en|es)\\s+monats|im\\s+monat)';
/** With blanks around the words: "Sunday" has "und" in it. */
const AND = '(?:\\s*[,&/]\\s*(?:(?:and|und)\\s+)?|\\s+(?:and|und)\\s+)';
const EVERY_MONTH = `(?:(?:${EVERY})\\s+(?:month|monat)|monthly|monatlich),?`;
const DATE = '\\d{1,2}(?:st|nd|rd|th|\\.)';
const LAST = '(?:last|letzten)(?:\\s+(?:day|tag))?';
const DAY_OF_MONTH = `(?:(?:on\\s+)?the\\s+|am\\s+|an\\s+)?(?:${DATE}|${LAST})`;
const DAYS_OF_MONTH = `${DAY_OF_MONTH}(?:${AND}${DAY_OF_MONTH})+(?:\\s+(?:day|tag))?`;
const SOME_MONTHS = `(?:every|alle)\\s+(${NUMBER})\\s+(?:months|monate)|every\\s+(other)\\s+month|(?:every|each)\\s+quarter|quarterly|jedes\\s+quartal`;
const MONTHLY = { every: 'month', interval: 1 } as const;

const asRule = (rule: Recurrence): string => printRecurrence(rule);
const LAST_DAY = asRule({ ...MONTHLY, monthDays: [-1] });

/**
 * Days of a month, every so many months. Of the 29th to the 31st, which some months do not have, it has to be said whether the
 * last day stands for them.
 */
export function onDaysOfMonth(days: readonly number[], interval = 1): MatchMeaning {
  if (days.length === 0 || days.some(day => day < -1 || day === 0 || day > 31)) return null;
  if (interval < 1) return null;
  const rule = { every: 'month' as const, interval, monthDays: [...new Set(days)] };
  if (days.every(day => day <= 28)) return [asRule(rule)];
  // Of the 31st the last day is always the last.
  const isLast = days.length === 1 && days[0] === 31;
  return [asRule(isLast ? { ...rule, monthDays: [-1] } : { ...rule, skip: 'backward' }), asRule(rule)];
}

function daysOf(text: string): MatchMeaning {
  const days = text.match(/\d{1,2}(?!\d)|last|letzten/g) ?? [];
  return onDaysOfMonth(days.map(word => (/\d/.test(word) ? Number(word) : -1)));
}

/** "every second Friday": of the month, or every other one? */
function nthWeekday(nth: string, day: string, isOfMonth: boolean): MatchMeaning {
  const [which, weekday] = [ordinalOf(nth), weekdayOf(day)];
  if (which === null || weekday === null) return null;
  const ofMonth = asRule({ ...MONTHLY, nthWeekdays: [{ nth: which, weekday }] });
  if (which < 2 || isOfMonth) return [ofMonth];
  const everySo = asRule({ every: 'week', interval: which, weekdays: [weekday] });
  return which === 2 ? [everySo, ofMonth] : [ofMonth, everySo];
}

/** "first and third Monday" */
function nthWeekdays(text: string, day: string): MatchMeaning {
  const weekday = weekdayOf(day);
  const all = text.split(new RegExp(AND)).map(word => ordinalOf(word.trim()));
  if (weekday === null || all.some(nth => nth === null)) return null;
  return [asRule({ ...MONTHLY, nthWeekdays: all.map((nth): NthWeekday => ({ nth, weekday })) })];
}

/** Every so many months, every other month, or else every quarter. */
function monthsOf(number: string | undefined, other: string | undefined): number {
  if (number !== undefined) return numberOf(number) ?? 0;
  return other === undefined ? 3 : 2;
}

const lastDay = (): MatchMeaning => [LAST_DAY];

export const monthDayRules: readonly Rule[] = [
  {
    pattern: words(`(?:(?:${EVERY}|am|(?:on\\s+)?the)\\s+)?(${ORDINAL})\\s+(${SHORT_DAY})${OF_MONTH}`),
    read: ([, nth = '', day = '']) => nthWeekday(nth, day, true),
  },
  {
    pattern: words(`(?:${EVERY})\\s+(${ORDINAL})\\s+(${SHORT_DAY})`),
    read: ([, nth = '', day = '']) => nthWeekday(nth, day, false),
  },
  {
    pattern: words(`${EVERY_MONTH}\\s+(?:(?:on\\s+)?the|am)\\s+(${ORDINAL})\\s+(${SHORT_DAY})`),
    read: ([, nth = '', day = '']) => nthWeekday(nth, day, true),
  },
  {
    pattern: words(
      `(?:(?:${EVERY}|am|(?:on\\s+)?the)\\s+)?((?:${ORDINAL})(?:${AND}(?:${ORDINAL}))+)\\s+(${SHORT_DAY})(?:${OF_MONTH})`,
    ),
    read: ([, nths = '', day = '']) => nthWeekdays(nths, day),
  },
  {
    pattern: words(`(?:${EVERY})\\s+((?:${ORDINAL})(?:${AND}(?:${ORDINAL}))+)\\s+(${SHORT_DAY})`),
    read: ([, nths = '', day = '']) => nthWeekdays(nths, day),
  },
  { pattern: words(`${EVERY_MONTH}\\s+(${DAYS_OF_MONTH})`), read: ([, days = '']) => daysOf(days) },
  { pattern: words(`(${DAYS_OF_MONTH})\\s+${OF_EVERY_MONTH}`), read: ([, days = '']) => daysOf(days) },
  {
    pattern: new RegExp(
      `(?<![${SIGN}])(?:${EVERY})\\s+(${DATE}(?:${AND}(?:the\\s+)?(?:${DATE}|${LAST}))+)(?:${OF_MONTH}|(?=\\s*(?:$|[,;])))`,
      'g',
    ),
    read: ([, days = '']) => daysOf(days),
  },
  {
    pattern: words(
      `(?:(?:on\\s+)?(?:the\\s+)?|am\\s+)(?!last|letzten)(${ORDINAL})\\s+(?:day|tag)\\s+${OF_EVERY_MONTH}`,
    ),
    read: ([, nth = '']) => onDaysOfMonth([ordinalOf(nth) ?? 0]),
  },
  {
    pattern: words(`(?:${EVERY})\\s+(?!last|letzten)(${ORDINAL})\\s+(?:day|tag)${OF_MONTH}`),
    read: ([, nth = '']) => onDaysOfMonth([ordinalOf(nth) ?? 0]),
  },
  {
    pattern: words(`(?:${SOME_MONTHS})\\s+(?:on\\s+the\\s+|am\\s+|on\\s+)(?:last\\s+day|letzten(?:\\s+tag)?)`),
    read: ([, n, other]) => onDaysOfMonth([-1], monthsOf(n, other)),
  },
  {
    pattern: words(`(?:${SOME_MONTHS})\\s+(?:on\\s+the|am)\\s+(?:first|ersten)(?:\\s+(?:day|tag))?`),
    read: ([, n, other]) => onDaysOfMonth([1], monthsOf(n, other)),
  },
  {
    pattern: words(`${EVERY_MONTH}\\s+(?:on\\s+the|am)\\s+(?:first|ersten)(?:\\s+(?:day|tag))?`),
    read: () => onDaysOfMonth([1]),
  },
  {
    pattern: words(
      `(${DAYS_OF_MONTH}|${DAY_OF_MONTH})\\s+(?:monthly|monatlich|(?:every|each)\\s+month|jeden\\s+monat)`,
    ),
    read: ([, days = '']) => daysOf(days),
  },
  // The last day of every month.
  {
    pattern: words(`${EVERY_MONTH}\\s+(?:on\\s+the\\s+|am\\s+|on\\s+)?(?:last\\s+day|letzten(?:\\s+tag)?)`),
    read: lastDay,
  },
  {
    pattern: words(
      `(?:(?:on|by|at|am|bis\\s+zum|zum)\\s+)?(?:the\\s+)?(?:last\\s+day|letzten(?:\\s+tag)?)\\s+${OF_EVERY_MONTH}`,
    ),
    read: lastDay,
  },
  { pattern: words(`(?:${EVERY})\\s+(?:last\\s+day|letzten\\s+tag)${OF_MONTH}`), read: lastDay },
  {
    pattern: words(
      `(?:(?:by|at|am|zum|bis)\\s+)?(?:the\\s+)?(?:end|ende)\\s+(?:of\\s+(?:every|each)\\s+month|(?:eines\\s+)?jed(?:en|es)\\s+monats)`,
    ),
    read: lastDay,
  },
  {
    pattern: words(
      '(?:immer|always)\\s+(?:am|zum|at\\s+the)\\s+(?:monatsende|monatsletzten|end\\s+of\\s+the\\s+month)',
    ),
    read: lastDay,
  },
  { pattern: words('every\\s+end\\s+of\\s+(?:the\\s+)?month|jeden\\s+monatsletzten'), read: lastDay },
  {
    pattern: words(
      `${EVERY_MONTH}\\s+(?:at\\s+the\\s+end|zum\\s+monatsende|am\\s+(?:monats)?ende|(?:zum|am)\\s+monatsletzten)`,
    ),
    read: lastDay,
  },
];
