import { Languages, Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { languageChange } from '@cairn/core/preferences/preferences.ts';
import { LANGUAGE_NAMES, offeredLanguages } from '../../shared/i18n/language-names.ts';
import { useChangePreferences, usePreferences } from '../../shared/session/preferences.ts';
import type { Command } from './command.ts';

const THEMES = [
  { mode: 'system', icon: Monitor },
  { mode: 'light', icon: Sun },
  { mode: 'dark', icon: Moon },
] as const;

/** Theme and language, other than those that hold: the settings one wants at once. */
export function useSettingCommands(): Command[] {
  const { t } = useTranslation('shell');
  const { preferences } = usePreferences();
  const change = useChangePreferences();
  const themes = THEMES.filter(({ mode }) => mode !== preferences.theme_mode).map(({ mode, icon }): Command => ({
    id: `theme/${mode}`,
    kind: 'settings',
    title: t('commands.theme', { name: t(`commands.themes.${mode}`) }),
    icon,
    run: () => void change({ theme_mode: mode }),
  }));
  const languages = offeredLanguages
    .filter(code => code !== preferences.language)
    .map((code): Command => ({
      id: `language/${code}`,
      kind: 'settings',
      title: t('commands.language', { name: LANGUAGE_NAMES[code] }),
      icon: Languages,
      run: () => void change(languageChange(preferences, code)),
    }));
  return [...themes, ...languages];
}
