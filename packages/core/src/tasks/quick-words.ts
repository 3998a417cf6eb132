import { addDays } from '@cairn/base/local-day.ts';
import { weekdays, type Weekday } from '../occurrences/recurrence.ts';

/** The words of days, months and numbers that the quick line knows, in English and German. */

const DAY_NAMES: Record<Weekday, readonly string[]> = {
  MO: ['monday', 'montag'],
  TU: ['tuesday', 'dienstag'],
  WE: ['wednesday', 'mittwoch'],
  TH: ['thursday', 'donnerstag'],
  FR: ['friday', 'freitag'],
  SA: ['saturday', 'samstag', 'sonnabend'],
  SU: ['sunday', 'sonntag'],
};

/** Taken for a day only behind a word such as "on" or "am": "sun" and "so" are words of their own. */
const SHORT_NAMES: Record<Weekday, readonly string[]> = {
  MO: ['mon', 'mo'],
  TU: ['tues', 'tue', 'di'],
  WE: ['wed', 'mi'],
  TH: ['thurs', 'thu', 'do'],
  FR: ['fri', 'fr'],
  SA: ['sat', 'sa'],
  SU: ['sun', 'so'],
};

const MONTH_NAMES: readonly (readonly string[])[] = [
  ['january', 'januar', 'jänner', 'jan'],
  ['february', 'februar', 'feb'],
  ['march', 'märz', 'mar', 'mär'],
  ['april', 'apr'],
  ['may', 'mai'],
  ['june', 'juni', 'jun'],
  ['july', 'juli', 'jul'],
  ['august', 'aug'],
  ['september', 'sept', 'sep'],
  ['october', 'oktober', 'oct', 'okt'],
  ['november', 'nov'],
  ['december', 'dezember', 'dec', 'dez'],
];

const NUMBER_WORDS: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  a: 1,
  an: 1,
  eins: 1,
  ein: 1,
  einem: 1,
  einer: 1,
  zwei: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
  elf: 11,
  zwölf: 12,
};

/** First, second, … last: -1. */
const ORDINALS: Record<string, number> = {
  first: 1,
  '1st': 1,
  second: 2,
  '2nd': 2,
  third: 3,
  '3rd': 3,
  fourth: 4,
  '4th': 4,
  fifth: 5,
  '5th': 5,
  last: -1,
  ersten: 1,
  erste: 1,
  zweiten: 2,
  zweite: 2,
  zweites: 2,
  dritten: 3,
  dritte: 3,
  drittes: 3,
  vierten: 4,
  vierte: 4,
  viertes: 4,
  fünften: 5,
  fünfte: 5,
  letzten: -1,
  letzte: -1,
};

const oneOf = (words: readonly string[]): string => words.toSorted((a, b) => b.length - a.length).join('|');

export const DAY = oneOf(Object.values(DAY_NAMES).flat());
export const GERMAN_DAY = oneOf(Object.values(DAY_NAMES).flatMap(([, ...german]) => german));
export const SHORT_DAY = oneOf([...Object.values(DAY_NAMES), ...Object.values(SHORT_NAMES)].flat());
export const MONTH = oneOf(MONTH_NAMES.flat());
const ARTICLES = new Set(['a', 'an', 'ein', 'einem', 'einer']);
const MINUTE_WORDS: Record<string, number> = {
  ...NUMBER_WORDS,
  twenty: 20,
  zwanzig: 20,
  'twenty-five': 25,
  fünfundzwanzig: 25,
};

/** A number that can be an hour by itself: "at a quarter" and "um ein Angebot" name none. */
export const HOUR_WORD = `\\d{1,2}|${oneOf(Object.keys(NUMBER_WORDS).filter(word => !ARTICLES.has(word)))}`;
export const MINUTE_WORD = oneOf(Object.keys(MINUTE_WORDS).filter(word => !ARTICLES.has(word)));
export const NUMBER = `\\d{1,3}|${oneOf(Object.keys(NUMBER_WORDS))}`;
export const ORDINAL = `${oneOf(Object.keys(ORDINALS))}|[1-5]\\.`;

/** What a word is made of in a text of `plainOf`, for a class of a pattern. */
export const SIGN = 'a-zäöüß0-9';

/**
 * A line as the patterns read it, sign for sign: in small letters, a letter of any other alphabet as "x". Patterns that had to
 * know all letters there are, in both cases, took four times as long until they first answered, at the first key.
 */
export const plainOf = (text: string): string =>
  text
    .replace(/[A-ZÄÖÜẞ]/g, char => char.toLowerCase())
    .replace(/[^a-zäöüß0-9]/gu, sign => (/[\p{L}\p{N}]/u.test(sign) ? 'x'.repeat(sign.length) : sign));

/** A pattern of whole words, for a text of `plainOf`. */
export const words = (pattern: string): RegExp => new RegExp(`(?<![${SIGN}])(?:${pattern})(?![${SIGN}])`, 'g');

const isOf = (names: readonly string[], word: string): boolean => names.includes(word.toLowerCase());

/** The day of the week a word names; Monday's "mondays" and "montags" too. */
export function weekdayOf(word: string): Weekday | null {
  const name = word.toLowerCase();
  const known = (day: Weekday, dayName: string) => isOf(DAY_NAMES[day], dayName) || isOf(SHORT_NAMES[day], dayName);
  return weekdays.find(day => known(day, name) || known(day, name.replace(/s$/, ''))) ?? null;
}

/** 1 to 12, or null. */
export function monthOf(word: string): number | null {
  const index = MONTH_NAMES.findIndex(names => isOf(names, word.replace('.', '')));
  return index < 0 ? null : index + 1;
}

/** A number in figures or words; null for another word. */
export const numberOf = (word: string): number | null =>
  /^\d+$/.test(word) ? Number(word) : (NUMBER_WORDS[word.toLowerCase()] ?? null);

/** Minutes in figures or words, 1 to 29; null for another word. */
export function minutesOf(word: string): number | null {
  const minutes = /^\d+$/.test(word) ? Number(word) : (MINUTE_WORDS[word] ?? 0);
  return minutes >= 1 && minutes <= 29 ? minutes : null;
}

/** Which of several, -1 for the last; null for another word. */
export const ordinalOf = (word: string): number | null =>
  /^\d\.$/.test(word) ? Number(word[0]) : (ORDINALS[word.toLowerCase()] ?? null);

/** A day as YYYY-MM-DD, or null where the calendar has none. */
export function dayText(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 1971 && year < 2199 ? date.toISOString().slice(0, 10) : null;
}

/** 0 for Monday. */
export const weekdayIndex = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** The first such day of the week from `from` on, `from` included. */
export const comingWeekday = (from: string, weekday: Weekday): string =>
  addDays(from, (weekdays.indexOf(weekday) - weekdayIndex(from) + 7) % 7);
