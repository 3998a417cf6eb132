import type { Channel } from '../transport/platform.ts';

/** What can change beside tables. */
export const QUEUE = '#queue';
export const CONFLICTS = '#conflicts';
export const RECEIPTS = '#receipts';
export const PHASE = '#phase';
/** `#reached:<true or false>`: whether the server answers, by whoever speaks with it. */
export const REACHED = '#reached';
/** `#sent:<media id>:<bytes>`; with no bytes nothing of the file is under way any more. */
export const SENT = '#sent';
/** `#renamed:<old id>:<new id>`: a record has another id from now on, and so has all that named it. */
export const RENAMED = '#renamed';
/** Whether files may be sent on the present network has changed, or which of them may. */
export const FILES = '#files';
/** Work was handed over to an organisation this person was removed from. */
export const SUBMITTED = '#handed';
/** Somebody asked for a sync now. */
export const NUDGE = '#nudge';

/** Ids of the rows that changed, by table. A table that is named without its rows may have changed anywhere. */
export type ChangedRows = ReadonlyMap<string, ReadonlySet<string>>;

/** Past so many rows of a table reading all of it again costs no more. */
const FEW = 100;

type Message = { owner: string; names: string[]; rows?: [string, string[]][] };
type Listener = (names: ReadonlySet<string>, fromOtherTab: boolean, rows: ChangedRows) => void;

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'owner' in value && 'names' in value && Array.isArray(value.names);

/** Tells this tab's watchers, and the other tabs', which tables changed. */
export interface Changes {
  emit(names: Iterable<string>, rows?: ChangedRows): void;
  on(listener: Listener): () => void;
  close(): void;
}

export function openChanges(channel: Channel, owner: string): Changes {
  const listeners = new Set<Listener>();
  const tell: Listener = (names, fromOtherTab, rows) => {
    for (const listener of listeners) listener(names, fromOtherTab, rows);
  };
  const stop = channel.listen(message => {
    if (isMessage(message) && message.owner === owner) tell(new Set(message.names), true, rowsIn(message));
  });
  return {
    emit(names, rows = new Map()) {
      const set = new Set(names);
      if (set.size === 0) return;
      const few = new Map([...rows].filter(([, ids]) => ids.size <= FEW));
      tell(set, false, few);
      const listed = [...few].map(([table, ids]): [string, string[]] => [table, [...ids]]);
      channel.post({ owner, names: [...set], ...(listed.length > 0 && { rows: listed }) } satisfies Message);
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

const rowsIn = ({ rows = [] }: Message): ChangedRows => new Map(rows.map(([table, ids]) => [table, new Set(ids)]));

type LiveRead<A> = {
  changes: Changes;
  names: readonly string[];
  read(): Promise<A>;
  /** The answer from the last one, where it is known which rows changed; null where it has to be read. */
  renew?(before: A, changed: ChangedRows): Promise<A | null>;
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
  private last: { answer: A } | null = null;
  private readonly missed = new UnreadChanges();

  constructor(live: LiveRead<A>) {
    this.live = live;
  }

  start(): void {
    const { changes, names, later = run => run() } = this.live;
    this.off = changes.on((changed, _fromOtherTab, rows) => {
      const own = names.filter(name => changed.has(name));
      this.missed.note(own, rows);
      if (this.due || own.length === 0) return;
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
    const changed = this.missed.take();
    const renewed = changed && this.last && (await this.live.renew?.(this.last.answer, changed));
    const answer = renewed ?? (await this.live.read());
    this.last = { answer };
    if (!this.stopped) this.live.onAnswer(answer);
  }
}

/** What changed since the last read. */
class UnreadChanges {
  private rows: Map<string, Set<string>> | null = new Map();

  note(names: readonly string[], rows: ChangedRows): void {
    for (const name of names) {
      const ids = rows.get(name);
      const known = this.rows?.get(name);
      if (!ids) this.rows = null;
      else if (known) for (const id of ids) known.add(id);
      else this.rows?.set(name, new Set(ids));
    }
  }

  /** Forgets it. @returns null where some of it is not known by row */
  take(): ChangedRows | null {
    const { rows } = this;
    this.rows = new Map();
    return rows;
  }
}

/** Reads now and after each change of `names`. @returns what stops it */
export function watchRead<A>(live: LiveRead<A>): () => void {
  const reader = new LiveReader(live);
  reader.start();
  return () => reader.stop();
}
