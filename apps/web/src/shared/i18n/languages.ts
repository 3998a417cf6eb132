/**
 * The languages of the app: their own names, and which way they run. `pseudo` and `pseudo-rtl` are English made longer
 * and accented, for tests of layout; nobody is offered them.
 */
export const LANGUAGES = {
  en: { name: 'English', dir: 'ltr' },
  de: { name: 'Deutsch', dir: 'ltr' },
  pseudo: { name: 'Pseudo', dir: 'ltr' },
  'pseudo-rtl': { name: 'Pseudo, right to left', dir: 'rtl' },
} as const satisfies Record<string, { name: string; dir: 'ltr' | 'rtl' }>;

export type Language = keyof typeof LANGUAGES;

/** Whether the words are made for tests; such a language is chosen by hand and no preference replaces it. */
export const isPseudo = (language: Language): boolean => language.startsWith('pseudo');

/** The language of a stored code; what is none of ours reads English. */
export const languageOf = (code: string): Language => (Object.hasOwn(LANGUAGES, code) ? (code as Language) : 'en');

/** Tells the browser, its hyphenation and its screen reader which language the page speaks and which way it runs. */
export function speak(language: Language): void {
  const root = document.documentElement;
  root.lang = isPseudo(language) ? 'en' : language;
  root.dir = LANGUAGES[language].dir;
}
