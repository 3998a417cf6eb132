import { AsyncLocalStorage } from 'node:async_hooks';
import type { SharedSemaphore, TurnRequester } from './shared-semaphore.ts';
import type { Release } from './slot.ts';

/** The turn a request has, for what it asks for below: whoever waits there for something else gives it back. */
export const heldTurn = new AsyncLocalStorage<{ asker: TurnRequester; release: Release }>();

type Errand<T> = {
  semaphore: SharedSemaphore;
  /** Who takes the other turn, by who has this one; undefined where the server acts by itself. */
  asker: (held: TurnRequester | undefined) => TurnRequester;
  signal?: AbortSignal;
  work: () => Promise<T>;
};

/**
 * Gives back the turn the request has, which others need, and works when one of another kind has come.
 *
 * @returns null where too many wait for it already, or who asked hung up
 */
export async function inOtherTurn<T>({ semaphore, asker, signal, work }: Errand<T>): Promise<{ result: T } | null> {
  const held = heldTurn.getStore();
  held?.release();
  const slot = await semaphore.take(asker(held?.asker), 0, signal);
  if (!slot) return null;
  try {
    return { result: await work() };
  } finally {
    slot.release();
  }
}
