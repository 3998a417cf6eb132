import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import type { Db } from './auth-context.ts';
import { AuthError, invalid } from './auth-error.ts';
import { EMAIL_LIFE_S } from './code-life.ts';
import type { Outsider } from './providers.ts';
import { lockAccount } from './users.ts';

/** Seconds in which a code that came back to the app must be exchanged, and a provider must have sent it. */
const LIFE_S = 300;

/** So many emails are sent to one account at most while a link works (auth-limits.ts). */
const MAX_EMAILS = 300;

/** GoTrue's word for a sign-in through an identity provider, of flows and of sessions (`amr`). */
export const SSO_METHOD = 'sso/saml';

export type Challenge = { challenge: string; method: 's256' | 'plain' };

/** The code challenge of a request, null without one. @throws {AuthError} validation_failed */
export function challengeIn(body: Record<string, unknown>): Challenge | null {
  const challenge = typeof body['code_challenge'] === 'string' ? body['code_challenge'] : '';
  const named = typeof body['code_challenge_method'] === 'string' ? body['code_challenge_method'] : '';
  if (challenge === '' && named === '') return null;
  if (challenge === '' || named === '') throw invalid('PKCE flow requires code_challenge_method and code_challenge');
  const method = named.toLowerCase();
  if (method !== 's256' && method !== 'plain') throw invalid(`code challenge method "${named}" is not supported`);
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge))
    throw invalid('code challenge has to be between 43 and 128 characters of A-Z, a-z, 0-9, "-", ".", "_" and "~"');
  return { challenge, method };
}

export type FlowState = {
  id: string;
  userId: string | null;
  providerType: string;
  challenge: string | null;
  method: string | null;
  referrer: string | null;
  /** Who wants to have the identity added to their account. */
  linkingTo: string | null;
};

type NewFlow = {
  userId?: string;
  /** GoTrue's word for how the flow began: a mail type, or `oauth`. */
  authenticationMethod: string;
  providerType: string;
  challenge: Challenge | null;
  referrer?: string;
  linkingTo?: string;
};

/** Remembers the challenge until the person comes back. @returns the id of the flow */
export async function beginFlow(db: Db, flow: NewFlow): Promise<string> {
  await db`delete from auth.flow_state where created_at < now() - interval '1 day'`;
  const id = randomUUID();
  await db`
    insert into auth.flow_state (id, user_id, auth_code, authentication_method, provider_type, code_challenge,
      code_challenge_method, referrer, linking_target_id)
    values (${id}, ${flow.userId ?? null}, ${randomUUID()}, ${flow.authenticationMethod}, ${flow.providerType},
      ${flow.challenge?.challenge ?? null}, ${flow.challenge?.method ?? null}, ${flow.referrer ?? null},
      ${flow.linkingTo ?? null})`;
  return id;
}

/** Hands out the code of the person's latest flow of this kind, to be exchanged within five minutes. */
export async function issueAuthCode(db: Db, userId: string, authenticationMethod: string): Promise<string> {
  const [row] = await db<{ code: string }[]>`
    update auth.flow_state set auth_code_issued_at = now(), updated_at = now()
    where id = (select id from auth.flow_state
                where user_id = ${userId} and authentication_method = ${authenticationMethod}
                order by created_at desc limit 1)
    returning auth_code as code`;
  if (row) return row.code;
  throw new AuthError(404, 'flow_state_not_found', 'No valid flow state found for user.');
}

/** The flow that a provider's answer belongs to; each can be used once. @param lifeS seconds the provider may take */
export async function takeFlow(db: Db, id: string, lifeS: number = LIFE_S): Promise<FlowState | null> {
  const [row] = await db<FlowState[]>`
    update auth.flow_state set updated_at = now(), provider_access_token = 'used'
    where id = ${id} and created_at > now() - make_interval(secs => ${lifeS}) and provider_access_token is null
    returning id, user_id as "userId", provider_type as "providerType", code_challenge as challenge,
      code_challenge_method as method, referrer, linking_target_id as "linkingTo"`;
  return row ?? null;
}

/** What somebody began in order to add a way in leads nowhere any more. */
export async function dropLinking(db: Db, userId: string): Promise<void> {
  await db`delete from auth.flow_state where linking_target_id = ${userId}`;
}

