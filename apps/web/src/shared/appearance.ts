import { useSyncExternalStore } from 'react';
import { changeSystemSettings, readAppState, type Look, type ThemeMode, type World } from './app-state.ts';

const DARK = '(prefers-color-scheme: dark)';
/** Colour of the browser's own bar, near `--surface` of each theme. */
const BAR = { light: '#f7f9fb', dark: '#0c1116' } as const;

const changes = new EventTarget();

/** Sets an attribute, or takes it away: `data-contrast` and `data-motion` are there only when asked for. */
function mark(name: 'contrast' | 'motion', value: string | null): void {
  const { dataset } = document.documentElement;
  if (value === null) delete dataset[name];
  else dataset[name] = value;
}

function paint(): void {
  const { theme, world, look } = readAppState().systemSettings;
  const shown = theme === 'system' ? (matchMedia(DARK).matches ? 'dark' : 'light') : theme;
  const { dataset } = document.documentElement;
  dataset['theme'] = shown;
  dataset['world'] = world;
  dataset['tone'] = world;
  dataset['accent'] = look.accent;
  dataset['fontSize'] = look.fontSize;
  mark('contrast', look.highContrast ? 'high' : null);
  mark('motion', look.reduceMotion ? 'reduced' : null);
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BAR[shown]);
}

type Change = { theme?: ThemeMode; world?: World; look?: Look };

function change(settings: Change): void {
  changeSystemSettings(settings);
  paint();
  changes.dispatchEvent(new Event('change'));
}

/** Shows a person's look at once and keeps it for the next first paint; saving it is the preferences' part. */
export function showLook(theme: ThemeMode, look: Look): void {
  const now = readAppState().systemSettings;
  const keys = Object.keys(look) as (keyof Look)[];
  if (now.theme !== theme || keys.some(key => now.look[key] !== look[key])) change({ theme, look });
}

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
