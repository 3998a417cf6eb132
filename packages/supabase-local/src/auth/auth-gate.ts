import type { Context, MiddlewareHandler } from 'hono';
import { errors, type JWTPayload } from 'jose';
import type { TransactionSql } from 'postgres';
import type { Auth, AuthVariables, Db, SessionHolder } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { lockAccount } from './users.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Opened from a mail or by a provider, by somebody who has no key. */
const OPEN = /^\/auth\/v1\/(verify|authorize|callback|sso\/saml\/(metadata|acs)|\.well-known\/[a-z-]+(\.json)?)$/;
/** Providers let the browser post their answer. */
const POSTED = /\/(callback|acs)$/;

const keyOf = (c: Context) => c.req.header('apikey') ?? c.req.query('apikey');

/** What stands before GoTrue on Supabase: no call without one of the two keys, and the secret one never from a browser. */
export function requireKey({ secrets }: Auth): MiddlewareHandler {
  return async (c, next) => {
    const key = keyOf(c);
    const isOpen = OPEN.test(c.req.path) && (c.req.method === 'GET' || POSTED.test(c.req.path));
    if (isOpen && (key === undefined || key === secrets.publishableKey)) return next();
    if (key === undefined) {
      const hint = 'No `apikey` request header or url param was found.';
      return c.json({ message: 'No API key found in request', hint }, 401);
    }
    if (key !== secrets.publishableKey && key !== secrets.secretKey)
      return c.json({ message: 'Invalid API key', hint: 'Double check your Supabase API key.' }, 401);
    if (key === secrets.secretKey && /^Mozilla\//i.test(c.req.header('User-Agent') ?? ''))
      return c.json({ message: 'Forbidden use of secret API key in browser' }, 401);
    return next();
  };
}

const badJwt = (why: string) =>
  new AuthError(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${why}`);

function jwtRefusal(error: unknown): AuthError {
  if (error instanceof errors.JWTExpired) return badJwt('token has invalid claims: token is expired');
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return badJwt('token signature is invalid: signature is invalid');
  return badJwt('token is malformed or signed otherwise');
}

function bearerIn(c: Context): string {
  const token = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  // A key of the API is no token of a person; supabase-js sends it for somebody who has not signed in.
  if (token === undefined || token.startsWith('sb_'))
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  return token;
}

async function claimsIn({ keys }: Auth, token: string): Promise<JWTPayload> {
  if (token.split('.').length !== 3) throw badJwt('token is malformed: token contains an invalid number of segments');
  try {
    return await keys.verify(token);
  } catch (error) {
    throw jwtRefusal(error);
  }
}

async function requireLiveSession(db: Db, userId: string, sessionId: string): Promise<void> {
  const [row] = await db<{ isBanned: boolean; hasSession: boolean }[]>`
    select coalesce(u.banned_until > now(), false) as "isBanned",
           exists (select from auth.sessions s where s.id = ${sessionId} and s.user_id = u.id) as "hasSession"
    from auth.users u where u.id = ${userId} and u.deleted_at is null`;
  if (!row) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
  if (row.isBanned) throw new AuthError(403, 'user_banned', 'User is banned');
  if (!row.hasSession)
    throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
}

/** Whose token it is. @throws {AuthError} no_authorization, bad_jwt, user_not_found, session_not_found, user_banned */
export async function signedIn(auth: Auth, c: Context): Promise<SessionHolder> {
  const claims = await claimsIn(auth, bearerIn(c));
  const { sub, session_id: session } = claims;
  if (!sub) throw new AuthError(403, 'bad_jwt', 'invalid claim: missing sub claim');
  if (!UUID.test(sub)) throw new AuthError(400, 'bad_jwt', 'invalid claim: sub claim must be a UUID');
  if (typeof session !== 'string' || !UUID.test(session))
    throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  await requireLiveSession(auth.sql, sub, session);
  return { userId: sub, sessionId: session, claims };
}

/**
 * Holds the account of whoever asks. What came before may have taken long, as a password does to be hashed: a session that
 * ended meanwhile changes nothing any more. @throws {AuthError} user_not_found, session_not_found, user_banned
 */
export async function lockSignedIn(tx: TransactionSql, { userId, sessionId }: SessionHolder): Promise<void> {
  await lockAccount(tx, userId);
  await requireLiveSession(tx, userId, sessionId);
}

/** For what only a signed-in person may ask. */
export function requirePerson(auth: Auth): MiddlewareHandler<AuthVariables> {
  return async (c, next) => {
    c.set('signed', await signedIn(auth, c));
    return next();
  };
}

/** For what only the secret key may ask; a person's token next to it makes the call that person's. */
export function requireSecretKey(auth: Auth): MiddlewareHandler<AuthVariables> {
  return async (c, next) => {
    const bearer = c.req.header('Authorization');
    const isKeyOnly = bearer === undefined || bearer === `Bearer ${auth.secrets.secretKey}`;
    if (isKeyOnly && keyOf(c) === auth.secrets.secretKey) return next();
    await claimsIn(auth, bearerIn(c));
    throw new AuthError(403, 'not_admin', 'User not allowed');
  };
}

export const isUuid = (text: string): boolean => UUID.test(text);
