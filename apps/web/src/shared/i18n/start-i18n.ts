import i18n, { use } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { failure } from './en/failure.ts';
import { shellFirst } from './en/shell-first.ts';
import type { en } from './en.ts';
import type { Language } from './languages.ts';
import type { FirstTexts } from './texts.ts';

/** English is here from the start: it also speaks when another language cannot be fetched. */
const FIRST: Partial<Record<Language, () => Promise<{ first: FirstTexts }>>> = {
  de: () => import('./de/first.ts'),
  pseudo: () => import('./pseudo-first.ts'),
  'pseudo-rtl': () => import('./pseudo-first.ts'),
};

/**
 * Makes the texts of the first screens ready in one language before the first render; an area's texts come with its
 * screen (`load-texts.ts`).
 * @returns the language that is spoken: English where the chosen one could not be fetched
 */
export async function startI18n(language: Language = 'en'): Promise<Language> {
  const own = await FIRST[language]?.().catch(() => null);
  const lng = own === null ? 'en' : language;
  await use(initReactI18next).init({
    lng,
    fallbackLng: 'en',
    defaultNS: 'shell',
    ns: ['shell', 'failure'],
    resources: { en: { shell: shellFirst, failure }, ...(own && { [language]: own.first }) },
    // React escapes by itself.
    interpolation: { escapeValue: false },
    initAsync: false,
    react: { useSuspense: false },
  });
  return lng;
}

/** Adds English texts of one area: for the sign-in page, which waits for nothing, and for tests. */
export function addTexts<Area extends Exclude<keyof typeof en, 'failure'>>(area: Area, texts: (typeof en)[Area]): void {
  i18n.addResourceBundle('en', area, texts);
}
