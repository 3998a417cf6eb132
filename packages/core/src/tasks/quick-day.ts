import { addDays } from '@cairn/base/local-day.ts';
import {
  bareWeekday,
  baseDays,
  coming15th,
  counted,
  endOfMonth,
  firstOfNextMonth,
  inSome,
  mondayAfter,
  monthsLater,
  nextWeekday,
  ofWeek,
  onDate,
  only,
  slashed,
  weekdayThen,
  weekend,
  weeksOf,
  withWeekday,
} from './quick-day-reading.ts';
import { IN_ONE_WORD } from './quick-half.ts';
import type { Reading, Rule } from './quick-part.ts';
import {
  comingWeekday,
  DAY,
  MONTH,
  monthOf,
  NUMBER,
  numberOf,
  SHORT_DAY,
  weekdayIndex,
  weekdayOf,
  words,
  SIGN,
} from './quick-words.ts';

const BEFORE_A_DAY =
  'on|by|until|till|due|from|starting|beginning|no\\s+later\\s+than|am|bis|ab|zum|vom|spätestens|fällig';
const PREP = `(?:(?:${BEFORE_A_DAY})\\s+){0,3}(?:(?:the|den|dem)\\s+)?`;
/** "Friday, 4.12.": the weekday of a date. */
const WEEKDAY = `(?:(?<weekday>${SHORT_DAY})\\.?,?\\s+(?:(?:the|den|dem)\\s+)?)?`;
const COMING = 'next|this|coming|nächsten|nächster|nächste|kommenden|kommender|diesen|dieser';
const HALF_A_CLOCK = '\\d{1,2}(?:[:.]\\d{2}|\\s*uhr|\\s*[ap]\\.?m)';
const UNIT = 'days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?';
const BASE = `today|tomorrow|heute|morgen|übermorgen|${DAY}`;

const plainRules: readonly Rule[] = [
  { pattern: words(`${PREP}(?:today|tonight|heute)`), read: (_, today) => [today] },
  // "am Morgen", "heute Morgen" and "jeden Morgen" are the morning.
  {
    pattern: words(
      `${PREP}(?:tomorrow|tmrw|tmr)|(?<!am )(?<!heute )(?<!gestern )(?<!jeden )(?<!(?:${DAY}) )(?:(?:bis|ab|für)\\s+)?morgen`,
    ),
    read: (_, today) => [addDays(today, 1)],
  },
  { pattern: words(`${PREP}(?:day after tomorrow|übermorgen)`), read: (_, today) => [addDays(today, 2)] },
  {
    // "Freitagabend" is a Friday, too.
    pattern: new RegExp(`(?<![${SIGN}])${PREP}(${DAY})(?=(?:${IN_ONE_WORD})?(?![${SIGN}]))`, 'g'),
    read: ([, day = ''], today) => bareWeekday(day, today),
  },
  {
    pattern: words(`(?:on|by|until|am|bis|ab)\\s+(${SHORT_DAY})`),
    read: ([, day = ''], today) => bareWeekday(day, today),
  },
  {
    // "Fr 14 Uhr": before a time even "so" and "do" are days.
    pattern: words(`(${SHORT_DAY})\\.?,?(?=\\s+(?:(?:um|at|gegen)\\s+)?${HALF_A_CLOCK})`),
    read: ([, day = ''], today) => bareWeekday(day, today),
  },
  {
    pattern: words(`${PREP}(${DAY})\\s+(?:or|oder)\\s+(?:on\\s+|am\\s+)?(${DAY})`),
    read: ([, one = '', other = ''], today) => [
      ...(bareWeekday(one, today) ?? []),
      ...(bareWeekday(other, today) ?? []),
    ],
  },
  {
    pattern: words(`(?:before|vor)\\s+(${DAY})`),
    read: ([, day = ''], today) =>
      (bareWeekday(day, today) ?? []).flatMap(each => [addDays(each, -1), each]).filter(each => each >= today),
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
    pattern: words(`${PREP}übernächste[nrs]?\\s+(${SHORT_DAY})`),
    read: ([, day = ''], today) => nextWeekday(day, today)?.map(each => addDays(each, 7)) ?? null,
  },
];

const WEEK =
  '(?:this|next)\\s+week|(?:the\\s+)?week\\s+after\\s+next|(?:diese|nächste|kommende|übernächste)[rn]?\\s+woche';

