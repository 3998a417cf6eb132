import { getFixedT } from 'i18next';
import { toast } from '@cairn/ui/toast.ts';
import { usedFeature } from '../../shared/analytics/used-feature.ts';

/** ms; an app that stays open for days asks this often whether there is a newer one. */
const ASK_EVERY_MS = 60 * 60 * 1000;

/** ms; a worker that is still busy for the old version takes over later: the page begins anew all the same, and offers again. */
const PATIENCE = 8_000;

/**
 * Keeps the app on this device for offline use, and offers a new version when one has arrived. It is never forced:
 * somebody may be in the middle of an inspection.
 */
export async function offerUpdates(): Promise<void> {
  const { Workbox } = await import('workbox-window');
  const worker = new Workbox('/sw.js');
  let asked = false;
  worker.addEventListener('waiting', () =>
    offer(() => {
      asked = true;
      usedFeature('update');
      worker.messageSkipWaiting();
      setTimeout(() => location.reload(), PATIENCE);
    }),
  );
  worker.addEventListener('controlling', ({ isUpdate, isExternal }) => {
    if (asked) location.reload();
    // Another tab took the new version: this one still runs the old, and goes over when its person says so.
    else if (isUpdate ?? isExternal) offer(() => location.reload());
  });
  await worker.register();
  askAgain(worker);
}

function offer(onPress: () => void): void {
  const t = getFixedT(null, 'shell');
  toast({ title: t('update.ready'), sticky: true, action: { label: t('update.now'), onPress } });
}

/** Without a network there is nothing to ask; the next time will do. */
function askAgain(worker: { update: () => Promise<void> }): void {
  let last = Date.now();
  const ask = () => {
    if (document.visibilityState === 'hidden' || !navigator.onLine || Date.now() - last < ASK_EVERY_MS) return;
    last = Date.now();
    worker.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  setInterval(ask, ASK_EVERY_MS);
}
