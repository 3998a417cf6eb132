import { gtins } from './gtin.ts';

/** The code in what a camera read or a hand typed: blanks around it and control characters do not count. */
export const codeIn = (scanned: string): string => scanned.replaceAll(/\p{Cc}/gu, '').trim();

/** A code without what printers and hands put into it: blanks, hyphens, small letters. */
const bare = (code: string): string => code.replaceAll(/[\s-]/g, '').toLocaleUpperCase('en');

/**
 * Whether a code that was scanned or typed is the one on a tag: letter case, blanks and hyphens do not tell two tags apart, nor
 * does the kind of label a trade number was printed as.
 */
export function isSameCode(tag: string, scanned: string): boolean {
  const [one, other] = [bare(tag), bare(scanned)];
  if (one === other) return one !== '';
  const numbers = gtins(one);
  return gtins(other).some(each => numbers.includes(each));
}