const countedRules: readonly Rule[] = [
  {
    pattern: words(`in\\s+(${NUMBER})\\s+(${UNIT})`),
    read: ([, count = '', unit = ''], today) => inSome(numberOf(count), unit, today),
  },
  {
    pattern: words('in\\s+(?:half\\s+a\\s+year|einem\\s+halben\\s+jahr)'),
    read: (_, today) => only(monthsLater(today, 6)),
  },
  { pattern: words('in\\s+a\\s+fortnight'), read: (_, today) => [addDays(today, 14)] },
  {
    pattern: words(`${PREP}(${BASE})\\s+in\\s+(${NUMBER})\\s+(${UNIT})`),
    read: ([, base = '', count = '', unit = ''], today) => counted(base, count, unit, today),
  },
  {
    pattern: words(`(${NUMBER})\\s+(${UNIT})\\s+(?:from|after)\\s+(${BASE})`),
    read: ([, count = '', unit = '', base = ''], today) => counted(base, count, unit, today),
  },
  {
    pattern: words(`(${NUMBER})\\s+(days?|weeks?|tage?|wochen?)\\s+(?:before|vor)\\s+(${BASE})`),
    read: ([, count = '', unit = '', base = ''], today) =>
      baseDays(base, today)
        .map(day => addDays(day, -(numberOf(count) ?? 0) * (/^w/i.test(unit) ? 7 : 1)))
        .filter(day => day >= today),
  },
  {
    // In Britain "Monday week" is a week after Monday.
    pattern: words(`${PREP}(${DAY})\\s+week`),
    read: ([, day = ''], today) => (bareWeekday(day, today) ?? []).flatMap(each => [each, addDays(each, 7)]),
  },
  {
    pattern: words(`in\\s+(${NUMBER})\\s+(?:weeks?|wochen?)\\s+(?:on\\s+|am\\s+)?(${DAY})`),
    read: ([, count = '', day = ''], today) => weekdayThen(count, day, today),
  },
  {
    pattern: words(`(${WEEK}),?\\s+(?:on\\s+|am\\s+)?(${DAY})`),
    read: ([, week = '', day = ''], today) => ofWeek(day, weeksOf(week), today),
  },
  {
    pattern: words(`${PREP}(${DAY})\\s+(?:of\\s+|in\\s+)?(?:der\\s+)?(${WEEK})`),
    read: ([, day = '', week = ''], today) => ofWeek(day, weeksOf(week), today),
  },
  { pattern: words('next\\s+week|nächste\\s+woche|kommende\\s+woche'), read: (_, today) => [mondayAfter(today)] },
  {
    pattern: words('(?:the\\s+)?week\\s+after\\s+next|übernächste\\s+woche'),
    read: (_, today) => [addDays(mondayAfter(today), 7)],
  },
  {
    pattern: words('next\\s+month|nächsten\\s+monat|kommenden\\s+monat'),
    read: (_, today) => [firstOfNextMonth(today)],
  },
];

const END = '(?:by\\s+|until\\s+|till\\s+|at\\s+)?(?:the\\s+)?end\\s+of\\s+';
const ENDE = '(?:bis\\s+|am\\s+|zum\\s+)?';

const edgeRules: readonly Rule[] = [
  {
    pattern: words(`${END}(?:the\\s+|this\\s+)?month|${ENDE}(?:monatsende|ende\\s+des\\s+monats)`),
    read: (_, today) => [addDays(firstOfNextMonth(today), -1)],
  },
  {
    pattern: words(`(?:${END}|${ENDE}ende\\s+)(${MONTH})`),
    read: ([, month = ''], today) => endOfMonth(monthOf(month), today),
  },
  {
    pattern: words(`${END}(?:the\\s+|this\\s+)?year|${ENDE}(?:jahresende|ende\\s+des\\s+jahres)`),
    read: (_, today) => [`${today.slice(0, 4)}-12-31`],
  },
  {
    // Of a week of work the Friday, of a week the Sunday.
    pattern: words(`${END}(?:the\\s+|this\\s+)?week|${ENDE}(?:wochenende\\s+der\\s+woche|ende\\s+der\\s+woche)`),
    read: (_, today) => [4, 6].map(index => addDays(today, index - weekdayIndex(today))).filter(day => day >= today),
  },
  {
    pattern: words('(?:this|at\\s+the|on\\s+the)\\s+weekend|(?:am|dieses)\\s+wochenende'),
    read: (_, today) => weekend(today, 0),
  },
  { pattern: words('next\\s+weekend|nächstes\\s+wochenende'), read: (_, today) => weekend(today, 1) },
  {
    // "on the 15th" of whichever month; "on the 3rd floor" is none.
    pattern: words(
      `(?:(?:on|by|until)\\s+(?:the\\s+)?|(?:am|bis\\s+zum|zum|ab\\s+dem)\\s+)(\\d{1,2})(?:st|nd|rd|th|\\.)(?=\\s*(?:$|[,;]|(?:at|um)\\s|${HALF_A_CLOCK}))`,
    ),
    read: ([, date = ''], today) => only(coming15th(Number(date), today)),
  },
];

