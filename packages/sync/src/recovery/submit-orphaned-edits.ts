import type { TableName } from '@cairn/schema';
import { finish, isDomError } from '../transport/abandon.ts';
import { dropRecord } from '../push/acknowledge.ts';
import { BackendError, type SubmissionAnswer } from '../transport/backend.ts';
import { QUEUE, CONFLICTS, SUBMITTED } from '../store/changes.ts';
import { cursorsIn } from '../store/cursors.ts';
import { REQUEST_DEADLINE, withDeadline } from '../transport/deadline.ts';
import { isForContents } from '../transport/error-class.ts';
import { noteSubmitted, sealedEntries } from '../push/submitted-edits.ts';
import { saysNothing } from '../store/queue-edit.ts';
import { ownerRange } from '../store/read-tx.ts';
import { belongsTo, organizationIdOf } from '../access/membership-end.ts';
import { keyAt, keyOf } from '../store/record-key.ts';
import { rebuildRecord, storeOf } from '../store/record.ts';
import { RECORD_STORES } from '../store/database-schema.ts';
import { fenced, type Session } from '../store/session.ts';
import { giveUp } from '../access/scopes.ts';
import { NO_RIGHT, NOT_A_MEMBER, withOwnEditsOnly } from '../push/apply-push-result.ts';
import type { QueuedEntry } from '../store/stored.ts';
import { namelessWork } from '../access/nameless-work.ts';
import { toReviewMutation } from '../access/review-mutation.ts';

/** The server takes at most this many a call. */
const MAX_SUBMITTED = 50;

type EntryOrganization = { entry: QueuedEntry; organizationId: string | null };

/** Looked for alone: with every store of records in its hands each round would keep a save waiting. */
async function anyOrphaned({ db, owner }: Session): Promise<boolean> {
  const tx = await db.transaction(['sync_queue'], 'readonly');
  const asked = tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner));
  finish(tx);
  return (await asked).some(({ lastError }) => lastError === NOT_A_MEMBER);
}

/** What is queued, but files, with the organisation whose review queue may take it; null for what no review queue takes. */
async function placed(session: Session): Promise<EntryOrganization[]> {
  if (!(await anyOrphaned(session))) return [];
  const { db, owner } = session;
  const tx = await db.transaction(['sync_queue', 'conflicts', ...RECORD_STORES], 'readonly');
  const all = (await tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner))) as QueuedEntry[];
  const found: EntryOrganization[] = [];
  for (const entry of all.filter(({ operation }) => operation !== 'upload')) {
    found.push({ entry, organizationId: await organizationIdOf(tx, entry) });
  }
  return found.toSorted((a, b) => a.entry.seq - b.entry.seq);
}

/**
 * Work for an organisation that this person was removed from while the device was offline: it goes to that
 * organisation's review queue, where an administrator accepts or declines it, and leaves the device once the server has it there.
 * Photos of it stay until their bytes are sent.
 *
 * @throws {BackendError} when the server gave no answer; everything stays queued
 */
export async function submitOrphanedEdits(session: Session, signal: AbortSignal): Promise<void> {
  const queued = await placed(session);
  const former = new Set(
    queued.filter(({ entry }) => entry.lastError === NOT_A_MEMBER).map(({ organizationId }) => organizationId),
  );
  if (former.size === 0) return;
  const going = queued.filter(({ organizationId }) => former.has(organizationId));
  await dropEmpty(session, going);
  const work = going.filter(({ entry }) => !saysNothing(entry));
  for (const organizationId of former) {
    const own = work.filter(each => each.organizationId === organizationId).map(({ entry }) => entry);
    // It would wait for ever for a review queue.
    if (organizationId === null) await keepHere(session, own);
    else await submitAll(session, { organizationId, signal }, own);
  }
  await keepOwnEdits(session, work);
}

async function dropEmpty(session: Session, going: readonly EntryOrganization[]): Promise<void> {
  const isOver = ({ entry, organizationId }: EntryOrganization) =>
    organizationId !== null || entry.lastError === NOT_A_MEMBER;
  const part = going.filter(each => saysNothing(each.entry) && isOver(each)).map(({ entry }) => entry);
  // As if the server had had it before the removal: no call is made for it.
  if (part.length > 0)
    await finishSubmission(session, '', part, { accepted: 0, known: part.map(({ mid }) => mid), refused: [] });
}

async function submitAll(session: Session, call: Call, all: readonly QueuedEntry[]): Promise<void> {
  const kept = namelessWork(all);
  // As if the review queue had not taken it; it is not asked, for a photo that came before its report would be told by then.
  if (kept.length > 0) {
    const refused = kept.map(({ mid }) => mid);
    await finishSubmission(session, call.organizationId, kept, { accepted: 0, known: [], refused });
  }
  const nameless = new Set(kept);
  const own = all.filter(entry => !nameless.has(entry));
  for (let at = 0; at < own.length; at += MAX_SUBMITTED)
    if (!(await submitPart(session, call, own.slice(at, at + MAX_SUBMITTED)))) return;
}

type Call = { organizationId: string; signal: AbortSignal };

/**
 * @returns whether the organisation takes work of this person at all
 * @throws {BackendError} when the server gave no answer
 */
