import { formatMoment } from './expression-dates.ts';
import { lengthOf } from '@cairn/base/globe.ts';
import { digest, fromBase64 } from './expression-digest.ts';
import { enclosedArea, isInside, pointsIn } from './expression-geo.ts';
import { daysOf, equal, toBoolean, toDay, toInstant, toNumber, toText, type Value } from './expression-values.ts';

/** Functions that need nothing but their arguments; those that read the form stand in `expression.ts`. */
export type PlainFunction = {
  /** Fewest and most arguments. */
  least: number;
  most: number;
  /**
   * From this argument on, a reference to answers in several entries of a repeat counts as so many arguments, those without
   * an answer left out; before it, and where this is absent, only its first.
   */
  spreadFrom?: number;
  run(args: readonly Value[]): Value;
};

const ANY = Number.POSITIVE_INFINITY;
const text = (args: readonly Value[], index: number): string => toText(args[index] ?? '');
const number = (args: readonly Value[], index: number): number => toNumber(args[index] ?? '');

const plain = (least: number, most: number, run: PlainFunction['run']): PlainFunction => ({ least, most, run });
const spread = (least: number, spreadFrom: number, run: PlainFunction['run']): PlainFunction => ({
  least,
  most: ANY,
  spreadFrom,
  run,
});
const ofNumber = (run: (value: number) => number) => plain(1, 1, args => run(number(args, 0)));

/** A multiple choice is kept as the names of its choices with spaces between, as in XForms. */
const chosen = (value: string): string[] => value.split(/\s+/).filter(name => name !== '');

/** XML's white space, which is less than JavaScript's: a no-break space belongs to its word. */
const wordsOf = (value: string): string[] => value.split(/[ \t\r\n]+/).filter(word => word !== '');

/** One by one: a function takes no hundred thousand arguments. */
const extreme = (args: readonly Value[], of: (one: number, other: number) => number): number =>
  args.length === 0 ? Number.NaN : args.map(toNumber).reduce((one, other) => of(one, other));

/** A way or area in one text, or its points in many. */
const points = (args: readonly Value[]): string => args.map(toText).join(';');
const area = { ...spread(1, 0, args => enclosedArea(points(args))), most: 1 };

