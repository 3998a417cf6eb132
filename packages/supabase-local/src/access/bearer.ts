import { errors, type JWTPayload } from 'jose';
import type { Sql } from 'postgres';
import type { SigningKeys } from './signing-keys.ts';

export type Role = 'anon' | 'authenticated' | 'service_role';

/** Who is asking: the role the database shall see, and the token's claims; null without a token of a person. */
export type Caller = { role: Role; claims: JWTPayload | null };

export type Refusal = { code: string; message: string };

export type Verdict = { caller: Caller } | { refusal: Refusal };

const ROLES: readonly string[] = ['anon', 'authenticated', 'service_role'] satisfies Role[];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isKnownRole = (role: unknown): role is Role => typeof role === 'string' && ROLES.includes(role);

const refuse = (code: string, message: string): Verdict => ({ refusal: { code, message } });

function refusalOf(error: unknown): Verdict {
  if (error instanceof errors.JWTExpired) return refuse('PGRST303', 'JWT expired');
  return refuse('PGRST301', 'No suitable key or wrong key type');
}

type SessionStatus = 'stands' | 'ended' | 'owes_second_step';

/**
 * One question for all: a signed-out session and a deleted person end at once, not when the token expires. So does the level of a
 * session whose factor was taken out, whatever its token says.
 */
async function sessionStatusOf(
  sql: Sql,
  sub: string,
  { session_id: session, aal }: JWTPayload,
): Promise<SessionStatus> {
  const id = typeof session === 'string' && UUID.test(session) ? session : null;
  const rows = await sql<{ owes: boolean }[]>`
    select exists (select from auth.mfa_factors where user_id = ${sub} and status = 'verified')
      and (${aal !== 'aal2'} or (${id}::uuid is not null
        and not exists (select from auth.sessions where id = ${id}::uuid and aal = 'aal2'))) as owes
    from auth.users
    where id = ${sub} and deleted_at is null and (banned_until is null or banned_until < now())
      and (${id}::uuid is null or exists (select from auth.sessions where id = ${id}::uuid and user_id = ${sub}))`;
  if (!rows[0]) return 'ended';
  return rows[0].owes ? 'owes_second_step' : 'stands';
}

/**
 * lite 0.10 takes a bearer that is no token, or one with `alg: none`, for a visitor (200 and no rows) and honours any
 * role a token names. Here a bearer that is not a valid token of a person who still has that session is refused, and so is
 * one that owes its second step (decision 18).
 */
export function createVerifier(keys: SigningKeys, sql: Sql) {
  return async function verify(token: string): Promise<Verdict> {
    const parts = token.split('.').length;
    if (parts !== 3) return refuse('PGRST301', `Expected 3 parts in JWT; got ${parts}`);
    let claims: JWTPayload;
    try {
      claims = await keys.verify(token);
    } catch (error) {
      return refusalOf(error);
    }
    const { role, sub } = claims;
    if (!isKnownRole(role)) return refuse('PGRST301', 'The role of this token is not allowed');
    if (role === 'authenticated') {
      if (typeof sub !== 'string' || !UUID.test(sub)) return refuse('PGRST301', 'The token names no person');
      const status = await sessionStatusOf(sql, sub, claims);
      if (status === 'ended') return refuse('PGRST301', 'The session has ended');
      if (status === 'owes_second_step') return refuse('PT401', 'the second step of this sign-in is missing');
    }
    return { caller: { role, claims } };
  };
}

export type TokenVerifier = ReturnType<typeof createVerifier>;
