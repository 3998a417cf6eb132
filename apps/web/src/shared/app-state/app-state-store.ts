import { useSyncExternalStore } from 'react';
import { appStateFrom, type AppState, type SystemSettings } from '@cairn/core/app-state/app-state.ts';
import { withSettings, type Change } from '@cairn/core/app-state/changes.ts';
import { APP_STATE_KEY, changeSystemSettings, keptState } from './app-state.ts';

/**
 * The app state of this browser. Changes are written at once while `autoSave` is on. A second tab's changes are taken
 * over. Theme, language and look have one writer, `changeSystemSettings`, because the first paint needs them.
 */
export class AppStateStore {
  private state: AppState;
  private readonly listeners = new Set<() => void>();
  private readonly storage: Storage;

  constructor(storage: Storage = localStorage) {
    this.storage = storage;
    this.state = appStateFrom(keptState(storage));
    const takeOver = () => this.takeOver();
    addEventListener(APP_STATE_KEY, takeOver);
    addEventListener('storage', event => event.key === APP_STATE_KEY && takeOver());
  }

  readonly snapshot = (): AppState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  change(change: Change): void {
    this.become(change(this.state));
    if (this.state.systemSettings.autoSave) this.save();
  }

  /** Changes system settings; unlike other changes, turning `autoSave` on or off is always kept. */
  changeSettings({ theme, language, ...others }: Partial<SystemSettings>): void {
    if (theme ?? language)
      changeSystemSettings({ ...(theme && { theme }), ...(language && { language }) }, this.storage);
    this.become(withSettings(others)(this.state));
    if (this.state.systemSettings.autoSave || others.autoSave === false) this.save();
  }

  /** Writes everything that outlives a restart. What the first paint needs stays as its own writer left it. */
  save(): void {
    const kept = keptState(this.storage);
    const { userProgress, notifications, analytics, systemSettings } = this.state;
    const settings = { ...Object(kept['systemSettings']), notifications: systemSettings.notifications };
    const next = {
      ...kept,
      userProgress,
      notifications,
      analytics,
      systemSettings: { ...settings, autoSave: systemSettings.autoSave },
    };
    try {
      this.storage.setItem(APP_STATE_KEY, JSON.stringify(next));
    } catch (error) {
      // A full browser store costs counters, nothing a person made.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  /** Somebody else wrote: loading flags and errors are this tab's own. */
  private takeOver(): void {
    const { loading, errors } = this.state;
    const kept = appStateFrom(keptState(this.storage));
    // Unsaved changes of this tab stay while it does not save by itself.
    const base = this.state.systemSettings.autoSave ? kept : { ...this.state, systemSettings: kept.systemSettings };
    this.become({ ...base, loading, errors });
  }

  private become(state: AppState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

export const appState = new AppStateStore();

/** One part of the app state, drawn anew when it changes. `part` must answer the same object for the same state. */
export function useAppState<Part>(part: (state: AppState) => Part): Part {
  return useSyncExternalStore(appState.subscribe, () => part(appState.snapshot()));
}
