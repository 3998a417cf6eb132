import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { requestPersistence } from '@cairn/sync/transport/request-persistence.ts';

/** What a copy for work without signal is made of. */
export type OfflineCopy = {
  /** Whether a whole pull ended after the act. */
  records: 'here' | 'no_signal' | 'slow';
  /** Whether the app itself is kept by the browser. */
  app: boolean;
  /** Whether the browser promised not to clear it. */
  persisted: boolean;
  /** Bytes; null where the browser does not say. */
  size: number | null;
};

/** Past this the person is not kept waiting; the pull goes on. */
const PATIENCE_MS = 30_000;

/** Asks the browser to keep the copy, pulls everything, and says what is there. */
export async function makeOfflineCopy(engine: SyncEngine): Promise<OfflineCopy> {
  await requestPersistence();
  const records = await wholePull(engine);
  const app = await appIsKept();
  const { persisted, usage } = await requestPersistence();
  return { records, app, persisted, size: usage };
}

/** Resolves once a pull that began now has ended. */
async function wholePull(engine: SyncEngine): Promise<OfflineCopy['records']> {
  const begun = Date.now();
  const { promise, resolve } = Promise.withResolvers<OfflineCopy['records']>();
  let asked = false;
  const stop = engine.watchStatus(({ online, firstPull, lastPullAt, phase }) => {
    // Without signal nothing is even tried: the browser would report it as an error.
    if (!online) return resolve('no_signal');
    if (!asked) {
      asked = true;
      engine.syncNow();
    } else if (!firstPull && phase === 'idle' && lastPullAt !== null && lastPullAt >= begun) resolve('here');
  });
  const late = setTimeout(() => resolve('slow'), PATIENCE_MS);
  const answer = await promise;
  clearTimeout(late);
  stop();
  return answer;
}

async function appIsKept(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration) return false;
  await navigator.serviceWorker.ready;
  return (await caches.keys()).length > 0;
}
