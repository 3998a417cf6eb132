import { useCallback, useEffect, useMemo } from 'react';
import { changePreferences } from '@cairn/core/preferences/change-preferences.ts';
import {
  defaultPreferences,
  localeOf,
  shownPreferences,
  type Locale,
  type PreferenceChange,
  type Preferences,
} from '@cairn/core/preferences/preferences.ts';
import { storedPreferences } from '@cairn/core/preferences/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { changeSystemSettings, readAppState } from '../app-state/app-state.ts';
import { showLook } from '../app-state/appearance.ts';
import { setFormat } from '../format/format.ts';
import { isPseudo, languageOf } from '../i18n/languages.ts';
import { changeLanguage } from '../i18n/load-texts.ts';
import { useSignedIn } from './session.ts';

export type KnownPreferences = {
  preferences: Preferences;
  /** `first`: nothing was ever saved, the defaults hold (R2.23). `loading`: the device is still being read. */
  status: 'loading' | 'first' | 'stored';
};

/** The first language of the browser that is one of ours: for who has not chosen one, whoever used this browser before them. */
const browserLanguage = (): string => navigator.languages.find(code => /^(de|en)\b/.test(code))?.slice(0, 2) ?? 'en';

/** @param language what the app speaks, where it is not what the browser asks for */
export const browserLocale = (language = browserLanguage()): Locale => {
  const { language: first, languages } = navigator;
  // Somebody who reads another language here than their browser asks for has its dates, not those of a third one.
  const tag = language === browserLanguage() ? first : (languages.find(code => code.startsWith(language)) ?? language);
  // A browser without windows may add a variant no date can be written in: `en-US@posix`.
  return localeIn(language, tag.replace(/@.*/, ''));
};

const locales = new Map<string, Locale>();

/** Asked of the browser once: the frame of the app reads it whenever it is drawn. */
function localeIn(language: string, tag: string): Locale {
  const key = `${language} ${tag}`;
  const known = locales.get(key) ?? localeOf(language, tag);
  locales.set(key, known);
  return known;
}

/** The signed-in person's preferences: what they saved, over the defaults and the browser's locale; live, also offline. */
export function usePreferences(): KnownPreferences {
  const { user } = useSignedIn();
  const live = useLive(storedPreferences(user.id));
  const stored = live.status === 'loading' ? null : live.answer;
  const preferences = useMemo(
    () => shownPreferences(stored ?? defaultPreferences(user.id), browserLocale()),
    [stored, user.id],
  );
  return { preferences, status: live.status === 'loading' ? 'loading' : stored ? 'stored' : 'first' };
}

/**
 * Saves some preferences; resolves once the device has them, with what undoes it.
 * @returns a function that stays the same for one person
 */
export function useChangePreferences(): (change: PreferenceChange) => Promise<PreferenceChange> {
  const store = useStore();
  const { user } = useSignedIn();
  return useCallback(
    change =>
      store.write('preferences.change', tx =>
        changePreferences(tx, { userId: user.id, change, locale: browserLocale() }),
      ),
    [store, user.id],
  );
}

const WEEK_STARTS = { auto: null, monday: 1, saturday: 6, sunday: 0 } as const;

/** "UTC" is the given default and means that nobody chose a zone: times then stand as this device has them. */
const chosenZone = (timezone: string): string | null => (timezone === 'UTC' ? null : timezone);

/**
 * Shows these preferences: look, language, and the way of writing dates; keeps what the next first paint needs.
 * Call it where a signed-in person's screens begin, and with a change before it is saved, for a live preview.
 */
export function showPreferences(preferences: Preferences): void {
  const { theme_mode, primary_color, font_size, high_contrast, reduce_motion } = preferences;
  showLook(theme_mode, {
    accent: primary_color,
    fontSize: font_size,
    contrast: high_contrast ? 'high' : '',
    motion: reduce_motion ? 'reduced' : '',
  });
  setFormat({
    timeZone: chosenZone(preferences.timezone),
    dateFormat: preferences.date_format,
    hour12: preferences.time_format === '12h',
    weekStart: WEEK_STARTS[preferences.week_start],
  });
  const language = languageOf(preferences.language);
  const spoken = readAppState().systemSettings.language;
  // The language of layout tests is chosen on the device and replaced by nothing.
  if (language === spoken || isPseudo(languageOf(spoken))) return;
  changeLanguage(language).then(
    () => changeSystemSettings({ language }),
    // Not on this device and no network: the words stay as they are, the next start tries again.
    () => undefined,
  );
}

/** Keeps the app as the person's preferences say, wherever they are changed: here, in another tab, on another device. */
export function useShownPreferences(): void {
  const { preferences, status } = usePreferences();
  useEffect(() => {
    if (status !== 'loading') showPreferences(preferences);
  }, [preferences, status]);
}
