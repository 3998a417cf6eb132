import { AuthError } from './auth-error.ts';
import { outsideTurn } from './outside-turn.ts';
import { networkOf, widestNetworkOf } from '../limits/network-of.ts';
import { FairSemaphore } from '../limits/fair-semaphore.ts';
import type { Slot } from '../limits/slot.ts';

/** A hash takes a connection, and a processor, for a tenth of a second: of the pool's connections four at most. */
const HASHES = { each: 2, all: 4, waiting: 100 };
/** Sign-ins of one account follow each other: those that wait for it hold no connection. */
const SIGN_INS = { each: 1, all: 4, waiting: 20 };

type RawRequestContext = { req: { raw: Request } };

/** Passwords are hashed and compared in turns, by person or, before one knows who it is, by network. */
export type HashSemaphore<C extends RawRequestContext> = <T>(
  c: C,
  work: () => Promise<T>,
  userId?: string,
) => Promise<T>;

type HashSemaphoreFactory = <C extends RawRequestContext>(addressOf: (c: C) => string) => HashSemaphore<C>;

/** @returns what throws 429 in GoTrue's words where somebody has too many waiting */
export const createHashSemaphore: HashSemaphoreFactory = addressOf =>
  limitedBySemaphore(new FairSemaphore(HASHES), addressOf);

/** @returns as `createHashSemaphore`, for what signs one account in */
export const createSignInSemaphore: HashSemaphoreFactory = addressOf =>
  limitedBySemaphore(new FairSemaphore(SIGN_INS), addressOf);

function limitedBySemaphore<C extends RawRequestContext>(
  semaphore: FairSemaphore,
  addressOf: (c: C) => string,
): HashSemaphore<C> {
  return async (c, work, userId) => {
    const network = networkOf(addressOf(c));
    // Whoever waits here keeps no place before the database from others.
    const held: { slot: Slot | null } = { slot: null };
    try {
      await outsideTurn(async () => {
        held.slot = await semaphore.take(userId ?? widestNetworkOf(network), c.req.raw.signal);
      });
      if (!held.slot)
        throw new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfterS: 1 });
      return await work();
    } finally {
      held.slot?.release();
    }
  };
}
