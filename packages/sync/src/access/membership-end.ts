import type { TableName } from '@cairn/schema';
import type { Cursors } from '../store/cursors.ts';
import type { DatabaseTx, Mode } from '../store/database.ts';
import { newEntry, recordEntries } from '../store/queue-edit.ts';
import { ownerRange } from '../store/read-tx.ts';
import { keyAt, keyOf } from '../store/record-key.ts';
import { organizationIn, rebuildRecord, storeOf } from '../store/record.ts';
import { scopesLeft } from './scopes.ts';
import { NOT_A_MEMBER, withOwnEditsOnly } from '../push/apply-push-result.ts';
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
export const statedOrganizationId = (entry: QueueEntry): string | null =>
  entry.dataType === 'organizations'
    ? entry.dataId
    : (entry.organization ?? entry.organizationId ?? organizationIn(entry.data));

/**
 * The organisation an entry is work for; null for what is none's. Needs the record's store and `conflicts`: a choice may be about
 * a record that is gone.
 */
export async function organizationIdOf(tx: DatabaseTx<Mode>, entry: QueuedEntry): Promise<string | null> {
  const about = { ...entry, type: entry.dataType };
  const stated = entry.organization ?? entry.organizationId ?? organizationIn(entry.data);
  const organizationId = stated ?? organizationIn((await recordOf(tx, about))?.data);
  if (organizationId !== null || !entry.conflict) return organizationId;
  const found = await tx.objectStore('conflicts').get([entry.owner, entry.conflict]);
  return found ? conflictOrganizationId(found, undefined) : null;
}

/** What earlier builds noted names it by its record, or by the whole row in `mine` where that is gone. */
function conflictOrganizationId(found: ConflictRecord, record: StoredRecord | undefined): string | null {
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

const isOfFormer = ({ left }: DepartureContext, organizationId: string | null): boolean =>
  organizationId !== null && left.has(organizationId);

/** What this person sees by another audience too (a notification of theirs) stays theirs, whatever organisation it names. */
const isSeen = ({ lost }: DepartureContext, record: StoredRecord | undefined): boolean =>
  record !== undefined && scopesLeft(record, lost).length > 0;

/**
 * What goes with a membership beside the rows: all that is queued for the organisation is for its review queue, whatever the server said
 * to it before, and its conflicts leave the device. Before the audiences go: the records still tell whose they are. Needs every
 * store of records.
 */
export async function leaveOrganizations(leaving: DepartureContext): Promise<void> {
  if (leaving.left.size === 0) return;
  await leaveConflicts(leaving);
  const queue = leaving.tx.objectStore('sync_queue');
  for (const entry of (await queue.index('order').getAll(ownerRange(leaving.owner))) as QueuedEntry[]) {
    if (entry.operation === 'upload') continue;
    // An edit of the organisation itself: no review queue takes it, and only so it is told apart from what may still be sent.
    const organizationId =
      entry.dataType === 'organizations' ? entry.dataId : await organizationIdOf(leaving.tx, entry);
    if (!isOfFormer(leaving, organizationId)) continue;
    if (isSeen(leaving, await recordOf(leaving.tx, { ...entry, type: entry.dataType }))) continue;
    const isWork = entry.dataType !== 'organizations' && organizationId !== null;
    await queue.put({ ...asOrphaned(entry), ...(isWork && { organizationId: organizationId }) });
  }
}

/** As the push would have marked it: what was set aside before is sent by no push, and what waits behind it neither. */
const asOrphaned = <E extends Pick<QueuedEntry, 'state' | 'lastError' | 'detail'>>(entry: E): E => ({
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
    if (!isOfFormer(leaving, conflictOrganizationId(found, record)) || isSeen(leaving, record)) continue;
    const isQueued =
      found.resolved || found.conflict.fields.length === 0 || (await queueConflictEdit(tx, found, record));
    if (isQueued) await conflicts.delete([owner, found.cid]);
    else await conflicts.put(withOwnEditsOnly(found));
  }
}

/**
 * Nobody answered it, and the server put the other's value first: the words are an edit that waits for somebody's decision, and
 * that is what a review queue is for. On the base the person saw when they wrote: whoever accepts it hears that it meets somebody else's
 * work. Where there is no record to edit, or the person said more of it since, which an edit queued behind it would undo, the
 * words stay here.
 *
 * @returns whether they are queued
 */
async function queueConflictEdit(
  tx: DatabaseTx,
  found: ConflictRecord,
  record: StoredRecord | undefined,
): Promise<boolean> {
  const { kind, fields } = found.conflict;
  if (!record || kind !== 'fields') return false;
  const queue = tx.objectStore('sync_queue');
  const queued = recordEntries((await queue.index('record').getAll(keyOf(record))) as QueuedEntry[]);
  const isEditedSince = ({ operation, data }: QueuedEntry) =>
    operation === 'delete' || fields.some(({ f }) => f in data);
  if (queued.some(isEditedSince)) return false;
  const patch = Object.fromEntries(fields.map(({ f, mine }) => [f, mine]));
  const seen = Object.fromEntries(fields.map(({ f, base }) => [f, base]));
  const made = newEntry(record, { operation: 'update', patch, seen, now: found.timestamp, group: null });
  const entry = asOrphaned(made);
  await queue.add(entry);
  const base = record.isDirty ? (record.base ?? null) : record.data;
  const next = rebuildRecord(record, base, [...queued, entry]);
  await tx.objectStore(storeOf(record.type as TableName)).put(next, keyOf(next));
  return true;
}
