import { equal, toBoolean, toDay, toNumber, toText, type Value } from './expression-values.ts';

/** Functions that need nothing but their arguments; those that read the form stand in `expression.ts`. */
export type PlainFunction = {
  /** Fewest and most arguments. */
  least: number;
  most: number;
  run(args: readonly Value[]): Value;
};

const ANY = Number.POSITIVE_INFINITY;
const text = (args: readonly Value[], index: number): string => toText(args[index] ?? '');
const number = (args: readonly Value[], index: number): number => toNumber(args[index] ?? '');

const plain = (least: number, most: number, run: PlainFunction['run']): PlainFunction => ({ least, most, run });
const ofNumber = (run: (value: number) => number) => plain(1, 1, args => run(number(args, 0)));

/** A multiple choice is kept as the names of its choices with spaces between, as in XForms. */
const chosen = (value: string): string[] => value.split(/\s+/).filter(name => name !== '');

export const plainFunctions: Record<string, PlainFunction> = {
  true: plain(0, 0, () => true),
  false: plain(0, 0, () => false),
  not: plain(1, 1, args => !toBoolean(args[0] ?? '')),
  boolean: plain(1, 1, args => toBoolean(args[0] ?? '')),
  'boolean-from-string': plain(1, 1, args => ['true', '1'].includes(text(args, 0))),
  checklist: plain(2, ANY, args => within(args.slice(2), number(args, 0), number(args, 1))),
  selected: plain(2, 2, args => chosen(text(args, 0)).includes(text(args, 1).trim())),
  'selected-at': plain(2, 2, args => chosen(text(args, 0))[number(args, 1)] ?? ''),
  'count-selected': plain(1, 1, args => chosen(text(args, 0)).length),
  'count-non-empty': plain(1, ANY, args => args.filter(value => toText(value) !== '').length),
  coalesce: plain(1, ANY, args => args.find(value => toText(value) !== '') ?? ''),
  string: plain(1, 1, args => text(args, 0)),
  'string-length': plain(1, 1, args => Array.from(text(args, 0)).length),
  'normalize-space': plain(1, 1, args => text(args, 0).trim().replaceAll(/\s+/g, ' ')),
  'upper-case': plain(1, 1, args => text(args, 0).toUpperCase()),
  'lower-case': plain(1, 1, args => text(args, 0).toLowerCase()),
  concat: plain(0, ANY, args => args.map(toText).join('')),
  join: plain(1, ANY, args => args.slice(1).map(toText).join(text(args, 0))),
  contains: plain(2, 2, args => text(args, 0).includes(text(args, 1))),
  'starts-with': plain(2, 2, args => text(args, 0).startsWith(text(args, 1))),
  'ends-with': plain(2, 2, args => text(args, 0).endsWith(text(args, 1))),
  substr: plain(2, 3, args => text(args, 0).slice(number(args, 1), args.length > 2 ? number(args, 2) : undefined)),
  substring: plain(2, 3, args => substring(text(args, 0), number(args, 1), args.length > 2 ? number(args, 2) : ANY)),
  'substring-before': plain(2, 2, args => before(text(args, 0), text(args, 1))),
  'substring-after': plain(2, 2, args => after(text(args, 0), text(args, 1))),
  translate: plain(3, 3, args => translate(text(args, 0), text(args, 1), text(args, 2))),
  number: plain(1, 1, args => number(args, 0)),
  int: ofNumber(Math.trunc),
  round: plain(1, 2, args => roundTo(number(args, 0), args.length > 1 ? number(args, 1) : 0)),
  floor: ofNumber(Math.floor),
  ceiling: ofNumber(Math.ceil),
  abs: ofNumber(Math.abs),
  sqrt: ofNumber(Math.sqrt),
  pow: plain(2, 2, args => number(args, 0) ** number(args, 1)),
  min: plain(1, ANY, args => Math.min(...args.map(toNumber))),
  max: plain(1, ANY, args => Math.max(...args.map(toNumber))),
  sum: plain(1, ANY, args => args.map(toNumber).reduce((total, value) => total + value, 0)),
  date: plain(1, 1, args => toDay(args[0] ?? '')),
  'format-date': plain(2, 2, args => formatDay(toDay(args[0] ?? ''), text(args, 1))),
  'decimal-date-time': plain(1, 1, args => number(args, 0)),
};

/** ODK's checklist(min, max, …): between so many of the conditions hold; -1 for no bound. */
function within(conditions: readonly Value[], least: number, most: number): boolean {
  const held = conditions.filter(value => equal(toBoolean(value), true)).length;
  return held >= least && (most === -1 || held <= most);
}

/** XPath's substring(): places count from 1 and are rounded. */
function substring(value: string, from: number, length: number): string {
  const start = Math.round(from);
  const end = start + Math.round(length);
  return Array.from(value)
    .filter((_, index) => index + 1 >= start && index + 1 < end)
    .join('');
}

function before(value: string, mark: string): string {
  const at = value.indexOf(mark);
  return at < 0 ? '' : value.slice(0, at);
}

function after(value: string, mark: string): string {
  const at = value.indexOf(mark);
  return at < 0 ? '' : value.slice(at + mark.length);
}

function translate(value: string, from: string, to: string): string {
  const [source, target] = [Array.from(from), Array.from(to)];
  return Array.from(value)
    .map(character => {
      const index = source.indexOf(character);
      return index < 0 ? character : (target[index] ?? '');
    })
    .join('');
}

/** Half rounds up, as in XPath: round(-2.5) is -2. */
function roundTo(value: number, places: number): number {
  if (!Number.isFinite(value) || !Number.isFinite(places)) return value;
  const digits = Math.trunc(places);
  const shifted = Number(`${value}e${digits}`);
  const rounded = Number(`${Math.round(Number.isNaN(shifted) ? value : shifted)}e${-digits}`);
  return Number.isNaN(rounded) ? value : rounded + 0;
}

/** %Y %y %m %n %d %e of ODK's format-date; other letters stay as they are. */
function formatDay(day: string, format: string): string {
  if (day === '') return '';
  const [year = '', month = '', date = ''] = day.split('-');
  const parts: Record<string, string> = {
    Y: year,
    y: year.slice(-2),
    m: month,
    n: String(Number(month)),
    d: date,
    e: String(Number(date)),
  };
  return format.replaceAll(/%([A-Za-z])/g, (whole, letter: string) => parts[letter] ?? whole);
}
