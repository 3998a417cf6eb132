/** As much of a transaction as ending it takes. */
type Ending = { done: Promise<void>; abort(): void };

export const isDomError = (error: unknown, name: string): boolean =>
  error instanceof DOMException && error.name === name;

/** Ends a transaction that must leave nothing behind. */
export async function abandon(tx: Ending): Promise<void> {
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
