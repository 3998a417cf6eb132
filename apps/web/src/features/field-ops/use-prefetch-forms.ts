import { useEffect } from 'react';
import { useStore } from '@cairn/sync/store-context.ts';
import type { Store } from '@cairn/sync/store.ts';
import { formVersion } from './inspections/inspection-queries.ts';

/** Forms read ahead at most: what somebody has before them today. */
const MAX_FORMS = 6;

/** ms at which it is done all the same on a machine that is never idle, or cannot say so. */
const PATIENCE = 3000;

const idle = (): Promise<void> =>
  new Promise(resolve => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: PATIENCE });
    else setTimeout(resolve, PATIENCE);
  });

async function prefetch(store: Store, ids: readonly string[], left: () => boolean): Promise<void> {
  await idle();
  if (left()) return;
  const [{ compiledVersion }] = await Promise.all([
    import('./inspections/compiled-version.ts'),
    import('./inspection-screen.tsx'),
  ]);
  for (const id of ids.slice(0, MAX_FORMS)) {
    const version = await store.read(formVersion(id));
    await idle();
    if (left()) return;
    compiledVersion(version);
  }
}

/** Reads the forms of what is to be done while nobody waits: a form of 300 questions takes a phone a third of a second. */
export function usePrefetchForms(versionIds: readonly string[]): void {
  const store = useStore();
  const ids = [...new Set(versionIds)].join(' ');
  useEffect(() => {
    let gone = false;
    // A help only: where a file of the app cannot be had now, the screen itself asks for it and says so.
    prefetch(store, ids === '' ? [] : ids.split(' '), () => gone).catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [store, ids]);
}
