import type { TableName } from '@cairn/schema';
import { actedAt } from './acted-at.ts';
import { BackendError, type PushAnswer, type PushResult } from '../transport/backend.ts';
import { CONFLICTS, QUEUE } from '../store/changes.ts';
import { unwrap } from 'idb';
import type { AnyStore } from '../store/database-schema.ts';
import type { DatabaseTx } from '../store/database.ts';
import { dropHeld } from '../files/held-files.ts';
import { journalPage } from '../store/journal-page.ts';
import { keyAt, keyOf } from '../store/record-key.ts';
import { recordEntries } from '../store/queue-edit.ts';
import { emptyRecord, organizationIn, storeOf } from '../store/record.ts';
import { fenced, type Session } from '../store/session.ts';
import { organizationIdIn, applyPushResult, type Outcome } from './apply-push-result.ts';
import { BYTES, type QueuedEntry, type StoredRecord } from '../store/stored.ts';

/** An acknowledged mutation waits here for its receipt. */
export type AcknowledgedMutation = {
  mid: string;
  mediaId: string | null;
  /** ms since 1970, when it was saved. */
  at: number;
  /** ms since 1970, when its person did it; missing in what earlier builds noted. */
  did?: number;
};
export const ACKNOWLEDGED = 'acked/';
/** Records of the server's, acknowledged or out of a rescue file, whose scope no pull has named yet: `[table, id]`. */
export const UNPLACED = 'unplaced/';

type RecordRef = Pick<StoredRecord, 'owner' | 'type' | 'id'>;

/** Takes the record off the device, with its file; one whose bytes are still to be sent stays until they are. Needs `meta` beside its store. */
export async function dropRecord(tx: DatabaseTx, record: RecordRef): Promise<void> {
  if (record.type === 'media') return dropFile(tx, record);
  await tx.objectStore(storeOf(record.type as TableName)).delete(keyOf(record));
}

async function dropFile(tx: DatabaseTx, file: RecordRef): Promise<void> {
  const media = tx.objectStore('media');
  const row = await media.get(keyOf(file));
  const queued = await tx.objectStore('sync_queue').index('record').count(keyOf(file));
  if (queued > 0) {
    if (row) await media.put({ ...row, scopes: [], isDirty: true, isSubmitted: true }, keyOf(file));
    return;
  }
  await media.delete(keyOf(file));
  await media.delete(keyAt(file.owner, BYTES, file.id));
  await dropHeld(tx, file.owner, file.id);
}

type SentEntry = { entry: QueuedEntry; record: StoredRecord; rest: QueuedEntry[] };

/** What arrived while an entry of it was queued lies there as the server said it, without the entry on top: that is its base. */
const serverBase = (record: StoredRecord): StoredRecord =>
  record.isDirty ? record : { ...record, isDirty: true, base: record.version > 0 ? record.data : null };

/** The entry as it stands now with its record and what is queued behind it; null when it is not waiting any more. */
async function sentOf(tx: DatabaseTx, sent: QueuedEntry): Promise<SentEntry | null> {
  const queue = tx.objectStore('sync_queue');
  const table = sent.dataType as TableName;
  const id = keyAt(sent.owner, table, sent.dataId);
  const [record, queued] = await Promise.all([
    tx.objectStore(storeOf(table)).get(id),
    queue.index('record').getAll(id),
  ]);
  const all = recordEntries(queued as QueuedEntry[]);
  const entry = all.find(({ seq, mid }) => seq === sent.seq && mid === sent.mid);
  if (!entry) return null;
  return {
    entry,
    record: record ? serverBase(record) : { ...emptyRecord(sent.owner, table, sent.dataId), isDirty: true },
    rest: all.filter(other => other.seq > entry.seq),
  };
}

/** Lays the outcome down, all but the entries that go. Not awaited one by one: a failed write ends the transaction. */
function write(tx: DatabaseTx, { record }: SentEntry, { rest, failed, record: next, conflict }: Outcome): void {
  const queue = unwrap(tx.objectStore('sync_queue'));
  for (const later of rest) queue.put(later);
  if (failed) queue.put(failed);
  if (next) unwrap(tx.objectStore(storeOf(record.type as TableName))).put(next, keyOf(next));
  if (conflict) unwrap(tx.objectStore('conflicts')).put(conflict);
}

const seqsGone = ({ entry, rest }: SentEntry, outcome: Outcome): number[] => {
  const kept = new Set(outcome.rest.map(({ seq }) => seq));
  return [...(outcome.failed ? [] : [entry.seq]), ...rest.map(({ seq }) => seq).filter(seq => !kept.has(seq))];
};

/** Takes entries off the queue, neighbours in one request: what was saved one after the other goes as one range. */
function unqueue(tx: DatabaseTx, seqs: readonly number[]): void {
  const queue = unwrap(tx.objectStore('sync_queue'));
  const sorted = seqs.toSorted((a, b) => a - b);
  let from = sorted[0];
  for (const [at, seq] of sorted.entries()) {
    if (from === undefined || sorted[at + 1] === seq + 1) continue;
    queue.delete(IDBKeyRange.bound(from, seq));
    from = sorted[at + 1];
  }
}

