import i18n, { use } from 'i18next';
import { initReactI18next } from 'react-i18next';
import failure from './en/failure.json';
import shellFirst from './en/shell-first.json';
import type { Texts } from './texts.ts';
import type { Language } from './languages.ts';

/**
 * Makes the texts of the first screens ready before the first render; an area's texts come with its screen
 * (`load-texts.ts`). English is here from the start: it also speaks when another language cannot be fetched.
 */
export async function startI18n(language: Language = 'en'): Promise<void> {
  // Texts that are here stay: their modules were asked for once, and do not bring them again.
  if (i18n.isInitialized) await i18n.changeLanguage('en');
  else await begin();
  if (language === 'en') return;
  await import('./load-texts.ts').then(
    ({ changeLanguage }) => changeLanguage(language),
    () => undefined,
  );
}

async function begin(): Promise<void> {
  await use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'shell',
    ns: ['shell', 'failure'],
    resources: { en: { shell: shellFirst, failure } },
    // React escapes by itself.
    interpolation: { escapeValue: false },
    initAsync: false,
    react: { useSuspense: false },
  });
}

/** Adds English texts of one area: for the sign-in page, which waits for nothing, and for tests. */
export function addTexts<Area extends Exclude<keyof Texts, 'failure'>>(area: Area, texts: Partial<Texts[Area]>): void {
  i18n.addResourceBundle('en', area, texts);
}
