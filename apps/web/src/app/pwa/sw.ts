import { cacheNames, clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches } from 'workbox-precaching';
import { isSomebodyHere } from '@cairn/sync/files/shared-files.ts';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { keepAppFiles } from './app-files.ts';
import { receiveShare } from './receive-share.ts';

/** What this file uses of the worker's own globals; TypeScript's library for workers cannot stand beside the page's. */
type Worker = EventTarget & {
  importScripts(...urls: string[]): void;
  skipWaiting(): Promise<void>;
  /** Put here by the build: every file of the app with its revision. */
  __WB_MANIFEST: { url: string; revision: string | null }[];
};
declare const self: Worker;

type MessageEvent = Event & { waitUntil(work: Promise<unknown>): void };

/** The part of an install event that lets the browser answer by itself; not every browser has it. */
type InstallEvent = Event & {
  addRoutes?(routes: { condition: { urlPattern: string }; source: 'network' | { cacheName: string } }[]): Promise<void>;
};

/** Addresses that are the backend's, as URL patterns: never answered by the app's page. */
const BACKEND = [
  ...['auth', 'rest', 'storage', 'functions', 'realtime'].map(name => `/${name}/v1/*`),
  '/healthz',
  '/config.json',
  '/dev/*',
  '/calendar/*',
];
const isBackend = new RegExp(`^(${BACKEND.map(pattern => pattern.replace('.', '\\.').replace('*', '.*')).join('|')})$`);

/** Addresses of people who are not signed in, or of a page that must work alone. Any other begins a signed-in person's day. */
const WAYS_IN = [/^\/auth(?!\/v1)(\/|$)/, /^\/(invitation|guest|report|verify|debug|minimal)(\/|$)/];

// Push messages, shown and opened by the same worker: to nobody where nobody is signed in.
Object.assign(self, { isSomebodyHere });
self.importScripts('/push-worker.js');

// The first visit is enough: the worker takes the page it was loaded from.
clientsClaim();
cleanupOutdatedCaches();
// oxlint-disable-next-line no-underscore-dangle -- the name the build looks for
const files = keepAppFiles(self.__WB_MANIFEST);
registerRoute(new NavigationRoute(files.page('/index.html'), { allowlist: WAYS_IN }));
registerRoute(new NavigationRoute(files.page('/start.html'), { denylist: [isBackend] }));
registerRoute(
  ({ url }) => url.pathname === '/share',
  ({ request }) => receiveShare(request),
  'POST',
);

// Files with their hash in the name come straight from the cache: no worker has to wake, and no code of it runs for each. What
// is not in there is fetched. What the backend answers has no business here at all: Chromium 150 asks for a page while the
// worker starts and never follows a redirect it gets then, so that the link of a letter opened nothing (docs/gotchas.md).
self.addEventListener('install', event => {
  const asset = { condition: { urlPattern: '/assets/*' }, source: { cacheName: cacheNames.precache } };
  const backend = BACKEND.map(urlPattern => ({ condition: { urlPattern }, source: 'network' as const }));
  void (event as InstallEvent).addRoutes?.([asset, ...backend]);
});

// A new version waits until a person takes it: somebody may be in the middle of an inspection.
self.addEventListener('message', event => {
  const { type } = Object('data' in event ? event.data : null) as { type?: unknown };
  if (type === 'SKIP_WAITING') void self.skipWaiting();
  // Of a window that has begun: perhaps the last one of a former build did so anew.
  if (type === 'BEGUN') (event as MessageEvent).waitUntil(files.dropFormer());
});
