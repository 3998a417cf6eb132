import { useCallback, useSyncExternalStore } from 'react';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { useSignedIn } from '../session/session.ts';

type Uploads = ReadonlyMap<string, OutboxItem>;

/** One watch on the outbox for all the photos of a screen. */
class UploadWatch {
  current: Uploads = new Map();
  private readonly listeners = new Set<() => void>();
  private stop: (() => void) | null = null;
  private readonly engine: SyncEngine;

  constructor(engine: SyncEngine) {
    this.engine = engine;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.stop ??= this.engine.watchOutbox(items => {
      this.current = new Map(items.filter(({ kind }) => kind === 'file').map(item => [item.recordId, item]));
      for (const each of this.listeners) each();
    });
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.stop?.();
      this.stop = null;
    };
  };
}

const watches = new WeakMap<SyncEngine, UploadWatch>();

function watchOf(engine: SyncEngine): UploadWatch {
  const watch = watches.get(engine) ?? new UploadWatch(engine);
  watches.set(engine, watch);
  return watch;
}

/** What of this file waits to be sent, with the bytes that have left; null when nothing does. */
export function useUpload(mediaId: string): OutboxItem | null {
  const watch = watchOf(useSignedIn().engine);
  return useSyncExternalStore(
    watch.subscribe,
    useCallback(() => watch.current.get(mediaId) ?? null, [watch, mediaId]),
  );
}
