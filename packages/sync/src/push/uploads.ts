import type { Row } from '@cairn/schema';
import { BackendError, type Upload, type UploadPlace } from '../transport/backend.ts';
import { dropRecord } from './acknowledge.ts';
import { QUEUE } from '../store/changes.ts';
import { mayGo, type FileSelection } from '../files/file-wishes.ts';
import { REQUEST_DEADLINE, whileMoving, withDeadline } from '../transport/deadline.ts';
import { keyAt, keyOf } from '../store/record-key.ts';
import { fenced, type Session } from '../store/session.ts';
import { BYTES, type QueuedEntry } from '../store/stored.ts';

/** Nothing of a file moved for this long (ms): the line is dead. Twice the time a request is given, for slow lines. */
const MAX_SILENCE_MS = 2 * REQUEST_DEADLINE;
const MISMATCHES_BEFORE_FAILED = 3;
/** Files under way together, once the line has shown that it carries them. */
const MAX_PARALLEL_UPLOADS = 3;
/** Sorts uploads after every record in the queue's order index. */
const UPLOADS = Number.MAX_SAFE_INTEGER;

/** Bytes of a file that have left; null when nothing of it is under way any more. */
export type Progress = { mediaId: string; sent: number | null };

type Hooks = { onHeartbeat: () => void; onProgress: (progress: Progress) => void; which: FileSelection };

/** Files that may go now: those whose row the server has already. One that failed before holds no other back. */
async function waiting({ db, owner }: Session, which: FileSelection): Promise<QueuedEntry[]> {
  const tx = await db.transaction(['sync_queue', 'media'], 'readonly');
  const range = IDBKeyRange.bound([owner, UPLOADS], [owner, []]);
  const entries = (await tx.objectStore('sync_queue').index('order').getAll(range)) as QueuedEntry[];
  const sendable: QueuedEntry[] = [];
  for (const entry of entries.filter(({ dataId }) => mayGo(which, dataId))) {
    const row = await tx.objectStore('media').get(keyAt(owner, 'media', entry.dataId));
    if (entry.state !== 'failed' && row && (row.version > 0 || row.isSubmitted)) sendable.push(entry);
  }
  return sendable.toSorted((a, b) => a.retryCount - b.retryCount);
}

/** How far the entry's file came before, as `keepPlace` wrote it. */
export function placeOf({ data }: Pick<QueuedEntry, 'data'>): UploadPlace | null {
  const { path, offset } = Object(data['place']) as Partial<UploadPlace>;
  return typeof path === 'string' && typeof offset === 'number' ? { path, offset } : null;
}

async function fileOf(session: Session, entry: QueuedEntry): Promise<Upload | null> {
  const { db, owner } = session;
  const mediaId = entry.dataId;
  const store = (await db.transaction(['media'], 'readonly')).objectStore('media');
  const [row, kept] = await Promise.all([
    store.get(keyAt(owner, 'media', mediaId)),
    store.get(keyAt(owner, BYTES, mediaId)),
  ]);
  const bytes = kept?.data['bytes'];
  if (!row || !(bytes instanceof ArrayBuffer)) return null;
  const { organization_id, mime, sha256 } = row.data as unknown as Row<'media'>;
  const resume = { at: placeOf(entry), moved: (place: UploadPlace | null) => keepPlace(session, entry, place) };
  return { id: mediaId, organizationId: organization_id, bytes, mime, sha256, resume };
}

/** Changes the entry as it stands now; one that was thrown away meanwhile stays away. */
async function change(
  session: Session,
  entry: QueuedEntry,
  fields: (present: QueuedEntry) => Partial<QueuedEntry>,
): Promise<void> {
  await fenced(session, { stores: ['sync_queue'] }, async tx => {
    const present = (await tx.objectStore('sync_queue').get(entry.seq)) as QueuedEntry | undefined;
    if (present) await tx.objectStore('sync_queue').put({ ...present, ...fields(present) });
  });
  session.changes.emit([QUEUE]);
}

/** A phone that is killed here goes on from there. */
const keepPlace = (session: Session, entry: QueuedEntry, place: UploadPlace | null): Promise<void> =>
  change(session, entry, ({ data }) => ({ data: { ...data, place } }));

/** The server has hashed what it stored: the entry goes, the bytes stay for a while. Of what was handed over nothing is left here. */
async function sent(session: Session, entry: QueuedEntry): Promise<void> {
  const { owner, platform } = session;
  await fenced(session, { stores: ['sync_queue', 'media'] }, async tx => {
    const media = tx.objectStore('media');
    await tx.objectStore('sync_queue').delete(entry.seq);
    // As it is now: a place may have been lost, or found again, while the bytes went.
    const row = await media.get(keyAt(owner, 'media', entry.dataId));
    if (row?.isSubmitted) return dropRecord(tx, row);
    const kept = await media.get(keyAt(owner, BYTES, entry.dataId));
    // `sent`: from here, as what was only received is not.
    const data = { ...kept?.data, sent: true };
    if (kept) await media.put({ ...kept, data, isDirty: false, lastSync: platform.clock.now() }, keyOf(kept));
  });
  session.changes.emit([QUEUE, 'media']);
}

