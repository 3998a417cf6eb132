import { AuthError } from '../parity/auth/auth-error.ts';
import { networkOf } from './network-of.ts';
import { Turns } from './turns.ts';

/** A hash takes a connection, and a processor, for a tenth of a second: of 16 connections four at most. */
const LIMITS = { each: 2, all: 4, waiting: 100 };

type Asker = { req: { raw: Request } };

/** Passwords are hashed and compared in turns, by person or, before one knows who it is, by network. */
export type HashTurns<C extends Asker> = <T>(c: C, work: () => Promise<T>, userId?: string) => Promise<T>;

/** @returns what throws 429 in GoTrue's words where somebody has too many waiting */
export function createHashTurns<C extends Asker>(addressOf: (c: C) => string): HashTurns<C> {
  const turns = new Turns(LIMITS);
  return async (c, work, userId) => {
    const turn = await turns.take(userId ?? networkOf(addressOf(c)), c.req.raw.signal);
    if (!turn) throw new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfterS: 1 });
    try {
      return await work();
    } finally {
      turn.release();
    }
  };
}
