import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { addressOf, agentOf, type Auth, type AuthRequest, type Db } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { isOfEndedAccount } from './ended-accounts.ts';
import { SSO_METHOD } from './flow-states.ts';
import { userById, type User } from './users.ts';

export const TOKEN_LIFE_S = 3600;
/** For this long a token that was just replaced may come again: two tabs, or an answer that never arrived. */
const REUSE_S = 10;
const STEPS = 50;
/** Of a session so many tokens that were replaced are remembered, so that whoever renews it again and again fills no table. */
const KEPT_TOKENS = 60;

/** How somebody showed who they are, in the words of the `amr` claim. */
export type Method = 'password' | 'otp' | 'oauth' | typeof SSO_METHOD | 'totp' | 'mfa/recovery_code';

export type TokenAnswer = {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: User;
};

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/**
 * Each refresh token is computed from the hash of the one before, so that only hashes need to be stored and the token
 * that followed a repeated one can still be given again.
 */
const nextToken = ({ vault }: Auth, hash: string) => vault.mark('refresh', hash).toString('base64url').slice(0, 32);

/** Id of the identity provider the account belongs to. */
const ssoProviderOf = ({ identities }: User) =>
  identities.find(({ provider }) => provider.startsWith('sso:'))?.provider.slice('sso:'.length);

async function claimsOf(auth: Auth, db: Db, user: User, sessionId: string) {
  const amr = await db<{ method: string; timestamp: number }[]>`
    select authentication_method as method, extract(epoch from updated_at)::int as timestamp
    from auth.mfa_amr_claims where session_id = ${sessionId} order by updated_at desc`;
  const [session] = await db<{ aal: string | null }[]>`select aal from auth.sessions where id = ${sessionId}`;
  return {
    iss: `${auth.settings.siteUrl()}/auth/v1`,
    sub: user.id,
    aud: user.aud,
    email: user.email,
    phone: user.phone,
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    role: user.role,
    aal: session?.aal ?? 'aal1',
    amr: amr.map(entry => (entry.method === SSO_METHOD ? { ...entry, provider: ssoProviderOf(user) } : entry)),
    session_id: sessionId,
    is_anonymous: false,
  };
}

/** The answer that GoTrue gives to every way in. */
async function tokenAnswer(auth: Auth, db: Db, userId: string, sessionId: string, token: string): Promise<TokenAnswer> {
  const user = await userById(db, userId);
  const claims = await claimsOf(auth, db, user, sessionId);
  auth.given.note(token, sessionId);
  return {
    access_token: await auth.keys.sign(claims, TOKEN_LIFE_S),
    token_type: 'bearer',
    expires_in: TOKEN_LIFE_S,
    expires_at: Math.floor(Date.now() / 1000) + TOKEN_LIFE_S,
    refresh_token: token,
    user,
  };
}

async function insertToken(db: Db, userId: string, sessionId: string, token: string, parent: string | null) {
  await db`
    insert into auth.refresh_tokens (id, token, user_id, session_id, revoked, parent)
    values (${randomUUID()}, ${hashOf(token)}, ${userId}, ${sessionId}, false, ${parent})`;
}

async function noteMethod(db: Db, sessionId: string, method: Method): Promise<void> {
  await db`
    insert into auth.mfa_amr_claims (session_id, authentication_method) values (${sessionId}, ${method})
    on conflict (session_id, authentication_method) do update set updated_at = now()`;
}

/** Begins a session of the person on the device that asks. */
export async function startSession(
  auth: Auth,
  tx: TransactionSql,
  c: AuthRequest,
  userId: string,
  method: Method,
): Promise<TokenAnswer> {
  auth.limits.count('session', '', userId);
  const sessionId = randomUUID();
  await tx`update auth.users set last_sign_in_at = now(), updated_at = now() where id = ${userId}`;
  await tx`
    insert into auth.sessions (id, user_id, aal, user_agent, ip)
    values (${sessionId}, ${userId}, 'aal1', ${agentOf(c)}, ${addressOf(c) || null}::text::inet)`;
  await noteMethod(tx, sessionId, method);
  const token = randomBytes(24).toString('base64url');
  await insertToken(tx, userId, sessionId, token, null);
  return tokenAnswer(auth, tx, userId, sessionId, token);
}

/** Lifts a session after a second factor; tokens given out before stay valid until they expire, at their level. */
export async function raiseSession(
  auth: Auth,
  tx: TransactionSql,
  signed: { userId: string; sessionId: string },
  method: Method,
  factorId: string,
): Promise<TokenAnswer> {
  const { userId, sessionId } = signed;
  await noteMethod(tx, sessionId, method);
  await tx`
    update auth.sessions set aal = 'aal2', factor_id = ${factorId}, updated_at = now() where id = ${sessionId}`;
  await tx`delete from auth.sessions where user_id = ${userId} and id <> ${sessionId} and aal is distinct from 'aal2'`;
  await tx`select from auth.sessions where id = ${sessionId} for update`;
  const [active] = await tx<{ token: string }[]>`
    select token from auth.refresh_tokens where session_id = ${sessionId} and not revoked
    order by created_at desc limit 1`;
  if (!active) throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  const token = await swap(auth, tx, active.token, signed);
  return tokenAnswer(auth, tx, userId, sessionId, token);
}

