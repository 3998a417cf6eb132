/** As much of a transaction as ending it takes. */
type AbortableTx = { done: Promise<void>; abort(): void; commit(): void };

export const isDomError = (error: unknown, name: string): boolean =>
  error instanceof DOMException && error.name === name;

/** What this comes to; null where the storage has no room for it. */
export async function unlessFull<A>(work: Promise<A>): Promise<A | null> {
  try {
    return await work;
  } catch (error) {
    if (isDomError(error, 'QuotaExceededError')) return null;
    throw error;
  }
}

/** Ends a transaction that must leave nothing behind. */
export async function abandon(tx: AbortableTx): Promise<void> {
  const ended = tx.done.then(
    () => undefined,
    () => undefined,
  );
  try {
    tx.abort();
  } catch (error) {
    // It has already ended, by its own error.
    if (!isDomError(error, 'InvalidStateError')) throw error;
  }
  await ended;
}

/**
 * Ends a transaction now, without the trip that would ask whether more is to come: whoever waits for its stores waits for each trip
 * of it, and on a busy page a trip is long.
 */
export function finish(tx: Pick<AbortableTx, 'commit'>): void {
  try {
    tx.commit();
  } catch (error) {
    // It ended by itself, all that was asked of it is on the device: somebody awaited a foreign promise.
    if (!isDomError(error, 'InvalidStateError')) throw error;
  }
}
