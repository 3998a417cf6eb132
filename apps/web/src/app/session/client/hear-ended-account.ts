import type { Fetch } from '@cairn/sync/transport/ask.ts';
import type { Config } from './config.ts';
import { claimsOf } from '@cairn/base/token-claims.ts';

export type EndedAccountHooks = {
  /** Whose session this refresh token is of, as this browser keeps it; null for one it does not keep. */
  whose(refreshToken: string): Promise<string | null>;
  /** Asks the database whether the token was of an account that is deleted by now; false without an answer. */
  hasEnded(refreshToken: string): Promise<boolean>;
  ended(userId: string): void;
};

const textIn = (of: unknown, ...names: string[]): string => {
  const fields = typeof of === 'object' && of !== null ? new Map<string, unknown>(Object.entries(of)) : new Map();
  const found: unknown = names.map(name => fields.get(name) as unknown).find(value => typeof value === 'string');
  return typeof found === 'string' ? found : '';
};

/** Older and newer GoTrue say their code under two names. */
const codeOf = async (response: Response): Promise<string> =>
  textIn(
    await response
      .clone()
      .json()
      .catch(() => null),
    'error_code',
    'code',
  );

const bearerOf = (init: RequestInit | undefined): string =>
  new Headers(init?.headers).get('authorization')?.replace(/^Bearer /i, '') ?? '';

/** @returns who the answer says is gone; null where it does not say so of anybody this browser knows */
async function whoIsGone(url: string, init: RequestInit | undefined, code: string, hearing: EndedAccountHooks) {
  if (url.includes('/auth/v1/token?grant_type=refresh_token')) {
    const sent: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null;
    const token = textIn(sent, 'refresh_token');
    const isGone = code === 'user_not_found' || (code === 'refresh_token_not_found' && (await hearing.hasEnded(token)));
    return isGone ? hearing.whose(token) : null;
  }
  if (code !== 'user_not_found' || !/\/auth\/v1\/user(\?|$)/.test(url)) return null;
  return textIn(claimsOf(bearerOf(init)), 'sub') || null;
}

/**
 * A `fetch` that hears that an account was deleted: said by our server and by GoTrue as `user_not_found` to who holds a token of it.
 * Hosted Supabase forgets a deleted account's tokens, so there the database is asked (decision 40). It is told before the
 * library hears of the refusal, for the library then forgets whose session that was.
 */
export function hearEndedAccount(ask: Fetch, hearing: EndedAccountHooks): Fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    if (response.status < 400 || response.status >= 500 || typeof input !== 'string') return response;
    if (!input.includes('/auth/v1/')) return response;
    const id = await whoIsGone(input, init, await codeOf(response), hearing);
    if (id !== null) hearing.ended(id);
    return response;
  };
}

/** Whose session with this refresh token the library keeps, as it keeps it; null where it keeps another or none. */
export function ownerOf(kept: string | null, refreshToken: string): string | null {
  const session: unknown = kept === null ? null : JSON.parse(kept);
  if (textIn(session, 'refresh_token') !== refreshToken) return null;
  return textIn(Object(session)['user'], 'id') || null;
}

export async function hasEnded(ask: Fetch, { backendUrl, publishableKey }: Config, token: string): Promise<boolean> {
  const headers = { apikey: publishableKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ p_token: token });
  const url = `${backendUrl}/rest/v1/rpc/account_has_ended`;
  // Without an answer it is a session that has ended, as before.
  const answer = await ask(url, { method: 'POST', headers, body }).catch(() => null);
  return answer?.ok === true && (await answer.json()) === true;
}
