import type { BannedTexts } from './banned-texts.ts';

/** One language's texts, flat: `<area>.<key>` → words. */
export type Texts = ReadonlyMap<string, string>;

/** A text file's object as one flat map, with keys joined by dots. */
export function flat(texts: unknown, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(texts ?? {})) {
    const here = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'string') found.set(here, value);
    else for (const [deeper, words] of flat(value, here)) found.set(deeper, words);
  }
  return found;
}

const PLURAL = /_(zero|one|two|few|many|other)$/;
const stem = (key: string): string => key.replace(PLURAL, '');
const placeholders = (words: string): string =>
  [...new Set([...words.matchAll(/\{\{\s*([\w.]+)[^}]*\}\}/g)].map(match => match[1] ?? ''))]
    .toSorted((a, b) => a.localeCompare(b))
    .join(', ');

const isPluralOf = (texts: Texts, key: string): boolean => PLURAL.test(key) && texts.has(`${stem(key)}_other`);

/** The keys a language owes: those of English, with the plural forms that language has. */
function owed(english: Texts, language: string): Map<string, string> {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const keys = new Map<string, string>();
  for (const [key, words] of english) {
    if (!isPluralOf(english, key)) keys.set(key, words);
    else
      for (const form of forms)
        keys.set(
          `${stem(key)}_${form}`,
          english.get(`${stem(key)}_${form}`) ?? english.get(`${stem(key)}_other`) ?? words,
        );
  }
  return keys;
}

/** What is wrong with one language beside English, one line each: missing, unknown, empty, other placeholders. */
export function languageProblems(english: Texts, other: Texts, language: string): string[] {
  const expected = owed(english, language);
  const problems: string[] = [];
  for (const [key, words] of expected) {
    const translation = other.get(key);
    if (translation === undefined) problems.push(`${language}: ${key} is missing`);
    else if (translation.trim() === '') problems.push(`${language}: ${key} is empty`);
    else if (placeholders(translation) !== placeholders(words))
      problems.push(`${language}: ${key} fills in {${placeholders(translation)}}, English {${placeholders(words)}}`);
  }
  for (const key of other.keys()) if (!expected.has(key)) problems.push(`${language}: ${key} is not in English`);
  return problems;
}

/** Which keys one source file can ask for: those it writes out, and patterns of those it puts together. */
type KeyUsage = { literal: Set<string>; patterns: RegExp[] };

const KEY = /^[A-Za-z_][\w-]*(\.[\w-]+)*$/;
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function patternOf(template: string): RegExp | null {
  const fixed = template.split(/\$\{[^}]*\}/);
  const couldBeKey = fixed.every(part => /^[\w.-]*$/.test(part)) && fixed.some(part => /[A-Za-z]{2}/.test(part));
  return couldBeKey ? new RegExp(`^${fixed.map(escaped).join('[\\w.-]+')}$`) : null;
}

