import { jsonOrNull } from '@cairn/base/json-or-null.ts';
import type { Row, TableName } from '@cairn/schema';
import { RECORD_STORES } from '../store/database-schema.ts';
import type { DatabaseTx, LocalDatabase, Mode } from '../store/database.ts';
import { recordAt } from '../store/bulk-block.ts';
import { readQueueInChunks } from '../store/queue-chunks.ts';
import { ownerRange } from '../store/read-tx.ts';
import { keyAt, typeRange } from '../store/record-key.ts';
import { isTable, organizationIn, storeOf } from '../store/record.ts';
import { RescueRefused } from './snapshot-refused.ts';
import { statedOrganizationId } from '../access/membership-end.ts';
import { metaOf } from '../store/session.ts';
import {
  BYTES,
  DEVICE,
  DEVICE_ID,
  type ConflictRecord,
  type Data,
  type QueuedEntry,
  type QueueEntry,
  type StoredRecord,
} from '../store/stored.ts';

/** Raised when older versions of Cairn could not read what newer ones write. */
export const SNAPSHOT_VERSION = 1;

type CarriedFields =
  | 'operation'
  | 'dataType'
  | 'dataId'
  | 'data'
  | 'timestamp'
  | 'mid'
  | 'base'
  | 'bv'
  | 'attempt'
  | 'aggregateKey'
  | 'title';

/** One entry of the outbox as a snapshot carries it. */
export type CarriedEntry = Pick<QueueEntry, CarriedFields | 'group' | 'conflict'> & {
  /** The organisation it is work of; null for what belongs to the person. */
  organizationId: string | null;
};

/** What the device knew of a record with unsent work: the server's row below it (null: the server had none). */
export type CarriedRecord = {
  table: TableName;
  id: string;
  base: Data | null;
  version: number;
  isSubmitted: boolean;
  /** Its person could not see it any more. Missing in files of earlier builds. */
  lost?: true;
};

/** A file that had not been sent; its bytes are a section of their own, in this order. */
export type CarriedFile = { id: string; organizationId: string; mime: string; sha256: string; bytes: number };

/** An organisation work in the file is for; of a person's private one nobody but they import anything. */
export type CarriedOrganization = { id: string; name: string; isPrivate: boolean };

/** The first part of a snapshot: of a rescue file, a sealed outbox or an outbox backup. */
export type SnapshotContents = {
  version: number;
  owner: { id: string; email: string };
  device: string;
  /** ms since 1970, the device's clock. */
  madeAt: number;
  organizations: CarriedOrganization[];
  /** In the order they were made. */
  entries: CarriedEntry[];
  records: CarriedRecord[];
  conflicts: Omit<ConflictRecord, 'owner'>[];
  files: CarriedFile[];
};

export type SnapshotRequest = {
  owner: { id: string; email: string };
  device: string;
  now: number;
  /** False: only work for companies, so that the file can be given to one of their administrators. */
  withPrivate: boolean;
};

const tableOf = ({ dataType }: Pick<QueueEntry, 'dataType'>): TableName => dataType as TableName;

type QueuedEdit = { entry: QueuedEntry; record: StoredRecord | undefined; organizationId: string | null };

/** In the order they were made. */
const inOrder = (entries: readonly QueuedEntry[]): QueuedEntry[] => entries.toSorted((a, b) => a.seq - b.seq);

async function entriesIn(tx: DatabaseTx, owner: string): Promise<QueuedEntry[]> {
  return inOrder((await tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner))) as QueuedEntry[]);
}

async function foundWith(tx: DatabaseTx<Mode>, owner: string, entries: readonly QueuedEntry[]): Promise<QueuedEdit[]> {
  const all = entries.map(async entry => {
    const { record } = await recordAt(tx, owner, tableOf(entry), entry.dataId);
    return { entry, record, organizationId: statedOrganizationId(entry) ?? organizationIn(record?.data) };
  });
  return Promise.all(all);
}

