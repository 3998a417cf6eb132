import { claimsOf } from '../../shared/token-claims.ts';

/** What an address brought back from a letter or a sign-in service. */
export type Returned =
  | { kind: 'tokens'; accessToken: string; refreshToken: string; recovery: boolean }
  | { kind: 'code'; code: string }
  /** One of two addresses agreed to a change. */
  | { kind: 'half' }
  | { kind: 'error'; code: string; message: string }
  | { kind: 'nothing' };

/**
 * Reads what came back, from the hash fragment or the `code` query parameter (R2.26).
 * @param search with or without `?`
 * @param hash with or without `#`
 */
export function readReturn(search: string, hash: string): Returned {
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const given = (name: string) => fragment.get(name) ?? query.get(name);
  const failed = given('error_code') ?? given('error');
  if (failed !== null) return { kind: 'error', code: failed, message: given('error_description') ?? failed };
  const [accessToken, refreshToken] = [fragment.get('access_token'), fragment.get('refresh_token')];
  if (accessToken !== null && refreshToken !== null) {
    const type = fragment.get('type');
    // Somebody invited has no password yet: they choose one as after a recovery.
    return { kind: 'tokens', accessToken, refreshToken, recovery: type === 'recovery' || type === 'invite' };
  }
  const code = query.get('code');
  if (code !== null) return { kind: 'code', code };
  return given('message') === null ? { kind: 'nothing' } : { kind: 'half' };
}

/** Whose token this is; not verified, only to see whether it is the signed-in person's. Null for what is no token. */
export function subjectOf(token: string): string | null {
  const subject = claimsOf(token)?.['sub'];
  return typeof subject === 'string' ? subject : null;
}
