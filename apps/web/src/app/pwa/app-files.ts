import { cacheNames } from 'workbox-core';
import { PrecacheController, PrecacheRoute, PrecacheStrategy } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { entryOf } from './build-lock.ts';
import { buildsToKeep, type Build } from './builds.ts';

/** What this file uses of the worker's own globals. */
type Worker = EventTarget & {
  registration: { installing: unknown; waiting: unknown };
  clients: { matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly unknown[]> };
};
declare const self: Worker;
type InstallEvent = Parameters<PrecacheController['install']>[0];

/** Held while files are fetched or dropped: a new build takes over those of its files that lie here already. */
const FILES = 'cairn-app-files';
/** The cache in which each build writes down what is its. */
const BUILDS = 'cairn-builds';

/** Addresses of the first scripts of the builds that windows run; null while one has not said so. */
async function runningBuilds(): Promise<string[] | null> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const { held = [] } = await navigator.locks.query();
  // Counted, not matched: Chromium names a window otherwise among locks than among clients.
  const runningNames = held.map(({ name }) => entryOf(name)).filter(entry => entry !== null);
  return runningNames.length === windows.length ? runningNames.map(entry => new URL(entry, location.href).href) : null;
}

/** What the builds on this device wrote down. */
async function builds(): Promise<Build[]> {
  const cache = await caches.open(BUILDS);
  const answers = await Promise.all((await cache.keys()).map(name => cache.match(name)));
  return Promise.all(answers.map(async answer => (await answer?.json()) as Build));
}

async function dropOthers(own: Build, others: readonly Build[]): Promise<void> {
  const running = await runningBuilds();
  const kept = running && buildsToKeep(own, others, running);
  if (!kept) return;
  const wanted = new Set(kept.flatMap(({ files }) => files));
  const cache = await caches.open(cacheNames.precache);
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
  const names = new Set(kept.map(({ name }) => name));
  const written = await caches.open(BUILDS);
  for (const { url } of await written.keys()) if (!names.has(url)) await written.delete(url);
}

/**
 * Keeps every file of the app on the device. Files of a former build stay for as long as a window may run it: somebody may be in
 * the middle of an inspection there while another window has taken a new build, and what its screens are made of comes when it
 * is asked for.
 *
 * @returns the route to a page of the app, and what drops the files no window needs any more
 */
export function keepAppFiles(entries: { url: string; revision: string | null }[]) {
  const files = new PrecacheController();
  files.addToCacheList(entries);
  const name = files.getCacheKeyForURL('/start.html') ?? '';
  const begun = (): Build => ({ name, files: [...files.getURLsToCacheKeys().values()], began: Date.now() });
  async function install(event: InstallEvent): Promise<unknown> {
    const cache = await caches.open(BUILDS);
    await cache.put(name, Response.json(begun()));
    return files.install(event);
  }
  self.addEventListener('install', event => {
    const given = event as InstallEvent;
    given.waitUntil(navigator.locks.request(FILES, () => install(given)));
  });
  registerRoute(new PrecacheRoute(files));
  // Of former builds; what lies nowhere is fetched.
  registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'), new PrecacheStrategy());

  async function drop(): Promise<void> {
    const { registration } = self;
    // Whichever takes over asks again.
    if (registration.installing !== null || registration.waiting !== null) return;
    const all = await builds();
    const own = all.find(build => build.name === name) ?? begun();
    await dropOthers(
      own,
      all.filter(build => build !== own),
    );
  }

  return {
    page: (url: string) => files.createHandlerBoundToURL(url),
    dropFormer: () => navigator.locks.request(FILES, drop),
  };
}
