import type { TableName } from '@cairn/schema';

/** The wire of docs/sync-protocol.md, as types. One implementation speaks supabase-js, one speaks SQL in tests. */
export type Cursor = [epoch: string, v: number, t: string, id: string];

export type PullRequest = {
  cursors: Record<string, Cursor>;
  device: string;
  limit: number;
  /** Hears where the page ends before all of it is here; not before `pull` has returned, and never where that cannot be told. */
  onHead?: (head: PageHead) => void;
  /** Hears that some of the page came. */
  onMoved?: () => void;
};

/** Where a page ends: the next one can be asked for. */
export type PageHead = Pick<PullAnswer, 'scopes' | 'more'>;

/** A row as it comes: `_s` are the scopes it came through, as places in the answer's `order`. */
export type WireRow = Record<string, unknown> & { id: string; version: number; _s: number[] };

/** A value for each row, in their order; null where no row has one; or the value all of them have. */
export type PackedColumn = readonly unknown[] | { constant: unknown } | null;

/** Rows of one table column by column: `vals[n]` holds column `cols[n]`. */
export type PackedTable = { cols: readonly string[]; vals: readonly PackedColumn[] };

export type PullAnswer = {
  scopes: Record<string, Cursor>;
  order: string[];
  resets: string[];
  rows: Partial<Record<TableName, WireRow[]>>;
  stubs: Partial<Record<TableName, [id: string, version: number, scopes: number[]][]>>;
  gone: [scope: number, table: TableName, id: string][];
  more: boolean;
  now: string;
};

/** Rows of one table, one by one or column by column. */
export type SomeRows = readonly WireRow[] | PackedTable;

/** An answer as the engine takes it: the rows of a table as they came. */
export type Page = Omit<PullAnswer, 'rows'> & { rows: Partial<Record<TableName, SomeRows>> };

export type MutationOp = 'insert' | 'update' | 'delete' | 'resolve';

export type Mutation = {
  mid: string;
  t: TableName;
  id: string;
  op: MutationOp;
  patch: Record<string, unknown>;
  base: Record<string, unknown>;
  bv: number;
  at: string;
  group?: string;
  conflict?: string;
  /** Sent again to a server that has lost it: the row's version after it. */
  av?: number;
  /** With `av`: it had changed nothing. */
  unchanged?: true;
};

export type FieldConflict = { f: string; base: unknown; mine: unknown; theirs: unknown };

export type ConflictKind = 'fields' | 'deleted_remotely' | 'edited_remotely' | 'missing_or_hidden' | 'access_revoked';

export type PushResult = { mid: string; dup?: boolean } & (
  | { st: 'applied'; v: number; d: Record<string, unknown>; unchanged?: true }
  | { st: 'merged'; v: number; row: Record<string, unknown>; unchanged?: true }
  | {
      st: 'conflict';
      v: number;
      unchanged?: true;
      row: Record<string, unknown> | null;
      cid: string;
      kind: ConflictKind;
      fields: FieldConflict[];
    }
  /** `reason`: the sentence's own code, as `CN111`, where the refusal is one of ours (supabase/error-codes.tsv). */
  | { st: 'rejected'; code: string; msg: string; reason?: string }
);

/** `rest`: how many at the end of what was sent were not judged, for the call had its time; they go again. */
export type PushAnswer = { results: PushResult[]; rest?: number; now: string };

/** Of what people say of policies only what agrees stands under its table: opening one is no acknowledgement. */
export type ReceiptContents = Partial<Record<TableName | 'policy_openings' | 'policy_declines', number>>;

export type Receipt = {
  id: string;
  no: string;
  /** When the last record of it arrived, the time that record itself shows. */
  received_at: string;
  /** When its last file was complete; null or missing without files. */
  files_at?: string | null;
  /** When the person did the last of it, by their device's clock. */
  device_at: string;
  contents: ReceiptContents;
};

export type ReceiptAnswer =
  | ({ complete: true } & Receipt)
  | { complete: false; missing_mids: string[]; missing_media: string[] };

/** How far an upload that goes in pieces has come. */
export type UploadPlace = {
  /** Where the server takes the rest of it; below its own address. */
  path: string;
  /** Bytes the server said it has. */
  offset: number;
};

