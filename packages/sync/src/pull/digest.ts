import { BackendError, type RepairAnswer } from '../transport/backend.ts';
import { CONFLICTS, QUEUE } from '../store/changes.ts';
import { cursorsIn } from '../store/cursors.ts';
import { RECORD_STORES } from '../store/database-schema.ts';
import type { DatabaseTx, Mode } from '../store/database.ts';
import { REQUEST_DEADLINE, withDeadline } from '../transport/deadline.ts';
import { dropRecord } from '../push/acknowledge.ts';
import { bucketsOf, compare, heldHere, isOrphan, isAtPlace, TABLES, type Difference } from '../access/held-here.ts';
import { storeRows } from './page.ts';
import { keyAt, keyOf, typeRange } from '../store/record-key.ts';
import { storeOf } from '../store/record.ts';
import { bucketOf } from '../transport/row-hash.ts';
import { dropScopes, expectThrough, leaveStale, makeStale } from '../access/scopes.ts';
import { fenced, type Session } from '../store/session.ts';

/** Rows one answer may bring, but for a bucket that has more. */
const ROWS = 1000;
/** Answers a table of a scope may take before it is left for the next time. */
const MAX_ANSWERS = 300;

export type DigestResult = {
  /** Scopes compared; those that moved meanwhile are not among them. */
  compared: number;
  moved: number;
  /** Records that were put right. */
  repaired: number;
  /** Tables of scopes that still differ. */
  differing: number;
};

type Call = { session: Session; signal: AbortSignal; onHeartbeat: () => void };

async function ask<A>({ session, signal, onHeartbeat }: Call, request: (inner: AbortSignal) => Promise<A>): Promise<A> {
  onHeartbeat();
  const answer = await withDeadline(session.platform.clock, signal, REQUEST_DEADLINE, request);
  if (typeof answer !== 'object' || answer === null) throw new BackendError('network', 'digest: no answer of ours');
  return answer;
}

async function recordsIn(owner: string, tx: DatabaseTx<Mode>, { scope, table }: Difference) {
  const all = await tx.objectStore(storeOf(table)).getAll(typeRange(owner, table));
  return all.filter(record => record.scopes.includes(scope));
}

/** Lays the answered buckets down as they are on the server. @returns records put right; null when the scope moved */
function putRight({ session }: Call, difference: Difference, answer: RepairAnswer): Promise<number | null> {
  const { scope, table } = difference;
  const { owner, platform } = session;
  const store = storeOf(table);
  return fenced(session, { stores: [store, 'media', 'sync_queue', 'conflicts'] }, async tx => {
    if (!isAtPlace(await cursorsIn(tx, owner), scope, answer.at)) return null;
    const buckets = new Set(answer.buckets);
    const here = (await recordsIn(owner, tx, difference)).filter(({ id }) => buckets.has(bucketOf(id)));
    const known = new Map(here.map(record => [record.id, record]));
    // Until it is seen again a record takes the server's row whatever its version.
    for (const record of here) await makeStale(tx, record, new Set([scope]));
    for (const { id } of answer.rows.filter(row => !known.has(row.id))) {
      const elsewhere = await tx.objectStore(store).get(keyAt(owner, table, id));
      if (elsewhere) await expectThrough(tx, elsewhere, scope);
    }
    const place = { tx, owner, now: platform.clock.now(), emptyTables: new Map(), noted: [], bulkLoad: null };
    await storeRows(place, { rows: { [table]: answer.rows }, order: answer.order });
    for (const record of here) {
      const present = await tx.objectStore(store).get(keyOf(record));
      if (present) await leaveStale(tx, present);
    }
    const theirs = new Set(answer.rows.map(({ id }) => id));
    const surplus = here.filter(({ id }) => !theirs.has(id)).length;
    return surplus + answer.rows.filter(({ id, version }) => known.get(id)?.version !== version).length;
  });
}

async function repair(call: Call, difference: Difference): Promise<number> {
  const { session } = call;
  const { scope, table } = difference;
  let repaired = 0;
  for (let answers = 0; answers < MAX_ANSWERS; answers += 1) {
    const tx = await session.db.transaction([storeOf(table)], 'readonly');
    const sums = bucketsOf(await recordsIn(session.owner, tx, difference));
    const request = { scope, table, sums, device: session.device, limit: ROWS };
    const answer = await ask(call, inner => session.backend.repair(request, inner));
    if (!Array.isArray(answer.rows) || answer.wrong === 0) return repaired;
    const done = await putRight(call, difference, answer);
    if (done === null) return repaired;
    repaired += done;
    session.changes.emit([table, QUEUE, CONFLICTS]);
    if (answer.buckets.length >= answer.wrong) return repaired;
  }
  return repaired;
}

/** Lets go of records that no scope names. @returns how many */
async function dropOrphans({ session, onHeartbeat }: Call): Promise<number> {
  const { owner } = session;
  let dropped = 0;
  for (const table of TABLES) {
    onHeartbeat();
    await fenced(session, { stores: [storeOf(table), 'media', 'sync_queue'] }, async tx => {
      const records = await tx.objectStore(storeOf(table)).getAll(typeRange(owner, table));
      for (const record of records.filter(isOrphan)) {
        if ((await tx.objectStore('sync_queue').index('record').count(keyOf(record))) > 0) continue;
        await dropRecord(tx, record);
        dropped += 1;
      }
    });
  }
  session.changes.emit(TABLES);
  return dropped;
}

/** Lets go of scopes that were taken away unnoticed: no comparison names them any more. @returns how many */
async function dropStrays({ session }: Call, strays: ReadonlySet<string>): Promise<number> {
  if (strays.size === 0) return 0;
  await fenced(session, { stores: [...RECORD_STORES, 'sync_queue', 'conflicts'] }, tx =>
    dropScopes(tx, session.owner, strays),
  );
  session.changes.emit([...TABLES, QUEUE, CONFLICTS]);
  return strays.size;
}

/**
 * Compares what this device holds with what its scopes hold, and puts right what differs, bucket by bucket.
 *
 * Both sides count for themselves, and the end is a second comparison of the device's own records: a digest taken over
 * from the server would hide a gap for good.
 *
 * @throws {BackendError} when a call got no answer; what was put right stays
 */
export async function checkDigest(
  session: Session,
  signal: AbortSignal,
  onHeartbeat: () => void,
): Promise<DigestResult> {
  const call = { session, signal, onHeartbeat };
  const theirs = () => ask(call, inner => session.backend.digest(TABLES, inner));
  const here = await heldHere(session, onHeartbeat);
  const { differences, compared, moved } = compare(await theirs(), here);
  let repaired = await dropStrays(call, here.strays);
  for (const difference of differences) {
    signal.throwIfAborted();
    try {
      repaired += await repair(call, difference);
    } catch (error) {
      // Whatever weighs too much for an answer: it differs still, which is told, and keeps nothing else from coming.
      if (!(error instanceof BackendError) || error.kind !== 'too_large') throw error;
    }
  }
  if (here.orphans > 0 && moved === 0) repaired += await dropOrphans(call);
  const left =
    differences.length === 0 ? [] : compare(await theirs(), await heldHere(session, onHeartbeat)).differences;
  return { compared, moved, repaired, differing: left.length };
}
