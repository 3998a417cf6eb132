const KEY = 'cairn.appState';

/** Theme as chosen; `system` follows the device. */
export type ThemeMode = 'system' | 'light' | 'dark';
/** The look of a playbook type. */
export type World = 'company' | 'personal';

/** What the browser keeps for itself between starts (R3.29): enough to paint the first frame right. */
export type AppState = {
  systemSettings: { theme: ThemeMode; world: World; language: string };
};

const FRESH: AppState = { systemSettings: { theme: 'system', world: 'company', language: 'en' } };

/** The kept state; what is missing or unreadable takes its default. */
export function readAppState(storage: Storage = localStorage): AppState {
  return { systemSettings: { ...FRESH.systemSettings, ...parsed(storage.getItem(KEY)) } };
}

function parsed(text: string | null): Partial<AppState['systemSettings']> {
  if (text === null) return {};
  try {
    const kept = JSON.parse(text) as Partial<AppState> | null;
    return kept?.systemSettings ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Changes some system settings and keeps the rest. */
export function changeSystemSettings(
  change: Partial<AppState['systemSettings']>,
  storage: Storage = localStorage,
): AppState {
  const present = readAppState(storage);
  const next = { ...present, systemSettings: { ...present.systemSettings, ...change } };
  storage.setItem(KEY, JSON.stringify(next));
  return next;
}
