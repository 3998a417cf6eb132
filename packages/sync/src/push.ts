import { acknowledge } from './acknowledge.ts';
import { BackendError } from './backend.ts';
import { MAX_BATCH, noteFailedSend, quarantine, takeBatch, toMutation } from './batch.ts';
import { QUEUE } from './changes.ts';
import { withDeadline } from './deadline.ts';
import type { Session } from './session.ts';
import type { QueuedEntry } from './stored.ts';

/** SQLSTATE classes that will be refused again however often they are sent. */
const REFUSED = /^(22|23|42501|P0001)/;

/** Whether the call as a whole was refused for what it carries. */
const isPoison = (error: unknown): error is BackendError =>
  error instanceof BackendError &&
  (error.kind === 'too_large' || (error.kind === 'refused' && REFUSED.test(error.code ?? '')));

const wordOf = (error: unknown): string => (error instanceof BackendError ? (error.code ?? error.kind) : 'network');

async function send(session: Session, batch: QueuedEntry[], signal: AbortSignal): Promise<void> {
  const answer = await withDeadline(session.platform.clock, signal, REQUEST_DEADLINE, inner =>
    session.backend.push(session.device, batch.map(toMutation), inner),
  );
  await acknowledge(session, batch, answer.results);
}

/** Longest a request may take, ms. */
export const REQUEST_DEADLINE = 30_000;

/**
 * Sends what is queued until nothing sendable is left.
 *
 * @param onBeat called before each request, for the watchdog
 * @returns how many mutations were answered
 * @throws {BackendError} when a call got no answer; everything stays queued
 */
export async function pushAll(session: Session, signal: AbortSignal, onBeat: () => void): Promise<number> {
  let limit = MAX_BATCH;
  let sent = 0;
  for (;;) {
    signal.throwIfAborted();
    onBeat();
    const batch = await takeBatch(session, limit);
    if (batch.length === 0) return sent;
    session.changes.emit([QUEUE]);
    try {
      await send(session, batch, signal);
      sent += batch.length;
    } catch (error) {
      if (signal.aborted || !isPoison(error)) {
        await noteFailedSend(session, batch, wordOf(error));
        session.changes.emit([QUEUE]);
        throw error;
      }
      limit = await isolate(session, batch, error);
    }
  }
}

/** Halves the batch until the one entry (or group) that is refused stands alone, and sets that aside. */
async function isolate(session: Session, batch: QueuedEntry[], error: BackendError): Promise<number> {
  const group = batch[0]?.group;
  const alone = batch.length === 1 || (group !== undefined && batch.every(entry => entry.group === group));
  if (alone) {
    await quarantine(session, batch, wordOf(error), error.message);
    session.changes.emit([QUEUE]);
    return MAX_BATCH;
  }
  await noteFailedSend(session, batch, wordOf(error));
  return Math.max(1, Math.floor(batch.length / 2));
}
