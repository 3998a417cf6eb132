import { columns, type TableName } from '@cairn/schema';
import { dropRecord } from '../push/acknowledge.ts';
import type { Page } from '../transport/backend.ts';
import type { DatabaseTx } from '../store/database.ts';
import { keyAt, keyOf, typeRange } from '../store/record-key.ts';
import { storeOf } from '../store/record.ts';
import { NO_RIGHT, withOwnEditsOnly, revoked } from '../push/apply-push-result.ts';
import { recordEntries } from '../store/queue-edit.ts';
import type { ConflictRecord, QueuedEntry, StoredRecord } from '../store/stored.ts';

/** Marks a scope that is being read anew: what does not come again is dropped at the end. */
const STALE = '~';

/** The scopes it is still held through once these are taken away. */
export const scopesLeft = ({ scopes }: StoredRecord, lost: ReadonlySet<string>): string[] =>
  scopes.filter(scope => !lost.has(scope.startsWith(STALE) ? scope.slice(1) : scope));

/** Whether the record waits to be seen again after a reset; its version then says nothing. */
export const isStale = ({ scopes }: StoredRecord): boolean => scopes.some(scope => scope.startsWith(STALE));

/**
 * The scopes after a row came through `named`. It has been seen again: `named` is every scope of it this person has, so what waited
 * for it in another waits for nothing. Left stale, it would refuse each stub a later page sends of it.
 */
export const withScopes = (scopes: readonly string[], named: readonly string[]): string[] => [
  ...new Set([...scopes.filter(scope => !scope.startsWith(STALE)), ...named]),
];

type UnscopedFields = Pick<StoredRecord, 'lost'> & Partial<Pick<StoredRecord, 'version'>>;
const LOST: UnscopedFields = { lost: true };
/** Not seen again by a new reading, it is unknown to the server: its version says nothing any more. */
const UNKNOWN: UnscopedFields = { lost: true, version: 0 };
/** A restored server knows nothing of the person's belonging there: what they sent waits for it to come back. */
export const FORGOTTEN: UnscopedFields = { version: 0 };

/** What stays of a conflict on this device. */
type ConflictTrim = (conflict: ConflictRecord) => ConflictRecord;

/** Without any scope left a clean record goes; one with unsent edits stays until the server has judged them. */
async function leave(
  tx: DatabaseTx,
  record: StoredRecord,
  scopes: string[],
  left = LOST,
  kept?: ConflictTrim,
): Promise<void> {
  const store = tx.objectStore(storeOf(record.type as TableName));
  if (scopes.length > 0) await store.put({ ...record, scopes }, keyOf(record));
  else if (!record.isDirty) await dropRecord(tx, record);
  else if (await giveUp(tx, record, kept)) return;
  else await store.put({ ...record, scopes, ...left }, keyOf(record));
}

/**
 * The server has refused it already: what the person wrote is kept as a conflict; bytes of a file that still wait are sent.
 *
 * @param kept what stays of the conflict on this device
 */
export async function giveUp(
  tx: DatabaseTx,
  record: StoredRecord,
  kept: ConflictTrim = conflict => conflict,
): Promise<boolean> {
  const queue = tx.objectStore('sync_queue');
  const all = (await queue.index('record').getAll(keyOf(record))) as QueuedEntry[];
  const [first, ...rest] = recordEntries(all);
  if (first?.lastError !== NO_RIGHT) return false;
  const edits = [first, ...rest] as const;
  await tx.objectStore('conflicts').put(kept(revoked(record, edits, first.timestamp)));
  for (const entry of edits) await queue.delete(entry.seq);
  await dropRecord(tx, record);
  return true;
}

/** What a whole pull did not name: nothing says that its person may see it. One whose bytes alone still wait says so already. */
export async function leaveUnplaced(tx: DatabaseTx, record: StoredRecord): Promise<void> {
  if (!record.isSubmitted || !record.isDirty) await leave(tx, record, [], LOST, withOwnEditsOnly);
}

/** Rows that left a scope. */
export async function applyGone(tx: DatabaseTx, owner: string, { gone, order }: Page): Promise<void> {
  for (const [at, table, id] of gone) {
    const record = await tx.objectStore(storeOf(table)).get(keyAt(owner, table, id));
    const scope = order[at];
    if (!record || scope === undefined) continue;
    const scopes = record.scopes.filter(held => held !== scope && held !== STALE + scope);
    await leave(tx, record, scopes);
  }
}

/** Rows only: a photo's bytes, which lie beside its row, are not read. */
async function eachRecord(tx: DatabaseTx, owner: string, visit: (record: StoredRecord) => Promise<void>) {
  for (const table of Object.keys(columns) as TableName[]) {
    const records = await tx.objectStore(storeOf(table)).getAll(typeRange(owner, table));
    for (const record of records) if (record.scopes.length > 0) await visit(record);
  }
}

/** Scopes that were taken away; needs every record store. @param left what is said of work that lies on what goes */
export const dropScopes = (tx: DatabaseTx, owner: string, lost: ReadonlySet<string>, left = LOST): Promise<void> =>
  eachRecord(tx, owner, async record => {
    const scopes = record.scopes.filter(scope => !lost.has(scope));
    if (scopes.length < record.scopes.length) await leave(tx, record, scopes, left);
  });

/** The record, to be seen again through `reset`. */
export async function makeStale(tx: DatabaseTx, record: StoredRecord, reset: ReadonlySet<string>): Promise<void> {
  if (!record.scopes.some(scope => reset.has(scope))) return;
  const scopes = record.scopes.map(scope => (reset.has(scope) ? STALE + scope : scope));
  await tx.objectStore(storeOf(record.type as TableName)).put({ ...record, scopes }, keyOf(record));
}

/** The record, held through other audiences or none, to be seen through `scope` too: it takes the next row whatever its version. */
export async function expectThrough(tx: DatabaseTx, record: StoredRecord, scope: string): Promise<void> {
  const scopes = [...record.scopes, STALE + scope];
  await tx.objectStore(storeOf(record.type as TableName)).put({ ...record, scopes }, keyOf(record));
}

/** A record that was not seen again leaves the scopes it should have come through. */
export async function leaveStale(tx: DatabaseTx, record: StoredRecord): Promise<void> {
  const scopes = record.scopes.filter(scope => !scope.startsWith(STALE));
  if (scopes.length < record.scopes.length) await leave(tx, record, scopes, UNKNOWN);
}

/** Scopes the server starts from the beginning: their records must be seen again. */
export const markStale = (tx: DatabaseTx, owner: string, reset: ReadonlySet<string>): Promise<void> =>
  eachRecord(tx, owner, record => makeStale(tx, record, reset));

/** The scopes read anew are complete: what was not seen again is gone. */
export const dropStale = (tx: DatabaseTx, owner: string): Promise<void> =>
  eachRecord(tx, owner, record => leaveStale(tx, record));
