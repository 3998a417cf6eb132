import type { TableName } from '@cairn/schema';
import type { FieldConflict, PushResult } from '../transport/backend.ts';
import { saysNothing } from '../store/queue-edit.ts';
import { compose, normalise, organizationIn, sameJson, rebuildRecord, writable } from '../store/record.ts';
import type { ConflictRecord, Data, QueuedEntry, StoredRecord } from '../store/stored.ts';

/** What one answer of the server makes of a record and its outbox. */
export type Outcome = {
  /** null: the record leaves the device. */
  record: StoredRecord | null;
  /** Later entries of the record that changed or stay. */
  rest: QueuedEntry[];
  /** The entry itself, where it stays: rejected, for a person to decide, or to be sent again later. */
  failed: QueuedEntry | null;
  conflict: ConflictRecord | null;
};

type Case = { record: StoredRecord; entry: QueuedEntry; rest: QueuedEntry[]; now: number };
type Answer<S extends PushResult['st']> = Extract<PushResult, { st: S }>;

const server = (row: Data, version: number): Data => normalise({ ...row, version });

/** Lays the server's row (null: it has none) below what is still queued; a clean record nobody may see is dropped. */
function rebaseRecord({ record, rest, now }: Case, base: Data | null, version: number): StoredRecord | null {
  if (!base && rest.length === 0) return null;
  const next = rebuildRecord({ ...record, version, lastSync: now }, base, rest);
  return next.lost && !next.isDirty && next.scopes.length === 0 ? null : next;
}

/**
 * Later edits, now made on what the server made of this one: where it set another value than was sent (a time by its own
 * clock), they would else dispute a value that nobody chose. A later delete was made on the version this one became.
 */
function onAnswer({ entry, rest }: Case, { v, d }: Answer<'applied'>): QueuedEntry[] {
  const open = new Set(Object.keys(d).filter(field => entry.operation !== 'delete' && field in entry.data));
  return rest.map(later => {
    const base = { ...later.base };
    for (const field of open) {
      if (field in base && sameJson(base[field], entry.data[field])) base[field] = d[field];
      if (field in later.data) open.delete(field);
    }
    if (later.attempt > 0) return later;
    return { ...later, base, bv: Math.max(later.bv, v) };
  });
}

function applied(given: Case, answer: Answer<'applied'>): Outcome {
  const { record, entry } = given;
  const { v, d } = answer;
  const table = record.type as TableName;
  const rest = onAnswer(given, answer);
  const known = record.base ?? null;
  const next = { ...given, rest };
  if (entry.operation === 'delete') {
    // Said of a delete before somebody brought the record back.
    const isOld = v < record.version;
    const left = rebaseRecord(next, isOld ? rebaseForPull(record) : null, isOld ? record.version : v);
    return { record: left, rest, failed: null, conflict: null };
  }
  // After a restore the device may hold an older row than the one this was made on, and the server has by now: then only the
  // server knows what the new one says, and the next pull fetches it, for the version here stays behind.
  const isKnown = entry.operation === 'insert' || record.version >= entry.bv;
  const newer = v > record.version && !saysNothing(entry) && isKnown;
  const below = known ?? compose(table, null, [entry]);
  const base = newer ? server({ ...below, ...entry.data, ...d }, v) : known;
  const version = newer ? v : record.version;
  return { record: rebaseRecord(next, base, version), rest, failed: null, conflict: null };
}

/** The server's whole row, unless a later one has come by a pull meanwhile. */
function serverRow({ record }: Case, row: Data, v: number): { base: Data | null; version: number } {
  return v >= record.version
    ? { base: server(row, v), version: v }
    : { base: record.base ?? null, version: record.version };
}

/** Later unsent edits of a disputed field join the dispute: their base was never the server's. */
function fold(rest: readonly QueuedEntry[], fields: readonly FieldConflict[]) {
  const latest = fields.map(field => ({ ...field }));
  const kept: QueuedEntry[] = [];
  for (const entry of rest) {
    const data = { ...entry.data };
    const base = { ...entry.base };
    for (const field of latest) {
      if (!(field.f in data) || entry.operation === 'resolve') continue;
      field.mine = data[field.f];
      delete data[field.f];
      delete base[field.f];
    }
    // What else it says of their groups was seen beside values the server never had.
    for (const field of Object.keys(base)) if (!(field in data)) delete base[field];
    const emptied = entry.operation === 'update' && Object.keys(data).length === 0;
    if (!emptied) kept.push({ ...entry, data, base });
  }
  return { fields: latest, rest: kept };
}

/** What the person had changed on a record the server does not have any more. */
function lostEdits(entries: readonly QueuedEntry[]): FieldConflict[] {
  const fields = new Map<string, FieldConflict>();
  for (const { data, base } of entries) {
    for (const [f, mine] of Object.entries(data)) {
      fields.set(f, { f, base: fields.get(f)?.base ?? base[f] ?? null, mine, theirs: null });
    }
  }
  return [...fields.values()];
}

function conflicted(given: Case, answer: Answer<'conflict'>): Outcome {
  const { record, now } = given;
  const gone = !answer.row || (answer.row['deleted_at'] ?? null) !== null;
  const folded = gone ? { fields: lostEdits([given.entry, ...given.rest]), rest: [] } : fold(given.rest, answer.fields);
  const mine = gone
    ? writable(record.type as TableName, record.data)
    : Object.fromEntries(folded.fields.map(({ f, mine }) => [f, mine]));
  const kind = gone && record.lost ? 'access_revoked' : answer.kind;
  const isOld = answer.row !== null && answer.v < record.version;
  const { base, version } =
    answer.row && !gone
      ? serverRow(given, answer.row, answer.v)
      : { base: answer.row && !isOld ? null : rebaseForPull(record), version: record.version };
  return {
    record: rebaseRecord({ ...given, rest: folded.rest }, base, version),
    rest: folded.rest,
    failed: null,
    conflict: conflictRecord(given, { cid: answer.cid, kind, fields: folded.fields, mine, now }),
  };
}

