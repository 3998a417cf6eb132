import type { SyncEngine } from '@cairn/sync/engine.ts';
import { needsWelcome } from '@cairn/core/onboarding/first-run.ts';
import { storedPreferences } from '@cairn/core/preferences/queries.ts';
import type { SessionState } from './session-state.ts';

/** ms; how long an opened app waits to learn whether the person has saved preferences before. */
const PATIENCE_MS = 2000;

/** Whether somebody is signed in for whom nobody has saved preferences yet: they are welcomed first (R2.24). */
export async function isFirstVisit(state: SessionState): Promise<boolean> {
  if (state.status !== 'signed_in') return false;
  const { user, engine } = state;
  const preferences = await engine.store.read(storedPreferences(user.id));
  if (preferences) return needsWelcome(preferences, true);
  const known = await hasPulled(engine);
  return needsWelcome(await engine.store.read(storedPreferences(user.id)), known);
}

/** Resolves to true once this device has pulled at least once, to false when that takes too long. */
function hasPulled(engine: SyncEngine): Promise<boolean> {
  return new Promise(resolve => {
    const end = (known: boolean) => {
      clearTimeout(timer);
      queueMicrotask(() => stop());
      resolve(known);
    };
    const timer = setTimeout(() => end(false), PATIENCE_MS);
    const stop = engine.watchStatus(status => !status.firstPull && end(true));
  });
}
