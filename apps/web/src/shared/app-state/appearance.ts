import { changeSystemSettings, readAppState, type LookAttributes, type ThemeMode, type World } from './app-state.ts';

const DARK = '(prefers-color-scheme: dark)';
/** Colour of the browser's own bar, near `--surface` of each theme. */
const BAR = { light: '#f7f9fb', dark: '#0c1116' } as const;
/** Attributes that are there only when asked for; what each does stands in packages/ui/src/tokens/tokens.css. */
const LOOKS = ['accent', 'fontSize', 'contrast', 'motion'] as const;

/**
 * `public/first-paint.js` does the same before the first paint, so that the page never flashes in another theme, world,
 * language or direction. It is a file of its own because the content security policy allows no inline scripts, small
 * because everybody waits for it, and to be kept beside this and `i18n/languages.ts`.
 */
function paint(): void {
  const { theme, world, look } = readAppState().systemSettings;
  const shown = theme === 'system' ? (matchMedia(DARK).matches ? 'dark' : 'light') : theme;
  const { dataset } = document.documentElement;
  dataset['theme'] = shown;
  dataset['world'] = world;
  dataset['tone'] = world;
  for (const name of LOOKS) {
    if (look[name]) dataset[name] = look[name];
    else delete dataset[name];
  }
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BAR[shown]);
}

/** Shows a person's look at once and keeps it for the next first paint; saving it is the preferences' part. */
export function showLook(theme: ThemeMode, look: Required<LookAttributes>): void {
  const now = readAppState().systemSettings;
  if (now.theme === theme && LOOKS.every(name => now.look[name] === look[name])) return;
  changeSystemSettings({ theme, look });
  paint();
}

/** Switches the look to that of the open playbook; words and data follow by themselves. */
export function setWorld(world: World): void {
  if (readAppState().systemSettings.world === world) return;
  changeSystemSettings({ world });
  paint();
}

/** Follows the device while the chosen theme is `system`; returns what stops it. */
export function followDeviceTheme(): () => void {
  const device = matchMedia(DARK);
  device.addEventListener('change', paint);
  return () => device.removeEventListener('change', paint);
}
