/** Text for people: one text, or one per language by the language's name as the form's author wrote it. */
export type Words = string | Record<string, string>;

/** `words` in a language, else in the form's first language, else in any; empty where there are none. */
export function inLanguage(words: Words | undefined, language: string | undefined): string {
  if (words === undefined || typeof words === 'string') return words ?? '';
  const own = language !== undefined && Object.hasOwn(words, language) ? words[language] : undefined;
  return own ?? Object.values(words)[0] ?? '';
}

/** `${name}` in a text stands for the answer to that question. */
export const MENTION = /\$\{([^{}]*)\}/g;

/** The names that texts mention, in all their languages. */
export function mentionsIn(words: Words | undefined): string[] {
  if (words === undefined) return [];
  const texts = typeof words === 'string' ? [words] : Object.values(words);
  return texts.flatMap(text => [...text.matchAll(MENTION)].map(match => (match[1] ?? '').trim()));
}
