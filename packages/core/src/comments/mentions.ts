type Person = { id: string; name: string };

const SIGN = '@';
/** What may stand before the sign: else it is an address or part of a word. */
const BEFORE = /[\s([{"'„“«]$/u;
const WORD_CHAR = /[\p{L}\p{N}_]/u;

/**
 * People a text names as `@` and their whole name. Of two names that begin alike the longer one counts, and of two people
 * of one name whoever was chosen from the list.
 *
 * @param chosen ids that were picked while writing
 */
export function mentionedIn(text: string, people: readonly Person[], chosen: readonly string[] = []): string[] {
  const longestFirst = people
    .filter(({ name }) => name !== '')
    .toSorted((a, b) => b.name.length - a.name.length || Number(chosen.includes(b.id)) - Number(chosen.includes(a.id)));
  const found = new Set<string>();
  for (let at = text.indexOf(SIGN); at !== -1; at = text.indexOf(SIGN, at + 1)) {
    if (at > 0 && !BEFORE.test(text.slice(0, at))) continue;
    const rest = text.slice(at + 1);
    const person = longestFirst.find(({ name }) => startsWithName(rest, name));
    if (person) found.add(person.id);
  }
  return [...found];
}

function startsWithName(rest: string, name: string): boolean {
  return rest.slice(0, name.length).toLowerCase() === name.toLowerCase() && !WORD_CHAR.test(rest.charAt(name.length));
}

/** What is being typed after the last `@` before the cursor; null where nobody is being named. */
export function nameBeingTyped(text: string, cursor: number): string | null {
  const before = text.slice(0, cursor);
  const at = before.lastIndexOf(SIGN);
  if (at === -1 || (at > 0 && !BEFORE.test(before.slice(0, at)))) return null;
  const typed = before.slice(at + 1);
  return typed.length <= 40 && !typed.includes('\n') ? typed : null;
}

/** The text with the name that is being typed before the cursor written out. */
export function withName(text: string, cursor: number, name: string): string {
  const at = text.slice(0, cursor).lastIndexOf(SIGN);
  if (at === -1) return text;
  const rest = text.slice(cursor);
  return `${text.slice(0, at)}${SIGN}${name}${rest === '' || WORD_CHAR.test(rest.charAt(0)) ? ' ' : ''}${rest}`;
}

/** A text in parts: what is said, and the names of people in it. */
type TextPart = { text: string; isName: boolean };

/** Splits a text where one of these names stands after an `@`. */
export function textParts(text: string, names: readonly string[]): TextPart[] {
  const longestFirst = names.filter(name => name !== '').toSorted((a, b) => b.length - a.length);
  const parts: TextPart[] = [];
  let from = 0;
  for (let at = text.indexOf(SIGN); at !== -1; at = text.indexOf(SIGN, at + 1)) {
    const name = longestFirst.find(each => startsWithName(text.slice(at + 1), each));
    if (name === undefined) continue;
    if (at > from) parts.push({ text: text.slice(from, at), isName: false });
    from = at + 1 + name.length;
    parts.push({ text: text.slice(at, from), isName: true });
  }
  return from < text.length ? [...parts, { text: text.slice(from), isName: false }] : parts;
}
