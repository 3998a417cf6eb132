import type { Receipt } from '../transport/backend.ts';
import type { DiscardResult } from '../outbox/discard.ts';
import type { SubmittedEdit } from '../push/submitted-edits.ts';
import type { Health } from '../store/health.ts';
import type { LargeFileStore } from '../files/lazy-large-files.ts';
import type { LockedOutbox } from '../recovery/locked-outbox.ts';
import type { OfflineChoice } from '../outbox/offline-choice.ts';
import type { OfflineFiles } from '../pull/offline-files.ts';
import type { Conflict, OutboxItem, Resolution, SyncStatus, PendingWrite } from '../outbox/outbox-item.ts';
import type { Rescue } from '../recovery/rescue.ts';
import type { StorageUse } from '../files/storage-use.ts';
import type { Store } from '../store.ts';
import type { UnfinishedWork } from '../files/unfinished-work.ts';

export interface SyncEngine {
  readonly store: Store;
  start(): void;
  /** Stops timers and requests and closes the database; what is queued stays queued. */
  stop(): Promise<void>;
  /** Push and pull now, past any back-off. */
  syncNow(): void;
  /** Sends the files that wait at this moment on whichever network there is; later ones wait as the person wants it. */
  sendFilesAnyway(): Promise<void>;
  /** Compares with the server, row by row where they differ, with the next contact; `watchHealth` says how it ended. */
  check(): Promise<void>;
  /** Calls back now and on each change. */
  watchStatus(listener: (status: SyncStatus) => void): () => void;
  /** What nobody has acknowledged yet, counted now: the figures of `watchStatus` may be a third of a second old. */
  pending(): Promise<{ records: number; files: number }>;
  /** What these lines of the outbox say of their records: the words of this device alone. Lines that are gone are passed over. */
  wrote(outboxKeys: readonly string[]): Promise<PendingWrite[]>;
  watchHealth(listener: (health: Health) => void): () => void;
  /** As the two below it: `onError` hears that it could not be read, once, and then nothing more is told. */
  watchOutbox(listener: (items: OutboxItem[]) => void, onError?: (error: unknown) => void): () => void;
  watchConflicts(listener: (conflicts: Conflict[]) => void, onError?: (error: unknown) => void): () => void;
  watchReceipts(listener: (receipts: Receipt[]) => void, onError?: (error: unknown) => void): () => void;
  /** Calls back with the work this device handed to former organisations, oldest first. */
  watchSubmitted(listener: (edits: SubmittedEdit[]) => void): () => void;
  /** Calls back when records got other ids (decision 04): old ones and new ones. */
  watchRenamed(listener: (ids: ReadonlyMap<string, string>) => void): () => void;
  retry(outboxKey: string): Promise<void>;
  retryAll(): Promise<void>;
  /**
   * Throws a line of the outbox away and restores what the server has; what waits goes with its `whole`. Only after the person
   * confirmed. `on_its_way`: the server is being told of it just now, nothing was changed.
   */
  discard(outboxKey: string): Promise<DiscardResult>;
  /** Unknown ids do nothing (R5.09). */
  resolve(conflictId: string, resolution: Resolution): Promise<void>;
  /** Bytes of a file: from the device, else downloaded and kept. */
  file(mediaId: string): Promise<ArrayBuffer>;
  readonly largeFiles: LargeFileStore;
  readonly offlineFiles: OfflineFiles;
  readonly rescue: Rescue;
  readonly lockedOutbox: LockedOutbox;
  readonly offlineChoice: OfflineChoice;
  readonly unfinished: UnfinishedWork;
  /** What takes room on this device, the largest first. */
  storageUse(): Promise<StorageUse[]>;
}
