import type { Fetch } from './ask.ts';
import { maySend } from './session-rules.ts';

const bearerOf = (headers: HeadersInit | undefined): string | null =>
  /^Bearer (.+\..+\..+)$/.exec(new Headers(headers).get('authorization') ?? '')?.[1] ?? null;

/**
 * A fetch that lets no token pass that this page has held for more than an hour (R9.11): the request is answered as if
 * the server had found it expired, upon which the caller renews it. Age is counted here, not by the token's own times:
 * a device's clock may be wrong by more than that.
 *
 * @param publishableKey may be a token too, of no person and without age; now: ms on a clock that is never set back
 */
export function onlyYoungTokens(ask: Fetch, publishableKey: string, now = () => performance.now()): Fetch {
  const seen = new Map<string, number>();
  return (input, init) => {
    const token = bearerOf(init?.headers);
    if (token === null || token === publishableKey) return ask(input, init);
    const first = seen.get(token) ?? now();
    if (!seen.has(token)) {
      // One person's tokens follow each other; two are in use while one is renewed.
      if (seen.size >= 4) seen.clear();
      seen.set(token, first);
    }
    if (maySend(now() - first)) return ask(input, init);
    const body = JSON.stringify({ code: 'PGRST303', message: 'JWT expired', details: null, hint: null });
    return Promise.resolve(new Response(body, { status: 401, headers: { 'content-type': 'application/json' } }));
  };
}
