import type { Channel } from './platform.ts';

/** What can change beside tables. */
export const QUEUE = '#queue';
export const CONFLICTS = '#conflicts';
export const RECEIPTS = '#receipts';
export const PHASE = '#phase';
/** `#sent:<media id>:<bytes>`; with no bytes nothing of the file is under way any more. */
export const SENT = '#sent';
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
    for (const listener of listeners) listener(names, fromOtherTab);
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

/** One read at a time, so that answers come in order. */
class LiveReader<A> {
  private readonly live: LiveRead<A>;
  private stopped = false;
  private running = false;
  private stale = false;
  private due = false;
  private off = () => {};

  constructor(live: LiveRead<A>) {
    this.live = live;
  }

  start(): void {
    const { changes, names, later = run => run() } = this.live;
    this.off = changes.on(changed => {
      if (this.due || !names.some(name => changed.has(name))) return;
      this.due = true;
      later(() => {
        this.due = false;
        void this.run();
      });
    });
    void this.run();
  }

  stop(): void {
    this.stopped = true;
    this.off();
  }

  private async run(): Promise<void> {
    this.stale = true;
    if (this.running) return;
    this.running = true;
    try {
      while (this.stale && !this.stopped) await this.answer();
    } catch (error) {
      if (!this.stopped) {
        this.stop();
        this.live.onError(error);
      }
    } finally {
      this.running = false;
    }
  }

  private async answer(): Promise<void> {
    this.stale = false;
    const answer = await this.live.read();
    if (!this.stopped) this.live.onAnswer(answer);
  }
}

/** Reads now and after each change of `names`. @returns what stops it */
export function watchRead<A>(live: LiveRead<A>): () => void {
  const reader = new LiveReader(live);
  reader.start();
  return () => reader.stop();
}
