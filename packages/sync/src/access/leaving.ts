import type { TableName } from '@cairn/schema';
import type { Cursors } from '../store/cursors.ts';
import type { DatabaseTx, Mode } from '../store/database.ts';
import { newEntry, recordEntries } from '../store/queue-edit.ts';
import { ownerRange } from '../store/read-tx.ts';
import { keyAt, keyOf } from '../store/record-key.ts';
import { organizationIn, settleRecord, storeOf } from '../store/record.ts';
import { scopesLeft } from './scopes.ts';
import { NOT_A_MEMBER, ownWords } from '../push/settle.ts';
import type { ConflictRecord, QueuedEntry, QueueEntry, StoredRecord } from '../store/stored.ts';

/** The audiences that come with a membership, and go with it; a site or a team may be lost alone. */
const BELONGING = /^(?:org|member):([^:]+)/;

const organizationsOf = (cursors: Cursors): string[] =>
  Object.keys(cursors).flatMap(scope => BELONGING.exec(scope)?.[1] ?? []);

/** The organisations this person belonged to and belongs to no more. */
export function organizationsLeft(before: Cursors, after: Cursors): ReadonlySet<string> {
  const left = new Set(organizationsOf(before));
  for (const id of organizationsOf(after)) left.delete(id);
  return left;
}

/** Whether these audiences are a member's of the organisation. */
export const belongsTo = (cursors: Cursors, organizationId: string | null): boolean =>
  organizationId !== null && organizationsOf(cursors).includes(organizationId);

type RecordRef = { owner: string; type: string; dataId: string };

const recordOf = (tx: DatabaseTx<Mode>, { owner, type, dataId }: RecordRef): Promise<StoredRecord | undefined> =>
  tx.objectStore(storeOf(type as TableName)).get(keyAt(owner, type, dataId));

/** The organisation an entry says it is about; null where only its record says it. */
export const saidHome = (entry: QueueEntry): string | null =>
  entry.dataType === 'organizations'
    ? entry.dataId
    : (entry.home ?? entry.organizationId ?? organizationIn(entry.data));

/**
 * The organisation an entry is work for; null for what is none's. Needs the record's store and `conflicts`: a choice may be about
 * a record that is gone.
 */
export async function homeOf(tx: DatabaseTx<Mode>, entry: QueuedEntry): Promise<string | null> {
  const about = { ...entry, type: entry.dataType };
  const said = entry.home ?? entry.organizationId ?? organizationIn(entry.data);
  const home = said ?? organizationIn((await recordOf(tx, about))?.data);
  if (home !== null || !entry.conflict) return home;
  const found = await tx.objectStore('conflicts').get([entry.owner, entry.conflict]);
  return found ? homeOfConflict(found, undefined) : null;
}

/** What earlier builds noted names it by its record, or by the whole row in `mine` where that is gone. */
function homeOfConflict(found: ConflictRecord, record: StoredRecord | undefined): string | null {
  const own = found.type === 'organizations' ? found.dataId : null;
  return found.organizationId ?? own ?? organizationIn(record?.data) ?? organizationIn(found.conflict.mine);
}

type DepartureContext = {
  tx: DatabaseTx;
  owner: string;
  left: ReadonlySet<string>;
  /** All audiences that are taken away with it. */
  lost: ReadonlySet<string>;
};

const isOfLeft = ({ left }: DepartureContext, home: string | null): boolean => home !== null && left.has(home);

/** What this person sees by another audience too (a notification of theirs) stays theirs, whatever organisation it names. */
const isSeen = ({ lost }: DepartureContext, record: StoredRecord | undefined): boolean =>
  record !== undefined && scopesLeft(record, lost).length > 0;

/**
 * What goes with a membership beside the rows: all that is queued for the organisation is for its tray, whatever the server said
 * to it before, and its conflicts leave the device. Before the audiences go: the records still tell whose they are. Needs every
 * store of records.
 */
export async function leaveOrganizations(leaving: DepartureContext): Promise<void> {
  if (leaving.left.size === 0) return;
  await leaveConflicts(leaving);
  const queue = leaving.tx.objectStore('sync_queue');
  for (const entry of (await queue.index('order').getAll(ownerRange(leaving.owner))) as QueuedEntry[]) {
    if (entry.operation === 'upload') continue;
    // An edit of the organisation itself: no tray takes it, and only so it is told apart from what may still be sent.
    const home = entry.dataType === 'organizations' ? entry.dataId : await homeOf(leaving.tx, entry);
    if (!isOfLeft(leaving, home)) continue;
    if (isSeen(leaving, await recordOf(leaving.tx, { ...entry, type: entry.dataType }))) continue;
    const isWork = entry.dataType !== 'organizations' && home !== null;
    await queue.put({ ...forTheTray(entry), ...(isWork && { organizationId: home }) });
  }
}

/** As the push would have marked it: what was set aside before is sent by no push, and what waits behind it neither. */
const forTheTray = <E extends Pick<QueuedEntry, 'state' | 'lastError' | 'detail'>>(entry: E): E => ({
  ...entry,
  state: 'failed',
  lastError: NOT_A_MEMBER,
  detail: null,
});

async function leaveConflicts(leaving: DepartureContext): Promise<void> {
  const { tx, owner } = leaving;
  const conflicts = tx.objectStore('conflicts');
  for (const found of await conflicts.getAll(ownerRange(owner))) {
    const record = await recordOf(tx, found);
    if (!isOfLeft(leaving, homeOfConflict(found, record)) || isSeen(leaving, record)) continue;
    const isSaid = found.resolved || found.conflict.fields.length === 0 || (await queueWords(tx, found, record));
    if (isSaid) await conflicts.delete([owner, found.cid]);
    else await conflicts.put(ownWords(found));
  }
}

/**
 * Nobody answered it, and the server put the other's value first: the words are an edit that waits for somebody's decision, and
 * that is what a tray is for. On the base the person saw when they wrote: whoever accepts it hears that it meets somebody else's
 * work. Where there is no record to edit, or the person said more of it since, which an edit queued behind it would undo, the
 * words stay here.
 *
 * @returns whether they are queued
 */
async function queueWords(tx: DatabaseTx, found: ConflictRecord, record: StoredRecord | undefined): Promise<boolean> {
  const { kind, fields } = found.conflict;
  if (!record || kind !== 'fields') return false;
  const queue = tx.objectStore('sync_queue');
  const queued = recordEntries((await queue.index('record').getAll(keyOf(record))) as QueuedEntry[]);
  const isSaidAnew = ({ operation, data }: QueuedEntry) => operation === 'delete' || fields.some(({ f }) => f in data);
  if (queued.some(isSaidAnew)) return false;
  const patch = Object.fromEntries(fields.map(({ f, mine }) => [f, mine]));
  const seen = Object.fromEntries(fields.map(({ f, base }) => [f, base]));
  const made = newEntry(record, { operation: 'update', patch, seen, now: found.timestamp, group: null });
  const entry = forTheTray(made);
  await queue.add(entry);
  const base = record.isDirty ? (record.base ?? null) : record.data;
  const next = settleRecord(record, base, [...queued, entry]);
  await tx.objectStore(storeOf(record.type as TableName)).put(next, keyOf(next));
  return true;
}