function askedIn(source: string): KeyUsage {
  const literal = new Set<string>();
  for (const [, , words = ''] of source.matchAll(/(['"])((?:(?!\1)[^\\\n])*)\1/g))
    if (KEY.test(words)) literal.add(words);
  const patterns: RegExp[] = [];
  for (const [, words = ''] of source.matchAll(/`([^`\n]*)`/g)) {
    const pattern = patternOf(words);
    if (pattern) patterns.push(pattern);
  }
  return { literal, patterns };
}

/**
 * Texts nobody can see: no source file that speaks of their area asks for their key.
 *
 * @param sources the code of the app without its texts and tests; a file that names no area counts for all of them
 */
export function unusedTexts(english: Texts, areas: readonly string[], sources: readonly string[]): string[] {
  const fileOf = (area: string) => area.replaceAll(/[A-Z]/g, char => `-${char.toLowerCase()}`);
  const byArea = new Map<string, KeyUsage[]>(areas.map(area => [area, []]));
  for (const source of sources) {
    const named = areas.filter(area => source.includes(`'${area}'`) || source.includes(`/en/${fileOf(area)}.json`));
    for (const area of named.length > 0 ? named : areas) byArea.get(area)?.push(askedIn(source));
  }
  return [...english.keys()].filter(full => {
    const [area = '', ...rest] = full.split('.');
    const whole = rest.join('.');
    const key = isPluralOf(english, full) ? stem(whole) : whole;
    return !(byArea.get(area) ?? []).some(
      asked => asked.literal.has(key) || asked.patterns.some(pattern => pattern.test(key)),
    );
  });
}

/** What is filled in, as a sign that is no letter: a name in a text is not ours. */
const withoutNames = (words: string): string => words.replaceAll(/\{\{[^}]*\}\}/g, '\u00a4');

/** Phrases as whole words: in any case, or as they are written, where small letters may begin a sentence. */
function signOf(phrases: readonly string[], isCased: boolean): RegExp {
  const starts = phrases.map(phrase => {
    const first = phrase.charAt(0);
    return isCased && /\p{Ll}/u.test(first) ? `[${first}${first.toUpperCase()}]${phrase.slice(1)}` : phrase;
  });
  // In any case with `u` each letter is compared with all its cases: twenty times as long.
  const char = isCased ? '[\\p{L}\\p{N}]' : '[A-Za-z0-9]';
  return new RegExp(`(?<!${char})(?:${starts.join('|')})(?!${char})`, isCased ? 'u' : 'i');
}

/**
 * Phrases that no text of a language uses, one line each with what to write instead.
 *
 * @param allowed phrases by key, where they are right
 */
export function bannedPhrases(
  texts: Texts,
  banned: BannedTexts,
  { isCased = false, allowed = {} }: { isCased?: boolean; allowed?: Readonly<Record<string, readonly string[]>> } = {},
): string[] {
  // One pattern for all: to compile each takes as long as to read every text.
  const any = signOf(Object.values(banned).flat(), isCased);
  const rules = Object.entries(banned).flatMap(([instead, phrases]) => phrases.map(phrase => ({ phrase, instead })));
  return [...texts].flatMap(([key, words]) => {
    const plain = withoutNames(words);
    if (!any.test(plain)) return [];
    return rules.flatMap(({ phrase, instead }) => {
      const [said] = allowed[key]?.includes(phrase) ? [] : (signOf([phrase], isCased).exec(plain) ?? []);
      return said === undefined ? [] : [`${key} says "${said}": write ${instead}`];
    });
  });
}

/** Words; a sentence that needs more says two things. */
const MAX_WORDS = 24;
/** Texts of headings, buttons, labels and toasts: what a key of one ends in. */
const SHORT =
  /\b(title|heading|label|name|button|act|tab|add|new|open|close|cancel|confirm|save|saved|edit|change|remove|removed|delete|send|submit|start|begin|done|keep|undo|back|again|retry|copy|copied|created|moved)(_(zero|one|two|few|many|other))?$/;
const wordCount = (text: string): number => text.split(/\s+/).filter(part => /[\p{L}\p{N}\u00a4]/u.test(part)).length;

/** Sentences over 24 words, and headings, buttons, labels and toasts over 24 in all. */
export function longTexts(texts: Texts): string[] {
  return [...texts].flatMap(([key, words]) => {
    const plain = withoutNames(words);
    const parts = SHORT.test(key) ? [plain] : plain.split(/(?<=[.!?:;])\s+|\n/);
    const longest = Math.max(...parts.map(wordCount));
    return longest > MAX_WORDS
      ? [`${key} has ${longest} words in one ${parts.length > 1 ? 'sentence' : 'text'}: ${MAX_WORDS} at most`]
      : [];
  });
}

/** Figures of per cent that are not written as their language does: "94%" in English, a no-break space before the sign in German. */
export function wrongPercents(texts: Texts, language: string): string[] {
  const wrong = language === 'de' ? /[\d\u00a4] ?%/ : /[\d\u00a4][ \u00a0]%/;
  return [...texts]
    .filter(([, words]) => wrong.test(withoutNames(words)))
    .map(([key]) => `${key} writes per cent otherwise than ${language === 'de' ? '"94\u00a0%"' : '"94%"'}`);
}

/** Where the texts of a language begin in a source file: `de: {`, `const GERMAN`. */
const LANGUAGE = /^\s*(?:const )?(en|de|ENGLISH|GERMAN)\b/;
const LITERAL = /'((?:[^'\\]|\\.)*)'|`([^`]*)`|"([^"]*)"|>([^<>{}]+)</g;

/** What source code says to people in one language: its literals of two words or more, by their line. English comes first. */
export function literalsOf(source: string, language: string): Map<string, string> {
  const found = new Map<string, string>();
  let here = 'en';
  for (const [index, line] of source.split('\n').entries()) {
    const name = LANGUAGE.exec(line)?.[1];
    if (name !== undefined) here = name === 'en' || name === 'ENGLISH' ? 'en' : 'de';
    if (here !== language || /^\s*(\/\/|\*|\/\*|import )/.test(line)) continue;
    const literals = [...line.matchAll(LITERAL)].map(match => match.slice(1).find(Boolean) ?? '');
    const words = literals.filter(text => /\p{L} /u.test(text)).join(' \u00b7 ');
    if (words !== '') found.set(String(index + 1), words.replaceAll(/\$\{[^}]*\}/g, '\u00a4'));
  }
  return found;
}
