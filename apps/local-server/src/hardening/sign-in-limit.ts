import { createHash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { authBody } from './auth-body.ts';

export const FAILURES = 30;
export const WINDOW_MS = 5 * 60_000;
/** A guesser who changes the account with each try must not fill the memory. */
const KEYS = 10_000;

/** What became of a sign-in: too many failures went before it, or it may be tried. */
export type Attempt = { waitMs: number } | { takeBack(): void };

/**
 * Failed sign-ins by key within a sliding window. A try counts from its start, so that many at once do not slip past;
 * one that turns out well is taken back.
 *
 * @param now milliseconds, any steady clock
 */
export function createSignInLimit(now: () => number) {
  const triesOf = new Map<string, number[]>();

  /** The key that was used longest ago stands first, and goes first. */
  function keep(key: string, tries: number[]): void {
    triesOf.delete(key);
    if (tries.length > 0) triesOf.set(key, tries);
    const [oldest] = triesOf.keys();
    if (triesOf.size > KEYS && oldest !== undefined) triesOf.delete(oldest);
  }

  return function attempt(key: string): Attempt {
    const at = now();
    const recent = (triesOf.get(key) ?? []).filter(time => time > at - WINDOW_MS);
    const [first = at] = recent;
    if (recent.length >= FAILURES) return { waitMs: first + WINDOW_MS - at };
    keep(key, [...recent, at]);
    return {
      takeBack() {
        const tries = triesOf.get(key) ?? [];
        keep(key, tries.toSpliced(tries.indexOf(at), tries.includes(at) ? 1 : 0));
      },
    };
  };
}

/** The peer of the connection: a header that says otherwise can be written by anybody. */
function addressOf(c: Context): string {
  const { incoming }: Partial<HttpBindings> = c.env ?? {};
  return incoming?.socket.remoteAddress ?? '';
}

/** Hashed: no e-mail address stays in memory, nor a text of any length. */
function keyOf(address: string, account: unknown): string {
  const name = typeof account === 'string' ? account.trim().toLowerCase() : '';
  return createHash('sha256').update(`${address}\0${name}`).digest('base64');
}

function refused(c: Context, waitMs: number): Response {
  c.header('Retry-After', String(Math.ceil(waitMs / 1000)));
  return c.json({ code: 429, error_code: 'over_request_rate_limit', msg: 'Request rate limit reached' }, 429);
}

/**
 * lite 0.10 lets passwords be guessed as fast as it can hash. Here an address that failed 30 times on an account within
 * 5 minutes waits, in GoTrue's words. Behind a proxy every caller has the proxy's address: the limit is then one per
 * account.
 */
export function limitSignIns(now: () => number = () => performance.now()): MiddlewareHandler {
  const attempt = createSignInLimit(now);
  return async (c, next) => {
    if (c.req.method !== 'POST' || c.req.query('grant_type') !== 'password') return next();
    const fields: Record<string, unknown> = Object(await authBody(c));
    const tried = attempt(keyOf(addressOf(c), fields['email'] ?? fields['phone']));
    if ('waitMs' in tried) return refused(c, tried.waitMs);
    await next();
    // Anything but a refusal says nothing about the password.
    if (c.res.status < 400 || c.res.status >= 500) tried.takeBack();
    return undefined;
  };
}
