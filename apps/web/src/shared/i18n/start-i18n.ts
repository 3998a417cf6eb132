import i18n, { use } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { en } from './en.ts';
import { failure } from './en/failure.ts';
import { shell } from './en/shell.ts';

type Texts = typeof en;

/** Makes the texts of the first screens ready before the first render; an area's texts come with its chunk. */
export async function startI18n(): Promise<void> {
  await use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'shell',
    ns: ['shell', 'failure'],
    resources: { en: { shell, failure } },
    // React escapes by itself.
    interpolation: { escapeValue: false },
    initAsync: false,
    react: { useSuspense: false },
  });
}

/** Adds the texts of one area. Call it at the top of the route that shows the area, beside its lazy screen. */
export function addTexts<Area extends Exclude<keyof Texts, 'shell' | 'failure'>>(area: Area, texts: Texts[Area]): void {
  i18n.addResourceBundle('en', area, texts);
}
