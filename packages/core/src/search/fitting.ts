import MiniSearch from 'minisearch';
import { forgiven, plainToken } from './search-index.ts';

const words = (text: string): string[] =>
  plainToken(text)
    .split(/[\s\p{P}&]+/u)
    .filter(Boolean);

/** Whether every word of what was typed begins some word of the text; letter case and accents do not count. */
export function fits(text: string, typed: string): boolean {
  const there = words(text);
  return words(typed).every(wanted => there.some(word => word.startsWith(wanted)));
}

/**
 * The items whose text fits what was typed, in their order; where there is none, those that fit it but for a misspelt letter,
 * the best first.
 */
export function fitting<Item>(items: readonly Item[], textOf: (item: Item) => string, typed: string): readonly Item[] {
  const exact = items.filter(item => fits(textOf(item), typed));
  if (exact.length > 0) return exact;
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'], processTerm: plainToken });
  index.addAll(items.map((item, id) => ({ id, text: textOf(item) })));
  const found = index.search(typed, { prefix: true, combineWith: 'AND', fuzzy: forgiven });
  return found.flatMap(({ id }) => items[Number(id)] ?? []);
}