/** Holds the account; whoever began the link must not have lost the right to meanwhile. @throws {AuthError} */
export async function requireLinking(tx: TransactionSql, { id, linkingTo }: FlowState): Promise<void> {
  await lockAccount(tx, linkingTo ?? '');
  const still = await tx`select from auth.flow_state where id = ${id}`;
  if (still.length === 0) throw new AuthError(400, 'bad_oauth_state', 'OAuth state not found or expired');
}

/** The code with which the app, holding the verifier, gets the session of `userId`. */
export async function finishFlow(db: Db, id: string, userId: string): Promise<string> {
  const [row] = await db<{ code: string }[]>`
    update auth.flow_state set user_id = ${userId}, auth_code_issued_at = now() where id = ${id}
    returning auth_code as code`;
  if (!row) throw new AuthError(404, 'flow_state_not_found', 'No valid flow state found for user.');
  return row.code;
}

function fits(verifier: string, challenge: string | null, method: string | null): boolean {
  const given = method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  const [a, b] = [Buffer.from(given), Buffer.from(challenge ?? '')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Keeps whom a service named until the browser that began the link comes back with its verifier. */
export async function keepOutsider(db: Db, id: string, who: Outsider): Promise<void> {
  await db`update auth.flow_state set provider_refresh_token = ${JSON.stringify(who)} where id = ${id}`;
}

type ExchangeResult = {
  userId: string;
  authenticationMethod: string;
  /** The way in that is to be added to the account, by the name of its service. */
  link: { provider: string; who: Outsider } | null;
};

type FlowRow = FlowState & { authenticationMethod: string; isOver: boolean; outsider: string | null };

/**
 * Whether the verifier is of another letter of the same kind to this account: with each letter a flow begins, and a stranger who asks
 * for one does not take the way back from whoever asked before. The code came by the letter; a stranger has their verifier only.
 */
async function isOfOtherEmail(tx: TransactionSql, flow: FlowRow, verifier: string): Promise<boolean> {
  if (flow.providerType !== 'email' || flow.linkingTo !== null) return false;
  const others = await tx<Pick<FlowState, 'challenge' | 'method'>[]>`
    select code_challenge as challenge, code_challenge_method as method from auth.flow_state
    where user_id = ${flow.userId} and authentication_method = ${flow.authenticationMethod} and provider_type = 'email'
      and id <> ${flow.id} and created_at > now() - make_interval(secs => ${EMAIL_LIFE_S})
    order by created_at desc limit ${MAX_EMAILS}`;
  return others.some(({ challenge, method }) => fits(verifier, challenge, method));
}

/** @throws {AuthError} flow_state_not_found, flow_state_expired, bad_code_verifier */
export async function exchangeCode(tx: TransactionSql, code: string, verifier: string): Promise<ExchangeResult> {
  const [flow] = await tx<FlowRow[]>`
    select id, user_id as "userId", authentication_method as "authenticationMethod", code_challenge as challenge,
      code_challenge_method as method, provider_type as "providerType", linking_target_id as "linkingTo",
      provider_refresh_token as outsider, auth_code_issued_at < now() - make_interval(secs => ${LIFE_S}) as "isOver"
    from auth.flow_state where auth_code = ${code} and auth_code_issued_at is not null and code_challenge is not null`;
  const notFound = new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
  if (!flow?.userId) throw notFound;
  if (flow.isOver) throw new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired');
  if (!fits(verifier, flow.challenge, flow.method) && !(await isOfOtherEmail(tx, flow, verifier))) {
    const words = 'code challenge does not match previously saved code verifier';
    throw new AuthError(400, 'bad_code_verifier', words);
  }
  // First the account, as whoever changes its password or address does.
  await lockAccount(tx, flow.userId);
  const taken = await tx`delete from auth.flow_state where id = ${flow.id} returning id`;
  if (taken.length === 0) throw notFound;
  const { userId, authenticationMethod, providerType, linkingTo, outsider } = flow;
  const link = linkingTo && outsider ? { provider: providerType, who: JSON.parse(outsider) as Outsider } : null;
  return { userId, authenticationMethod, link };
}
