import { AM, BEFORE_A_DAY, HALF_A_CLOCK, PREP, WEEKDAY } from './quick-day-words.ts';
import { onDate, slashed, withWeekday } from './quick-day-reading.ts';
import { COUNTED } from './quick-left.ts';
import type { MatchMeaning, Rule } from './quick-part.ts';
import { MONTH, monthOf, SHORT_DAY, SIGN, words } from './quick-words.ts';

/** Dates by their figures or the name of their month. */

const SHORT_YEAR = '\\.(?<year>\\d{2})(?![.\\d])';
const SLASH_YEAR = '(?:/(?<year>\\d{4}|\\d{2}))';

const slash = (before: string, after: string): RegExp =>
  new RegExp(
    `(?<![${SIGN}./-])${before}(?<first>\\d{1,2})/(?<second>\\d{1,2})${after}(?![${SIGN}/-])(?!${COUNTED})`,
    'g',
  );

const slashedDay = ({ groups: { first, second, year } = {} }: RegExpMatchArray, today: string): MatchMeaning =>
  slashed(Number(first), Number(second), year, today);

/** Without a word before it: 5/16 is a size in inches. */
const slashedAlone = (found: RegExpMatchArray, today: string): MatchMeaning =>
  ['16', '32', '64'].includes(found.groups?.['second'] ?? '') ? null : slashedDay(found, today);

export const dateRules: readonly Rule[] = [
  {
    pattern: words(
      `${PREP}${WEEKDAY}(?<date>\\d{1,2})(?:st|nd|rd|th|\\.)?\\s*(?:of\\s+)?(?<=\\s|\\.)(?<month>${MONTH})\\.?(?:,?\\s+(?<year>\\d{4}))?`,
    ),
    read: named,
  },
  {
    pattern: words(
      `${PREP}${WEEKDAY}(?<month>${MONTH})\\.?\\s+(?<date>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(?<year>\\d{4}))?(?!:)`,
    ),
    read: named,
  },
  { pattern: words(`${PREP}${WEEKDAY}(?<year>\\d{4})-(?<number>\\d{2})-(?<date>\\d{2})`), read: named },
  { pattern: words(`${PREP}${WEEKDAY}(?<year>\\d{4})/(?<number>\\d{1,2})/(?<date>\\d{1,2})(?!/)`), read: named },
  {
    pattern: dotted(`${PREP}${WEEKDAY}`, `\\.(?:,?\\s*(?<year>20\\d{2})(?!\\d)(?!${COUNTED}))?(?![.\\d])`),
    read: named,
  },
  // Two figures of a year: as it stands, "1.10.30" may be a version.
  { pattern: dotted(`(?:${BEFORE_A_DAY})\\s+(?:(?:the|den|dem)\\s+)?${WEEKDAY}`, SHORT_YEAR), read: named },
  { pattern: dotted(`(?<weekday>${SHORT_DAY})\\.?,?\\s+(?:(?:the|den|dem)\\s+)?`, SHORT_YEAR), read: named },
  { pattern: dotted(`(?=\\d{2}\\.\\d{2}\\.)`, SHORT_YEAR), read: named },
  // Without the second dot it may be a version or an amount: a day only behind "am" or before a time.
  { pattern: dotted(`(?:${AM}|zum|vom)\\s+${WEEKDAY}`, '(?![.\\d])(?!\\s*uhr)'), read: named },
  { pattern: dotted(`(?:bis|ab)\\s+`, '(?=\\s*(?:$|[,;]))'), read: named },
  { pattern: dotted(`${PREP}${WEEKDAY}`, `(?=,?\\s+(?:(?:um|at|gegen)\\s+)?${HALF_A_CLOCK})`), read: named },
  { pattern: dotted(`(?<weekday>${SHORT_DAY})\\.?,?\\s+`, '(?![.\\d])(?!\\s*uhr)'), read: named },
  // "3/4 full" is three quarters, and "24/7" none: a day behind "on", with a year, before a time or where the line ends.
  { pattern: slash(`(?:${BEFORE_A_DAY})\\s+(?:(?:the|den|dem)\\s+)?${WEEKDAY}`, `${SLASH_YEAR}?`), read: slashedDay },
  { pattern: slash(`(?<weekday>${SHORT_DAY})\\.?,?\\s+`, `${SLASH_YEAR}?`), read: slashedDay },
  { pattern: slash('', SLASH_YEAR), read: slashedDay },
  { pattern: slash('', `(?=\\s*(?:$|[,;])|,?\\s+(?:(?:um|at|gegen)\\s+)?${HALF_A_CLOCK})`), read: slashedAlone },
];

function dotted(before: string, after: string): RegExp {
  return new RegExp(`(?<![${SIGN}.])${before}(?<date>\\d{1,2})\\.(?<number>\\d{1,2})${after}(?![${SIGN}])`, 'g');
}

function named({ groups = {} }: RegExpMatchArray, today: string): MatchMeaning {
  const { date = '', month, number, year, weekday } = groups;
  return withWeekday(
    onDate({ date, month: month === undefined ? monthNumber(number) : monthOf(month), year }, today),
    weekday,
    today,
  );
}

function monthNumber(text = ''): number | null {
  const month = Number(text);
  return month >= 1 && month <= 12 ? month : null;
}
