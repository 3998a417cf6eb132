import { weekdays } from '../occurrences/recurrence.ts';
import { EVERY_HALF, IN_ONE_WORD } from './quick-half.ts';
import { EVERY, monthDayRules, OF_EVERY_MONTH, OF_MONTH, onDaysOfMonth } from './quick-month-days.ts';
import type { MatchMeaning, Rule } from './quick-part.ts';
import {
  DAY,
  MONTH,
  NUMBER,
  ORDINAL,
  SHORT_DAY,
  dayText,
  monthOf,
  numberOf,
  ordinalOf,
  weekdayOf,
  words,
  SIGN,
} from './quick-words.ts';

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(days?|tage?n?)$/i, 'DAILY'],
  [/^(weeks?|wochen?)$/i, 'WEEKLY'],
  [/^(months?|monate?n?)$/i, 'MONTHLY'],
  [/^(years?|jahre?n?)$/i, 'YEARLY'],
];
const UNIT = 'days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?';
const ON = '(?:\\s+(?:on|am|an))?(?:\\s+(?:the|dem))?';
// With blanks around the words: "Sunday" has "und" in it.
const AND = `(?:\\s*[,&/+]\\s*(?:(?:and|und|u\\.)\\s+)?|\\s+(?:and|und|u\\.)\\s+(?:(?:${EVERY})\\s+)?)`;
// "every mon wed fri", but not "every Friday do the dishes" and "every Monday sat nav".
const SIDE_BY_SIDE = `\\s+(?:(?=(?:so|do)\\s*(?:$|[,;\\d]|(?:um|at|ab)\\s))|(?!(?:so|do|sat|sun)(?![${SIGN}]))|(?<=(?:mon|tues?|wed|thu(?:rs)?|fri|sat)\\s+)(?=sat|sun))`;
const DAYS = `(?:${SHORT_DAY})s?(?:(?:${AND}|${SIDE_BY_SIDE})(?:${SHORT_DAY})s?(?![${SIGN}]))*`;
const NTH_DAY = '(\\d{1,2})(?:st|nd|rd|th|\\.)';

const frequency = (unit = ''): string => UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? 'DAILY';

function rule(every: string, interval = 1, more = ''): string {
  return `FREQ=${every}${interval === 1 ? '' : `;INTERVAL=${interval}`}${more}`;
}

/** "Monday, Wednesday and Friday" as MO,WE,FR; null where a word is no day. */
function dayList(text: string): string | null {
  const days = text.split(new RegExp(`${AND}|\\s+`)).map(word => weekdayOf(word.trim()));
  return days.every(day => day !== null) ? [...new Set(days)].join(',') : null;
}

const weekly = (text: string, interval = 1): MatchMeaning => {
  const days = dayList(text);
  return days === null ? null : [rule('WEEKLY', interval, `;BYDAY=${days}`)];
};

/** "Monday to Friday", over the end of the week too. */
function dayRange(first: string, last: string): MatchMeaning {
  const [from, to] = [weekdayOf(first), weekdayOf(last)];
  if (from === null || to === null) return null;
  const at = weekdays.indexOf(from);
  const count = ((weekdays.indexOf(to) - at + 7) % 7) + 1;
  const days = weekdays.filter((_, index) => (index - at + 7) % 7 < count);
  return count === 1 ? null : [rule('WEEKLY', 1, `;BYDAY=${days.join(',')}`)];
}

/** "every day except Sunday". */
function dailyBut(text: string): MatchMeaning {
  const but = dayList(text)?.split(',') ?? [];
  const days = weekdays.filter(day => !but.includes(day));
  return but.length === 0 || days.length === 0 ? null : [rule('WEEKLY', 1, `;BYDAY=${days.join(',')}`)];
}

/** "every 2 weeks on Monday", or every 14 days: days of the week fit whole weeks only. */
function everySoManyOn(count: number | null, unit: string, days: string): MatchMeaning {
  if (count === null || count < 1) return null;
  if (frequency(unit) === 'WEEKLY') return weekly(days, count);
  return frequency(unit) === 'DAILY' && count % 7 === 0 ? weekly(days, count / 7) : null;
}

const every = (count: number | null, unit: string): MatchMeaning =>
  count === null || count < 1 ? null : [rule(frequency(unit), count)];

/** The 29th of February comes every four years, or the day before stands for it. */
function yearly(day: number, month: number | null): MatchMeaning {
  // A leap year has every day there is.
  if (month === null || dayText(2028, month, day) === null) return null;
  const plain = rule('YEARLY', 1, `;BYMONTH=${month};BYMONTHDAY=${day}`);
  return day === 29 && month === 2 ? [rule('YEARLY', 1, ';BYMONTH=2;BYMONTHDAY=-1'), plain] : [plain];
}

