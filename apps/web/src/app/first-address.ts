import { needsWelcome } from '@cairn/core/onboarding/first-run.ts';
import { savedPreferences } from '@cairn/core/onboarding/queries.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';

/** Past this a person is not kept waiting for what the server knows of them. */
const PATIENCE_MS = 3000;

/**
 * Where a signed-in person who opens `/` begins (R2.24): at `/welcome` when nobody saved preferences for them. On a new
 * device the server is asked first, for a few seconds; a device that cannot know leads to the dashboard.
 */
export async function firstAddress({ store, watchStatus }: SyncEngine): Promise<'/welcome' | '/dashboard'> {
  const query = savedPreferences(store.owner);
  if ((await store.read(query)) !== null) return '/dashboard';
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = watchStatus(({ online, firstPull }) => {
    if (!firstPull || !online) resolve(!firstPull);
  });
  const late = setTimeout(() => resolve(false), PATIENCE_MS);
  const known = await promise;
  clearTimeout(late);
  stop();
  return needsWelcome(await store.read(query), known) ? '/welcome' : '/dashboard';
}
