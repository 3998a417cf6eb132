/** The code in what a camera read or a hand typed: blanks around it and control characters do not count. */
export const codeIn = (scanned: string): string => scanned.replaceAll(/\p{Cc}/gu, '').trim();

/** A code without what printers and hands put into it: blanks, hyphens, small letters. */
export const bare = (code: string): string => code.replaceAll(/[\s-]/g, '').toLocaleUpperCase('en');
