import { createContext, useContext } from 'react';
import type { PreferenceChange, Preferences } from '@cairn/core/preferences/preferences.ts';

export type SettingsScope = {
  preferences: Preferences;
  /** Saves at once; "Saved", with the way back, shows only once the device has it. */
  save: (change: PreferenceChange) => void;
  /** What is searched for, lower case; '' shows every setting. */
  wanted: string;
};

export const SettingsContext = createContext<SettingsScope | null>(null);

/** @throws {Error} outside the settings screen */
export function useSettings(): SettingsScope {
  const scope = useContext(SettingsContext);
  if (!scope) throw new Error('useSettings outside <SettingsScreen>');
  return scope;
}