type TokenRow = {
  userId: string;
  sessionId: string;
  revoked: boolean;
  age: number;
  isBanned: boolean;
  isOver: boolean;
};

/** Whoever refreshes the same session at the same time waits here. */
async function hold(tx: TransactionSql, hash: string): Promise<TokenRow | null> {
  await tx`
    select from auth.sessions s where s.id = (select session_id from auth.refresh_tokens where token = ${hash})
    for update`;
  const [held] = await tx<TokenRow[]>`
    select t.user_id as "userId", t.session_id as "sessionId", t.revoked,
           extract(epoch from clock_timestamp() - t.updated_at)::float as age,
           coalesce(u.banned_until > now(), false) as "isBanned", coalesce(s.not_after < now(), false) as "isOver"
    from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id join auth.users u on u.id = t.user_id
    where t.token = ${hash} and u.deleted_at is null`;
  return held ?? null;
}

/** The token that is in force now, when `token` is the one before it or was in force a moment ago. */
async function successor(auth: Auth, tx: TransactionSql, hash: string, age: number): Promise<string | null> {
  let current = hash;
  for (let step = 1; step <= (age <= REUSE_S ? STEPS : 1); step += 1) {
    const token = nextToken(auth, current);
    current = hashOf(token);
    const [row] = await tx<{ revoked: boolean }[]>`select revoked from auth.refresh_tokens where token = ${current}`;
    if (!row) return null;
    if (!row.revoked) return token;
  }
  return null;
}

async function swap(
  auth: Auth,
  tx: TransactionSql,
  hash: string,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<string> {
  const next = nextToken(auth, hash);
  await tx`update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp() where token = ${hash}`;
  await insertToken(tx, userId, sessionId, next, hash);
  await tx`update auth.sessions set refreshed_at = now() at time zone 'utc', updated_at = now() where id = ${sessionId}`;
  await tx`
    delete from auth.refresh_tokens
    where session_id = ${sessionId} and revoked and (updated_at < now() - interval '1 day' or id in (
      select id from auth.refresh_tokens where session_id = ${sessionId} and revoked
      order by updated_at desc offset ${KEPT_TOKENS}))`;
  return next;
}

const refusal = (code: string, message: string) => new AuthError(400, code, `Invalid Refresh Token: ${message}`);

async function refreshed(auth: Auth, tx: TransactionSql, token: string): Promise<TokenAnswer | AuthError> {
  const hash = hashOf(token);
  const held = await hold(tx, hash);
  if (!held && (await isOfEndedAccount(tx, token))) return refusal('user_not_found', 'User No Longer Exists');
  if (!held) return refusal('refresh_token_not_found', 'Refresh Token Not Found');
  if (held.isBanned) return refusal('user_banned', 'User Banned');
  if (held.isOver) return refusal('session_expired', 'Session Expired');
  const next = held.revoked ? await successor(auth, tx, hash, held.age) : await swap(auth, tx, hash, held);
  if (next === null) {
    // Somebody else has had this token: neither of the two may go on, with an access token neither.
    await tx`delete from auth.sessions where id = ${held.sessionId}`;
    return refusal('refresh_token_already_used', 'Already Used');
  }
  return tokenAnswer(auth, tx, held.userId, held.sessionId, next);
}

/**
 * Gives a new access token and, except for a repeated call, a new refresh token.
 *
 * @throws {AuthError} refresh_token_not_found, user_not_found (the account was deleted), refresh_token_already_used (the
 *   session ends then), user_banned, session_expired
 */
export async function refreshSession(auth: Auth, token: string): Promise<TokenAnswer> {
  // A refusal is no reason to undo what it did.
  const answer = await auth.sql.begin(tx => refreshed(auth, tx, token));
  if (answer instanceof AuthError) throw answer;
  return answer;
}

/** @param scope which of the person's sessions end, seen from `sessionId` */
export async function endSessions(db: Db, userId: string, sessionId: string, scope: 'global' | 'local' | 'others') {
  if (scope === 'local') await db`delete from auth.sessions where id = ${sessionId} and user_id = ${userId}`;
  if (scope === 'others') await db`delete from auth.sessions where id <> ${sessionId} and user_id = ${userId}`;
  if (scope === 'global') await db`delete from auth.sessions where user_id = ${userId}`;
}
