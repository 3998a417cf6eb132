import type { Mutation } from '../transport/backend.ts';
import type { DatabaseTx } from '../store/database.ts';
import { fenced, type Session } from '../store/session.ts';
import { recordEntries } from '../store/queue-edit.ts';
import { isTable, priorityOf } from '../store/record.ts';
import type { QueuedEntry, QueueEntry } from '../store/stored.ts';
import { CausalOrder } from './causal-order.ts';

/** What goes first, and where something went wrong before: little is at stake. */
export const FIRST_BATCH = 50;
/** What goes once the server has answered: each call costs both sides more than the edits in it. */
export const MAX_BATCH = 200;
/** UTF-16 units of JSON; the server's own limit is in bytes and answered with `too_large`. */
const MAX_BATCH_SIZE = 256 * 1024;
const READ_AHEAD = 2 * FIRST_BATCH;
/** Sends this client died in before a batch is made smaller, and before a lone entry is set aside. */
const CRASHES_BEFORE_SPLIT = 3;
const CRASHES_BEFORE_FAILED = 10;

type MutationField =
  | 'acked'
  | 'unchanged'
  | 'mid'
  | 'dataType'
  | 'dataId'
  | 'operation'
  | 'data'
  | 'base'
  | 'bv'
  | 'timestamp'
  | 'group'
  | 'conflict';

/** What the server is told of an entry. */
export function toMutation(entry: Pick<QueueEntry, MutationField>): Mutation {
  return {
    mid: entry.mid,
    t: entry.dataType as Mutation['t'],
    id: entry.dataId,
    op: entry.operation as Mutation['op'],
    patch: entry.data,
    base: entry.base,
    bv: entry.bv,
    at: new Date(entry.timestamp).toISOString(),
    ...(entry.group && { group: entry.group }),
    ...(entry.conflict && { conflict: entry.conflict }),
    ...(entry.acked && { av: entry.acked }),
    ...(entry.unchanged && { unchanged: true }),
  };
}

/** Parents before children, also of what is sent again in the order it was made (`requeue`). */
const sendPriority = ({ dataType, priority }: QueuedEntry): number =>
  isTable(dataType) ? priorityOf(dataType) : priority;
const byPriority = (a: QueuedEntry, b: QueuedEntry): number => sendPriority(a) - sendPriority(b) || a.seq - b.seq;

/** How many may go together, given what crashed before: all, 50, 50, 25, 12, … 1. */
const allowed = (unit: readonly QueuedEntry[], limit: number): number => {
  const crashes = Math.max(...unit.map(entry => entry.crashes));
  if (crashes === 0) return limit;
  const most = Math.min(limit, FIRST_BATCH);
  return crashes < CRASHES_BEFORE_SPLIT
    ? most
    : Math.max(1, Math.floor(most / 2 ** (crashes - CRASHES_BEFORE_SPLIT + 1)));
};

/** Walks the person's queue in order (priority, then age). */
async function* inOrder(tx: DatabaseTx, owner: string): AsyncGenerator<QueuedEntry> {
  const index = tx.objectStore('sync_queue').index('order');
  let after: unknown[] = [owner];
  for (;;) {
    const range = IDBKeyRange.bound(after, [owner, []], true);
    const some = (await index.getAll(range, READ_AHEAD)) as QueuedEntry[];
    yield* some;
    const last = some.at(-1);
    if (!last || some.length < READ_AHEAD) return;
    after = [owner, last.priority, last.seq];
  }
}

/** What must go as one: the whole group, or the entry alone; null while a member has to wait. */
async function unitOf(tx: DatabaseTx, entry: QueuedEntry): Promise<QueuedEntry[] | null> {
  if (!entry.group) return [entry];
  const queue = tx.objectStore('sync_queue');
  const members = (await queue.index('group').getAll(entry.group)) as QueuedEntry[];
  for (const member of members) {
    const own = recordEntries((await queue.index('record').getAll(member.record)) as QueuedEntry[]);
    if (member.state === 'failed' || own[0]?.seq !== member.seq) return null;
  }
  return members.toSorted(byPriority);
}

type Choice = { owner: string; limit: number; underWay: readonly QueuedEntry[]; now: number };

/** Nothing waits longer than this (ms), whatever the device's clock has done since. */
const MAX_WAIT_MS = 5 * 60_000;
const mustWait = ({ notBefore }: QueuedEntry, now: number): boolean =>
  notBefore > now && notBefore <= now + MAX_WAIT_MS;

async function choose(tx: DatabaseTx, choice: Choice): Promise<QueuedEntry[]> {
  const order = new CausalOrder(choice.underWay);
  const chosen = await collectEntries(tx, choice, order);
  // A clock that was set while they were said can make each wait for the other.
  const isDeadlock = chosen.length === 0 && choice.underWay.length === 0 && order.hasHeld;
  return isDeadlock ? collectEntries(tx, choice, null) : chosen;
}

