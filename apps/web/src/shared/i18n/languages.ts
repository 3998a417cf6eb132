/**
 * The languages of the app. `pseudo` and `pseudo-rtl` are English made longer and accented, for tests of layout; nobody is
 * offered them.
 */
const LANGUAGES = ['en', 'de', 'pseudo', 'pseudo-rtl'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Languages of this one run from right to left. */
const RIGHT_TO_LEFT: Language = 'pseudo-rtl';

/** Whether the words are made for tests; such a language is chosen by hand and no preference replaces it. */
export const isPseudo = (language: Language): boolean => language.startsWith('pseudo');

/** The language of a stored code; what is none of ours reads English. */
export const languageOf = (code: string): Language => LANGUAGES.find(language => language === code) ?? 'en';

/** Tells the browser, its hyphenation and its screen reader which language the page speaks and which way it runs. */
export function speak(language: Language): void {
  const root = document.documentElement;
  root.lang = isPseudo(language) ? 'en' : language;
  root.dir = language === RIGHT_TO_LEFT ? 'rtl' : 'ltr';
}
