/** Where the browser keeps the app state (R9.09). */
export const APP_STATE_KEY = 'cairn.appState';

/** Theme as chosen; `system` follows the device. */
export type ThemeMode = 'system' | 'light' | 'dark';
/** The look of a playbook type. */
export type World = 'company' | 'personal';

/** The rest of a person's look, as attributes of the page (`data-accent`, `data-font-size`, …); '' is none. */
export type LookAttributes = Partial<Record<'accent' | 'fontSize' | 'contrast' | 'motion', string>>;

/** What the first frame is painted by. `app-state-store.ts` keeps the rest of the state beside it. */
export type FirstPaint = { theme: ThemeMode; world: World; language: string; look: LookAttributes };

const FRESH: FirstPaint = { theme: 'system', world: 'company', language: 'en', look: {} };

/** The language the page speaks: first-paint.js chose it, of what is kept or of the browser's own the first that is one of ours. */
const spokenLanguage = (): string => document.documentElement.lang || FRESH.language;

/** What the first paint needs of the kept state; what is missing or unreadable takes its default. */
export function readAppState(storage: Storage = localStorage): { systemSettings: FirstPaint } {
  const kept = settingsIn(keptState(storage));
  return {
    systemSettings: {
      theme: kept['theme'] === 'light' || kept['theme'] === 'dark' ? kept['theme'] : FRESH.theme,
      world: kept['world'] === 'personal' ? 'personal' : FRESH.world,
      language: typeof kept['language'] === 'string' ? kept['language'] : spokenLanguage(),
      look: isRecord(kept['look']) ? kept['look'] : {},
    },
  };
}

const settingsIn = (state: Record<string, unknown>): Record<string, unknown> =>
  isRecord(state['systemSettings']) ? state['systemSettings'] : {};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The whole kept state, unchecked; empty where there is none or it cannot be read. */
export function keptState(storage: Storage = localStorage): Record<string, unknown> {
  try {
    const state: unknown = JSON.parse(storage.getItem(APP_STATE_KEY) ?? 'null');
    return isRecord(state) ? state : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Changes some of what the first paint needs and keeps everything else; tells `app-state-store.ts` by an event. */
export function changeSystemSettings(change: Partial<FirstPaint>, storage: Storage = localStorage): void {
  const state = keptState(storage);
  const systemSettings = { ...settingsIn(state), ...readAppState(storage).systemSettings, ...change };
  storage.setItem(APP_STATE_KEY, JSON.stringify({ ...state, systemSettings }));
  dispatchEvent(new Event(APP_STATE_KEY));
}
