import { createContext, useContext } from 'react';
import type { PreferenceChange, Preferences } from '@cairn/core/preferences/preferences.ts';

/** A change, or one that is made of what stands by now: two choices in one list, made right after each other, are both kept. */
export type PreferenceUpdate = PreferenceChange | ((present: Preferences) => PreferenceChange);

export type SettingsScope = {
  preferences: Preferences;
  /** Saves at once; "Saved", with the way back, shows only once the device has it. */
  save: (change: PreferenceUpdate) => void;
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
