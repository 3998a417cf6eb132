import { plainToken } from '@cairn/core/search/search-index.ts';

const words = (text: string): string[] =>
  plainToken(text)
    .split(/[\s\p{P}&]+/u)
    .filter(Boolean);

/** Whether every word of what was typed begins some word of the text; letter case and accents do not count. */
export function fits(text: string, typed: string): boolean {
  const there = words(text);
  return words(typed).every(wanted => there.some(word => word.startsWith(wanted)));
}
