import type { Fetch } from '../transport/ask.ts';

const addressOf = (input: RequestInfo | URL): string =>
  typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;

const isSession = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && 'access_token' in body && 'expires_in' in body;

/**
 * A fetch that takes the server's `expires_at` out of every session it brings, so that the client library counts
 * `expires_in` from now. The server's instant means nothing on a device whose clock is days off: the library would find
 * each token run out as it came, and ask for another with every call.
 */
export function endsByOwnClock(ask: Fetch): Fetch {
  return async (input, init) => {
    const answer = await ask(input, init);
    if (!answer.ok || !/\/auth\/v1\/(token|verify|signup|factors)\b/.test(addressOf(input))) return answer;
    const text = await answer.text();
    const { status, statusText } = answer;
    const headers = new Headers(answer.headers);
    // The body is no longer what the server measured and packed.
    headers.delete('content-length');
    headers.delete('content-encoding');
    return new Response(text === '' ? null : withoutEnd(text), { status, statusText, headers });
  };
}

function withoutEnd(text: string): string {
  const body: unknown = JSON.parse(text);
  if (!isSession(body)) return text;
  const { expires_at: _, ...session } = body;
  return JSON.stringify(session);
}
