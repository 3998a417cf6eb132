export const PDF_MIME = 'application/pdf';
export const WORD_MIME = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export type DocumentMime = typeof PDF_MIME | typeof WORD_MIME;

/** bytes; a phone reads all of a document at once. The database and the form say the same. */
export const MAX_DOCUMENT_BYTES = 26_214_400;

/**
 * Why a document is not taken. `active`: it carries a program, or what would start or fetch something where it is opened elsewhere;
 * `bomb`: unpacked it is far larger than it looks; `changes`, `hidden`, `formulas`: it would be read otherwise here than in Word.
 */
export type DocumentProblem =
  | 'empty'
  | 'too_large'
  | 'old_word'
  | 'unknown'
  | 'encrypted'
  | 'macros'
  | 'active'
  | 'bomb'
  | 'changes'
  | 'hidden'
  | 'formulas'
  | 'linked'
  | 'variants'
  | 'unshown'
  | 'damaged';

const begins = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((each, index) => bytes[index] === each);

/** How many bytes `documentKind` looks at. */
export const DOCUMENT_BEGINNING = 8;

/** What a file is by its first bytes; its name and the type a browser says count for nothing. */
export function documentKind(beginning: Uint8Array): DocumentMime | 'old_word' | 'unknown' {
  if (begins(beginning, [0x25, 0x50, 0x44, 0x46, 0x2d])) return PDF_MIME;
  if (begins(beginning, [0x50, 0x4b, 0x03, 0x04])) return WORD_MIME;
  // The container of Word before 2007, and of a Word file closed with a password.
  return begins(beginning, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) ? 'old_word' : 'unknown';
}