async function applyResult(tx: DatabaseTx, sent: QueuedEntry, result: PushResult, now: number) {
  const found = await sentOf(tx, sent);
  if (!found) return null;
  const outcome = applyPushResult({ ...found, now }, result);
  write(tx, found, outcome);
  return { found, outcome };
}

type AppliedResult = { found: SentEntry; outcome: Outcome };

/** Runs of entries in which no record comes twice: what is settled at once must not touch the same record. */
function runsOf(batch: readonly QueuedEntry[]): QueuedEntry[][] {
  const runs: QueuedEntry[][] = [];
  let seen = new Set<string>();
  for (const entry of batch) {
    const key = `${entry.dataType}/${entry.dataId}`;
    if (runs.length === 0 || seen.has(key)) {
      runs.push([]);
      seen = new Set();
    }
    seen.add(key);
    runs.at(-1)?.push(entry);
  }
  return runs;
}

/** Settles the batch in its order; entries of different records together, for each alone is a wait of its own. */
async function applyResults(
  tx: DatabaseTx,
  batch: readonly QueuedEntry[],
  answers: Answers,
): Promise<(AppliedResult | null)[]> {
  const all: (AppliedResult | null)[] = [];
  for (const run of runsOf(batch)) {
    const applying = run.map(async entry => {
      const result = answers.of.get(entry.mid);
      return result ? applyResult(tx, entry, result, answers.now) : null;
    });
    const outcomes = await Promise.all(applying);
    unqueue(
      tx,
      outcomes.flatMap(one => (one ? seqsGone(one.found, one.outcome) : [])),
    );
    // Last: it looks whether anything of the record is still queued.
    for (const one of outcomes) if (one && !one.outcome.record) await dropRecord(tx, one.found.record);
    all.push(...outcomes);
  }
  return all;
}

function idsByTable(batch: readonly QueuedEntry[]): Map<string, Set<string>> {
  const tables = Map.groupBy(batch, ({ dataType }) => dataType);
  return new Map([...tables].map(([table, entries]) => [table, new Set(entries.map(({ dataId }) => dataId))]));
}

/** With the organisation it is work for: whoever is removed keeps no record that says it. */
function named(entry: QueuedEntry, applied: AppliedResult | null | undefined): QueuedEntry {
  const organizationId = applied ? organizationIdIn(applied.found.record, entry) : organizationIn(entry.data);
  return organizationId === null ? entry : { ...entry, organizationId };
}

type Answers = { of: Map<string, PushResult>; now: number };

/**
 * Splits what was sent into what was answered and what the server left for the next call: at the end, and no group in two.
 *
 * @throws {BackendError} `network` when the answer does not answer this batch (a truncated body, a captive portal), or none of it
 */
export function answered(batch: readonly QueuedEntry[], { results, rest = 0 }: PushAnswer) {
  const judged = batch.slice(0, results.length);
  const left = batch.slice(results.length);
  const group = judged.at(-1)?.group;
  const isWhole = group === undefined || left[0]?.group !== group;
  const fits = judged.length > 0 && isWhole && left.length === rest && results.length + rest === batch.length;
  if (!fits || !judged.every((entry, at) => results[at]?.mid === entry.mid))
    throw new BackendError('network', 'push: the answer does not match what was sent');
  return { judged, left };
}

/**
 * Writes the server's answers down: entries, records, conflicts and what the receipt needs, in one transaction.
 *
 * @param batch as `answered` found it judged
 */
export async function acknowledge(session: Session, batch: readonly QueuedEntry[], results: readonly PushResult[]) {
  const tables = new Set(batch.map(entry => entry.dataType as TableName));
  const stores = new Set<AnyStore>(['sync_queue', 'conflicts', ...[...tables].map(storeOf)]);
  await fenced(session, { stores }, async tx => {
    const done: AcknowledgedMutation[] = [];
    const unplaced: [string, string][] = [];
    const answers = { of: new Map(results.map(result => [result.mid, result])), now: session.platform.clock.now() };
    const outcomes = await applyResults(tx, batch, answers);
    const acts = actedAt(batch);
    for (const [at, entry] of batch.entries()) {
      const [result, outcome] = [results[at], outcomes[at]?.outcome];
      if (!result || !outcome) continue;
      const counts = (result.st === 'applied' || result.st === 'merged') && entry.operation !== 'resolve';
      if (counts) {
        const { mid, timestamp: saved } = entry;
        const mediaId = entry.dataType === 'media' ? entry.dataId : null;
        done.push({ mid, mediaId, at: saved, did: acts.get(saved) ?? saved });
      }
      const { record } = outcome;
      if (record && !record.isDirty && record.scopes.length === 0) unplaced.push([record.type, record.id]);
    }
    const { owner } = session;
    const name = batch[0]?.mid ?? '';
    // Not awaited, see `write`.
    const meta = unwrap(tx.objectStore('meta'));
    const sent = batch.map((entry, at) => named(entry, outcomes[at]));
    const page = journalPage(sent, results, { owner, now: answers.now });
    if (page) meta.put(page);
    if (done.length > 0) meta.put({ owner, name: ACKNOWLEDGED + name, value: done });
    if (unplaced.length > 0) meta.put({ owner, name: UNPLACED + name, value: unplaced });
  });
  session.changes.emit([...tables, QUEUE, CONFLICTS], idsByTable(batch));
}
