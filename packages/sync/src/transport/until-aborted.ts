/**
 * What was asked for, or the reason of the abort, whichever comes first: for everything a loop awaits that is not the device's own
 * database. What it waits for may wait for the loop to stop (a session that ends stops its engine), or for a network that is silent.
 *
 * @throws the signal's reason
 */
export async function untilAborted<A>(signal: AbortSignal, asked: () => Promise<A>): Promise<A> {
  signal.throwIfAborted();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([asked(), ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
