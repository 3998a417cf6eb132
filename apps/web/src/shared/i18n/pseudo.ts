/** Letters with marks, so that a text which does not come from the language files is seen at once. */
const MARKED: Record<string, string> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ö',
  u: 'ü',
  c: 'ç',
  n: 'ñ',
  s: 'š',
  y: 'ý',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ö',
  U: 'Ü',
};
/** How much longer than English a language may be: German and Finnish run to about this. */
const LONGER = 0.4;

/** One text, accented and longer, with its placeholders untouched. */
export function pseudo(text: string): string {
  const parts = text.split(/(\{\{[^}]*\}\})/);
  const marked = parts.map((part, index) => (index % 2 === 1 ? part : marks(part))).join('');
  const chars = parts.filter((_, index) => index % 2 === 0).join('').length;
  return `[${marked}${' ~õ'.repeat(Math.ceil((chars * LONGER) / 3))}]`;
}

const marks = (text: string): string => text.replaceAll(/[A-Za-z]/g, char => MARKED[char] ?? char);

/** All texts of a bundle, at any depth. */
export function pseudoTexts<T extends Record<string, unknown>>(texts: T): T {
  const entries = Object.entries(texts).map(([key, value]) => [
    key,
    typeof value === 'string' ? pseudo(value) : pseudoTexts(value as Record<string, unknown>),
  ]);
  return Object.fromEntries(entries) as T;
}
