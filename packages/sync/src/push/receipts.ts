import { newId } from '@cairn/base/id.ts';
import { finish } from '../transport/abandon.ts';
import { ACKNOWLEDGED, type AcknowledgedMutation } from './acknowledge.ts';
import type { Receipt } from '../transport/backend.ts';
import { RECEIPTS } from '../store/changes.ts';
import type { DatabaseTx, LocalDatabase } from '../store/database.ts';
import { REQUEST_DEADLINE, withDeadline } from '../transport/deadline.ts';
import { LAST, ownerRange } from '../store/read-tx.ts';
import { keyOf, typeRange } from '../store/record-key.ts';
import { fenced, metaOf, type Session } from '../store/session.ts';
import { RECEIPT, type QueueEntry, type StoredRecord } from '../store/stored.ts';

/** Asked for and not yet answered; kept so that a retry asks for the same receipt. */
const REQUESTED = 'receipt_requested';
/** `deviceAt`: when its person did the last of it, by the device's clock, ISO 8601. */
type ReceiptRequest = { id: string; mids: string[]; deviceAt: string };

/** ms; the receipt of work that waited for the server comes at once. */
const QUIET_AFTER_OFFLINE = 500;
/** ms; autosaves of somebody working online make one receipt when they pause this long … */
const QUIET_ONLINE = 20_000;
/** … or have gone on for so long. */
const MAX_ONLINE_WAIT_MS = 300_000;
/** A file the server still waits for comes from elsewhere. */
const AFTER_INCOMPLETE = 60_000;
/** Mutations one receipt may cover; the server takes 10,000. */
const MAX_MUTATIONS = 5000;

const acknowledgedRange = (owner: string) => IDBKeyRange.bound([owner, ACKNOWLEDGED], [owner, ACKNOWLEDGED + LAST]);

type ReceiptState = { requested: ReceiptRequest | null; acknowledged: AcknowledgedMutation[] };

/** Whether anything is still on its way; what a person has to decide about first does not hold a receipt up. */
function isDrained(queue: readonly QueueEntry[]): boolean {
  const stuck = new Set(queue.filter(({ state }) => state === 'failed').map(nameOf));
  return queue.every(entry => stuck.has(nameOf(entry)));
}
const nameOf = (entry: QueueEntry): string => `${entry.dataType}/${entry.dataId}`;

async function read({ db, owner }: Session): Promise<ReceiptState> {
  const tx = await db.transaction(['meta', 'sync_queue'], 'readonly');
  const asked = Promise.all([
    metaOf<ReceiptRequest>(tx, owner, REQUESTED),
    tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner)),
    tx.objectStore('meta').getAll(acknowledgedRange(owner)),
  ]);
  finish(tx);
  const [requested = null, queue, kept] = await asked;
  if (requested || !isDrained(queue)) return { requested, acknowledged: [] };
  // A file that was set aside belongs to a later receipt, with its row.
  const held = new Set(queue.map(({ dataId }) => dataId));
  const all = kept.flatMap(({ value }) => value as AcknowledgedMutation[]);
  return {
    requested,
    acknowledged: all.filter(({ mediaId }) => !mediaId || !held.has(mediaId)).slice(0, MAX_MUTATIONS),
  };
}

/** Takes answered mutations off the list; what came meanwhile stays for the next receipt. */
async function conclude(session: Session, mids: ReadonlySet<string>, receipt: Receipt | null): Promise<void> {
  const { owner } = session;
  await fenced(session, { stores: ['lifecycle_status'] }, async tx => {
    const meta = tx.objectStore('meta');
    for (const entry of await meta.getAll(acknowledgedRange(owner))) {
      const left = (entry.value as AcknowledgedMutation[]).filter(({ mid }) => !mids.has(mid));
      if (left.length > 0) await meta.put({ ...entry, value: left });
      else await meta.delete([owner, entry.name]);
    }
    await meta.delete([owner, REQUESTED]);
    if (receipt) {
      const record = receiptRecord(owner, receipt, session.platform.clock.now());
      await tx.objectStore('lifecycle_status').put(record, keyOf(record));
    }
  });
  session.changes.emit([RECEIPTS]);
}

function receiptRecord(owner: string, receipt: Receipt, now: number): StoredRecord {
  return {
    id: receipt.id,
    type: RECEIPT,
    data: { ...receipt },
    lastSync: now,
    isDirty: false,
    syncPriority: 0,
    owner,
    version: 1,
    scopes: [],
    keys: [],
  };
}