const ADVERBS: Record<string, string> = {
  daily: rule('DAILY'),
  weekly: rule('WEEKLY'),
  fortnightly: rule('WEEKLY', 2),
  monthly: rule('MONTHLY'),
  quarterly: rule('MONTHLY', 3),
  yearly: rule('YEARLY'),
  annually: rule('YEARLY'),
  täglich: rule('DAILY'),
  wöchentlich: rule('WEEKLY'),
  monatlich: rule('MONTHLY'),
  vierteljährlich: rule('MONTHLY', 3),
  halbjährlich: rule('MONTHLY', 6),
  quartalsweise: rule('MONTHLY', 3),
  jährlich: rule('YEARLY'),
};
const isGerman = (adverb: string): boolean => /lich$|weise$/.test(adverb);
const GERMAN_ADVERB = Object.keys(ADVERBS).filter(isGerman).join('|');
const ADVERB = Object.keys(ADVERBS)
  .filter(adverb => !isGerman(adverb))
  .join('|');
const ON_DAYS = `\\s+(?:(?:on|am)\\s+)?(${DAYS})`;
const WORKDAYS = 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR';

export const repeatRules: readonly Rule[] = [
  ...monthDayRules,
  {
    // "jeden Samstagmorgen" is every Saturday, too.
    pattern: new RegExp(`(?<![${SIGN}])(?:${EVERY})\\s+(${DAYS})(?=(?:${IN_ONE_WORD})?(?![${SIGN}]))`, 'g'),
    read: ([, days = '']) => weekly(days),
  },
  {
    pattern: words(
      `(?:${EVERY}|daily|täglich)\\s+(?:from\\s+|von\\s+)?(${SHORT_DAY})\\s*(?:-|–|to|through|bis)\\s*(${SHORT_DAY})`,
    ),
    read: ([, first = '', last = '']) => dayRange(first, last),
  },
  {
    // "Mo-Fr" is said of what comes again, "from Monday to Friday" of one time.
    pattern: words(`(${SHORT_DAY})\\s?[-–]\\s?(${SHORT_DAY})`),
    read: ([, first = '', last = '']) => dayRange(first, last),
  },
  {
    pattern: words(`(?:on\\s+)?(${DAY})s\\s*(?:-|–|to|through|bis)\\s*(${DAY})s`),
    read: ([, first = '', last = '']) => dayRange(first, last),
  },
  {
    pattern: words(`(?:(?:${EVERY})\\s+(?:day|tag)|daily|täglich)\\s+(?:except|but|außer)${ON_DAYS}`),
    read: ([, days = '']) => dailyBut(days),
  },
  { pattern: words(`(?:immer|always)\\s+(?:(?:am|on)\\s+)?(${DAYS})`), read: ([, days = '']) => weekly(days) },
  {
    pattern: words(
      `(?:(?:${EVERY})\\s+(?:day|tag)|daily|täglich)\\s+(?:except|but|außer)\\s+(?:on\\s+|am\\s+|the\\s+|an\\s+)?(?:weekends?|wochenenden?)`,
    ),
    read: () => [WORKDAYS],
  },
  { pattern: EVERY_HALF, read: () => [rule('DAILY')] },
  { pattern: words(`(?:every\\s+other)\\s+(${SHORT_DAY})`), read: ([, day = '']) => weekly(day, 2) },
  {
    pattern: words(`(?<!(?<![${SIGN}])(?:of|from|for|in)\\s)(?:${EVERY})\\s+(${UNIT})`),
    read: ([, unit]) => [rule(frequency(unit))],
  },
  { pattern: words(`every\\s+other\\s+(${UNIT})`), read: ([, unit = '']) => every(2, unit) },
  { pattern: words(`every\\s+other\\s+week${ON_DAYS}`), read: ([, days = '']) => weekly(days, 2) },
  {
    pattern: words(`(?:${EVERY})\\s+(${ORDINAL})\\s+(${UNIT})`),
    // "Every first week" is of something.
    read: ([, nth = '', unit = '']) => (ordinalOf(nth) === 1 ? null : every(ordinalOf(nth), unit)),
  },
  {
    pattern: words(`(?:${EVERY})\\s+(${ORDINAL})\\s+(${UNIT})${ON_DAYS}`),
    read: ([, nth = '', unit = '', days = '']) => everySoManyOn(ordinalOf(nth), unit, days),
  },
  {
    pattern: words(`(?:every|alle)\\s+(${NUMBER})\\s+(${UNIT})`),
    read: ([, n = '', unit = '']) => every(numberOf(n), unit),
  },
  {
    pattern: words(`(?:every|alle)\\s+(${NUMBER})\\s+(${UNIT})${ON_DAYS}`),
    read: ([, n = '', unit = '', days = '']) => everySoManyOn(numberOf(n), unit, days),
  },
  {
    pattern: words(`(?:every|alle)\\s+(${NUMBER})\\s+(?:months|monate)${ON}\\s+${NTH_DAY}`),
    read: ([, n = '', day]) => onDaysOfMonth([Number(day)], numberOf(n) ?? 1),
  },
  {
    pattern: words(`(?:${EVERY})\\s+quarter|jedes\\s+(?:quartal|vierteljahr)|einmal\\s+im\\s+quartal`),
    read: () => [rule('MONTHLY', 3)],
  },
  { pattern: words('every\\s+half\\s+year|jedes\\s+(?:halbjahr|halbe\\s+jahr)'), read: () => [rule('MONTHLY', 6)] },
  {
    pattern: words(`(?:${EVERY})\\s+(?:week|woche)${ON_DAYS}|(?:weekly|wöchentlich)\\s+(?:(?:on|am)\\s+)?(${DAYS})`),
    read: ([, days, others]) => weekly(days ?? others ?? ''),
  },
  {
    pattern: words(`(?:(?:am|(?:on\\s+)?the)\\s+)?(?:ersten|first|erster)\\s+(?:day\\s+|tag\\s+)?${OF_EVERY_MONTH}`),
    read: () => onDaysOfMonth([1]),
  },
  {
    pattern: words(`(?:${EVERY})\\s+(?:ersten|first)(?:\\s+(?:day|tag))?${OF_MONTH}`),
    read: () => onDaysOfMonth([1]),
  },
  {
    pattern: words(
      `(?<!(?:und|and|&|,)\\s*)(?:(?:am|(?:on\\s+)?the)\\s+)?${NTH_DAY}\\s+(?:tag\\s+|day\\s+)?${OF_EVERY_MONTH}`,
    ),
    read: ([, day]) => onDaysOfMonth([Number(day)]),
  },
  {
    pattern: words(
      `(?:(?:${EVERY})(?:\\s+(?:year|jahr))?|yearly|annually|jährlich)${ON}\\s+(\\d{1,2})\\.(\\d{1,2})\\.?`,
    ),
    read: ([, day, month]) => yearly(Number(day), Number(month) >= 1 && Number(month) <= 12 ? Number(month) : null),
  },
  {
    pattern: words(`(?:(?:${EVERY})\\s+(?:month|monat)|monthly|monatlich)${ON}\\s+${NTH_DAY}`),
    read: ([, day]) => onDaysOfMonth([Number(day)]),
  },
  {
    pattern: new RegExp(
      `(?<![${SIGN}])(?:${EVERY})\\s+${NTH_DAY}(?:${OF_MONTH})?(?![${SIGN}])(?!\\s*(?:${MONTH}|${SHORT_DAY}|${UNIT})(?![${SIGN}]))`,
      'g',
    ),
    read: ([, day]) => onDaysOfMonth([Number(day)]),
  },
  {
    pattern: words(
      `(?:(?:${EVERY})(?:\\s+(?:year|jahr))?|yearly|annually|jährlich)${ON}\\s+(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?(${MONTH})`,
    ),
    read: ([, day, month = '']) => yearly(Number(day), monthOf(month)),
  },
  {
    pattern: words(
      `(?:(?:${EVERY})(?:\\s+(?:year|jahr))?|yearly|annually)${ON}\\s+(${MONTH})\\s+(\\d{1,2})(?:st|nd|rd|th)?`,
    ),
    read: ([, month = '', day]) => yearly(Number(day), monthOf(month)),
  },
  {
    pattern: words(
      '(?:every|each)\\s+(?:weekday|work(?:ing)?[\\s-]?day)|on\\s+(?:week|work)days|weekdays|werktags|wochentags|jeden\\s+(?:werk|arbeits)tag|an\\s+werktagen',
    ),
    read: () => [WORKDAYS],
  },
  { pattern: words('every\\s+weekend|jedes\\s+wochenende'), read: () => ['FREQ=WEEKLY;BYDAY=SA,SU'] },
  {
    pattern: words(
      `(?:on\\s+)?(?:${['montags', 'dienstags', 'mittwochs', 'donnerstags', 'freitags', 'samstags', 'sonntags'].join('|')}|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)(?:${AND}(?:${SHORT_DAY})s)*`,
    ),
    read: ([text]) => weekly(text.replace(/^on\s+/, '')),
  },
  {
    // "wöchentlicher Bericht" is a thing, "wöchentlich berichten" a rule.
    pattern: words(`(?<!mal\\s)(?:${GERMAN_ADVERB})`),
    read: ([text]) => [ADVERBS[text.toLowerCase()] ?? rule('DAILY')],
  },
  {
    // "weekly report" is a thing; "report weekly" is a rule.
    pattern: new RegExp(
      `(?<![${SIGN}])(?:${ADVERB})(?=\\s*(?:$|[,#!@\\d]|(?:on|at|from|until|till|starting|am|um|ab|bis|tomorrow|today|morgen|heute)\\s))`,
      'g',
    ),
    read: ([text]) => [ADVERBS[text.toLowerCase()] ?? rule('DAILY')],
  },
];
