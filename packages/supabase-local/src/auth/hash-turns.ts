import { AuthError } from './auth-error.ts';
import { networkOf, widerNetworkOf } from '../limits/network-of.ts';
import { Turns } from '../limits/turns.ts';

/** A hash takes a connection, and a processor, for a tenth of a second: of the pool's connections four at most. */
const HASHES = { each: 2, all: 4, waiting: 100 };
/** Sign-ins of one account follow each other: those that wait for it hold no connection. */
const SIGN_INS = { each: 1, all: 4, waiting: 20 };

type RawRequestContext = { req: { raw: Request } };

/** Passwords are hashed and compared in turns, by person or, before one knows who it is, by network. */
export type HashTurns<C extends RawRequestContext> = <T>(c: C, work: () => Promise<T>, userId?: string) => Promise<T>;

type HashTurnsFactory = <C extends RawRequestContext>(addressOf: (c: C) => string) => HashTurns<C>;

/** @returns what throws 429 in GoTrue's words where somebody has too many waiting */
export const createHashTurns: HashTurnsFactory = addressOf => turnsWith(new Turns(HASHES), addressOf);

/** @returns as `createHashTurns`, for what signs one account in */
export const createSignInTurns: HashTurnsFactory = addressOf => turnsWith(new Turns(SIGN_INS), addressOf);

function turnsWith<C extends RawRequestContext>(turns: Turns, addressOf: (c: C) => string): HashTurns<C> {
  return async (c, work, userId) => {
    const network = networkOf(addressOf(c));
    const turn = await turns.take(userId ?? widerNetworkOf(network) ?? network, c.req.raw.signal);
    if (!turn) throw new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfterS: 1 });
    try {
      return await work();
    } finally {
      turn.release();
    }
  };
}
