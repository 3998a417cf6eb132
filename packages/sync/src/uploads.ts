import type { Row } from '@cairn/schema';
import { BackendError, type Upload } from './backend.ts';
import { dropRecord } from './acknowledge.ts';
import { QUEUE } from './changes.ts';
import { patienceFor, REQUEST_DEADLINE, withDeadline } from './deadline.ts';
import { keyAt, keyOf } from './record-key.ts';
import { fenced, type Session } from './session.ts';
import { BYTES, type QueuedEntry } from './stored.ts';

const MISMATCHES_BEFORE_FAILED = 3;
/** Sorts uploads after every record in the queue's order index. */
const UPLOADS = Number.MAX_SAFE_INTEGER;

export type Progress = { mediaId: string; sent: number };

/** Files that may go now: those whose row the server has already. */
async function waiting({ db, owner }: Session): Promise<QueuedEntry[]> {
  const tx = await db.transaction(['sync_queue', 'media'], 'readonly');
  const range = IDBKeyRange.bound([owner, UPLOADS], [owner, []]);
  const entries = (await tx.objectStore('sync_queue').index('order').getAll(range)) as QueuedEntry[];
  const ready: QueuedEntry[] = [];
  for (const entry of entries) {
    const row = await tx.objectStore('media').get(keyAt(owner, 'media', entry.dataId));
    if (entry.state !== 'failed' && row && (row.version > 0 || row.handedOver)) ready.push(entry);
  }
  return ready;
}

type File = Upload & { handedOver: boolean };

async function fileOf({ db, owner }: Session, mediaId: string): Promise<File | null> {
  const store = (await db.transaction(['media'], 'readonly')).objectStore('media');
  const [row, kept] = await Promise.all([
    store.get(keyAt(owner, 'media', mediaId)),
    store.get(keyAt(owner, BYTES, mediaId)),
  ]);
  const bytes = kept?.data['bytes'];
  if (!row || !(bytes instanceof ArrayBuffer)) return null;
  const { organization_id, mime, sha256 } = row.data as unknown as Row<'media'>;
  const handedOver = row.handedOver === true;
  return { id: mediaId, organizationId: organization_id, bytes, mime, sha256, handedOver };
}

async function change(session: Session, entry: QueuedEntry, fields: Partial<QueuedEntry>): Promise<void> {
  await fenced(session, { stores: ['sync_queue'] }, async tx => {
    const present = await tx.objectStore('sync_queue').get(entry.seq);
    if (present) await tx.objectStore('sync_queue').put({ ...present, ...fields });
  });
  session.changes.emit([QUEUE]);
}

/** The server has hashed what it stored: the entry goes, the bytes stay for a while. */
async function confirmed(session: Session, entry: QueuedEntry): Promise<void> {
  await fenced(session, { stores: ['sync_queue', 'media'] }, async tx => {
    const media = tx.objectStore('media');
    await tx.objectStore('sync_queue').delete(entry.seq);
    const kept = await media.get(keyAt(session.owner, BYTES, entry.dataId));
    if (kept) await media.put({ ...kept, isDirty: false, lastSync: session.platform.clock.now() }, keyOf(kept));
  });
  session.changes.emit([QUEUE, 'media']);
}

/** The bytes of handed-over work are with the server: nothing of it is left here. */
async function broughtOver(session: Session, entry: QueuedEntry): Promise<void> {
  await fenced(session, { stores: ['sync_queue', 'media'] }, async tx => {
    await tx.objectStore('sync_queue').delete(entry.seq);
    await dropRecord(tx, { owner: session.owner, type: 'media', id: entry.dataId });
  });
  session.changes.emit([QUEUE, 'media']);
}

type Confirmed = { sha256: string };

/**
 * A file the server has whole takes no second upload: it refuses what a phone sends again that died before it heard that
 * the first had arrived. The server is asked for what it has before the refusal is believed.
 */
async function confirmedBefore(error: unknown, confirm: () => Promise<Confirmed>): Promise<Confirmed> {
  if (!(error instanceof BackendError) || error.kind !== 'refused') throw error;
  try {
    return await confirm();
  } catch (unheard) {
    throw unheard instanceof BackendError && unheard.kind === 'network' ? unheard : error;
  }
}

async function transfer(session: Session, file: File, signal: AbortSignal, onSent: (sent: number) => void) {
  const { clock } = session.platform;
  const patience = patienceFor(file.bytes.byteLength);
  const upload = () => withDeadline(clock, signal, patience, inner => session.backend.upload(file, onSent, inner));
  // Whoever accepts the work has its files confirmed: the row is not there yet.
  if (file.handedOver) return upload();
  const confirm = () =>
    withDeadline(clock, signal, REQUEST_DEADLINE, inner => session.backend.confirmUpload(file.id, inner));
  const stored = await upload().then(confirm, (error: unknown) => confirmedBefore(error, confirm));
  if (stored.sha256 !== file.sha256)
    throw new BackendError('mismatch', `media ${file.id}: hash differs`, 'hash_mismatch');
}

/** What a failed transfer means for the entry: set aside, or tried again with the lane's back-off. */
async function failed(session: Session, entry: QueuedEntry, error: BackendError): Promise<void> {
  const tries = entry.retryCount + 1;
  const final = error.kind === 'too_large' || error.kind === 'refused';
  const giveUp = final || (error.kind === 'mismatch' && tries >= MISMATCHES_BEFORE_FAILED);
  await change(session, entry, {
    state: giveUp ? 'failed' : 'waiting',
    retryCount: tries,
    lastError: error.code ?? error.kind,
    detail: error.message,
  });
  if (!giveUp && error.kind !== 'mismatch') throw error;
}

/**
 * Sends every file whose row is known to the server, one after the other.
 *
 * @returns how many were confirmed
 * @throws {BackendError} when a call got no answer; the file stays queued
 */
export async function uploadAll(
  session: Session,
  signal: AbortSignal,
  { onBeat, onProgress }: { onBeat: () => void; onProgress: (progress: Progress | null) => void },
): Promise<number> {
  let done = 0;
  for (const entry of await waiting(session)) {
    signal.throwIfAborted();
    onBeat();
    const file = await fileOf(session, entry.dataId);
    if (!file) {
      await change(session, entry, { state: 'failed', lastError: 'bytes_missing' });
      continue;
    }
    await change(session, entry, { state: 'sending', attempt: entry.attempt + 1 });
    const report = (sent: number) => {
      onBeat();
      onProgress({ mediaId: file.id, sent });
    };
    try {
      await transfer(session, file, signal, report);
      await (file.handedOver ? broughtOver(session, entry) : confirmed(session, entry));
      done += 1;
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      await failed(session, entry, error);
    } finally {
      onProgress(null);
    }
  }
  return done;
}
