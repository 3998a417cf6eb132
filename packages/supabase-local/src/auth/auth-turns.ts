import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { networkOf } from '../limits/network-of.ts';
import { SharedSemaphore, type TurnRequester } from '../limits/shared-semaphore.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { textIn } from './body.ts';
import { runInTurn } from './outside-turn.ts';

/** Tiers of requests: of visitors, and of whoever shows a token. */
const [VISITOR, TOKEN] = [0, 1];

/** Of the pool's six connections (auth-pool.ts). All visitors of a network are one person here. */
const AUTH_TURNS = {
  tiers: [
    { person: 2, network: 3, all: 5 },
    { person: 1, network: 3, all: 5 },
  ],
  waiting: { person: 300, network: 600, all: 5_000 },
};
const RETRY_AFTER_S = 1;

/** What asks the database nothing. */
const WITHOUT_TURN = /^\/auth\/v1\/(health|settings|\.well-known\/.*)$/;

/** 503, not 429: a client that renews its session takes that for "later", and keeps the session. */
const refusal = () =>
  new AuthError(503, 'over_request_rate_limit', 'Too many requests at once', { retryAfterS: RETRY_AFTER_S });

/** The token somebody shows, of their session or to renew it: who has none of somebody else's cannot take turns in their name. */
function tokenIn(c: AuthRequest): string | null {
  const bearer = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  if (bearer !== undefined && !bearer.startsWith('sb_')) return bearer;
  return textIn(c.get('body'), 'refresh_token') ?? null;
}

function askerOf(c: AuthRequest): TurnRequester & { tier: number } {
  const address = addressOf(c);
  const token = tokenIn(c);
  const network = networkOf(address);
  const person =
    token === null ? `visitors ${network}` : `token ${createHash('sha256').update(token).digest('base64')}`;
  // Our own functions call without an address.
  return { person, network: address === '' ? person : network, tier: token === null ? VISITOR : TOKEN };
}

/** For /auth/v1, behind the body: requests take turns by token and network before they ask the database (decision 17). */
export function inAuthTurns({ secrets }: Auth): MiddlewareHandler<AuthVariables> {
  const semaphore = new SharedSemaphore(AUTH_TURNS);
  return async (c, next) => {
    if (WITHOUT_TURN.test(c.req.path) || c.req.header('apikey') === secrets.secretKey) return next();
    const { tier, ...asker } = askerOf(c);
    const take = async (signal?: AbortSignal) => {
      const slot = await semaphore.take(asker, tier, signal);
      if (!slot) throw refusal();
      return slot.release;
    };
    return runInTurn(await take(c.req.raw.signal), () => take(), next);
  };
}