/** A file whose bytes were thrown away never arrives: a receipt that waited for it would hold up all later ones. */
export async function noReceiptFor(tx: DatabaseTx, owner: string, mediaId: string): Promise<void> {
  const meta = tx.objectStore('meta');
  const gone = new Set<string>();
  for (const page of await meta.getAll(acknowledgedRange(owner))) {
    const all = page.value as AcknowledgedMutation[];
    const left = all.filter(each => each.mediaId !== mediaId);
    if (left.length === all.length) continue;
    for (const each of all) if (each.mediaId === mediaId) gone.add(each.mid);
    if (left.length > 0) await meta.put({ ...page, value: left });
    else await meta.delete([owner, page.name]);
  }
  const requested = await metaOf<ReceiptRequest>(tx, owner, REQUESTED);
  if (requested?.mids.some(mid => gone.has(mid))) await meta.delete([owner, REQUESTED]);
}

/** @returns ms after which the rest may be asked for */
async function ask(session: Session, request: ReceiptRequest, signal: AbortSignal): Promise<number> {
  const { id, mids, deviceAt } = request;
  const answer = await withDeadline(session.platform.clock, signal, REQUEST_DEADLINE, inner =>
    session.backend.receipt({ id, device: session.device, mids, deviceAt }, inner),
  );
  if (answer.complete) {
    const { complete: _complete, ...receipt } = answer;
    await conclude(session, new Set(mids), receipt);
    return 0;
  }
  // Nothing was stored. What the ledger does not know cannot be receipted; the rest asks anew.
  await conclude(session, new Set(answer.missing_mids), null);
  return AFTER_INCOMPLETE;
}

/** Turns acknowledged work into one receipt per burst, once the outbox has been quiet. */
export class Receipts {
  private readonly session: Session;
  private quietSince: number;
  private due = 0;
  /** Whether the server is out of reach, as for whoever starts. */
  private isAway = true;
  /** When it was reached again: what was saved before had waited for it. */
  private backAt = Number.NEGATIVE_INFINITY;

  constructor(session: Session) {
    this.session = session;
    this.quietSince = session.platform.clock.now();
  }

  /** A mutation or a file was acknowledged just now. */
  acknowledged(): void {
    this.quietSince = this.session.platform.clock.now();
    this.due = 0;
  }

  away(): void {
    this.isAway = true;
  }

  reached(): void {
    if (this.isAway) this.backAt = this.session.platform.clock.now();
    this.isAway = false;
  }

  /**
   * Asks for the receipt that is due.
   *
   * @returns ms until there is something to do, or null when nothing waits
   * @throws {BackendError} when the call got no answer; the same receipt is asked for again
   */
  async round(signal: AbortSignal): Promise<number | null> {
    const now = this.session.platform.clock.now();
    if (now < this.due) return this.due - now;
    const wait = await this.look(signal);
    this.due = now + (wait ?? 0);
    return wait;
  }

  private async look(signal: AbortSignal): Promise<number | null> {
    const { session } = this;
    const { requested, acknowledged } = await read(session);
    if (requested) return ask(session, requested, signal);
    if (acknowledged.length === 0) return null;
    const left = this.left(Math.min(...acknowledged.map(({ at }) => at)));
    if (left > 0) return left;

    // When the last of it was done: the sending may be hours later, where there is a signal again.
    const did = Math.max(...acknowledged.map(({ at, did: acted = at }) => acted));
    const request = { id: newId(), mids: acknowledged.map(({ mid }) => mid), deviceAt: new Date(did).toISOString() };
    await fenced(session, { stores: [] }, async tx => {
      await tx.objectStore('meta').put({ owner: session.owner, name: REQUESTED, value: request });
    });
    return ask(session, request, signal);
  }

  /** @param oldest ms since 1970, when the first of the work was saved @returns ms until it is quiet enough */
  private left(oldest: number): number {
    const now = this.session.platform.clock.now();
    const isLate = oldest <= this.backAt || now - oldest > MAX_ONLINE_WAIT_MS;
    const quiet = isLate ? QUIET_AFTER_OFFLINE : QUIET_ONLINE;
    // A clock that was set back must not hold it up.
    return Math.min(this.quietSince + quiet - now, quiet);
  }
}

/** The person's receipts on this device, newest first. */
export async function receiptsOf(db: LocalDatabase, owner: string): Promise<Receipt[]> {
  const tx = await db.transaction(['lifecycle_status'], 'readonly');
  const records = await tx.objectStore('lifecycle_status').getAll(typeRange(owner, RECEIPT));
  return records
    .map(({ data }) => data as unknown as Receipt)
    .toSorted((a, b) => Date.parse(b.received_at) - Date.parse(a.received_at));
}