export const plainFunctions: Record<string, PlainFunction> = {
  true: plain(0, 0, () => true),
  false: plain(0, 0, () => false),
  not: plain(1, 1, args => !toBoolean(args[0] ?? '')),
  boolean: plain(0, 1, args => toBoolean(args[0] ?? '')),
  'boolean-from-string': plain(1, 1, args => ['true', '1'].includes(text(args, 0))),
  checklist: spread(2, 2, args => within(args.slice(2), number(args, 0), number(args, 1))),
  selected: plain(2, 2, args => chosen(text(args, 0)).includes(text(args, 1).trim())),
  'is-selected': plain(2, 2, args => chosen(text(args, 0)).includes(text(args, 1).trim())),
  'selected-at': plain(2, 2, args => chosen(text(args, 0))[number(args, 1)] ?? ''),
  'count-selected': plain(1, 1, args => chosen(text(args, 0)).length),
  'weighted-checklist': plain(2, ANY, args => withinWeights(args.slice(2), number(args, 0), number(args, 1))),
  'count-non-empty': spread(1, 0, args => args.filter(value => toText(value) !== '').length),
  coalesce: spread(1, 0, args => args.find(value => !saysNothing(value)) ?? ''),
  string: plain(0, 1, args => text(args, 0)),
  'string-length': plain(0, 1, args => Array.from(text(args, 0)).length),
  'normalize-space': plain(0, 1, args => wordsOf(text(args, 0)).join(' ')),
  'upper-case': plain(1, 1, args => text(args, 0).toUpperCase()),
  'lower-case': plain(1, 1, args => text(args, 0).toLowerCase()),
  concat: spread(0, 0, args => args.map(toText).join('')),
  join: spread(1, 1, args => args.slice(1).map(toText).join(text(args, 0))),
  contains: plain(2, 2, args => text(args, 0).includes(text(args, 1))),
  'starts-with': plain(2, 2, args => text(args, 0).startsWith(text(args, 1))),
  'ends-with': plain(2, 2, args => text(args, 0).endsWith(text(args, 1))),
  substr: plain(2, 3, args => text(args, 0).slice(number(args, 1), args.length > 2 ? number(args, 2) : undefined)),
  substring: plain(2, 3, args => substring(text(args, 0), number(args, 1), args.length > 2 ? number(args, 2) : null)),
  'substring-before': plain(2, 2, args => before(text(args, 0), text(args, 1))),
  'substring-after': plain(2, 2, args => after(text(args, 0), text(args, 1))),
  translate: plain(3, 3, args => translate(text(args, 0), text(args, 1), text(args, 2))),
  number: plain(0, 1, args => number(args, 0)),
  int: ofNumber(Math.trunc),
  round: plain(1, 2, args => roundTo(number(args, 0), args.length > 1 ? number(args, 1) : 0)),
  floor: ofNumber(Math.floor),
  ceiling: ofNumber(Math.ceil),
  abs: ofNumber(Math.abs),
  sqrt: ofNumber(Math.sqrt),
  pow: plain(2, 2, args => number(args, 0) ** number(args, 1)),
  exp: ofNumber(Math.exp),
  exp10: ofNumber(value => 10 ** value),
  log: ofNumber(Math.log),
  log10: ofNumber(Math.log10),
  sin: ofNumber(Math.sin),
  cos: ofNumber(Math.cos),
  tan: ofNumber(Math.tan),
  asin: ofNumber(Math.asin),
  acos: ofNumber(Math.acos),
  atan: ofNumber(Math.atan),
  atan2: plain(2, 2, args => Math.atan2(number(args, 0), number(args, 1))),
  pi: plain(0, 0, () => Math.PI),
  min: spread(1, 0, args => extreme(args, Math.min)),
  max: spread(1, 0, args => extreme(args, Math.max)),
  sum: spread(1, 0, args => args.map(toNumber).reduce((total, value) => total + value, 0)),
  date: plain(1, 1, args => toDay(args[0] ?? '')),
  'date-time': plain(1, 1, args => toInstant(args[0] ?? '')),
  'format-date': plain(2, 2, args => formatMoment(toInstant(args[0] ?? ''), text(args, 1))),
  'format-date-time': plain(2, 2, args => formatMoment(toInstant(args[0] ?? ''), text(args, 1))),
  'decimal-date-time': plain(1, 1, args => daysOf(args[0] ?? '')),
  area,
  'enclosed-area': area,
  geofence: plain(2, 2, args => isInside(text(args, 0), text(args, 1))),
  digest: plain(2, 3, args => digest(text(args, 0), text(args, 1), args.length > 2 ? text(args, 2) : 'base64')),
  'base64-decode': plain(1, 1, args => fromBase64(text(args, 0))),
  distance: spread(1, 0, args => lengthOf(pointsIn(points(args)))),
};

/** Nothing, for coalesce(): no answer, or what is no number. Source: JavaRosa, XPathFuncExpr.isNull. */
const saysNothing = (value: Value): boolean =>
  toText(value) === '' || (typeof value === 'number' && Number.isNaN(value));

/** ODK's checklist(min, max, …): between so many of the conditions hold; -1 for no bound. */
function within(conditions: readonly Value[], least: number, most: number): boolean {
  const held = conditions.filter(value => equal(toBoolean(value), true)).length;
  return held >= least && (most === -1 || held <= most);
}

/** ODK's weighted-checklist(min, max, condition, weight, …): the weights of what holds add up to between so much. */
function withinWeights(pairs: readonly Value[], least: number, most: number): boolean {
  let reached = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    if (toBoolean(pairs[at] ?? '')) reached += toNumber(pairs[at + 1] ?? '');
  }
  return reached >= least && (most === -1 || reached <= most);
}

/** XPath's substring(): places count from 1 and are rounded. */
function substring(value: string, from: number, length: number | null): string {
  const start = Math.round(from);
  // From minus infinity for an infinite length ends nowhere: XPath has it as no text.
  const end = length === null ? ANY : start + Math.round(length);
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
