import type { MiddlewareHandler } from 'hono';
import { networkOf } from '../limits/network-of.ts';
import { SharedSemaphore, type TurnRequester } from '../limits/shared-semaphore.ts';
import type { Release, Slot } from '../limits/slot.ts';
import { waitWithBody } from '../limits/waiting-body.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { textIn } from './body.ts';
import { runInTurn } from './outside-turn.ts';

/** Tiers of requests: of visitors, and of whoever shows a token of a session. */
const [VISITOR, SESSION] = [0, 1];

/**
 * Of the pool's six connections (auth-pool.ts). All visitors of a network are one person here, and so is whoever shows a refresh token
 * that this server does not remember: both together leave room in the queue to the sessions of their network.
 */
const AUTH_TURNS = {
  tiers: [
    { person: 2, network: 3, all: 5 },
    { person: 1, network: 3, all: 5 },
  ],
  waiting: { person: 300, network: 900, all: 5_000 },
};
const RETRY_AFTER_S = 1;

/** What asks the database nothing. */
const WITHOUT_TURN = /^\/auth\/v1\/(health|settings|\.well-known\/.*)$/;

/** 503, not 429: a client that renews its session takes that for "later", and keeps the session. */
const refusal = () =>
  new AuthError(503, 'over_request_rate_limit', 'Too many requests at once', { retryAfterS: RETRY_AFTER_S });

/** The session whose access token is shown; null for one we did not sign. */
async function sessionOfBearer({ keys }: Auth, c: AuthRequest): Promise<string | null> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  if (bearer === undefined || bearer.startsWith('sb_')) return null;
  // What is wrong with it is told where a session is needed.
  const claims = await keys.verify(bearer).catch(() => null);
  return typeof claims?.['session_id'] === 'string' ? claims['session_id'] : null;
}

/** Who invents tokens is nobody of their own: otherwise each would come before the visitors of their network. */
async function askerOf(auth: Auth, c: AuthRequest): Promise<TurnRequester & { tier: number }> {
  const address = addressOf(c);
  const network = networkOf(address);
  const token = textIn(c.get('body'), 'refresh_token');
  const session = (await sessionOfBearer(auth, c)) ?? (token === undefined ? null : auth.given.sessionOf(token));
  const unknown = token === undefined ? `visitors ${network}` : `renewals ${network}`;
  const person = session === null ? unknown : `session ${session}`;
  // Our own functions call without an address.
  return { person, network: address === '' ? person : network, tier: session === null ? VISITOR : SESSION };
}

/** For /auth/v1, behind the body: requests take turns by session and network before they ask the database (decision 17). */
export function inAuthTurns(auth: Auth): MiddlewareHandler<AuthVariables> {
  const semaphore = new SharedSemaphore(AUTH_TURNS);
  return async (c, next) => {
    if (WITHOUT_TURN.test(c.req.path) || c.req.header('apikey') === auth.secrets.secretKey) return next();
    const { tier, ...asker } = await askerOf(auth, c);
    const releaseOf = (slot: Slot | null): Release => {
      if (!slot) throw refusal();
      return slot.release;
    };
    const slot = await waitWithBody(c, signal => semaphore.take(asker, tier, signal));
    if (slot instanceof Response) return slot;
    const again = async () => releaseOf(await semaphore.takeAgain(asker, tier, c.req.raw.signal));
    return runInTurn(releaseOf(slot), again, next);
  };
}
