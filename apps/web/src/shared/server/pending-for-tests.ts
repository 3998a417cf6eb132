import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import type { ServerCalls } from './server-calls.ts';

export type Figures = { pendingItems: number; failed: number; online: boolean };

/** An engine with so much unsent, and what the server was asked. `counted` is what the queue itself holds. */
export function pendingDevice(figures: Figures, counted: () => number = () => 0) {
  const listeners = new Set<(figures: Figures) => void>();
  const seen = { asked: [] as string[], syncs: 0, listeners };
  const engine = {
    syncNow: () => void (seen.syncs += 1),
    pending: async () => ({ records: counted(), files: 0 }),
    watchOutbox: (listener: (outbox: readonly OutboxItem[]) => void) => {
      listener([]);
      return () => undefined;
    },
    watchStatus: (listener: (figures: Figures) => void) => {
      listeners.add(listener);
      listener(figures);
      return () => void listeners.delete(listener);
    },
  };
  const calls = { call: async (name: string) => void seen.asked.push(name) } as unknown as ServerCalls;
  const tell = (now: Figures) => listeners.forEach(listener => listener(now));
  return { engine, calls, seen, tell };
}

/** An engine on which nothing waits. */
export const emptyOutbox = () => pendingDevice({ pendingItems: 0, failed: 0, online: true }).engine;
