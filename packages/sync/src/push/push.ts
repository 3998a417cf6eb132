import { isDomError } from '../transport/abandon.ts';
import { acknowledge, answered } from './acknowledge.ts';
import { BackendError, type PushAnswer } from '../transport/backend.ts';
import {
  FIRST_BATCH,
  MAX_BATCH,
  noteFailedSend,
  noteUnjudged,
  putBack,
  quarantine,
  takeBatch,
  toMutation,
} from './batch.ts';
import { QUEUE } from '../store/changes.ts';
import { isPoison } from '../transport/error-class.ts';
import { REQUEST_DEADLINE, withDeadline } from '../transport/deadline.ts';
import type { Session } from '../store/session.ts';
import type { QueuedEntry } from '../store/stored.ts';

/** What came in the way: the server's code or its kind, else what happened on this device. */
function wordOf(error: unknown): string {
  if (error instanceof BackendError) return error.code ?? error.kind;
  return isDomError(error, 'QuotaExceededError') ? 'storage_full' : 'interrupted';
}

type Call = { signal: AbortSignal; onHeartbeat: () => void };
type PushCall = { batch: QueuedEntry[]; answer: Promise<PushAnswer> };

function ask(session: Session, batch: QueuedEntry[], { signal, onHeartbeat }: Call): PushCall {
  onHeartbeat();
  session.changes.emit([QUEUE]);
  const answer = withDeadline(session.platform.clock, signal, REQUEST_DEADLINE, inner =>
    session.backend.push(session.device, batch.map(toMutation), inner),
  );
  // Its failure is told when it is awaited; until then it must not count as unhandled.
  answer.catch(() => undefined);
  return { batch, answer };
}

/** What the server left for the next call goes first in it: what was taken behind that must not overtake it. */
async function giveBack(session: Session, left: QueuedEntry[], behind: QueuedEntry[]): Promise<QueuedEntry[]> {
  await noteUnjudged(session, left);
  await putBack(session, behind);
  return [];
}

/**
 * Sends what is queued until nothing sendable is left. While one batch is on its way the next is made ready, and it goes
 * before the answer to the first is written down: the server need not wait for this device's disk.
 *
 * @param onHeartbeat called before each request, for the watchdog
 * @returns how many mutations were answered
 * @throws {BackendError} when a call got no answer; everything stays queued
 */
export async function pushAll(session: Session, signal: AbortSignal, onHeartbeat: () => void): Promise<number> {
  const call = { signal, onHeartbeat };
  let limit = FIRST_BATCH;
  let sent = 0;
  let asked: PushCall | null = null;
  for (;;) {
    if (!asked) {
      signal.throwIfAborted();
      const batch = await takeBatch(session, limit);
      if (batch.length === 0) return sent;
      asked = ask(session, batch, call);
    }
    const { batch, answer }: PushCall = asked;
    asked = null;
    const isMore = batch.length >= Math.min(limit, FIRST_BATCH);
    // Not before the server has answered once: what fails with no network should cost the device little.
    let next = isMore && sent > 0 ? await takeBatch(session, limit, batch) : [];
    try {
      const told = await answer;
      const { judged, left } = answered(batch, told);
      // Not while a refused entry is being looked for by halves.
      if (limit === FIRST_BATCH) limit = MAX_BATCH;
      if (left.length > 0) [next, limit] = [await giveBack(session, left, next), Math.min(limit, FIRST_BATCH)];
      else if (isMore && sent === 0) next = await takeBatch(session, limit, batch);
      if (next.length > 0) asked = ask(session, next, call);
      await acknowledge(session, judged, told.results);
      sent += judged.length;
    } catch (error) {
      await (asked ? noteFailedSend(session, next, wordOf(error)) : putBack(session, next));
      limit = await recover(session, batch, { error, stopped: signal.aborted });
      asked = null;
    }
  }
}

/**
 * @returns how many may go next, where the batch was refused for what it carries
 * @throws whatever else the send failed of; the batch stays queued
 */
async function recover(session: Session, batch: QueuedEntry[], failure: { error: unknown; stopped: boolean }) {
  const { error, stopped } = failure;
  if (!stopped && error instanceof BackendError && isPoison(error)) return isolate(session, batch, error);
  await noteFailedSend(session, batch, wordOf(error));
  session.changes.emit([QUEUE]);
  throw error;
}

/** Halves the batch until the one entry (or group) that is refused stands alone, and sets that aside. */
async function isolate(session: Session, batch: QueuedEntry[], error: BackendError): Promise<number> {
  const group = batch[0]?.group;
  const alone = batch.length === 1 || (group !== undefined && batch.every(entry => entry.group === group));
  if (alone) {
    await quarantine(session, batch, wordOf(error), error.message);
    session.changes.emit([QUEUE]);
    return FIRST_BATCH;
  }
  await noteFailedSend(session, batch, wordOf(error));
  return Math.max(1, Math.floor(batch.length / 2));
}
