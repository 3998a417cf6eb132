import type { Clock } from '@cairn/base/clock.ts';
import type {
  Channel,
  KeyValue,
  Network,
  NetworkEvent,
  Platform,
  BackupFiles,
} from '@cairn/sync/transport/platform.ts';
import { seams } from './seams.ts';

/** A clock that moves only when told; timers run in order of their time. */
export type VirtualClock = Clock & { advance(ms: number): void; readonly timers: number };

export function virtualClock(start = Date.UTC(2026, 10, 21, 9)): VirtualClock {
  let now = start;
  let made = 0;
  const timers = new Map<number, { at: number; callback: () => void }>();
  return {
    now: () => now,
    after(ms, callback) {
      made += 1;
      const id = made;
      timers.set(id, { at: now + ms, callback });
      return () => void timers.delete(id);
    },
    get timers() {
      return timers.size;
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = [...timers]
          .filter(([, { at }]) => at <= end)
          .toSorted((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
        if (!next) break;
        timers.delete(next[0]);
        now = Math.max(now, next[1].at);
        next[1].callback();
      }
      now = end;
    },
  };
}

/** Locks, channels and storage shared by the "tabs" of one virtual device. */
export function virtualDevice() {
  const waiting = new Map<string, (() => void)[]>();
  const held = new Set<string>();
  const channels = new Map<string, Set<(message: unknown) => void>>();
  const stored = new Map<string, string>();
  const release = (name: string) => {
    const next = waiting.get(name)?.shift();
    if (next) next();
    else held.delete(name);
  };
  const acquire = (name: string, signal: AbortSignal) =>
    new Promise<boolean>(resolve => {
      if (signal.aborted) return resolve(false);
      if (!held.has(name)) {
        held.add(name);
        return resolve(true);
      }
      const queue = waiting.get(name) ?? [];
      const enter = () => resolve(true);
      waiting.set(name, [...queue, enter]);
      signal.addEventListener('abort', () => {
        waiting.set(
          name,
          (waiting.get(name) ?? []).filter(other => other !== enter),
        );
        resolve(false);
      });
    });
  const keyValue: KeyValue = {
    getItem: key => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: key => void stored.delete(key),
  };
  const backups = new Map<string, Blob>();
  const backupFiles: BackupFiles = {
    get: async name => backups.get(name) ?? null,
    put: async (name, content) => void backups.set(name, content),
    delete: async name => void backups.delete(name),
    list: async beginning => [...backups.keys()].filter(name => name.startsWith(beginning)),
  };
  return {
    stored,
    backups,
    keyValue,
    backupFiles,
    locks: {
      async hold(name: string, signal: AbortSignal, work: () => Promise<void>) {
        if (!(await acquire(name, signal))) return;
        try {
          await work();
        } finally {
          release(name);
        }
      },
    },
    openChannel(name: string): Channel {
      const all = channels.get(name) ?? new Set();
      channels.set(name, all);
      const mine = new Set<(message: unknown) => void>();
      return {
        post: message => {
          for (const listener of all) if (!mine.has(listener)) listener(structuredClone(message));
        },
        listen(listener) {
          mine.add(listener);
          all.add(listener);
          return () => void all.delete(listener);
        },
        close: () => mine.forEach(listener => all.delete(listener)),
      };
    },
  };
}

/** A network a test switches on and off. */
export function virtualNetwork(): Network & { set(online: boolean): void; show(): void; hide(): void } {
  let up = true;
  const listeners = new Set<(event: NetworkEvent) => void>();
  const tell = (event: NetworkEvent) => listeners.forEach(listener => listener(event));
  return {
    online: () => up,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(online) {
      up = online;
      tell(online ? 'online' : 'offline');
    },
    show: () => tell('visible'),
    hide: () => tell('hidden'),
  };
}

/** One tab of a virtual device. Chance is fixed at ½ unless given, so that back-off is known. */
export function virtualPlatform(
  options: Partial<Platform> & { device?: ReturnType<typeof virtualDevice> } = {},
): Platform {
  const { device = virtualDevice(), ...given } = options;
  return seams.platform({
    clock: virtualClock(),
    random: () => 0.5,
    locks: device.locks,
    openChannel: device.openChannel,
    keyValue: device.keyValue,
    backupFiles: null,
    network: virtualNetwork(),
    storageRatio: async () => 0,
    storageLeft: async () => Number.POSITIVE_INFINITY,
    persist: async () => undefined,
    reserveBytes: 0,
    // Small, so that each suite meets rows that land and rows that do not.
    bulkLoad: { least: 2, block: 3, most: 40 },
    ...given,
  });
}
