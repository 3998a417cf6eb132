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
    else for (const form of forms) keys.set(`${stem(key)}_${form}`, words);
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
