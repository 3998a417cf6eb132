import type { Clock } from '@cairn/base/clock.ts';

/** Exclusive right to something named, shared by all tabs of this origin. */
export interface Locks {
  /** Waits for `name`, runs `held`, and keeps the lock until its promise settles or `signal` aborts the waiting. */
  hold(name: string, signal: AbortSignal, held: () => Promise<void>): Promise<void>;
}

/** Messages between the tabs of one device; lost messages cost freshness, never correctness. */
export interface Channel {
  post(message: unknown): void;
  /** @returns what stops listening */
  listen(listener: (message: unknown) => void): () => void;
  close(): void;
}

export type NetworkEvent = 'online' | 'offline' | 'visible' | 'hidden';

/** What the device believes about its network: a hint only, an attempt decides. */
export interface Network {
  online(): boolean;
  /** Whether it is a mobile network, where the machine says so. */
  isMobile?(): boolean;
  /** Calls back when the network came or went, and when the app came to the front or went from there. */
  onChange(listener: (event: NetworkEvent) => void): () => void;
}

/** Small strings that live outside the device database (localStorage). */
export interface KeyValue {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Whole files by name that live outside the device database, and survive it (Cache storage). */
export interface BackupFiles {
  /** Null also where the browser refuses the place. */
  get(name: string): Promise<Blob | null>;
  /** @throws {DOMException} where there is no room, or the browser refuses the place */
  put(name: string, content: Blob): Promise<void>;
  delete(name: string): Promise<void>;
  /** Names that begin so. */
  list(beginning: string): Promise<string[]>;
}

/** What the engine takes from the machine it runs on; tests give virtual ones. */
export type Platform = {
  clock: Clock;
  /** 0 ≤ x < 1 */
  random(): number;
  locks: Locks;
  openChannel(name: string): Channel;
  network: Network;
  keyValue: KeyValue;
  /** Null where the machine has no such place. */
  backupFiles: BackupFiles | null;
  /** Share of the storage this origin may use that is taken, 0..1; 0 where the browser does not say. */
  storageRatio(): Promise<number>;
  /** Bytes this origin may still take; infinite where the browser does not say. */
  storageLeft(): Promise<number>;
  /** Asks the browser to keep the device's data when room gets short; it may decline. */
  persist(): Promise<void>;
  /**
   * Bytes kept aside for the day the storage is full, and as many at its end that no file may take; 0 for none.
   */
  reserveBytes: number;
  bulkLoad: BulkLoadSize;
};

/**
 * From how many rows of a table a first pull lets them land (bulk-load.ts), how many to a value, and how many at most: pages read
 * them from memory until they are laid down.
 */
export type BulkLoadSize = { least: number; block: number; most: number };
