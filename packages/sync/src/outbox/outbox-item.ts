import type { TableName } from '@cairn/schema';
import type { ConflictKind, FieldConflict } from '../transport/backend.ts';

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
  lockedOutbox: boolean;
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
  aggregateKey: string;
  /** What is let go with it bears the same. */
  discardGroup: string;
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
  /** For rejected entries: the code of that sentence, as `CN111`, where it is one of ours (supabase/error-codes.tsv). */
  reason?: string;
};

/** What this device wrote of one record and the server has not taken. */
export type PendingWrite = { table: TableName; recordId: string; fields: Record<string, unknown> };

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

export type Resolution = { keep: 'mine' } | { keep: 'theirs' } | { keep: 'other'; values: Record<string, unknown> };