async function submitPart(session: Session, call: Call, part: readonly QueuedEntry[]): Promise<boolean> {
  const { organizationId, signal } = call;
  try {
    const answer = await withDeadline(session.platform.clock, signal, REQUEST_DEADLINE, inner =>
      session.backend.submitOrphanedEdits(organizationId, session.device, part.map(toReviewMutation), inner),
    );
    await finishSubmission(session, organizationId, part, answer);
    return true;
  } catch (error) {
    if (!(error instanceof BackendError) || !(error.kind === 'refused' || error.kind === 'too_large')) throw error;
    if (part.length === 1 || !isForContents(error)) {
      await keepHere(session, part, isForContents(error) ? null : organizationId);
      return isForContents(error);
    }
    const half = Math.ceil(part.length / 2);
    return (
      (await submitPart(session, call, part.slice(0, half))) && (await submitPart(session, call, part.slice(half)))
    );
  }
}

/**
 * What the review queue does not want stays for the person to look at; what may still be sent goes on waiting.
 *
 * @param organizationId the one that takes no work because of who calls: where this device knows them as its member, the removal is
 * over. The work is sent, once: two answers that contradict each other must not keep it going round.
 */
async function keepHere(session: Session, part: readonly QueuedEntry[], organizationId: string | null = null) {
  await fenced(session, { stores: ['sync_queue'], durability: 'strict' }, async tx => {
    const queue = tx.objectStore('sync_queue');
    const isMember = belongsTo(await cursorsIn(tx, session.owner), organizationId);
    for (const { seq, mid } of part) {
      const present = await queue.get(seq);
      if (present?.mid !== mid || present.lastError !== NOT_A_MEMBER) continue;
      await queue.put(
        isMember && !present.backAgain
          ? { ...present, state: 'waiting', lastError: null, detail: null, backAgain: true }
          : { ...present, state: 'failed', lastError: NO_RIGHT },
      );
    }
  });
  session.changes.emit([QUEUE]);
}

/** What no review queue took of records this device held for nothing else any more: only the person's words stay. */
async function keepOwnEdits(session: Session, work: readonly EntryOrganization[]): Promise<void> {
  const entries = work.map(({ entry }) => entry).filter(({ dataType }) => dataType !== 'media');
  const stores = entries.map(({ dataType }) => storeOf(dataType as TableName));
  await fenced(session, { stores: ['sync_queue', 'media', 'conflicts', ...stores], durability: 'strict' }, async tx => {
    for (const { owner, dataType, dataId } of entries) {
      const table = dataType as TableName;
      const record = await tx.objectStore(storeOf(table)).get(keyAt(owner, table, dataId));
      if (record?.lost) await giveUp(tx, record, withOwnEditsOnly);
    }
  });
  session.changes.emit([QUEUE, CONFLICTS, ...entries.map(({ dataType }) => dataType)]);
}

type Part = readonly QueuedEntry[];

async function finishSubmission(
  session: Session,
  organizationId: string,
  part: Part,
  answer: SubmissionAnswer,
): Promise<void> {
  const { refused, known } = answer;
  const tables = new Set(part.map(({ dataType }) => dataType as TableName));
  const stores = new Set([...tables, 'organizations' as const].map(storeOf));
  // What the server had before the removal lies in no review queue.
  const submitted = part.filter(({ mid }) => !refused.includes(mid) && !known.includes(mid));
  const sealed = await sealedEntries(session.db, submitted);
  const handing = { owner: session.owner, organizationId, now: session.platform.clock.now(), sealed };
  const commit = (isNoted: boolean) =>
    fenced(session, { stores: ['sync_queue', 'media', ...stores], durability: 'strict' }, async tx => {
      const queue = tx.objectStore('sync_queue');
      if (isNoted) await noteSubmitted(tx, handing, submitted);
      for (const entry of part) {
        const present = await queue.get(entry.seq);
        if (!present || present.mid !== entry.mid) continue;
        // Not theirs to take (a record of another organisation): it stays, for the person to look at.
        if (refused.includes(entry.mid)) await queue.put({ ...present, state: 'failed', lastError: NO_RIGHT });
        else await queue.delete(entry.seq);
      }
      for (const entry of part) await letGo(tx, session.owner, entry);
    });
  await commit(true).catch((error: unknown) => {
    // A full device lets go of it all the same; then only the server knows that it was given away.
    if (!isDomError(error, 'QuotaExceededError')) throw error;
    return commit(false);
  });
  session.changes.emit([QUEUE, CONFLICTS, SUBMITTED, ...tables]);
}

/**
 * The record goes with the last piece of its work; a photo's row waits for its bytes to be sent. What a pull brought, a pull takes:
 * it says what the server said last until then, for the membership may be back by the next one, which brings nothing anew.
 */
async function letGo(tx: Parameters<Parameters<typeof fenced>[2]>[0], owner: string, entry: QueuedEntry) {
  const table = entry.dataType as TableName;
  const key = keyAt(owner, table, entry.dataId);
  const left = (await tx.objectStore('sync_queue').index('record').getAll(key)) as QueuedEntry[];
  if (left.some(({ operation }) => operation !== 'upload')) return;
  const store = tx.objectStore(storeOf(table));
  const record = await store.get(key);
  if (left.length > 0) {
    if (record) await store.put({ ...record, isSubmitted: true }, keyOf(record));
    return;
  }
  const base = record?.isDirty ? (record.base ?? null) : record?.data;
  if (record && base && record.scopes.length > 0) await store.put(rebuildRecord(record, base, []), key);
  else await dropRecord(tx, { owner, type: table, id: entry.dataId });
}