type UploadConfirmation = { sha256: string; bytes: number };

/** Whether the server has said what it has of the file. A slow or busy one, or one that wants to know who asks, has not. */
const isConfirmation = (error: unknown): boolean =>
  !(error instanceof BackendError) || error.kind === 'refused' || error.code === 'not_uploaded';

/**
 * A file the server has whole takes no second upload: it refuses what a phone sends again that died before it heard that
 * the first had arrived. The server is asked for what it has before the refusal is believed.
 */
async function confirmedBefore(
  error: unknown,
  confirm: () => Promise<UploadConfirmation>,
): Promise<UploadConfirmation> {
  if (!(error instanceof BackendError) || error.kind !== 'refused') throw error;
  try {
    return await confirm();
  } catch (unheard) {
    throw isConfirmation(unheard) ? error : unheard;
  }
}

async function transfer(session: Session, file: Upload, signal: AbortSignal, onSent: (sent: number) => void) {
  const { clock } = session.platform;
  const upload = () =>
    whileMoving(clock, signal, MAX_SILENCE_MS, (inner, moved) =>
      session.backend.upload(
        file,
        sent => {
          moved();
          onSent(sent);
        },
        inner,
      ),
    );
  const confirm = () =>
    withDeadline(clock, signal, REQUEST_DEADLINE, inner => session.backend.confirmUpload(file.id, inner));
  const stored = await upload().then(confirm, (error: unknown) => confirmedBefore(error, confirm));
  if (stored.sha256 !== file.sha256)
    throw new BackendError('mismatch', `media ${file.id}: hash differs`, 'hash_mismatch');
}

/** What a failed transfer means for the entry: set aside, or tried again with the retry loop's back-off. */
async function failed(session: Session, entry: QueuedEntry, error: BackendError): Promise<void> {
  const tries = entry.retryCount + 1;
  const final = error.kind === 'too_large' || error.kind === 'refused';
  const giveUp = final || (error.kind === 'mismatch' && tries >= MISMATCHES_BEFORE_FAILED);
  await change(session, entry, () => ({
    state: giveUp ? 'failed' : 'waiting',
    retryCount: tries,
    lastError: error.code ?? error.kind,
    detail: error.message,
  }));
  if (!giveUp && error.kind !== 'mismatch') throw error;
}

/** One file, whole. @returns whether it was confirmed; false when it was set aside */
async function sendOne(session: Session, entry: QueuedEntry, signal: AbortSignal, hooks: Hooks): Promise<boolean> {
  hooks.onHeartbeat();
  const file = await fileOf(session, entry);
  if (!file) {
    await change(session, entry, () => ({ state: 'failed', lastError: 'bytes_missing' }));
    return false;
  }
  await change(session, entry, ({ attempt }) => ({ state: 'sending', attempt: attempt + 1 }));
  try {
    await transfer(session, file, signal, sent => {
      hooks.onHeartbeat();
      hooks.onProgress({ mediaId: file.id, sent });
    });
    await sent(session, entry);
    return true;
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    await failed(session, entry, error);
    return false;
  } finally {
    hooks.onProgress({ mediaId: file.id, sent: null });
  }
}

type Outcome = { done: number; trouble: unknown[] };

/** All files that may go: one first, and with each that was confirmed one more beside it. No new one after a failure. */
async function sendTogether(session: Session, signal: AbortSignal, hooks: Hooks): Promise<Outcome> {
  const files = await waiting(session, hooks.which);
  const underway = new Set<Promise<void>>();
  const outcome: Outcome = { done: 0, trouble: [] };
  const start = (entry: QueuedEntry) => {
    const sending = sendOne(session, entry, signal, hooks)
      .then(
        isDone => void (outcome.done += isDone ? 1 : 0),
        (error: unknown) => void outcome.trouble.push(error),
      )
      .finally(() => underway.delete(sending));
    underway.add(sending);
  };
  for (;;) {
    const slots = Math.min(MAX_PARALLEL_UPLOADS, outcome.done + 1) - underway.size;
    if (outcome.trouble.length === 0 && !signal.aborted) files.splice(0, slots).forEach(start);
    if (underway.size === 0) return outcome;
    await Promise.race(underway);
  }
}

/**
 * Sends every file that may go and whose row is known to the server, up to three at a time. While a bad line lets some of them through
 * the others are tried again at once.
 *
 * @returns how many were confirmed
 * @throws {BackendError} when a call got no answer; the file stays queued
 */
export async function uploadAll(session: Session, signal: AbortSignal, hooks: Hooks): Promise<number> {
  let all = 0;
  for (;;) {
    signal.throwIfAborted();
    const { done, trouble } = await sendTogether(session, signal, hooks);
    all += done;
    signal.throwIfAborted();
    const bug = trouble.find(error => !(error instanceof BackendError));
    if (bug !== undefined) throw bug;
    if (trouble.length === 0) return all;
    if (done === 0) throw trouble[0];
  }
}
