import type { Fetch } from './ask.ts';
import { retryAfterOf } from './error-class.ts';

/** What a gateway answers in the place of a server that restarts, is full or takes too long. */
const GATEWAY_STATUS: ReadonlySet<number> = new Set([502, 503, 504]);

/** ms before the second, third and fourth try, as the client library waits before it renews a session again. */
const DELAYS_MS = [200, 400, 800] as const;

/** ms; a server that asks to be left alone for longer is, and the person reads it. */
const MAX_WAIT_MS = 5000;

const addressOf = (input: RequestInfo | URL): URL =>
  new URL(typeof input === 'string' ? input : input instanceof URL ? input.href : input.url);

/**
 * Whether asking twice does no more than asking once. A sign-in that was carried out unheard leaves a session nobody uses; a sign-up, a letter
 * or a code would be spent. Renewing is tried again by the client library itself.
 */
function isRepeatable(input: RequestInfo | URL, method: string): boolean {
  const { pathname, searchParams } = addressOf(input);
  if (!pathname.includes('/auth/v1/')) return false;
  return method === 'GET' || (pathname.endsWith('/token') && searchParams.get('grant_type') === 'password');
}

const after = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/**
 * A `fetch` that asks the authentication service up to four times where a gateway answers 502, 503 or 504 in its place (R8.23); the last
 * answer is handed on as it is. Calls that would be spent by a second try are asked once.
 */
export function retryGatewayFaults(ask: Fetch, wait: (ms: number) => Promise<void> = after): Fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    if (!GATEWAY_STATUS.has(response.status) || !isRepeatable(input, init?.method ?? 'GET')) return response;
    return retried(() => ask(input, init), response, wait);
  };
}

async function retried(
  again: () => Promise<Response>,
  first: Response,
  wait: (ms: number) => Promise<void>,
): Promise<Response> {
  let last = first;
  for (const ms of DELAYS_MS) {
    const asked = retryAfterOf(last.headers.get('retry-after'), Date.now()) ?? 0;
    if (asked > MAX_WAIT_MS) return last;
    await last.body?.cancel();
    await wait(Math.max(ms, asked));
    last = await again();
    if (!GATEWAY_STATUS.has(last.status)) return last;
  }
  return last;
}
