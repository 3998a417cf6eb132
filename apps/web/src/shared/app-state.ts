const KEY = 'cairn.appState';

/** Theme as chosen; `system` follows the device. */
export type ThemeMode = 'system' | 'light' | 'dark';
/** The look of a playbook type. */
export type World = 'company' | 'personal';

/** What the browser keeps for itself between starts (R3.29): enough to paint the first frame right. */
export type AppState = {
  systemSettings: { theme: ThemeMode; world: World; language: string; look: Look };
};

/** The rest of a person's look, as attributes of the page (`data-accent`, `data-font-size`, …); '' is none. */
export type Look = Partial<Record<'accent' | 'fontSize' | 'contrast' | 'motion', string>>;

const FRESH: AppState = { systemSettings: { theme: 'system', world: 'company', language: 'en', look: {} } };

/** The kept state; what is missing or unreadable takes its default. */
export function readAppState(storage: Storage = localStorage): AppState {
  const kept = settingsIn(storage.getItem(KEY));
  const { theme, world, language } = FRESH.systemSettings;
  return {
    systemSettings: {
      theme: kept['theme'] === 'light' || kept['theme'] === 'dark' ? kept['theme'] : theme,
      world: kept['world'] === 'personal' ? 'personal' : world,
      language: typeof kept['language'] === 'string' ? kept['language'] : language,
      look: isRecord(kept['look']) ? kept['look'] : {},
    },
  };
}

function settingsIn(text: string | null): Record<string, unknown> {
  const state = parsed(text);
  return isRecord(state) && isRecord(state['systemSettings']) ? state['systemSettings'] : {};
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
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
