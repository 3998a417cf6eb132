import { cacheNames } from 'workbox-core';
import { PrecacheController, PrecacheRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { entryOf } from './build-lock.ts';

/** What this file uses of the worker's own globals. */
type Worker = EventTarget & {
  registration: { installing: unknown; waiting: unknown };
  clients: { matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly unknown[]> };
};
declare const self: Worker;
type InstallEvent = Parameters<PrecacheController['install']>[0];

/** Held while files are fetched or dropped: a new build takes over those of its files that lie here already. */
const FILES = 'cairn-app-files';

/** Whether every window that is open runs a build `isOurs` knows; one that has not said so yet may run any. */
async function everyWindow(isOurs: (entry: string) => boolean): Promise<boolean> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const { held = [] } = await navigator.locks.query();
  // Counted, not matched: Chromium names a window otherwise among locks than among clients.
  const said = held.map(({ name }) => entryOf(name)).filter(entry => entry !== null);
  return said.length === windows.length && said.every(isOurs);
}

/**
 * Keeps every file of the app on the device. Files of former builds stay for as long as a window may run one: somebody may be in
 * the middle of an inspection there while another window has taken a new build, and what its screens are made of comes when it
 * is asked for.
 *
 * @returns the route to a page of the app, and what drops the files no window needs any more
 */
export function keepAppFiles(entries: { url: string; revision: string | null }[]) {
  const files = new PrecacheController();
  files.addToCacheList(entries);
  self.addEventListener('install', event => {
    const install = event as InstallEvent;
    install.waitUntil(navigator.locks.request(FILES, () => files.install(install)));
  });
  registerRoute(new PrecacheRoute(files));
  // Of former builds; what lies nowhere is fetched.
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
    async ({ request }) => (await caches.match(request, { cacheName: cacheNames.precache })) ?? fetch(request),
  );

  async function drop(): Promise<void> {
    const { registration } = self;
    // Theirs lie here too. Whichever takes over asks again.
    if (registration.installing !== null || registration.waiting !== null) return;
    if (!(await everyWindow(entry => files.getCacheKeyForURL(entry) !== undefined))) return;
    const wanted = new Set(files.getURLsToCacheKeys().values());
    const cache = await caches.open(cacheNames.precache);
    for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
  }

  return {
    page: (url: string) => files.createHandlerBoundToURL(url),
    dropFormer: () => navigator.locks.request(FILES, drop),
  };
}