function carried({ entry, organizationId }: QueuedEdit): CarriedEntry {
  const { operation, dataType, dataId, data, timestamp, mid, base, bv, attempt, aggregateKey, title } = entry;
  const edit = { operation, dataType, dataId, data, timestamp, mid, base, bv, attempt };
  const always = { ...edit, aggregateKey, title, organizationId };
  return { ...always, ...(entry.group && { group: entry.group }), ...(entry.conflict && { conflict: entry.conflict }) };
}

function recordOf({ id, type, data, isDirty, base, version, isSubmitted, lost }: StoredRecord): CarriedRecord {
  // Of what was handed over no entry is left that says what the file is.
  const below = isDirty && !isSubmitted ? (base ?? null) : data;
  const carriedRecord = { table: type as TableName, id, base: below, version, isSubmitted: isSubmitted === true };
  return { ...carriedRecord, ...(lost && { lost }) };
}

function fileOf({ entry, record }: QueuedEdit): CarriedFile[] {
  if (entry.operation !== 'upload' || !record) return [];
  const { id, organization_id, mime, sha256, bytes } = record.data as unknown as Row<'media'>;
  return [{ id, organizationId: organization_id, mime, sha256, bytes }];
}

/** What is known of the organisations: only a private one is nobody else's business. */
async function organizationsOf(tx: DatabaseTx, owner: string, ids: ReadonlySet<string>) {
  const known = await tx.objectStore(storeOf('organizations')).getAll(typeRange(owner, 'organizations'));
  return known
    .filter(({ id }) => ids.has(id))
    .map(({ id, data }): CarriedOrganization => {
      const name = data['name'];
      return { id, name: typeof name === 'string' ? name : '', isPrivate: data['kind'] === 'private' };
    });
}

async function openConflicts(tx: DatabaseTx<Mode>, owner: string): Promise<ConflictRecord[]> {
  return (await tx.objectStore('conflicts').getAll(ownerRange(owner))).filter(({ resolved }) => !resolved);
}

async function conflictsOf(tx: DatabaseTx, owner: string): Promise<(ConflictRecord & { about: string | null })[]> {
  const open = await openConflicts(tx, owner);
  const all = open.map(async conflict => {
    const { record } = await recordAt(tx, owner, conflict.type as TableName, conflict.dataId);
    return {
      ...conflict,
      about: conflict.organizationId ?? organizationIn(record?.data) ?? organizationIn(conflict.conflict.mine),
    };
  });
  return Promise.all(all);
}

const unique = <A>(all: readonly A[], nameOf: (each: A) => string): A[] => [
  ...new Map(all.map(each => [nameOf(each), each])).values(),
];

const carriedOf = (all: readonly QueuedEdit[]): Pick<SnapshotContents, 'entries' | 'records' | 'files'> => ({
  entries: all.map(carried),
  records: unique(
    all.flatMap(({ record }) => (record ? [recordOf(record)] : [])),
    ({ table, id }) => `${table}/${id}`,
  ),
  files: unique(all.flatMap(fileOf), ({ id }) => id),
});

async function contentsIn(
  tx: DatabaseTx,
  { owner, device, now, withPrivate }: SnapshotRequest,
): Promise<SnapshotContents> {
  const all = await foundWith(tx, owner.id, await entriesIn(tx, owner.id));
  const conflicts = await conflictsOf(tx, owner.id);
  const about = [...all.map(each => each.organizationId), ...conflicts.map(each => each.about)];
  const organizations = await organizationsOf(tx, owner.id, new Set(about.filter(id => id !== null)));
  const companies = new Set(organizations.filter(({ isPrivate }) => !isPrivate).map(({ id }) => id));
  const isMeant = (id: string | null) => withPrivate || (id !== null && companies.has(id));
  const meant = all.filter(({ organizationId }) => isMeant(organizationId));
  for (const { entry } of meant)
    if (entry.operation !== 'upload' && !entry.copied)
      await tx.objectStore('sync_queue').put({ ...entry, copied: true });
  return {
    version: SNAPSHOT_VERSION,
    owner,
    device,
    madeAt: now,
    organizations: organizations.filter(({ id }) => isMeant(id)),
    conflicts: conflicts.flatMap(({ about: of, owner: _owner, ...conflict }) => (isMeant(of) ? [conflict] : [])),
    ...carriedOf(meant),
  };
}