const dateRules: readonly Rule[] = [
  {
    pattern: words(
      `${PREP}${WEEKDAY}(?<date>\\d{1,2})(?:st|nd|rd|th|\\.)?\\s*(?:of\\s+)?(?<=\\s|\\.)(?<month>${MONTH})\\.?(?:\\s+(?<year>\\d{4}))?`,
    ),
    read: named,
  },
  {
    pattern: words(
      `${PREP}${WEEKDAY}(?<month>${MONTH})\\s+(?<date>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(?<year>\\d{4}))?(?!:)`,
    ),
    read: named,
  },
  { pattern: words(`${PREP}${WEEKDAY}(?<year>\\d{4})-(?<number>\\d{2})-(?<date>\\d{2})`), read: named },
  { pattern: dotted(`${PREP}${WEEKDAY}`, '\\.(?<year>\\d{4}|\\d{2})?'), read: named },
  // Without the second dot it may be a version or an amount: a day only behind "am" or before a time.
  { pattern: dotted(`(?:am|zum|vom)\\s+${WEEKDAY}`, '(?![.\\d])(?!\\s*uhr)'), read: named },
  { pattern: dotted(`(?:bis|ab)\\s+`, '(?=\\s*(?:$|[,;]))'), read: named },
  { pattern: dotted(`${PREP}${WEEKDAY}`, `(?=,?\\s+(?:(?:um|at|gegen)\\s+)?${HALF_A_CLOCK})`), read: named },
  { pattern: dotted(`(?<weekday>${SHORT_DAY})\\.?,?\\s+`, '(?![.\\d])(?!\\s*uhr)'), read: named },
  {
    pattern: words(`${PREP}${WEEKDAY}(?<first>\\d{1,2})/(?<second>\\d{1,2})(?:/(?<year>\\d{4}|\\d{2}))?`),
    read: ({ groups: { first, second, year } = {} }, today) => slashed(Number(first), Number(second), year, today),
  },
];

function dotted(before: string, after: string): RegExp {
  return new RegExp(`(?<![${SIGN}.])${before}(?<date>\\d{1,2})\\.(?<number>\\d{1,2})${after}(?![${SIGN}])`, 'g');
}

function named({ groups = {} }: RegExpMatchArray, today: string): Reading {
  const { date = '', month, number, year, weekday } = groups;
  return withWeekday(
    onDate({ date, month: month === undefined ? monthNumber(number) : monthOf(month), year }, today),
    weekday,
    today,
  );
}

const A_DAY = `(?:${SHORT_DAY}|today|tomorrow|heute|morgen|\\d{1,2}\\.|\\d{1,2}\\.\\d{1,2}\\.?)`;
const BOTH = '(?:-|–|/|to|through|bis|and|und|or|oder|&)';
/** What stands before a day that is not the day it is due. */
const NOT_THEN = new RegExp(
  `(?<![${SIGN}])(?:last|past|letzte[nrms]?|vergangene[nrms]?|before|after|vor|nach|seit|since|except|außer)\\s+(?:(?:the|den|dem|der)\\s+)?$|(?<![${SIGN}])${A_DAY}\\s*${BOTH}\\s*$`,
  '',
);
const GOES_ON = new RegExp(`^\\s*${BOTH}\\s*(?:(?:on|am)\\s+)?${A_DAY}(?![${SIGN}])`);

/** "from Monday to Friday" and "last Friday" name no one day to come: they stay in the title. */
function isNoOneDay({ 0: text, index = 0, input = '' }: RegExpMatchArray): boolean {
  const opening = /^(?:bis|on|am|until|till)\s+/i.exec(text)?.[0] ?? '';
  return NOT_THEN.test(input.slice(0, index) + opening) || GOES_ON.test(input.slice(index + text.length));
}

const eachDay: readonly Rule[] = [...plainRules, ...countedRules, ...edgeRules, ...dateRules];

export const dayRules: readonly Rule[] = eachDay.map(({ pattern, read }) => ({
  pattern,
  read: (found, today) => (isNoOneDay(found) ? null : read(found, today)),
}));

/** The last day of what comes again: "every Friday until 31.12.". */
export const untilRules: readonly Rule[] = eachDay.map(({ pattern, read }) => ({
  pattern,
  read(found, today) {
    if (!/^(?:until|till|bis)\s/i.test(found[0])) return null;
    // "täglich Montag bis Freitag" is a span of days, "jeden Montag bis 31.12." has an end.
    return !/\d/.test(found[0]) && isNoOneDay(found) ? null : read(found, today);
  },
}));

function monthNumber(text = ''): number | null {
  const month = Number(text);
  return month >= 1 && month <= 12 ? month : null;
}
