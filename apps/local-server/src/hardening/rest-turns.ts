import type { Context, MiddlewareHandler } from 'hono';
import { addressOf } from '../parity/auth/auth-context.ts';
import type { GateVariables } from './gate.ts';
import { networkOf } from './network-of.ts';
import { Turns } from './turns.ts';

/** Of 16 connections; the others are for who signs in, for files and for the question whether the server is well. */
const LIMITS = { each: 4, all: 12, waiting: 200 };

function keyOf(c: Context<GateVariables>): string {
  const { claims } = c.get('caller');
  return claims?.sub ?? `visitor ${networkOf(addressOf(c))}`;
}

function tooMany(c: Context): Response {
  c.header('Retry-After', '1');
  return c.json({ code: 'PT429', message: 'Too many requests at once', details: null, hint: null }, 429);
}

/**
 * For /rest/v1 and broadcasts, behind the gate: one person's requests take turns, four at once, so that nobody has all connections.
 *
 * @param guard asked once more of a request that had to wait: its session may have ended meanwhile
 */
export function takeTurns(guard: MiddlewareHandler<GateVariables>): MiddlewareHandler<GateVariables> {
  const turns = new Turns(LIMITS);
  return async (c, next) => {
    if (c.get('caller').role === 'service_role') return next();
    const turn = await turns.take(keyOf(c), c.req.raw.signal);
    if (!turn) return tooMany(c);
    try {
      return await (turn.waited ? guard(c, next) : next());
    } finally {
      turn.release();
    }
  };
}
