import { getFixedT } from 'i18next';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { usedFeature } from '../../shared/analytics/used-feature.ts';
import { buildLock } from './build-lock.ts';

/** ms; an app that stays open for days asks this often whether there is a newer one. */
const ASK_EVERY_MS = 60 * 60 * 1000;

/** ms; a worker that is still busy for the old version takes over later: the page begins anew all the same, and offers again. */
const PATIENCE = 8_000;

const NEVER = new Promise<never>(() => undefined);

/** Says, for as long as this window is open, which build it runs: the worker keeps the files of that one. */
function sayBuild(): void {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module][src]');
  if (entry) void navigator.locks.request(buildLock(new URL(entry.src).pathname), { mode: 'shared' }, () => NEVER);
}

/**
 * Keeps the app on this device for offline use, and offers a new version when one has arrived. It is never forced:
 * somebody may be in the middle of an inspection, here or in another window.
 */
export async function offerUpdates(): Promise<void> {
  sayBuild();
  const { Workbox } = await import('workbox-window');
  const worker = new Workbox('/sw.js');
  let asked = false;
  let isControlled = false;
  const take = (registration: ServiceWorkerRegistration | undefined) => {
    asked = true;
    usedFeature('update');
    // Another window may have taken it: then there is nothing to wait for.
    if (!registration?.waiting) return location.reload();
    worker.messageSkipWaiting();
    setTimeout(() => location.reload(), PATIENCE);
  };
  const offer = () => showOffer(() => void navigator.serviceWorker.getRegistration().then(take));
  worker.addEventListener('waiting', offer);
  worker.addEventListener('controlling', () => {
    if (asked) location.reload();
    // Another window took the new version: this one still runs the old, and goes over when its person says so. The first
    // worker of all is no new version, also where it began to install on the page before and the library calls it foreign.
    else if (isControlled) offer();
    isControlled = true;
  });
  const registration = await worker.register();
  // Only from here on a change is heard of.
  isControlled = navigator.serviceWorker.controller !== null;
  if (registration) whenInstalled(registration, offer);
  registration?.active?.postMessage({ type: 'BEGUN' });
  // The browser looks by itself too, but puts it off for as long as the pages of the app ask for anything.
  if (registration?.active) look(worker);
  askAgain(worker);
}

type Updatable = { update: () => Promise<void> };

/** Without a network there is nothing to ask; the next time will do. */
const look = (worker: Updatable): void => void worker.update().catch(() => undefined);

/** Workbox hears only of a version that is found after `register`; the browser looks for one when the page loads, which may be before. */
function whenInstalled(registration: ServiceWorkerRegistration, then: () => void): void {
  const { installing, active } = registration;
  if (active) installing?.addEventListener('statechange', () => registration.waiting === installing && then());
}

function showOffer(onPress: () => void): void {
  const t = getFixedT(null, 'shell');
  toast({ id: 'update', title: t('update.ready'), sticky: true, action: { label: t('update.now'), onPress } });
}

function askAgain(worker: Updatable): void {
  let last = Date.now();
  const ask = () => {
    if (document.visibilityState === 'hidden' || !navigator.onLine || Date.now() - last < ASK_EVERY_MS) return;
    last = Date.now();
    look(worker);
  };
  document.addEventListener('visibilitychange', ask);
  setInterval(ask, ASK_EVERY_MS);
}
