import type { Reading, Rule } from './quick-part.ts';
import { MONTH, NUMBER, ORDINAL, SHORT_DAY, monthOf, numberOf, ordinalOf, weekdayOf, words } from './quick-words.ts';

const EVERY = 'every|each|jeden|jede|jedes|jeder';
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(days?|tage?n?)$/i, 'DAILY'],
  [/^(weeks?|wochen?)$/i, 'WEEKLY'],
  [/^(months?|monate?n?)$/i, 'MONTHLY'],
  [/^(years?|jahre?n?)$/i, 'YEARLY'],
];
const UNIT = 'days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?';
const ON = '(?:\\s+(?:on|am|an))?(?:\\s+(?:the|dem))?';
const AND = '\\s*(?:,|and|und|&)\\s*';
const DAYS = `(?:${SHORT_DAY})s?(?:${AND}(?:${SHORT_DAY})s?)*`;
const OF_MONTH = '\\s+(?:of\\s+(?:the|every|each)\\s+month|im\\s+monat|des\\s+monats)';
const NTH_DAY = '(\\d{1,2})(?:st|nd|rd|th|\\.)';

const frequency = (unit = ''): string => UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? 'DAILY';

function rule(every: string, interval = 1, more = ''): string {
  return `FREQ=${every}${interval === 1 ? '' : `;INTERVAL=${interval}`}${more}`;
}

/** "Monday, Wednesday and Friday" as MO,WE,FR; null where a word is no day. */
function dayList(said: string): string | null {
  const days = said.split(new RegExp(AND, 'iu')).map(word => weekdayOf(word.trim()));
  return days.every(day => day !== null) ? [...new Set(days)].join(',') : null;
}

const weekly = (said: string, interval = 1): Reading => {
  const days = dayList(said);
  return days === null ? null : [rule('WEEKLY', interval, `;BYDAY=${days}`)];
};

/** On the 31st: some months have none, so it has to be said whether the last day stands for it. */
function onDayOfMonth(day: number, interval = 1): Reading {
  if (day < 1 || day > 31) return null;
  const plain = rule('MONTHLY', interval, `;BYMONTHDAY=${day}`);
  return day <= 28 ? [plain] : [rule('MONTHLY', interval, ';BYMONTHDAY=-1'), plain];
}

/** "every second Friday": of the month, or every other one? */
function nthWeekday(nth: string, day: string, isOfMonth: boolean): Reading {
  const [which, weekday] = [ordinalOf(nth), weekdayOf(day)];
  if (which === null || weekday === null) return null;
  const ofMonth = rule('MONTHLY', 1, `;BYDAY=${which}${weekday}`);
  return which === 2 && !isOfMonth ? [rule('WEEKLY', 2, `;BYDAY=${weekday}`), ofMonth] : [ofMonth];
}

/** The 29th of February comes every four years, or the day before stands for it. */
function yearly(day: number, month: number | null): Reading {
  if (month === null || day < 1 || day > 31) return null;
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
  jährlich: rule('YEARLY'),
};
const ADVERB = Object.keys(ADVERBS).join('|');
const WORKDAYS = 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR';

export const repeatRules: readonly Rule[] = [
  { pattern: words(`(?:${EVERY})\\s+(${DAYS})`), read: ([, days = '']) => weekly(days) },
  {
    pattern: words(`(?:every\\s+other|alle\\s+zwei\\s+wochen\\s+am)\\s+(${SHORT_DAY})`),
    read: ([, day = '']) => weekly(day, 2),
  },
  {
    pattern: words(`(?:${EVERY}|am|on\\s+the)\\s+(${ORDINAL})\\s+(${SHORT_DAY})${OF_MONTH}`),
    read: ([, nth = '', day = '']) => nthWeekday(nth, day, true),
  },
  {
    pattern: words(`(?:${EVERY})\\s+(${ORDINAL})\\s+(${SHORT_DAY})`),
    read: ([, nth = '', day = '']) => nthWeekday(nth, day, false),
  },
  { pattern: words(`(?:${EVERY})\\s+(${UNIT})`), read: ([, unit]) => [rule(frequency(unit))] },
  {
    pattern: words(`(?:every\\s+other|jede[nrs]?\\s+zweite[nrs]?)\\s+(${UNIT})`),
    read: ([, unit]) => [rule(frequency(unit), 2)],
  },
  {
    pattern: words(`(?:every|alle)\\s+(${NUMBER})\\s+(${UNIT})(?:\\s+(?:on|am)\\s+(${DAYS}))?`),
    read([, n = '', unit, days]) {
      const interval = numberOf(n);
      if (interval === null || interval < 1) return null;
      return days === undefined ? [rule(frequency(unit), interval)] : weekly(days, interval);
    },
  },
  {
    pattern: words(`(?:(?:${EVERY})\\s+(?:week|woche)|weekly|wöchentlich)\\s+(?:on|am)\\s+(${DAYS})`),
    read: ([, days = '']) => weekly(days),
  },
  {
    pattern: words(
      `(?:(?:${EVERY})\\s+(?:month|monat)|monthly|monatlich)${ON}\\s+${NTH_DAY}?`.replace('\\.)?', '\\.)'),
    ),
    read: ([, day]) => onDayOfMonth(Number(day)),
  },
  {
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${EVERY})\\s+${NTH_DAY}(?:${OF_MONTH})?(?![\\p{L}\\p{N}])(?!\\s*(?:${MONTH}))`,
      'giu',
    ),
    read: ([, day]) => onDayOfMonth(Number(day)),
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
    pattern: words('every\\s+weekday|on\\s+weekdays|weekdays|werktags|wochentags|jeden\\s+werktag'),
    read: () => [WORKDAYS],
  },
  { pattern: words('every\\s+weekend|jedes\\s+wochenende'), read: () => ['FREQ=WEEKLY;BYDAY=SA,SU'] },
  {
    pattern: words('(?:every|at\\s+the)\\s+end\\s+of\\s+(?:the|every|each)\\s+month|jeden\\s+monatsletzten'),
    read: () => ['FREQ=MONTHLY;BYMONTHDAY=-1'],
  },
  {
    pattern: words(
      `(?:${['montags', 'dienstags', 'mittwochs', 'donnerstags', 'freitags', 'samstags', 'sonntags'].join('|')}|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)(?:${AND}(?:${SHORT_DAY})s)*`,
    ),
    read: ([said]) => weekly(said),
  },
  {
    // "weekly report" is a thing; "report weekly" is a rule.
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${ADVERB})(?=\\s*(?:$|[,#!@\\d]|(?:on|at|from|am|um|ab|tomorrow|today|morgen|heute)\\s))`,
      'giu',
    ),
    read: ([said]) => [ADVERBS[said.toLowerCase()] ?? rule('DAILY')],
  },
];