/**
 * The server showed no row, at that moment, or says of an answer given before what is not so any more: where a pull brought one, a
 * pull takes it away. The right to it may be back by then, and a pull brings nothing that this device has had.
 */
const rebaseForPull = ({ scopes, base }: StoredRecord): Data | null => (scopes.length > 0 ? (base ?? null) : null);

type NewConflict = Pick<ConflictRecord, 'cid'> & {
  kind: ConflictRecord['conflict']['kind'];
  fields: FieldConflict[];
  mine: Data;
  now: number;
};

function conflictRecord({ record, entry }: Case, { cid, kind, fields, mine, now }: NewConflict): ConflictRecord {
  const organizationId = record.type === 'organizations' ? record.id : organizationIdIn(record, entry);
  return {
    dataId: record.id,
    conflict: { kind, fields, operation: entry.operation === 'upload' ? 'update' : entry.operation, mine },
    timestamp: now,
    resolved: false,
    resolution: null,
    resolvedAt: null,
    owner: record.owner,
    type: record.type,
    cid,
    title: entry.title,
    ...(organizationId !== null && { organizationId }),
  };
}

/** The organisation a record and an edit of it are work for; null for what is none's, or does not say it. */
export const organizationIdIn = ({ data, base }: StoredRecord, entry: QueuedEntry): string | null =>
  organizationIn(data) ?? organizationIn(base) ?? organizationIn(entry.data);

/** Unsent edits of a record this person may not see any more: kept, for them to copy out or let go. */
export function revoked(
  record: StoredRecord,
  entries: readonly [QueuedEntry, ...QueuedEntry[]],
  now: number,
): ConflictRecord {
  const [entry] = entries;
  const mine = writable(record.type as TableName, record.data);
  const fields = lostEdits(entries);
  const given = { record, entry, rest: [], now };
  return { ...conflictRecord(given, { cid: entry.mid, kind: 'access_revoked', fields, mine, now }), local: true };
}

/**
 * Of a conflict in an organisation this person left only their own words: what others wrote, and what the record is called, is
 * no business of theirs any more, nor is anything left to choose between.
 */
export function withOwnEditsOnly(found: ConflictRecord): ConflictRecord {
  const fields = found.conflict.fields.map(({ f, mine }) => ({ f, base: null, mine, theirs: null }));
  const mine = Object.fromEntries(fields.map(field => [field.f, field.mine]));
  return { ...found, title: null, local: true, conflict: { ...found.conflict, kind: 'access_revoked', fields, mine } };
}

/** Refused by the rights of the person, SQLSTATE insufficient_privilege. */
export const NO_RIGHT = '42501';

/** What the server says to work of somebody who was removed meanwhile. */
export const NOT_A_MEMBER = 'not_a_member';

/** Refused, and to be handed to the organisation's administrators: no decision of this person's. */
export const isOrphaned = ({ state, lastError }: Pick<QueuedEntry, 'state' | 'lastError'>): boolean =>
  state === 'failed' && lastError === NOT_A_MEMBER;

/**
 * The server was restored from a backup, and this edit was made on a version it has not got back yet: somebody else's
 * device still has to send an earlier one. It waits, at most a day, then it is merged like any other.
 */
const BEHIND = 'behind';
/** ms */
const ASK_AGAIN = 60_000;

function rejected(given: Case, { code, msg, reason }: Answer<'rejected'>): Outcome {
  const { record, entry, rest, now } = given;
  if (record.lost && code === NO_RIGHT) {
    return { record: null, rest: [], failed: null, conflict: revoked(record, [entry, ...rest], now) };
  }
  if (code === BEHIND) {
    const waiting = { ...entry, state: 'waiting' as const, notBefore: now + ASK_AGAIN, lastError: code, detail: msg };
    return { record, rest, failed: waiting, conflict: null };
  }
  // attempt 0: the server stored nothing, so the person may still correct it.
  const failed: QueuedEntry = {
    ...entry,
    state: 'failed',
    attempt: 0,
    crashes: 0,
    retryCount: entry.retryCount + 1,
    lastError: code,
    detail: msg,
  };
  if (reason === undefined) delete failed.reason;
  else failed.reason = reason;
  const organizationId = code === NOT_A_MEMBER ? organizationIdIn(record, entry) : null;
  if (organizationId !== null) failed.organizationId = organizationId;
  return { record, rest, failed, conflict: null };
}

/**
 * Applies one push result. Pure: the caller writes the outcome down in one transaction with the entry's removal.
 *
 * @param given `record` as stored now, `entry` as sent, `rest` the record's later entries, oldest first; `now` in ms
 */
export function applyPushResult(given: Case, result: PushResult): Outcome {
  switch (result.st) {
    case 'applied':
      return applied(given, result);
    case 'merged': {
      const { base, version } = serverRow(given, result.row, result.v);
      return { record: rebaseRecord(given, base, version), rest: given.rest, failed: null, conflict: null };
    }
    case 'conflict':
      return conflicted(given, result);
    default:
      return rejected(given, result);
  }
}
