import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import type { TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import { unwrap } from 'idb';
import type { DatabaseTx } from './database.ts';
import { withEdit, type Edit } from './queue-edit.ts';
import { readTx } from './read-tx.ts';
import { recordAt, unpackRecord } from './bulk-block.ts';
import { keyAt, keyOf } from './record-key.ts';
import { emptyRecord, hydrate, sameJson, rebuildRecord, storeOf, writable } from './record.ts';
import type { WriteTx } from '../store.ts';
import { BYTES, type Data, type QueueEntry, type StoredRecord } from './stored.ts';
import { uploadEntry } from './upload-entry.ts';

/** The server takes at most this many mutations as one unit. */
export const MAX_TOGETHER = 1000;

/**
 * What a write takes: `bytes` of the files in it so far, of which `left` fit before what is kept for words (null: nobody has
 * asked yet); `editsOnly`: it runs on that room; `isRefused`: it carried a file all the same.
 */
export type Size = { bytes: number; left: number | null; editsOnly: boolean; isRefused: boolean };

/** A write carries a file and does not know what fits: the browser cannot be asked while its transaction is open. */
export class QuotaUnknownError extends Error {
  override name = 'QuotaUnknownError';
}

type RecordQueue = { record: StoredRecord | undefined; entries: QueueEntry[] };

type WriteContext = {
  tx: DatabaseTx;
  owner: string;
  device: string;
  now: number;
  together: boolean;
  /** Filled with what the write changed: ids by table. */
  changed: Map<TableName, Set<string>>;
  size: Size;
};

/**
 * A write over the local copy. Every change lays down its record and its outbox entry together, so that even a
 * transaction that ends too early (somebody awaited a foreign promise) leaves no unsent edit without its entry.
 */
class LocalWrite {
  private readonly given: WriteContext;
  private readonly group: string | null;
  private readonly grouped = new Set<string>();
  private turn: Promise<unknown> = Promise.resolve();
  /** What was read to be changed, by table and id; forgotten once it was. */
  private readonly held = new Map<string, RecordQueue>();
  /** Records that were found among many others, by table and id: they are laid down alone when they change. */
  private readonly inBlocks = new Set<string>();
  /** Counts the changes: what was read before one of them is not held after it. */
  private changes = 0;

  constructor(given: WriteContext) {
    this.given = given;
    this.group = given.together ? newId() : null;
  }

  private get queue() {
    return this.given.tx.objectStore('sync_queue');
  }

  /** One change at a time, also when the caller starts several at once. */
  inTurn<A>(step: () => Promise<A>): Promise<A> {
    const next = this.turn.then(step);
    this.turn = next.catch(() => undefined);
    return next;
  }

  async recordOf(table: TableName, id: string): Promise<StoredRecord | undefined> {
    const held = this.held.get(`${table}/${id}`);
    return held ? held.record : this.readRecord(table, id);
  }

  private async readRecord(table: TableName, id: string): Promise<StoredRecord | undefined> {
    const { record, block } = await recordAt(this.given.tx, this.given.owner, table, id);
    if (block) this.inBlocks.add(`${table}/${id}`);
    return record;
  }

  /** The record, and what `apply` will ask for, in one trip. */
  async hold(table: TableName, id: string): Promise<StoredRecord | undefined> {
    const { changes } = this;
    const [record, entries] = await Promise.all([this.readRecord(table, id), this.entriesOf(table, id)]);
    if (changes === this.changes) this.held.set(`${table}/${id}`, { record, entries });
    return record;
  }

  private entriesOf(table: TableName, id: string): Promise<QueueEntry[]> {
    return this.queue.index('record').getAll(keyAt(this.given.owner, table, id));
  }

  private note(table: TableName, id: string): void {
    const { changed } = this.given;
    const ids = changed.get(table);
    if (ids) ids.add(id);
    else changed.set(table, new Set([id]));
  }

  /** Its writes are not awaited one by one: a failed one ends the transaction, and a later read sees them. */
  private async apply(record: StoredRecord, edit: Edit): Promise<void> {
    const table = record.type as TableName;
    const base = record.isDirty ? (record.base ?? null) : record.version > 0 ? record.data : null;
    const held = this.held.get(`${table}/${record.id}`);
    const found = record.isDirty ? (held?.entries ?? (await this.entriesOf(table, record.id))) : [];
    if (this.inBlocks.delete(`${table}/${record.id}`))
      await unpackRecord(this.given.tx, this.given.owner, table, record.id);
    this.changes += 1;
    this.held.clear();
    const before = found.filter(entry => entry.operation !== 'upload');
    const after = withEdit({ ...record, base }, before, edit);
    this.note(table, record.id);
    this.putEntries(before, after);
    const store = unwrap(this.given.tx.objectStore(storeOf(table)));
    if (!base && after.length === 0) store.delete(keyOf(record));
    else store.put(rebuildRecord(record, base, after), keyOf(record));
    if (table === 'media' && edit.operation === 'delete') await this.forgetFile(record.id);
    if (this.group) this.grouped.add(`${table}/${record.id}`);
  }

  /** Only the last entry of a record ever changes. Not awaited, see `apply`. */
  private putEntries(before: QueueEntry[], after: QueueEntry[]): void {
    const queue = unwrap(this.queue);
    const last = after.at(-1);
    const dropped = after.length < before.length ? before.at(-1)?.seq : undefined;
    if (dropped !== undefined) queue.delete(dropped);
    else if (last) queue.put(last);
  }

  private async forgetFile(id: string): Promise<void> {
    for (const entry of await this.entriesOf('media', id)) {
      if (entry.operation === 'upload') await this.queue.delete(entry.seq ?? 0);
    }
    await this.given.tx.objectStore('media').delete(keyAt(this.given.owner, BYTES, id));
  }

  async insert(record: StoredRecord, row: Data): Promise<void> {
    const patch = writable(record.type as TableName, row);
    await this.apply(record, { operation: 'insert', patch, seen: {}, now: this.given.now, group: this.group });
  }

  async update(record: StoredRecord, fields: Data): Promise<void> {
    const given = Object.entries(writable(record.type as TableName, fields));
    const wanted = given.filter(([name, value]) => !sameJson(value, record.data[name]));
    if (wanted.length === 0) return;
    const seen = seenOf(
      record,
      wanted.map(([name]) => name),
    );
    const patch = Object.fromEntries(wanted);
    await this.apply(record, { operation: 'update', patch, seen, now: this.given.now, group: this.group });
  }

  async remove(table: TableName, id: string): Promise<void> {
    const record = await this.recordOf(table, id);
    if (!record || record.deleted) return;
    await this.apply(record, { operation: 'delete', patch: {}, seen: {}, now: this.given.now, group: this.group });
  }

  async putBytes(mediaId: string, bytes: ArrayBuffer): Promise<void> {
    const { tx, owner, now, size } = this.given;
    size.bytes += bytes.byteLength;
    if (size.editsOnly) size.isRefused = true;
    else if (size.left === null) throw new QuotaUnknownError('ask, and run it again');
    if (size.editsOnly || size.bytes > (size.left ?? 0))
      throw new DOMException('the room left is for words', 'QuotaExceededError');
    const queued = await this.entriesOf('media', mediaId);
    const row = await this.recordOf('media', mediaId);
    const kept = { ...emptyRecord(owner, 'media', mediaId), type: BYTES, data: { bytes }, isDirty: true };
    await tx.objectStore('media').put(kept, keyOf(kept));
    this.note('media', mediaId);
    if (queued.some(entry => entry.operation === 'upload')) return;
    await this.queue.add(uploadEntry({ owner, mediaId, size: bytes.byteLength, now, row: row?.data ?? {} }));
  }

  check(): void {
    const { size } = this.grouped;
    if (size <= MAX_TOGETHER) return;
    throw new Failure('invalid', `write: ${size} records together, at most ${MAX_TOGETHER} can be`);
  }
}

/** @returns the transaction as operations see it, and `check` to be called before the commit */
export function writeTx(given: WriteContext): WriteTx & { check(): void } {
  const write = new LocalWrite(given);
  return {
    ...readTx(given.tx, given.owner),
    device: given.device,
    async getToChange(table, id) {
      const record = await write.hold(table, id);
      return record && !record.deleted ? hydrate(table, record.data) : undefined;
    },
    put: (table, row) =>
      write.inTurn(async () => {
        const { id } = row as { id: string };
        const record = await write.recordOf(table, id);
        if (record && !record.deleted) await write.update(record, row);
        else await write.insert(record ?? emptyRecord(given.owner, table, id), row);
      }),
    change: (table, id, fields) =>
      write.inTurn(async () => {
        const record = await write.recordOf(table, id);
        if (!record || record.deleted) throw new Failure('not_found', `change: no ${table} ${id} on this device`);
        await write.update(record, fields);
      }),
    remove: (table, id) => write.inTurn(() => write.remove(table, id)),
    putBytes: (mediaId, bytes) => write.inTurn(() => write.putBytes(mediaId, bytes)),
    check: () => write.check(),
  };
}

/** What the person saw: the fields they change, and those that stand or fall with them. */
function seenOf(record: StoredRecord, fields: readonly string[]): Data {
  const groups = syncedTables[record.type as TableName].groups.filter(group =>
    group.some(name => fields.includes(name)),
  );
  const names = new Set([...fields, ...groups.flat()]);
  return Object.fromEntries([...names].map(name => [name, record.data[name] ?? null]));
}
