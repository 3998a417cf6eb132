import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { receiveShare } from './receive-share.ts';

/** What this file uses of the worker's own globals; TypeScript's library for workers cannot stand beside the page's. */
type Worker = EventTarget & {
  importScripts(...urls: string[]): void;
  skipWaiting(): Promise<void>;
  /** Put here by the build: every file of the app with its revision. */
  __WB_MANIFEST: { url: string; revision: string | null }[];
};
declare const self: Worker;

/** Addresses that are the backend's: never answered by the app's page. */
const BACKEND = [/^\/(auth|rest|storage|functions|realtime)\/v1(\/|$)/, /^\/(healthz|config\.json)$/, /^\/dev\//];

// Push messages, shown and opened by the same worker.
self.importScripts('/push-worker.js');

// The first visit is enough: the worker takes the page it was loaded from.
clientsClaim();
cleanupOutdatedCaches();
// oxlint-disable-next-line no-underscore-dangle -- the name the build looks for
precacheAndRoute(self.__WB_MANIFEST);
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: BACKEND }));
registerRoute(
  ({ url }) => url.pathname === '/share',
  ({ request }) => receiveShare(request),
  'POST',
);

// A new version waits until a person takes it: somebody may be in the middle of an inspection.
self.addEventListener('message', event => {
  const { type } = Object('data' in event ? event.data : null) as { type?: unknown };
  if (type === 'SKIP_WAITING') void self.skipWaiting();
});
