import { addDays } from '@cairn/base/local-day.ts';
import type { Reading, Rule } from './quick-part.ts';
import {
  comingWeekday,
  DAY,
  dayText,
  MONTH,
  monthOf,
  NUMBER,
  numberOf,
  SHORT_DAY,
  weekdayIndex,
  weekdayOf,
  words,
} from './quick-words.ts';

const PREP = '(?:(?:on|by|until|due|from|am|bis|ab|zum|vom)\\s+)?(?:(?:the|den|dem)\\s+)?';
const COMING = 'next|this|coming|nächsten|nächster|nächste|kommenden|kommender|diesen|dieser';
const yearOf = (day: string): number => Number(day.slice(0, 4));
const only = (day: string | null): Reading => (day === null ? null : [day]);

/** A day without a year: this year's, or next year's where that is over. */
function coming(month: number | null, date: number, today: string): string | null {
  if (month === null) return null;
  for (let year = yearOf(today); year < yearOf(today) + 9; year += 1) {
    const day = dayText(year, month, date);
    if (day !== null && day >= today) return day;
  }
  return null;
}

function onDate(parts: { date: string; month: number | null; year: string | undefined }, today: string): string | null {
  const { date, month, year } = parts;
  if (month === null) return null;
  if (year === undefined) return coming(month, Number(date), today);
  return dayText(Number(year.length === 2 ? `20${year}` : year), month, Number(date));
}

/** Said on its own day, a weekday may be today or a week from now. */
function bareWeekday(word: string, today: string): Reading {
  const weekday = weekdayOf(word);
  if (weekday === null) return null;
  const next = comingWeekday(today, weekday);
  return next === today ? [today, addDays(today, 7)] : [next];
}

/** "next Friday" while one is still ahead in this week: that one, or the one after? */
function nextWeekday(word: string, today: string): Reading {
  const weekday = weekdayOf(word);
  if (weekday === null) return null;
  const next = comingWeekday(addDays(today, 1), weekday);
  const sunday = addDays(today, 6 - weekdayIndex(today));
  return next <= sunday ? [next, addDays(next, 7)] : [next];
}

function inSome(count: number | null, unit: string, today: string): Reading {
  if (count === null || count > 999) return null;
  if (/^(d|t)/i.test(unit)) return [addDays(today, count)];
  if (/^w/i.test(unit)) return [addDays(today, count * 7)];
  return only(monthsLater(today, /^(y|j)/i.test(unit) ? count * 12 : count));
}

/** The same day so many months later; the last of a month that is too short. */
function monthsLater(day: string, months: number): string | null {
  const index = Number(day.slice(5, 7)) - 1 + months;
  const [year, month] = [yearOf(day) + Math.floor(index / 12), (index % 12) + 1];
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return dayText(year, month, Math.min(Number(day.slice(8)), last));
}

const mondayAfter = (today: string): string => addDays(today, 7 - weekdayIndex(today));
const firstOfNextMonth = (today: string): string => monthsLater(`${today.slice(0, 8)}01`, 1) ?? today;

function weekend(today: string, weeks: number): Reading {
  const saturday = addDays(today, 5 - weekdayIndex(today) + weeks * 7);
  return [saturday, addDays(saturday, 1)].filter(day => day >= today);
}

/** 24/12 can only be the 24th of December; 3/4 is one day in London and another in New York. */
function slashed(first: number, second: number, year: string | undefined, today: string): Reading {
  const asWritten = [
    onDate({ date: String(first), month: second <= 12 ? second : null, year }, today),
    onDate({ date: String(second), month: first <= 12 ? first : null, year }, today),
  ].filter(day => day !== null);
  return asWritten.length > 0 ? asWritten : null;
}

export const dayRules: readonly Rule[] = [
  { pattern: words(`${PREP}(?:today|tonight|heute)`), read: (_, today) => [today] },
  // "am Morgen" and "heute Morgen" are the morning.
  {
    pattern: words(`${PREP}tomorrow|(?<!am )(?<!heute )(?<!gestern )(?:(?:bis|ab|für)\\s+)?morgen`),
    read: (_, today) => [addDays(today, 1)],
  },
  { pattern: words(`${PREP}(?:day after tomorrow|übermorgen)`), read: (_, today) => [addDays(today, 2)] },
  { pattern: words(`${PREP}(${DAY})`), read: ([, day = ''], today) => bareWeekday(day, today) },
  {
    pattern: words(`(?:on|by|until|am|bis|ab)\\s+(${SHORT_DAY})`),
    read: ([, day = ''], today) => bareWeekday(day, today),
  },
  {
    pattern: words(`${PREP}(${COMING})\\s+(${SHORT_DAY})`),
    read([, which = '', day = ''], today) {
      const isNext = /^(next|nächst)/i.test(which);
      if (isNext) return nextWeekday(day, today);
      const weekday = weekdayOf(day);
      return weekday === null ? null : [comingWeekday(today, weekday)];
    },
  },
  {
    pattern: words(`in\\s+(${NUMBER})\\s+(days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?)`),
    read: ([, count = '', unit = ''], today) => inSome(numberOf(count), unit, today),
  },
  { pattern: words('next\\s+week|nächste\\s+woche|kommende\\s+woche'), read: (_, today) => [mondayAfter(today)] },
  {
    pattern: words('next\\s+month|nächsten\\s+monat|kommenden\\s+monat'),
    read: (_, today) => [firstOfNextMonth(today)],
  },
  {
    pattern: words(
      '(?:by\\s+|at\\s+)?(?:the\\s+)?end\\s+of\\s+(?:the\\s+|this\\s+)?month|(?:bis\\s+|am\\s+|zum\\s+)?(?:monatsende|ende\\s+des\\s+monats)',
    ),
    read: (_, today) => [addDays(firstOfNextMonth(today), -1)],
  },
  {
    pattern: words('(?:this|at\\s+the|on\\s+the)\\s+weekend|(?:am|dieses)\\s+wochenende'),
    read: (_, today) => weekend(today, 0),
  },
  { pattern: words('next\\s+weekend|nächstes\\s+wochenende'), read: (_, today) => weekend(today, 1) },
  {
    pattern: words(`${PREP}(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?(${MONTH})\\.?(?:\\s+(\\d{4}))?`),
    read: ([, date = '', month = '', year], today) => only(onDate({ date, month: monthOf(month), year }, today)),
  },
  {
    pattern: words(`${PREP}(${MONTH})\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(\\d{4}))?(?!:)`),
    read: ([, month = '', date = '', year], today) => only(onDate({ date, month: monthOf(month), year }, today)),
  },
  {
    pattern: words(`${PREP}(\\d{4})-(\\d{2})-(\\d{2})`),
    read: ([, year, month, date = ''], today) => only(onDate({ date, month: Number(month), year }, today)),
  },
  {
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}.])${PREP}(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4}|\\d{2})?(?![\\p{L}\\p{N}])`,
      'giu',
    ),
    read: ([, date = '', month, year], today) => only(onDate({ date, month: monthNumber(month), year }, today)),
  },
  {
    pattern: words(`${PREP}(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?`),
    read: ([, first, second, year], today) => slashed(Number(first), Number(second), year, today),
  },
];

function monthNumber(text = ''): number | null {
  const month = Number(text);
  return month >= 1 && month <= 12 ? month : null;
}
