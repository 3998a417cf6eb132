import type { Draft, Row, TableName } from '@cairn/schema';

/**
 * One read or write transaction over the local copy (IndexedDB). Inside a transaction await nothing but its own
 * methods: IndexedDB commits as soon as another promise is awaited.
 */
export interface Tx {
  get<T extends TableName>(table: T, id: string): Promise<Row<T> | undefined>;
  /** Every row of the table on this device, in no order. */
  all<T extends TableName>(table: T): Promise<Row<T>[]>;
  /**
   * Rows by a named key of the table (see `synced-tables.ts`), from..to inclusive, in key order.
   * Keys are strings compared by code unit; `range('inspections', 'due', '2026-11-21', '2026-11-22')`.
   */
  range<T extends TableName>(table: T, key: string, from: string, to: string, limit?: number): Promise<Row<T>[]>;
  /** The last `limit` rows by a named key that `keep` takes, the last first; reads no further than it must. */
  latest<T extends TableName>(table: T, key: string, limit: number, keep: (row: Row<T>) => boolean): Promise<Row<T>[]>;
  count<T extends TableName>(table: T, key: string, from: string, to: string): Promise<number>;
  /** The bytes of a captured or downloaded file, by media id. */
  bytes(mediaId: string): Promise<ArrayBuffer | undefined>;
}

export interface WriteTx extends Tx {
  /** Which device this copy lies on: an id of chance, made when it was first opened there. */
  readonly device: string;
  /**
   * A row that this write is about to put or change: what that takes comes in the same trip to the database. Costs a request
   * more than `get`.
   */
  getToChange<T extends TableName>(table: T, id: string): Promise<Row<T> | undefined>;
  /** Inserts the row, or updates it where it exists: only fields that differ from the present ones are queued. */
  put<T extends TableName>(table: T, row: Draft<T>): Promise<void>;
  /** Changes some fields of a row that exists; throws Failure `not_found` otherwise. */
  change<T extends TableName>(table: T, id: string, fields: Partial<Draft<T>>): Promise<void>;
  remove<T extends TableName>(table: T, id: string): Promise<void>;
  /** Keeps a file's bytes on the device and queues their upload; its `media` row is put in the same transaction. */
  putBytes(mediaId: string, bytes: ArrayBuffer): Promise<void>;
}

/** A named read. `key` identifies the answer (same key = same read); `tables` say when it can change. */
export type Query<Answer> = {
  key: string;
  tables: readonly TableName[];
  read(tx: Tx): Promise<Answer>;
  /**
   * The answer after few rows changed, made from the last one instead of reading everything again: the same as `read` gives
   * then, or null where only `read` can say. A store may do without it. It asks for all it needs before it first awaits: nothing
   * can be asked after that.
   *
   * @param changed ids of the rows that changed, came or went, by table
   */
  renew?(before: Answer, changed: ReadonlyMap<string, ReadonlySet<string>>, tx: Tx): Promise<Answer | null>;
  /**
   * Kept fresh for a while after the last screen that showed it was left, so that whoever comes back sees it at once. For reads that
   * carry much (the text of every policy) over tables that seldom change: each change reads it again, with nobody there to look.
   */
  lingers?: true;
};

/** What one write may say of itself. */
export type WriteOptions = {
  /** All records of this write are applied by the server together or not at all. */
  together?: boolean;
};

export interface Store {
  /** Who this copy belongs to: the signed-in person's id. */
  readonly owner: string;
  /** Calls `onAnswer` now and after every change; `onError` at most once. */
  watch<A>(query: Query<A>, onAnswer: (answer: A) => void, onError: (error: unknown) => void): () => void;
  /** One read outside any watch. */
  read<A>(query: Query<A>): Promise<A>;
  /**
   * Applies `change` locally and queues it for the server, in one strict transaction; resolves once it is committed.
   * `name` is for diagnostics, e.g. `field-ops.answer`.
   */
  write<A>(name: string, change: (tx: WriteTx) => Promise<A>, options?: WriteOptions): Promise<A>;
}
