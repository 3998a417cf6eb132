/** The code in what a camera read or a hand typed: blanks around it and control characters do not count. */
export const codeIn = (scanned: string): string => scanned.replaceAll(/\p{Cc}/gu, '').trim();
