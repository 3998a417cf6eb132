import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en.ts';

/** Makes every text ready before the first render; nothing is fetched. */
export async function startI18n(language = 'en'): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    defaultNS: 'shell',
    ns: Object.keys(en),
    resources: { en },
    // React escapes by itself.
    interpolation: { escapeValue: false },
    initAsync: false,
    react: { useSuspense: false },
  });
}
