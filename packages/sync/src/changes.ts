import type { Channel } from './platform.ts';

/** What can change beside tables. */
export const QUEUE = '#queue';
export const CONFLICTS = '#conflicts';
export const RECEIPTS = '#receipts';
export const PHASE = '#phase';
/** Somebody asked for a sync now. */
export const NUDGE = '#nudge';

type Message = { owner: string; names: string[] };

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'owner' in value && 'names' in value && Array.isArray(value.names);

/** Tells this tab's watchers, and the other tabs', which tables changed. */
export interface Changes {
  emit(names: Iterable<string>): void;
  on(listener: (names: ReadonlySet<string>, fromOtherTab: boolean) => void): () => void;
  close(): void;
}

export function openChanges(channel: Channel, owner: string): Changes {
  const listeners = new Set<(names: ReadonlySet<string>, fromOtherTab: boolean) => void>();
  const tell = (names: ReadonlySet<string>, fromOtherTab: boolean) => {
    for (const listener of [...listeners]) listener(names, fromOtherTab);
  };
  const stop = channel.listen(message => {
    if (isMessage(message) && message.owner === owner) tell(new Set(message.names), true);
  });
  return {
    emit(names) {
      const set = new Set(names);
      if (set.size === 0) return;
      tell(set, false);
      channel.post({ owner, names: [...set] } satisfies Message);
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      stop();
      listeners.clear();
      channel.close();
    },
  };
}

type LiveRead<A> = {
  changes: Changes;
  names: readonly string[];
  read(): Promise<A>;
  onAnswer(answer: A): void;
  onError(error: unknown): void;
  /** Puts a re-read off, so that a burst of changes costs one. */
  later?: (run: () => void) => void;
};

/** Reads now and after each change of `names`, one read at a time, so that answers come in order. */
export function watchRead<A>({
  changes,
  names,
  read,
  onAnswer,
  onError,
  later = run => run(),
}: LiveRead<A>): () => void {
  let stopped = false;
  let running = false;
  let stale = false;
  const stop = () => {
    stopped = true;
    off();
  };
  const run = async () => {
    if (running) return void (stale = true);
    running = true;
    try {
      do {
        stale = false;
        const answer = await read();
        if (!stopped) onAnswer(answer);
      } while (stale && !stopped);
    } catch (error) {
      if (!stopped) {
        stop();
        onError(error);
      }
    } finally {
      running = false;
    }
  };
  let due = false;
  const off = changes.on(changed => {
    if (due || !names.some(name => changed.has(name))) return;
    due = true;
    later(() => {
      due = false;
      if (!stopped) void run();
    });
  });
  void run();
  return stop;
}
