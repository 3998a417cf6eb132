import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { addressOf } from '@cairn/supabase-local/auth/auth-context.ts';
import { networkOf, networkShares, WIDER_SHARE } from '@cairn/supabase-local/limits/network-of.ts';
import { createRateLimit, type Attempt, type Rule } from '@cairn/supabase-local/limits/rate-limit.ts';

const TEN_MINUTES = 600_000;

/** What anybody may call without signing in, and how often from one address. Behind one address may stand a whole site. */
export const PUBLIC_RULES: Readonly<Record<string, Rule>> = {
  '/rest/v1/rpc/public_report_place': { count: 120, windowMs: TEN_MINUTES },
  '/rest/v1/rpc/submit_public_report': { count: 30, windowMs: TEN_MINUTES },
  '/rest/v1/rpc/report_progress': { count: 60, windowMs: TEN_MINUTES },
  '/rest/v1/rpc/verify_certificate': { count: 60, windowMs: TEN_MINUTES },
  '/rest/v1/rpc/account_has_ended': { count: 60, windowMs: TEN_MINUTES },
  '/rest/v1/rpc/open_guest_link': { count: 120, windowMs: TEN_MINUTES },
  '/rest/v1/rpc/submit_guest_reply': { count: 30, windowMs: TEN_MINUTES },
  '/functions/v1/guests/photo': { count: 150, windowMs: TEN_MINUTES },
  // Each opening of the page fetches every photo of the item.
  '/functions/v1/guests/picture': { count: 600, windowMs: TEN_MINUTES },
  // Services that show calendars ask for many people from few addresses.
  '/calendar': { count: 1200, windowMs: TEN_MINUTES },
  '/functions/v1/reports/photo': { count: 150, windowMs: TEN_MINUTES },
};

/** A feed by the address it was given, or where a hosted project has it. */
const FEED = /^(?:\/functions\/v1)?\/calendar\/[^/]+\.ics$/;

/** bytes; a report without its photos is far smaller. */
const MAX_JSON_BYTES = 65_536;

function tooMany(c: Context, waitMs: number): Response {
  c.header('Retry-After', String(Math.max(1, Math.ceil(waitMs / 1000))));
  return c.json({ code: 'PT429', message: 'Too many requests', details: null, hint: null }, 429);
}

const keyOf = (network: string): string => createHash('sha256').update(network).digest('base64');

/** Counts a visitor by their network, and by the wider one where there is one. */
function visitorLimit({ count, windowMs }: Rule, now: () => number): (address: string) => Attempt {
  const own = createRateLimit({ count, windowMs }, now);
  const wider = createRateLimit({ count: count * WIDER_SHARE, windowMs }, now);
  return address => {
    const [[network], beside] = networkShares(networkOf(address), count) as [[string, number], [string, number]?];
    const tried = own(keyOf(network));
    if ('waitMs' in tried || !beside) return tried;
    const together = wider(keyOf(beside[0]));
    if ('waitMs' in together) tried.takeBack();
    return together;
  };
}

/** The path as whoever answers it will read it, however it was written. */
function plainPath(c: Context): string {
  try {
    return decodeURIComponent(c.req.path).replace(/\/+$/, '');
  } catch (error) {
    if (error instanceof URIError) return '';
    throw error;
  }
}

/** Bytes of a body that these calls take of the database; any other takes what its asker may send. */
export function publicBodyBytes(c: Context): number {
  const path = plainPath(c);
  const isPublic = path.startsWith('/rest/') && Object.hasOwn(PUBLIC_RULES, path);
  return isPublic ? MAX_JSON_BYTES : Number.POSITIVE_INFINITY;
}

/**
 * Stands before the calls of visitors: by address, what the database counts by code (decision 28). Whether a token
 * opens something makes no difference. Nothing of a body is read here: whoever takes bodies knows how many there may be at once.
 *
 * @param factor multiplies every count, as for sign-in
 * @param now milliseconds, any steady clock
 */
export function limitVisitors(factor: number, now: () => number = () => performance.now()): MiddlewareHandler {
  const attempts = new Map(
    Object.entries(PUBLIC_RULES).map(([path, rule]) => [
      path,
      visitorLimit({ ...rule, count: rule.count * factor }, now),
    ]),
  );
  return async (c, next) => {
    const path = plainPath(c);
    const attempt = attempts.get(FEED.test(path) ? '/calendar' : path);
    if (!attempt || c.req.method === 'OPTIONS') return next();
    const tried = attempt(addressOf(c));
    if ('waitMs' in tried) return tooMany(c, tried.waitMs);
    return next();
  };
}
