import { COMBINING_MARKS } from './combining-marks.ts';

/**
 * What makes no mark of its own, turns the direction of what follows, or breaks a line: controls, format characters,
 * fillers, variation selectors, tags, private use. `content.one_line` in SQL holds the same list; a test compares them.
 */
const UNSEEN = new RegExp(
  String.raw`[\u0000-\u0008\u000E-\u001B\u007F-\u0084\u0086-\u009F\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFC\u{110BD}\u{110CD}\u{13430}-\u{1343F}\u{16FE4}\u{1BCA0}-\u{1BCA3}\u{1D159}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}\u{F0000}-\u{10FFFF}]`,
  'gu',
);

/** Everything that is a space or breaks a line, each run of it. */
const SPACES = new RegExp(
  String.raw`[\u0009-\u000D\u001C-\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+`,
  'gu',
);

/** Marks that are put on the letter before them. */
const MARK = String.raw`[\u0300-\u034E\u0350-\u036F\u0483-\u0489\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]`;

/** More than four marks on one letter: they would reach into the lines above and below. */
const PILED = new RegExp(`(${MARK}{4})${MARK}+`, 'gu');

/** More than eight of any script. */
const HEAPED = new RegExp(`([${COMBINING_MARKS}]{8})[${COMBINING_MARKS}]+`, 'gu');

/** Code points of a name that others read as who signed, brought or came. */
export const MAX_NAME_LENGTH = 200;

/**
 * A text as one line that says what it seems to say, for names that others read.
 * @param length of the result at most, in code points
 * @returns the empty text where nothing is left
 */
export function oneLine(text: string, length = MAX_NAME_LENGTH): string {
  const seen = text
    .toWellFormed()
    .replaceAll(UNSEEN, '')
    .replaceAll(SPACES, ' ')
    .replaceAll(PILED, '$1')
    .replaceAll(HEAPED, '$1');
  return Array.from(seen.trim()).slice(0, length).join('').trim();
}
