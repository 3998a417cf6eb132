import { useSyncExternalStore } from 'react';
import { changeSystemSettings, readAppState, type ThemeMode, type World } from './app-state.ts';

const DARK = '(prefers-color-scheme: dark)';
/** Colour of the browser's own bar, near `--surface` of each theme. */
const BAR = { light: '#f7f9fb', dark: '#0c1116' } as const;

const changes = new EventTarget();

function paint(): void {
  const { theme, world } = readAppState().systemSettings;
  const shown = theme === 'system' ? (matchMedia(DARK).matches ? 'dark' : 'light') : theme;
  const root = document.documentElement;
  root.dataset['theme'] = shown;
  root.dataset['tone'] = world;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BAR[shown]);
}

function change(settings: { theme?: ThemeMode; world?: World }): void {
  changeSystemSettings(settings);
  paint();
  changes.dispatchEvent(new Event('change'));
}

export const setTheme = (theme: ThemeMode): void => change({ theme });

/** Switches the look to that of the open playbook; words and data follow by themselves. */
export function setWorld(world: World): void {
  if (readAppState().systemSettings.world !== world) change({ world });
}

/** Follows the device while the chosen theme is `system`; returns what stops it. */
export function followDeviceTheme(): () => void {
  const device = matchMedia(DARK);
  device.addEventListener('change', paint);
  return () => device.removeEventListener('change', paint);
}

function subscribe(listener: () => void): () => void {
  changes.addEventListener('change', listener);
  return () => changes.removeEventListener('change', listener);
}

export const useThemeMode = (): ThemeMode => useSyncExternalStore(subscribe, () => readAppState().systemSettings.theme);
