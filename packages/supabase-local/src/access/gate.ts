import type { Context, MiddlewareHandler } from 'hono';
import type { Secrets } from './secrets.ts';
import type { Caller, Refusal, TokenVerifier } from './bearer.ts';

export type GateVariables = { Variables: { caller: Caller } };

/** Where the caller of a request stands for lite's key resolver, which sees the request but not our variables. */
export type CallersByRequest = WeakMap<Request, Caller>;

/** Each service words a refusal in its own shape. */
function refused(c: Context, { code, message }: Refusal): Response {
  c.header('WWW-Authenticate', 'Bearer error="invalid_token"');
  const path = c.req.path;
  if (path.startsWith('/storage/'))
    return c.json({ statusCode: '401', code: 'InvalidJWT', error: 'InvalidJWT', message }, 401);
  if (path.startsWith('/functions/')) return c.json({ code: 401, message: 'Invalid JWT' }, 401);
  return c.json({ code, message, details: null, hint: null }, 401);
}

/** The bearer, unless it is one of the API's own keys, which supabase-js sends for somebody who is not signed in. */
function personalToken(c: Context): string | null {
  const header = c.req.header('Authorization');
  if (header === undefined) return null;
  const token = /^Bearer\s+(.*)$/i.exec(header)?.[1]?.trim() ?? header;
  return token.startsWith('sb_') ? null : token;
}

/**
 * Stands before REST, storage and functions: verifies the bearer once and hands the caller on, so that lite neither
 * looks at the token again nor asks the database about it twice more.
 */
export function gate(verify: TokenVerifier, secrets: Secrets): MiddlewareHandler<GateVariables> {
  return async (c, next) => {
    const token = personalToken(c);
    if (token !== null) {
      const verdict = await verify(token);
      if ('refusal' in verdict) return refused(c, verdict.refusal);
      c.set('caller', verdict.caller);
    } else {
      const key = c.req.header('apikey') ?? c.req.query('apikey');
      c.set('caller', { role: key === secrets.secretKey ? 'service_role' : 'anon', claims: null });
    }
    return next();
  };
}

/** The request as lite shall see it: without the verified token. */
export function requestForLite(c: Context<GateVariables>, callers: CallersByRequest): Request {
  const caller = c.get('caller');
  const plain = c.req.raw;
  if (!caller.claims) return plain;
  const headers = new Headers(plain.headers);
  headers.delete('Authorization');
  const request = new Request(plain, { headers });
  callers.set(request, caller);
  return request;
}
