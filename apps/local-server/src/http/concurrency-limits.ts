import type { Context, MiddlewareHandler } from 'hono';
import type { FeedSlots } from '@cairn/api/backend-access.ts';
import { addressOf } from '@cairn/supabase-local/auth/auth-context.ts';
import type { GateVariables } from '@cairn/supabase-local/access/gate.ts';
import { networkOf } from '@cairn/supabase-local/limits/network-of.ts';
import { waitWithBody } from '@cairn/supabase-local/limits/waiting-body.ts';
import { heldTurn, inOtherTurn } from '@cairn/supabase-local/limits/held-turn.ts';
import { SharedSemaphore, type TurnRequester } from '@cairn/supabase-local/limits/shared-semaphore.ts';

/** Tiers of calls: any; those that may take long by what they are; those of whoever took much lately. */
const [ANY, LONG, HEAVY] = [0, 1, 2];

/**
 * Of 16 connections; the others are for who signs in, for files, for rights to channels and for the question whether the server is
 * well. Half of these are never given to long calls, and a third of those not to whoever took much: a push ends after a second
 * (sync.push_budget), so that a place of each kind comes free soon.
 */
const REQUESTS = {
  tiers: [
    { person: 4, network: 8, all: 12 },
    { person: 2, network: 4, all: 6 },
    { person: 2, network: 3, all: 4 },
  ],
  waiting: { person: 200, network: 1000, all: 5000 },
};
/** Functions ask the database by requests of their own, some with the server's rights: by these no more are underway than it bears. */
const FUNCTIONS = { tiers: [{ person: 2, network: 6, all: 8 }], waiting: { person: 50, network: 200, all: 1000 } };
/** Questions of calendars, with the server's rights: each takes the database a moment. */
const CALENDARS = { tiers: [{ person: 2, network: 2, all: 4 }], waiting: { person: 60, network: 60, all: 300 } };
/** A feed of thousands of entries takes a second to make: one at once of each feed and each network, two in all. */
const FEEDS = { tiers: [{ person: 1, network: 1, all: 2 }], waiting: { person: 3, network: 60, all: 300 } };
/** As many wait as may have begun a function before. */
const EMAILS = { tiers: [{ person: 1, network: 1, all: 1 }], waiting: FUNCTIONS.waiting };
const OURSELVES: TurnRequester = { person: 'server', network: 'server' };
/** ms, fading by half in five seconds: more than half of the time. Whoever took as much is given no more than the heavy tier has. */
const MUCH_MS = 4_000;

const LONG_CALLS: ReadonlySet<string> = new Set(
  [
    'sync_push',
    'sync_pull',
    'sync_digest',
    'sync_repair',
    'sync_missing',
    'submit_orphaned_edits',
    'submit_edits_on_behalf',
    'orphaned_edits',
    'decide_orphaned_edits',
  ].map(name => `/rest/v1/rpc/${name}`),
);

/** Our own functions call without an address: there each person stands for themselves. Before no gate everybody is a visitor. */
export function askerOf(c: Context): TurnRequester {
  const address = addressOf(c);
  const caller = c.get('caller') as GateVariables['Variables']['caller'] | undefined;
  const person = caller?.claims?.sub ?? `visitor ${networkOf(address)}`;
  return { person, network: address === '' ? person : networkOf(address) };
}

function tierOf(semaphore: SharedSemaphore, path: string, person: string): number {
  if (semaphore.spentBy(person) > MUCH_MS) return HEAVY;
  return LONG_CALLS.has(path) ? LONG : ANY;
}

export const tooMany = (): Response =>
  Response.json(
    { code: 'PT429', message: 'Too many requests at once', details: null, hint: null },
    { status: 429, headers: { 'Retry-After': '1' } },
  );

/**
 * For /rest/v1 and broadcasts, behind the gate: requests take turns by person and by network, so that nobody has all connections,
 * with however many accounts (decision 21).
 *
 * @param guard asked once more of a request that had to wait: its session may have ended meanwhile
 */
export const limitRequests = (guard: MiddlewareHandler<GateVariables>): MiddlewareHandler<GateVariables> =>
  limitedBy(new SharedSemaphore(REQUESTS), guard);

/** As `takeTurns`, for /functions/v1: their own requests take turns there again, so these are turns apart. */
export const limitFunctions = (guard: MiddlewareHandler<GateVariables>): MiddlewareHandler<GateVariables> =>
  limitedBy(new SharedSemaphore(FUNCTIONS), guard);

function limitedBy(
  semaphore: SharedSemaphore,
  guard: MiddlewareHandler<GateVariables>,
): MiddlewareHandler<GateVariables> {
  return async (c, next) => {
    if (c.get('caller').role === 'service_role') return next();
    const asker = askerOf(c);
    const slot = await waitWithBody(c, signal =>
      semaphore.take(asker, tierOf(semaphore, c.req.path, asker.person), signal),
    );
    if (slot instanceof Response) return slot;
    if (!slot) return tooMany();
    try {
      return await heldTurn.run({ asker, release: slot.release }, () => (slot.waited ? guard(c, next) : next()));
    } finally {
      slot.release();
    }
  };
}

/**
 * For calendars, which are answered by an address alone: what is asked of the database before it is known whether there is anything to
 * make.
 */
export function limitCalendars(): MiddlewareHandler {
  const semaphore = new SharedSemaphore(CALENDARS);
  return async (c, next) => {
    const asker = askerOf(c);
    const slot = await semaphore.take(asker, 0, c.req.raw.signal);
    if (!slot) return tooMany();
    try {
      return await heldTurn.run({ asker, release: slot.release }, next);
    } finally {
      slot.release();
    }
  };
}

/** Feeds that are made. Whoever waits for theirs holds no turn that others need. */
export function createFeedSlots(): FeedSlots {
  const semaphore = new SharedSemaphore(FEEDS);
  return async (feed, signal, make) => {
    const asker = (held?: TurnRequester) => ({ person: feed, network: held?.network ?? feed });
    const made = await inOtherTurn({ semaphore, asker, signal, work: make });
    return made ? made.result : 'busy';
  };
}

/**
 * Letters that functions send, as that of an invitation. Whoever waits for the mail server holds no turn that others need, and one of
 * its two connections is left to who signs in.
 */
export function createEmailSlots(): (send: () => Promise<void>) => Promise<void> {
  const semaphore = new SharedSemaphore(EMAILS);
  return async send => {
    const sent = await inOtherTurn({ semaphore, asker: (held = OURSELVES) => held, work: send });
    if (!sent) throw new Error('Too many emails wait');
  };
}