export type Upload = {
  id: string;
  organizationId: string;
  bytes: ArrayBuffer;
  mime: string;
  sha256: string;
  /** Lets an upload go on where it broke off, also after the app was killed. Without it the file goes in one request. */
  resume?: {
    at: UploadPlace | null;
    /** Keeps how far it is; null when it starts anew. Awaited before more is sent. */
    moved(place: UploadPlace | null): Promise<void>;
  };
};

/** `length` bytes of a file, from the one at `offset` on. */
export type FilePart = { organizationId: string; mediaId: string; offset: number; length: number };

/** Why a call did not give an answer; decides what the queue does (docs/sync-protocol.md). */
export type BackendErrorKind = 'network' | 'auth' | 'busy' | 'refused' | 'too_large' | 'mismatch';

export class BackendError extends Error {
  override name = 'BackendError';
  readonly kind: BackendErrorKind;
  /** SQLSTATE, GoTrue or Storage code, where the server gave one. */
  readonly code: string | null;
  /** Milliseconds the server asked to wait (Retry-After). */
  readonly retryAfter: number | null;

  constructor(kind: BackendErrorKind, message: string, code: string | null = null, retryAfter: number | null = null) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** What became of work handed over: ids of what the organisation's review queue does not take. */
export type SubmissionAnswer = { accepted: number; known: string[]; refused: string[] };

/** What the caller's scopes hold: where each stands, and its tables' rows and hash (`row-hash.ts`). */
export type Digest = Record<string, { at: ScopeVersion; sums: Partial<Record<TableName, WireSum>> }>;
/** A scope's epoch and version. */
export type ScopeVersion = [epoch: string, v: number];
export type WireSum = [n: number, hash: string];

export type RepairRequest = {
  scope: string;
  table: TableName;
  /** What the device holds by bucket; empty buckets are left out. */
  sums: Record<number, WireSum>;
  device: string;
  limit: number;
};
/** `wrong` buckets differ; all rows of those named come with it. */
export type RepairAnswer = {
  at: ScopeVersion;
  order: string[];
  wrong: number;
  buckets: number[];
  rows: WireRow[];
};
/** Somebody's work for one organisation, out of a rescue file. */
export type EditsOnBehalf = { organizationId: string; author: string; device: string; mutations: Mutation[] };

export interface Backend {
  /** What the scopes hold, for the tables this app knows. */
  digest(tables: readonly TableName[], signal: AbortSignal): Promise<Digest>;
  repair(request: RepairRequest, signal: AbortSignal): Promise<RepairAnswer>;
  /** Which of these mutations the server knows nothing of; at most 5000. */
  missing(mids: readonly string[], signal: AbortSignal): Promise<string[]>;
  pull(request: PullRequest, signal: AbortSignal): Promise<Page>;
  push(device: string, mutations: Mutation[], signal: AbortSignal): Promise<PushAnswer>;
  receipt(
    request: { id: string; device: string; mids: string[]; deviceAt: string },
    signal: AbortSignal,
  ): Promise<ReceiptAnswer>;
  /** Stores the bytes; a file that is already there counts as stored. */
  upload(file: Upload, onProgress: (sent: number) => void, signal: AbortSignal): Promise<void>;
  /** Asks the server to hash what it stored; throws kind `mismatch` when it differs. */
  confirmUpload(mediaId: string, signal: AbortSignal): Promise<{ sha256: string; bytes: number }>;
  download(organizationId: string, mediaId: string, signal: AbortSignal): Promise<ArrayBuffer>;
  /** Some bytes of a file; fewer only where it ends. */
  downloadPart(part: FilePart, signal: AbortSignal): Promise<ArrayBuffer>;
  /** Work for an organisation one is no member of any more, for its administrators; at most 50 mutations. */
  submitOrphanedEdits(
    organizationId: string,
    device: string,
    mutations: Mutation[],
    signal: AbortSignal,
  ): Promise<SubmissionAnswer>;
  /** Brings another's work into an organisation's review queue, in their name; for who reviews it, at most 50 mutations. */
  submitOnBehalf(work: EditsOnBehalf, signal: AbortSignal): Promise<SubmissionAnswer>;
  /** Listens for "pull now" on the given scopes; returns what stops it. Carries no data. */
  onNudge(scopes: string[], listener: () => void): () => void;
}