/** @param order whose turn it is; null: whatever may go, first come */
async function collectEntries(tx: DatabaseTx, { owner, limit, underWay, now }: Choice, order: CausalOrder | null) {
  const causal = order ?? new CausalOrder(underWay);
  const overtakes = (unit: QueuedEntry[]) => order !== null && order.overtakes(unit);
  const units: QueuedEntry[][] = [];
  let budget = limit;
  let count = 0;
  let size = 0;
  for await (const entry of inOrder(tx, owner)) {
    if (entry.operation === 'upload' || !causal.isOpen(entry)) continue;
    const unit = entry.state === 'failed' || mustWait(entry, now) ? null : await unitOf(tx, entry);
    if (!unit || overtakes(unit)) {
      causal.hold(entry);
      continue;
    }
    budget = Math.min(budget, allowed(unit, limit));
    size += unit.reduce((sum, member) => sum + JSON.stringify(toMutation(member)).length, 0);
    const fits = count + unit.length <= budget && size <= MAX_BATCH_SIZE;
    if (count > 0 && !fits) break;
    causal.send(unit);
    units.push(unit);
    count += unit.length;
  }
  // What waits for its turn may have come up behind what was said later.
  const going = units.filter(unit => !overtakes(unit));
  return going.toSorted(([a], [b]) => (a && b ? sendPriority(a) - sendPriority(b) : 0)).flat();
}

/**
 * Takes the next entries to send and freezes them: from here on their bodies never change.
 * At most one entry of a record (more only inside a group), parents before children, and of one whole (an inspection with its
 * answers) nothing before what was done earlier and waits for its record's turn.
 *
 * @param underWay entries that were sent and not yet answered: nothing of their records is taken
 */
export function takeBatch(
  session: Session,
  limit: number,
  underWay: readonly QueuedEntry[] = [],
): Promise<QueuedEntry[]> {
  return fenced(session, { stores: ['sync_queue'], durability: 'strict' }, async tx => {
    const now = session.platform.clock.now();
    const batch = await choose(tx, { owner: session.owner, limit, underWay, now });
    const sending = batch.map(entry => ({ ...entry, state: 'sending' as const, attempt: entry.attempt + 1 }));
    for (const entry of sending) void tx.objectStore('sync_queue').put(entry);
    return sending;
  });
}

/** Whether anything could be sent now. */
export function isSendable(session: Session): Promise<boolean> {
  const now = session.platform.clock.now();
  return fenced(session, { stores: ['sync_queue'] }, async tx => {
    return (await choose(tx, { owner: session.owner, limit: 1, underWay: [], now })).length > 0;
  });
}

/** A send whose end was seen: it failed, yet it did not take this client down. */
export function noteFailedSend(session: Session, batch: readonly QueuedEntry[], error: string): Promise<void> {
  return changeEntries(session, batch, entry => ({
    ...entry,
    state: 'waiting',
    crashes: 0,
    retryCount: entry.retryCount + 1,
    lastError: error,
  }));
}

/**
 * Sent, and left by the server for the next call. Their bodies stay frozen: the call may have been carried out a second time
 * on the way, and whole.
 */
export function noteUnjudged(session: Session, batch: readonly QueuedEntry[]): Promise<void> {
  return changeEntries(session, batch, entry => ({ ...entry, state: 'waiting', crashes: 0 }));
}

/** Taken, but not sent after all: as if it had never been taken. */
export async function putBack(session: Session, batch: readonly QueuedEntry[]): Promise<void> {
  if (batch.length === 0) return;
  await changeEntries(session, batch, entry => ({ ...entry, state: 'waiting', attempt: entry.attempt - 1 }));
}

/** Sets entries aside for a person to decide. The call was refused as a whole, so nothing of it was stored. */
export function quarantine(session: Session, batch: readonly QueuedEntry[], error: string, detail: string | null) {
  return changeEntries(session, batch, entry => ({ ...entry, state: 'failed', attempt: 0, lastError: error, detail }));
}

/**
 * Entries that were on their way when the last leader died; a lone one that keeps killing its client is set aside.
 *
 * @returns how many were set aside
 */
export function noteInterrupted(session: Session): Promise<number> {
  return fenced(session, { stores: ['sync_queue'], durability: 'strict' }, async tx => {
    let setAside = 0;
    for await (const entry of inOrder(tx, session.owner)) {
      if (entry.state !== 'sending') continue;
      const crashes = entry.crashes + 1;
      const given = crashes > CRASHES_BEFORE_FAILED;
      if (given) setAside += 1;
      void tx.objectStore('sync_queue').put({
        ...entry,
        crashes,
        state: given ? 'failed' : 'waiting',
        lastError: given ? 'crash' : entry.lastError,
      });
    }
    return setAside;
  });
}

async function changeEntries(
  session: Session,
  entries: readonly QueuedEntry[],
  change: (entry: QueuedEntry) => QueuedEntry,
): Promise<void> {
  await fenced(session, { stores: ['sync_queue'] }, async tx => {
    const queue = tx.objectStore('sync_queue');
    for (const { seq } of entries) {
      const entry = await queue.get(seq);
      if (entry) void queue.put(change(entry as QueuedEntry));
    }
  });
}
