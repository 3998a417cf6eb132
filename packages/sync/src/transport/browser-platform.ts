import { systemClock } from '@cairn/base/clock.ts';
import { requestPersistence } from './request-persistence.ts';
import type { Channel, Locks, Network, Platform, BackupFiles } from './platform.ts';

const locks: Locks = {
  async hold(name, signal, held) {
    // Without Web Locks every tab leads in turn; the epoch in the database keeps that safe.
    if (!navigator.locks) return held();
    try {
      await navigator.locks.request(name, { mode: 'exclusive', signal }, held);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
};

function openChannel(name: string): Channel {
  const channel = new BroadcastChannel(name);
  return {
    post: message => channel.postMessage(message),
    listen(listener) {
      const onMessage = (event: MessageEvent) => listener(event.data);
      channel.addEventListener('message', onMessage);
      return () => channel.removeEventListener('message', onMessage);
    },
    close: () => channel.close(),
  };
}

/** Only some browsers say what kind of network it is (Network Information API). */
type Connection = EventTarget & { type?: string };
const connection = (): Connection | undefined => (navigator as Navigator & { connection?: Connection }).connection;

const network: Network = {
  online: () => navigator.onLine,
  isMobile: () => connection()?.type === 'cellular',
  onChange(listener) {
    const online = () => listener('online');
    const offline = () => listener('offline');
    const visible = () => listener(document.visibilityState);
    addEventListener('online', online);
    addEventListener('offline', offline);
    document.addEventListener('visibilitychange', visible);
    return () => {
      removeEventListener('online', online);
      removeEventListener('offline', offline);
      document.removeEventListener('visibilitychange', visible);
    };
  },
};

const BACKUP_CACHE = 'cairn-outbox-backup';
/** Cache storage names what it keeps by address; nothing is ever fetched from these. */
const addressOf = (name: string): string => new URL(`/outbox-backup/${name}`, location.origin).href;

/** Some browsers have Cache storage and refuse it, a private window for one: then nothing is kept there. */
const unlessRefused =
  <A>(otherwise: A) =>
  (error: unknown): A => {
    if (error instanceof DOMException) return otherwise;
    throw error;
  };

const backupFiles: BackupFiles = {
  async get(name) {
    const kept = await caches
      .open(BACKUP_CACHE)
      .then(cache => cache.match(addressOf(name)))
      .catch(unlessRefused(undefined));
    return kept ? kept.blob() : null;
  },
  async put(name, content) {
    await (await caches.open(BACKUP_CACHE)).put(addressOf(name), new Response(content));
  },
  async delete(name) {
    await caches
      .open(BACKUP_CACHE)
      .then(cache => cache.delete(addressOf(name)))
      .catch(unlessRefused(false));
  },
  async list(beginning) {
    const all = await caches
      .open(BACKUP_CACHE)
      .then(cache => cache.keys())
      .catch(unlessRefused([]));
    const names = all.map(({ url }) => url.slice(addressOf('').length));
    return names.filter(name => name.startsWith(beginning));
  },
};

async function storageRatio(): Promise<number> {
  const { usage = 0, quota = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  return quota > 0 ? usage / quota : 0;
}

async function storageLeft(): Promise<number> {
  const { usage = 0, quota = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  return quota > 0 ? Math.max(0, quota - usage) : Number.POSITIVE_INFINITY;
}

/** The browser this page runs in. */
export const browserPlatform = (): Platform => ({
  clock: systemClock,
  random: () => Math.random(),
  locks,
  openChannel,
  network,
  keyValue: localStorage,
  backupFiles: typeof caches === 'undefined' ? null : backupFiles,
  storageRatio,
  storageLeft,
  persist: async () => void (await requestPersistence()),
  reserveBytes: 8 * 1024 * 1024,
  bulkLoad: { least: 200, block: 150, most: 20_000 },
});
