import { GERMAN_DAY, SHORT_DAY } from './quick-words.ts';

/** Words around a day, as patterns of a text of `plainOf`. */

/** A day as only German names it: in "Halle 6 am Freitag" it is no forenoon that stands before it. */
export const GERMAN_DATE = `(?:(?:${GERMAN_DAY})|\\d{1,2}\\.(?!\\d{2}\\s*uhr))`;
/** "am Freitag"; behind a figure it is the forenoon: "6 am Friday". */
export const AM = `(?:(?<!(?<![.:\\d])\\d{1,2}(?:[:.]\\d{2})?\\s?)am|(?<=\\s)am(?=\\s+${GERMAN_DATE}))`;
export const BEFORE_A_DAY = `on|by|until|till|due|from|starting|beginning|no\\s+later\\s+than|${AM}|bis|ab|zum|vom|spätestens|fällig`;
export const PREP = `(?:(?:${BEFORE_A_DAY})\\s+){0,3}(?:(?:the|den|dem)\\s+)?`;
/** "Friday, 4.12.": the weekday of a date. */
export const WEEKDAY = `(?:(?<weekday>${SHORT_DAY})\\.?,?\\s+(?:(?:the|den|dem)\\s+)?)?`;
/** The beginning of a time behind a day. */
export const HALF_A_CLOCK = '\\d{1,2}(?:[:.]\\d{2}|\\s*uhr|\\s*[ap]\\.?m)';
