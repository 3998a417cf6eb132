import { addDays } from '@cairn/base/local-day.ts';
import { dateRules } from './quick-date.ts';
import {
  bareWeekday,
  baseDays,
  coming15th,
  counted,
  dateOfNextMonth,
  endOfMonth,
  firstOfNextMonth,
  inSome,
  mondayAfter,
  monthsLater,
  nextWeekday,
  ofWeek,
  only,
  theNth,
  weekdayThen,
  weekend,
  weeksOf,
} from './quick-day-reading.ts';
import { AM, HALF_A_CLOCK, PREP } from './quick-day-words.ts';
import { IN_ONE_WORD } from './quick-half.ts';
import type { Rule } from './quick-part.ts';
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

const COMING = 'next|this|coming|nächsten|nächster|nächste|kommenden|kommender|diesen|dieser';
/** "Friday the 13th", "Freitag, den 11.", without a month. */
const THE_NTH = ',?\\s+(?:(?:the|den|dem)\\s+\\d|\\d{1,2}(?:st|nd|rd|th|\\.(?!\\d)))';
const UNIT = 'days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?';
/** The part of a day behind "Di" or "Tue". */
const SHORT_HALF =
  'morgens|vormittags|mittags|nachmittags|abends|in\\s+the\\s+(?:morning|afternoon|evening)|am\\s+(?:morgen|abend)|at\\s+noon';
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
    // "Freitagabend" is a Friday, too; "Friday the 13th" names another day.
    pattern: new RegExp(`(?<![${SIGN}])${PREP}(${DAY})(?=(?:${IN_ONE_WORD})?(?![${SIGN}])(?!${THE_NTH}))`, 'g'),
    read: ([, day = ''], today) => bareWeekday(day, today),
  },
  {
    pattern: words(`(?:on|by|until|${AM}|bis|ab)\\s+(${SHORT_DAY})(?!${THE_NTH})`),
    read: ([, day = ''], today) => bareWeekday(day, today),
  },
  {
    // "Fr 14 Uhr": before a time even "so" and "do" are days, but for a time as in English: "do 9am check".
    pattern: words(
      `(?!(?:so|do)\\s+(?:at\\s+)?\\d{1,2}(?:[:.]\\d{2})?\\s*[ap]\\.?m)(${SHORT_DAY})\\.?,?(?=\\s+(?:(?:um|at|gegen|from|ab|by|bis|until|till)\\s+)?${HALF_A_CLOCK})`,
    ),
    read: ([, day = ''], today) => bareWeekday(day, today),
  },
  {
    pattern: words(`(?!do\\s+[mae])(${SHORT_DAY})\\.?(?=\\s+(?:${SHORT_HALF})(?![${SIGN}]))`),
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
    // "a week before Friday" is another day.
    pattern: words(`(?<!(?:${UNIT})\\s)(?:before|vor)\\s+(${DAY})`),
    read: ([, day = ''], today) =>
      (bareWeekday(day, today) ?? []).flatMap(each => [addDays(each, -1), each]).filter(each => each >= today),
  },
  {
    pattern: words(`${PREP}(${COMING})\\s+(${SHORT_DAY})(?!${THE_NTH})`),
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

const nthRules: readonly Rule[] = [
  {
    pattern: new RegExp(
      `(?<![${SIGN}])${PREP}(?:(?:${COMING})\\s+)?(${SHORT_DAY}),?\\s+(?:(?:the|den|dem)\\s+)?(\\d{1,2})(?:st|nd|rd|th|\\.)(?!\\d|\\s*(?:of\\s+)?(?:${MONTH})(?![${SIGN}]))`,
      'g',
    ),
    read: ([, day = '', date = ''], today) => theNth(day, Number(date), today),
  },
];

const WEEK =
  '(?:this|next)\\s+week|(?:the\\s+)?week\\s+after\\s+next|(?:diese|nächste|kommende|übernächste)[rn]?\\s+woche';

const countedRules: readonly Rule[] = [
  {
    pattern: words(`in\\s+(${NUMBER})\\s+(${UNIT})(?:['’]s?\\s+time)?`),
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
    // In Britain "a week on Friday" is the Friday after the next.
    pattern: words(`a\\s+week\\s+on\\s+(${DAY})`),
    read: ([, day = ''], today) => (bareWeekday(day, today) ?? []).map(each => addDays(each, 7)),
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
    pattern: words(`${PREP}(?!(?:so|do)\\s)(${SHORT_DAY})\\s+(?:of\\s+|in\\s+)?(?:der\\s+)?(${WEEK})`),
    read: ([, day = '', week = ''], today) => ofWeek(day, weeksOf(week), today),
  },
  { pattern: words('next\\s+week|nächste\\s+woche|kommende\\s+woche'), read: (_, today) => [mondayAfter(today)] },
  {
    pattern: words('(?:the\\s+)?week\\s+after\\s+next|übernächste\\s+woche'),
    read: (_, today) => [addDays(mondayAfter(today), 7)],
  },
  {
    pattern: words(
      `${PREP}(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+next\\s+month|(?:des\\s+)?(?:nächsten|kommenden)\\s+monats)`,
    ),
    read: ([, date = ''], today) => only(dateOfNextMonth(Number(date), today)),
  },
  {
    pattern: words(
      '(?:next\\s+month|(?:nächsten|kommenden)\\s+monat),?\\s+(?:on\\s+the|am|on)\\s+(\\d{1,2})(?:st|nd|rd|th|\\.)?(?!\\.?\\d)',
    ),
    read: ([, date = ''], today) => only(dateOfNextMonth(Number(date), today)),
  },
  {
    pattern: words('next\\s+month|nächsten\\s+monat|kommenden\\s+monat'),
    read: (_, today) => [firstOfNextMonth(today)],
  },
];

const END = '(?:by\\s+|until\\s+|till\\s+|at\\s+)?(?:the\\s+)?end\\s+of\\s+';
const ENDE = '(?:bis\\s+|am\\s+|zum\\s+)?';
const LAST_DAY_OF = '(?:(?:on|by|until|till)\\s+)?(?:the\\s+)?last\\s+day\\s+of\\s+';
const LAST_DAY = `${LAST_DAY_OF}(?:the|this)\\s+month|(?:bis\\s+zum\\s+|am\\s+|zum\\s+)?letzten\\s+(?:tag\\s+)?(?:des|dieses)\\s+monats`;

const edgeRules: readonly Rule[] = [
  {
    pattern: words(`${END}(?:the\\s+|this\\s+)?month|${ENDE}(?:monatsende|ende\\s+des\\s+monats)|${LAST_DAY}`),
    read: (_, today) => [addDays(firstOfNextMonth(today), -1)],
  },
  {
    pattern: words(
      `(?:${END}|${LAST_DAY_OF})next\\s+month|${ENDE}ende\\s+(?:des\\s+)?(?:nächsten|kommenden)\\s+monats`,
    ),
    read: (_, today) => [addDays(firstOfNextMonth(firstOfNextMonth(today)), -1)],
  },
  {
    pattern: words('(?:(?:on|by)\\s+)?(?:the\\s+)?first\\s+(?:day\\s+)?of\\s+next\\s+month'),
    read: (_, today) => [firstOfNextMonth(today)],
  },
  {
    pattern: words(`(?:${END}|${ENDE}ende\\s+)(${MONTH})(?:,?\\s+(\\d{4}))?`),
    read: ([, month = '', year], today) => endOfMonth(monthOf(month), year, today),
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
    pattern: words(`${END}next\\s+week|${ENDE}ende\\s+(?:der\\s+)?(?:nächste[rn]|kommende[rn])\\s+woche`),
    read: (_, today) => [4, 6].map(index => addDays(mondayAfter(today), index)),
  },
  {
    pattern: words('(?:this|at\\s+the|on\\s+the)\\s+weekend|(?:am|dieses)\\s+wochenende'),
    read: (_, today) => weekend(today, 0),
  },
  { pattern: words('next\\s+weekend|nächstes\\s+wochenende'), read: (_, today) => weekend(today, 1) },
  {
    // "on the 15th" of whichever month; "on the 3rd floor" is none.
    pattern: words(
      `(?:(?:spätestens|fällig|due|no\\s+later\\s+than)\\s+)?(?:(?:on|by|until)\\s+(?:the\\s+)?|(?:${AM}|bis\\s+zum|zum|ab\\s+dem)\\s+)(\\d{1,2})(?:st|nd|rd|th|ten|\\.)(?=\\s*(?:$|[,;]|(?:at|um)\\s|${HALF_A_CLOCK}))`,
    ),
    read: ([, date = ''], today) => only(coming15th(Number(date), today)),
  },
];

const A_DAY = `(?:${SHORT_DAY}|today|tomorrow|tmrw|heute|morgen|übermorgen|\\d{1,2}\\.|\\d{1,2}\\.\\d{1,2}\\.?)`;
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
  const begins = /^(?:ab|vom|from|starting|beginning)\s/.test(text);
  return NOT_THEN.test(input.slice(0, index) + opening) || (!begins && GOES_ON.test(input.slice(index + text.length)));
}

const eachDay: readonly Rule[] = [...plainRules, ...nthRules, ...countedRules, ...edgeRules, ...dateRules];

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
