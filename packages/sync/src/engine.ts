import type { TableName } from '@cairn/schema';
import type { FieldConflict, ConflictKind, Receipt } from './backend.ts';
import type { Discarded } from './discard.ts';
import type { HandedPiece } from './handed.ts';
import type { Health } from './health.ts';
import type { KeptFiles } from './keep-when-asked.ts';
import type { OfflineChoice } from './offline-choice.ts';
import type { OfflineFiles } from './offline-files.ts';
import type { Rescue } from './rescue.ts';
import type { Taken } from './rescue-take.ts';
import type { StorageUse } from './storage-use.ts';
import type { Store } from './store.ts';
import type { UnfinishedWork } from './unfinished-work.ts';

/** What the sync badge and the offline strip show. Every figure is a fact from the device's database. */
export type SyncStatus = {
  online: boolean;
  /** Offline because the person wants it so. */
  offlineByChoice: boolean;
  phase: 'idle' | 'pushing' | 'pulling' | 'uploading' | 'waiting' | 'paused_auth';
  /** Records with work not yet acknowledged; answers and media rows count under their inspection, or with their file. */
  pendingItems: number;
  /** How many of them are issue reports. */
  pendingReports: number;
  /** Files not yet confirmed by the server. */
  pendingFiles: number;
  /** Why files stay although there is a network: the person wants none sent on mobile data. Absent while nothing holds them. */
  filesWait?: 'wifi';
  /** What the server refused, counted as `pendingItems` are; it is among these. */
  failed: number;
  conflicts: number;
  /** Work of an earlier sign-out lies here that the present password did not open. */
  lockedWork: boolean;
  /** ms since 1970, of the oldest edit not yet acknowledged. */
  oldestPendingAt: number | null;
  lastPullAt: number | null;
  /** True until the first full pull on this device has ended. */
  firstPull: boolean;
};

export type OutboxState = 'waiting' | 'sending' | 'retrying' | 'failed';

/** One entry of the outbox as the sync page lists it: one record (or file) with everything queued for it. */
export type OutboxItem = {
  key: string;
  table: TableName;
  recordId: string;
  kind: 'record' | 'file';
  /** What the badge counts it under, as `table/id`: an answer and a photo under their inspection, else itself. */
  under: string;
  /** What is let go with it bears the same. */
  whole: string;
  /** A short name of the record for people: its title, or the form's name. */
  title: string | null;
  operation: 'insert' | 'update' | 'delete' | 'resolve' | 'upload';
  edits: number;
  at: number;
  state: OutboxState;
  attempts: number;
  /** SQLSTATE or kind of the last error; the screen turns it into words. */
  lastError: string | null;
  bytes: number | null;
  sentBytes: number | null;
  /** What a file is, by its row; absent where that is not here, and of everything else. */
  mime?: string;
  /** What a word on a policy says where it does not agree; absent of everything else. Filled in by whoever names the items. */
  policyState?: 'opened' | 'declined';
  /** Why a file stays although there is a network. */
  waits?: 'wifi';
  /** For rejected entries: developer detail under "details". */
  detail: string | null;
};

/** What this device wrote of one record and the server has not taken. */
export type Wrote = { table: TableName; recordId: string; fields: Record<string, unknown> };

export type Conflict = {
  id: string;
  table: TableName;
  recordId: string;
  title: string | null;
  kind: ConflictKind;
  fields: FieldConflict[];
  /** What this device wanted to write; the only copy of it where the record is gone. */
  mine: Record<string, unknown>;
  at: number;
  resolved: boolean;
  /** What was chosen, and when (ms since 1970); null while it is open. */
  resolution: Resolution['keep'] | null;
  resolvedAt: number | null;
  /** The values that were written in place of both. */
  written: Record<string, unknown> | null;
};

/** Work of an earlier time on this device that the present password did not open. */
export interface LockedWork {
  isThere(): Promise<boolean>;
  /** @throws {SealFailure} `decrypt` when this is not what it was closed with */
  unlock(password: string): Promise<Taken | null>;
}

export type Resolution = { keep: 'mine' } | { keep: 'theirs' } | { keep: 'other'; values: Record<string, unknown> };

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
  wrote(outboxKeys: readonly string[]): Promise<Wrote[]>;
  watchHealth(listener: (health: Health) => void): () => void;
  /** As the two below it: `onError` hears that it could not be read, once, and then nothing more is told. */
  watchOutbox(listener: (items: OutboxItem[]) => void, onError?: (error: unknown) => void): () => void;
  watchConflicts(listener: (conflicts: Conflict[]) => void, onError?: (error: unknown) => void): () => void;
  watchReceipts(listener: (receipts: Receipt[]) => void, onError?: (error: unknown) => void): () => void;
  /** Calls back with the work this device handed to former organisations, oldest first. */
  watchHanded(listener: (pieces: HandedPiece[]) => void): () => void;
  /** Calls back when records got other ids (decision 0200): old ones and new ones. */
  watchRenamed(listener: (ids: ReadonlyMap<string, string>) => void): () => void;
  retry(outboxKey: string): Promise<void>;
  retryAll(): Promise<void>;
  /**
   * Throws a line of the outbox away and restores what the server has; what waits goes with its `whole`. Only after the person
   * confirmed. `on_its_way`: the server is being told of it just now, nothing was changed.
   */
  discard(outboxKey: string): Promise<Discarded>;
  /** Unknown ids do nothing (R5.09). */
  resolve(conflictId: string, resolution: Resolution): Promise<void>;
  /** Bytes of a file: from the device, else downloaded and kept. */
  file(mediaId: string): Promise<ArrayBuffer>;
  readonly kept: KeptFiles;
  readonly offlineFiles: OfflineFiles;
  readonly rescue: Rescue;
  readonly lockedWork: LockedWork;
  readonly offlineChoice: OfflineChoice;
  readonly unfinished: UnfinishedWork;
  /** What takes room on this device, the largest first. */
  storageUse(): Promise<StorageUse[]>;
}
