/** Forms within forms, and rich text in lists within lists, are a third as deep; what writes JSON out again runs out of stack far beyond. */
const MAX_DEPTH = 64;
/** What ten megabytes of anybody's work hold is a tenth of it; ten megabytes of nothing but brackets take seconds to read. */
const MAX_BRACKETS = 300_000;
/** Digits before or behind the point: a number of JavaScript has some 330 at most. The database writes each out in full. */
const MAX_EXPONENT = 400;
/** Digits that all numbers with an exponent come to when they are written out. */
const MAX_DIGITS = 10_000_000;

const [QUOTE, ESCAPE] = [0x22, 0x5c];
const [PLUS, MINUS, ZERO, NINE] = [0x2b, 0x2d, 0x30, 0x39];
const EXPONENT = new Set([0x45, 0x65]);
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Where the text that begins at `from` ends: its closing quote, or the end of everything. */
function endOfText(json: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === ESCAPE ? 2 : 1;
  return at;
}

/** The size of the exponent whose letter stands at `letter`; 0 where no digit follows, as in `true`. */
function exponentAt(json: Uint8Array, char: number): number {
  const sign = json[char + 1];
  let exponent = 0;
  for (let at = char + (sign === PLUS || sign === MINUS ? 2 : 1); at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte < ZERO || byte > NINE || exponent > MAX_EXPONENT) break;
    exponent = exponent * 10 + (byte - ZERO);
  }
  return exponent;
}

/**
 * Whether brackets stand in brackets further than anybody's data does, or there are more of them (`deep`), or numbers are written with
 * exponents beyond JavaScript's, or more of these than anybody has (`numbers`): a few letters of them are a hundred thousand digits
 * where the database writes them out. Goes through the bytes once and reads nothing, so that it costs no more than its length
 * whatever was sent; to be asked before JSON is parsed.
 */
export function jsonFault(json: Uint8Array): 'deep' | 'numbers' | null {
  let [depth, brackets, digits] = [0, 0, 0];
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = endOfText(json, at);
    else if (CLOSING.has(byte)) depth -= 1;
    else if (OPENING.has(byte)) {
      [depth, brackets] = [depth + 1, brackets + 1];
      if (depth > MAX_DEPTH || brackets > MAX_BRACKETS) return 'deep';
    } else if (EXPONENT.has(byte)) {
      const exponent = exponentAt(json, at);
      digits += exponent;
      if (exponent > MAX_EXPONENT || digits > MAX_DIGITS) return 'numbers';
    }
  }
  return null;
}

/** As `jsonFault`, where it makes no difference which it is. */
export const isBottomless = (json: Uint8Array): boolean => jsonFault(json) !== null;
