export type MarkedPart = { text: string; marked: boolean };

/**
 * Cuts a text where words of the query begin a word of it, whatever the case.
 * Joined again the parts are the text, letter for letter.
 */
export function markedParts(text: string, query: string): MarkedPart[] {
  const words = query
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length);
  if (words.length === 0) return [{ text, marked: false }];
  const wanted = words.map(word => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const parts: MarkedPart[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${wanted})`, 'giu'))) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), marked: false });
    parts.push({ text: match[0], marked: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), marked: false });
  return parts;
}
