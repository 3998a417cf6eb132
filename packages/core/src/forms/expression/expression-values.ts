/** What an expression works on. A question without an answer, or hidden, is the empty text. */
export type Value = string | number | boolean;

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
/** A month or day of one digit, as people write them. */
const SHORT_DAY = /^(\d{4})-(?=\d-|\d\d-\d$)(\d{1,2})-(\d{1,2})$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
/** Ends in its offset; without one it counts as UTC, so that the device's own zone makes no difference. */
const ZONED = /(Z|[+-]\d{2}:?\d{2})$/;
const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)$/;
const MS_PER_DAY = 86_400_000;

/** XPath's string(): whole numbers without a decimal point, never with an exponent, NaN as "NaN". */
export const toText = (value: Value): string => (typeof value === 'number' ? numberText(value) : String(value));

const EXPONENT = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** A number in digits alone: number() and the parser of expressions read no exponent. */
export function numberText(value: number): string {
  const text = String(value);
  const [, sign = '', first, rest = '', exponent] = EXPONENT.exec(text) ?? [];
  if (first === undefined) return text;
  const [digits, whole] = [first + rest, 1 + Number(exponent)];
  return sign + (whole > 0 ? digits.padEnd(whole, '0') : `0.${'0'.repeat(-whole)}${digits}`);
}

/**
 * XPath's number(), and as ODK adds, a day (`2026-11-21`) or an instant as days since 1970, so that dates can be
 * compared and counted. NaN for everything else, the empty text included.
 */
export function toNumber(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const text = value.trim();
  if (NUMBER.test(text)) return Number(text);
  if (DAY.test(text)) return daysSince1970(text) ?? Number.NaN;
  return INSTANT.test(text) ? Date.parse(ZONED.test(text) ? text : `${text}Z`) / MS_PER_DAY : Number.NaN;
}

/** XPath's boolean(): a text is true when it is not empty, a number when it is neither 0 nor NaN. */
export function toBoolean(value: Value): boolean {
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value);
  return typeof value === 'string' ? value !== '' : value;
}

/** XPath's `=`: as booleans when one is a boolean, else as numbers when one is a number, else as texts. */
export function equal(left: Value, right: Value): boolean {
  if (typeof left === 'boolean' || typeof right === 'boolean') return toBoolean(left) === toBoolean(right);
  if (typeof left === 'number' || typeof right === 'number') return toNumber(left) === toNumber(right);
  return left === right;
}

/** Whether a text has the form of a day, or of a day and time. */
const isMoment = (text: string): boolean => DAY.test(text.trim()) || INSTANT.test(text.trim());

/** ODK's decimal-date-time(): days since 1970 of a day or an instant; a number is such days already. NaN for all else. */
export function daysOf(value: Value): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && isMoment(value) ? toNumber(value) : Number.NaN;
}

/** Days since 1970-01-01 of a day `YYYY-MM-DD`; null when there is no such day. */
export function daysSince1970(day: string): number | null {
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) return null;
  return ms / MS_PER_DAY;
}

/** The day of a number of days since 1970, or of a text that is a day or an instant; empty where it is neither. */
export function toDay(value: Value): string {
  if (typeof value === 'boolean') return '';
  if (typeof value === 'string' && INSTANT.test(value)) return value.slice(0, 10);
  const short = typeof value === 'string' ? SHORT_DAY.exec(value.trim()) : null;
  if (short) return toDay(`${short[1]}-${short[2]?.padStart(2, '0')}-${short[3]?.padStart(2, '0')}`);
  const date = new Date(Math.floor(toNumber(value)) * MS_PER_DAY);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

/** A day, or an instant as it is written; a number of days since 1970 as one in UTC; empty where it is neither. */
export function toInstant(value: Value): string {
  if (typeof value === 'boolean') return '';
  if (typeof value === 'string' && (INSTANT.test(value) || daysSince1970(value) !== null)) return value;
  const date = new Date(toNumber(value) * MS_PER_DAY);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

const isDayText = (value: Value): value is string => typeof value === 'string' && DAY.test(value.trim());
const isZonedText = (value: Value): value is string =>
  typeof value === 'string' && INSTANT.test(value.trim()) && ZONED.test(value.trim());

/** The clock of an instant without its offset, so that it can be set beside a day. */
const onItsClock = (value: Value): Value => (isZonedText(value) ? value.trim().replace(ZONED, '') : value);

/**
 * Two values as numbers to be compared or taken from one another. A day begins where its people are: beside a day, an
 * instant counts by the clock it was read from, not by that of Greenwich.
 */
export function toNumbers(left: Value, right: Value): [number, number] {
  const mixed = (isDayText(left) && isZonedText(right)) || (isZonedText(left) && isDayText(right));
  return mixed ? [toNumber(onItsClock(left)), toNumber(onItsClock(right))] : [toNumber(left), toNumber(right)];
}
