import type { TableName } from '@cairn/schema';
import { submittedEntries, pruneSubmitted } from './submitted-edits.ts';
import { JOURNAL, KEPT } from '../store/journal-page.ts';
import { REQUEST_DEADLINE, withDeadline } from '../transport/deadline.ts';
import type { DatabaseTx } from '../store/database.ts';
import { recordEntries } from '../store/queue-edit.ts';
import { LAST } from '../store/read-tx.ts';
import { keyAt, keyOf, typeRange } from '../store/record-key.ts';
import { emptyRecord, rebuildRecord, storeOf } from '../store/record.ts';
import { fenced, type Session } from '../store/session.ts';
import { BYTES, type QueuedEntry, type StoredRecord } from '../store/stored.ts';
import { uploadEntry } from '../store/upload-entry.ts';

/** Characters of JSON kept at most; the oldest go first. */
const MAX_JOURNAL_CHARS = 16 * 1024 * 1024;
/** The server is asked for at most this many at once. */
const ASKED = 5000;

const journalRange = (owner: string) => IDBKeyRange.bound([owner, JOURNAL], [owner, JOURNAL + LAST]);

/** Forgets what is older than 14 days, and the oldest of what is more than fits. */
export function pruneJournal(session: Session): Promise<void> {
  const { owner, platform } = session;
  const oldest = platform.clock.now() - KEPT;
  return fenced(session, { stores: [] }, async tx => {
    const meta = tx.objectStore('meta');
    const names = (await meta.getAllKeys(journalRange(owner))).map(([, name]) => name).toReversed();
    let budget = MAX_JOURNAL_CHARS;
    for (const name of names) {
      const [at, size] = name.slice(JOURNAL.length).split('/').map(Number) as [number, number];
      budget -= size;
      if (budget < 0 || at < oldest) await meta.delete([owner, name]);
    }
    await pruneSubmitted(tx, owner, platform.clock.now());
  });
}

/**
 * Which acknowledged edits the server has lost, and which it no longer has in a review queue, in the order they were made.
 *
 * @throws {BackendError} when the server gave no answer
 */
export async function lostByServer(session: Session, signal: AbortSignal): Promise<QueuedEntry[]> {
  const { db, owner, backend, platform } = session;
  const pages = await (await db.transaction(['meta'], 'readonly')).objectStore('meta').getAll(journalRange(owner));
  const pushed = pages.flatMap(({ value }) => value as QueuedEntry[]);
  const kept = [...pushed, ...(await submittedEntries(session, platform.clock.now()))];
  const lost = new Set<string>();
  for (let at = 0; at < kept.length; at += ASKED) {
    const mids = kept.slice(at, at + ASKED).map(({ mid }) => mid);
    const answer = await withDeadline(platform.clock, signal, REQUEST_DEADLINE, inner => backend.missing(mids, inner));
    for (const mid of answer) lost.add(mid);
  }
  return kept.filter(({ mid }) => lost.has(mid)).toSorted((a, b) => a.seq - b.seq);
}

/**
 * As it was sent, at its old place in the queue: before everything its person did later, and in the order it was done in, whatever
 * the tables. What was approved takes no answer that comes late.
 */
const again = (entry: QueuedEntry): QueuedEntry => ({
  ...entry,
  priority: 0,
  state: 'waiting',
  attempt: Math.max(1, entry.attempt),
  crashes: 0,
  notBefore: 0,
  lastError: null,
  detail: null,
});

async function takeOut(tx: DatabaseTx, owner: string, mids: ReadonlySet<string>): Promise<void> {
  const meta = tx.objectStore('meta');
  for (const page of await meta.getAll(journalRange(owner))) {
    const left = (page.value as QueuedEntry[]).filter(({ mid }) => !mids.has(mid));
    if (left.length > 0) await meta.put({ ...page, value: left });
    else await meta.delete([owner, page.name]);
  }
}

/** Queues lost edits again; needs the queue and every store of records. They show on their records until they are sent. */
export async function requeue(tx: DatabaseTx, owner: string, lost: readonly QueuedEntry[]): Promise<void> {
  const queue = tx.objectStore('sync_queue');
  await takeOut(tx, owner, new Set(lost.map(({ mid }) => mid)));
  for (const entry of lost) await queue.put(again(entry));
  // By the first of each: an insert comes before the edits of its record.
  const records = new Map(lost.toReversed().map(entry => [`${entry.dataType}/${entry.dataId}`, entry]));
  for (const { dataType, dataId, operation, organization: formerOrganizationId } of records.values()) {
    const table = dataType as TableName;
    const store = tx.objectStore(storeOf(table));
    const held = await store.get(keyAt(owner, table, dataId));
    // An edit of what left with the hand-over: there is nothing here it could show on.
    if (formerOrganizationId !== undefined && operation !== 'insert' && !held) continue;
    const record = held ?? emptyRecord(owner, table, dataId);
    const base = held?.isDirty ? (held.base ?? null) : (held?.data ?? null);
    const all = (await queue.index('record').getAll(keyOf(record))) as QueuedEntry[];
    await store.put(rebuildRecord(record, base, recordEntries(all)), keyOf(record));
  }
}

/** Version 0: the new reading did not find the row, which goes again too. */
const needsBytes = ({ data, version }: StoredRecord, owner: string): boolean =>
  (data['state'] !== 'complete' || version === 0) && data['captured_by'] === owner;

/** Of these rows, or all: files this person captured, which the server has not any more and this device still has, go up again. */
export async function resendFiles(
  tx: DatabaseTx,
  owner: string,
  now: number,
  rows?: readonly StoredRecord[],
): Promise<void> {
  const media = tx.objectStore('media');
  for (const record of rows ?? (await media.getAll(typeRange(owner, 'media')))) {
    if (!needsBytes(record, owner)) continue;
    const bytes = await media.get(keyAt(owner, BYTES, record.id));
    const kept = bytes?.data['bytes'];
    if (!bytes || bytes.isDirty || !(kept instanceof ArrayBuffer)) continue;
    await media.put({ ...bytes, isDirty: true }, keyOf(bytes));
    await tx
      .objectStore('sync_queue')
      .add(uploadEntry({ owner, mediaId: record.id, size: kept.byteLength, now, row: record.data }));
  }
}