/**
 * Everything of one person that no server has acknowledged. What is carried is frozen from here on: an edit that follows
 * becomes a mutation of its own, so that whoever sends one of the two copies first, the other one changes nothing.
 */
export async function collectRescue(db: LocalDatabase, given: SnapshotRequest): Promise<SnapshotContents> {
  const tx = await db.transaction([...RECORD_STORES, 'sync_queue', 'conflicts'], 'readwrite', 'strict');
  const contents = await contentsIn(tx, given);
  await tx.done;
  return contents;
}

/** The bytes of a file as this device holds them; null where it does not. */
export async function bytesHeld(db: LocalDatabase, owner: string, id: string): Promise<ArrayBuffer | null> {
  const tx = await db.transaction(['media'], 'readonly');
  const bytes = (await tx.objectStore('media').get(keyAt(owner, BYTES, id)))?.data['bytes'];
  return bytes instanceof ArrayBuffer ? bytes : null;
}

/** A save waits for a read that has begun: so many records are read at a time. */
const AT_A_TIME = 25;

/**
 * The same for a copy on this device: nothing is frozen, for there is only one to send it. Read in pieces, each short enough for a
 * save to wait behind; whatever changed between two of them is copied the next time.
 *
 * @returns null where the database is not the one that `device` was made with: a browser threw that away under the open app
 */
export async function collectBackup(
  db: LocalDatabase,
  owner: string,
  device: string,
): Promise<SnapshotContents | null> {
  const first = await db.transaction(['sync_queue', 'conflicts', 'meta'], 'readonly');
  const [conflicts, id, queued] = await Promise.all([
    openConflicts(first, owner),
    metaOf<string>(first, DEVICE, DEVICE_ID),
    readQueueInChunks(db, owner, first),
  ]);
  if (id !== device) return null;
  const entries = inOrder(queued);
  const all: QueuedEdit[] = [];
  for (let at = 0; at < entries.length; at += AT_A_TIME) {
    const some = entries.slice(at, at + AT_A_TIME);
    const stores = unique(
      some.map(entry => storeOf(tableOf(entry))),
      String,
    );
    all.push(...(await foundWith(await db.transaction(stores, 'readonly'), owner, some)));
  }
  return {
    version: SNAPSHOT_VERSION,
    owner: { id: owner, email: '' },
    device,
    // Nobody is shown when: the same outbox is the same text.
    madeAt: 0,
    organizations: [],
    ...carriedOf(all),
    conflicts: conflicts.map(({ owner: _owner, ...conflict }) => conflict),
  };
}

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null;
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isObject);

function isContents(value: unknown): value is SnapshotContents {
  if (!isObject(value) || !isObject(value['owner']) || typeof value['owner']['id'] !== 'string') return false;
  return ['organizations', 'entries', 'records', 'conflicts', 'files'].every(name => isList(value[name]));
}

/** @throws {RescueRefused} `damaged`, `newer` */
function allContentsFrom(text: string): SnapshotContents {
  const contents = jsonOrNull(text);
  if (!isContents(contents)) throw new RescueRefused('damaged');
  if (contents.version > SNAPSHOT_VERSION) throw new RescueRefused('newer');
  return contents;
}

const knownOf = (contents: SnapshotContents): SnapshotContents => ({
  ...contents,
  entries: contents.entries.filter(({ dataType }) => isTable(dataType)),
  records: contents.records.filter(({ table }) => isTable(table)),
  conflicts: contents.conflicts.filter(({ type }) => isTable(type)),
});

/**
 * What a file says it holds. Tables this version does not know are left out.
 * @throws {RescueRefused} `damaged`, `newer`
 */
export const contentsFrom = (text: string): SnapshotContents => knownOf(allContentsFrom(text));

/**
 * What a copy on this device says it holds, all of it: whoever takes it deletes it afterwards.
 * @throws {RescueRefused} `damaged`; `newer` also where it holds a table this version does not know, as a tab beside this one may
 */
export function wholeContentsFrom(text: string): SnapshotContents {
  const all = allContentsFrom(text);
  const known = knownOf(all);
  if (all.entries.length + all.conflicts.length > known.entries.length + known.conflicts.length)
    throw new RescueRefused('newer');
  return known;
}
