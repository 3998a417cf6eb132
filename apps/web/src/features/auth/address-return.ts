import type { LinkTokens } from '../../shared/auth/auth-flows.ts';

/** Why a link did not work, in our words: `returned.problem.*` of the texts has a sentence for each. */
const PROBLEMS = {
  otp_expired: 'expired',
  flow_state_expired: 'expired',
  flow_state_not_found: 'expired',
  bad_oauth_state: 'expired',
  bad_oauth_callback: 'service',
  server_error: 'service',
  temporarily_unavailable: 'service',
  unexpected_failure: 'service',
  request_timeout: 'service',
  access_denied: 'denied',
  user_banned: 'denied',
  signup_disabled: 'no_account',
  user_not_found: 'no_account',
  provider_disabled: 'no_service',
  oauth_provider_not_supported: 'no_service',
  provider_email_needs_verification: 'unconfirmed',
  email_not_confirmed: 'unconfirmed',
  email_exists: 'exists',
  user_already_exists: 'exists',
  identity_already_exists: 'exists',
  over_request_rate_limit: 'too_many',
  over_email_send_rate_limit: 'too_many',
} as const;

export type LinkProblem = (typeof PROBLEMS)[keyof typeof PROBLEMS] | 'other';

/** What an address brought back from a letter or a sign-in service. */
export type ReturnResult =
  | ({ kind: 'tokens'; recovery: boolean } & LinkTokens)
  | { kind: 'code'; code: string }
  /** One of two addresses agreed to a change. */
  | { kind: 'half' }
  | { kind: 'error'; problem: LinkProblem }
  | { kind: 'nothing' };

const isKnown = (code: string): code is keyof typeof PROBLEMS => Object.hasOwn(PROBLEMS, code);

/**
 * Reads what came back, from the hash fragment or the `code` query parameter (R2.26). Whoever wrote the link wrote its
 * words too: of an error only a known code counts, and no text of it is kept.
 * @param search with or without `?`
 * @param hash with or without `#`
 */
export function readReturn(search: string, hash: string): ReturnResult {
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const given = (name: string) => fragment.get(name) ?? query.get(name);
  const errors = [given('error_code'), given('error'), given('error_description')].filter(each => each !== null);
  if (errors.length > 0) {
    const known = errors.find(isKnown);
    return { kind: 'error', problem: known ? PROBLEMS[known] : 'other' };
  }
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
