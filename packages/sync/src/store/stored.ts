import type { ConflictKind, FieldConflict, MutationOp } from '../transport/backend.ts';
import type { RecordKey } from './record-key.ts';

export type Data = Record<string, unknown>;

/** One record of the device database: the specified six fields, then what sync needs beside them. */
export type StoredRecord = {
  id: string;
  /** The table, or the kind of a record that is no row (`receipt`, `media_bytes`, `setting`). */
  type: string;
  data: Data;
  /** ms since 1970 of the last word from the server; null before the first. */
  lastSync: number | null;
  isDirty: boolean;
  syncPriority: number;
  /** Whose copy this is; '' for what belongs to the device. */
  owner: string;
  /** The server's row below pending edits; only while dirty, null when the server has none yet. */
  base?: Data | null;
  /** The server's row version; 0 before the first. */
  version: number;
  /** Scopes it came through; a leading ~ marks one that is being read anew. */
  scopes: string[];
  /** Strings of the multi-entry index, see `keysOf`. */
  keys: string[];
  /** Deleted here, not yet on the server; hidden from reads. */
  deleted?: true;
  /** All its scopes were taken away while it had unsent edits. */
  lost?: true;
  /** A photo's row this person may see no more, or that lies in a former organisation's review queue: only its bytes are still to be sent. */
  isSubmitted?: true;
};

export type EntryState = 'waiting' | 'sending' | 'failed';

/** One entry of the outbox: the specified seven fields, then the mutation's own. Frozen once `attempt` > 0. */
export type QueueEntry = {
  /** Given by the store: order of queueing over all tabs. */
  seq?: number;
  operation: MutationOp | 'upload';
  dataType: string;
  dataId: string;
  /** The changed fields with their new values. */
  data: Data;
  priority: number;
  /** ms since 1970, device clock, of the last edit in it. */
  timestamp: number;
  /** For display; nothing is ever dropped for it. */
  retryCount: number;
  mid: string;
  owner: string;
  /** Key of the record it changes. */
  record: RecordKey;
  /** The changed fields as they stood when the person edited. */
  base: Data;
  bv: number;
  state: EntryState;
  /** Sends begun with this very body. */
  attempt: number;
  /** Sends whose end this client never saw (it was killed). */
  crashes: number;
  notBefore: number;
  lastError: string | null;
  detail: string | null;
  /** Why it was refused, as `CN111`: the code of the sentence in `detail`, where that is one of ours. */
  reason?: string;
  group?: string;
  conflict?: string;
  /** The row's version after it, once acknowledged; it goes again to a server that has lost it. */
  acked?: number;
  /** It had changed nothing: what it says stood there already, and that version was somebody else's. */
  unchanged?: true;
  /** The organisation it is work for, where its record left this device with the hand-over. */
  organization?: string;
  /** The organisation it is work for, once acknowledged or refused for want of a membership: its record may go before it does. */
  organizationId?: string;
  /** Sent once more, because the review queue said that its person is a member. */
  backAgain?: true;
  /** Lies in a rescue file, or came from one: another device may send it under this id, so its body never changes. */
  copied?: true;
  /** What it counts under on the badge, e.g. `inspections/<id>`. */
  aggregateKey: string;
  title: string | null;
};

/** An entry read from the store. */
export type QueuedEntry = QueueEntry & { seq: number };

/** The specified six fields, then whose and what. */
export type ConflictRecord = {
  dataId: string;
  conflict: { kind: ConflictKind; fields: FieldConflict[]; operation: MutationOp; mine: Data };
  /** ms since 1970 */
  timestamp: number;
  resolved: boolean;
  resolution: 'mine' | 'theirs' | 'other' | null;
  resolvedAt: number | null;
  owner: string;
  type: string;
  cid: string;
  title: string | null;
  /** Whose record it is about: that may be gone by the time this person is. Missing in what earlier builds noted. */
  organizationId?: string;
  /** What was written in place of both values. */
  written?: Data;
  /** Made on this device; the server knows no conflict of this id. */
  local?: true;
};

export type MetaEntry = { owner: string; name: string; value: unknown };

/** Entry of `meta`, of the device: its id, made with the database. */
export const DEVICE_ID = 'device';

/** The owner of what belongs to the device and to no person. */
export const DEVICE = '';
export const BYTES = 'media_bytes';
export const RECEIPT = 'receipt';
/** Names work in `meta` that was closed at a sign-out (see kept-work.ts). */
export const SEALED_OUTBOX = 'sealed_outbox';
