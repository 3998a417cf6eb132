/** Text for people: one text, or one per language by the language's name as the form's author wrote it. */
export type Words = string | Record<string, string>;

/** `words` in a language, else in the form's first language, else in any; empty where there are none. */
export function inLanguage(words: Words | undefined, language: string | undefined): string {
  if (words === undefined || typeof words === 'string') return words ?? '';
  const own = language !== undefined && Object.hasOwn(words, language) ? words[language] : undefined;
  return own ?? Object.values(words)[0] ?? '';
}

/** `${name}` in a text stands for the answer to that question. */
const MENTION = /\$\{([^{}]*)\}/g;

/** The names that texts mention, in all their languages. */
export function mentionsIn(words: Words | undefined): string[] {
  return textsOf(words).flatMap(text => textPartsIn(text).flatMap(part => (typeof part === 'string' ? [] : part.name)));
}

/** A text in all its languages. */
export function textsOf(words: Words | undefined): readonly string[] {
  if (words === undefined) return [];
  return typeof words === 'string' ? [words] : Object.values(words);
}

/** A text taken apart at its mentions; `written` is one as it stands in the text. */
export function textPartsIn(text: string): (string | { name: string; written: string })[] {
  if (!text.includes('${')) return [text];
  const pieces: ReturnType<typeof textPartsIn> = [];
  let from = 0;
  for (const { 0: written, 1: name = '', index } of text.matchAll(MENTION)) {
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push({ name: name.trim(), written });
    from = index + written.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}
