import { AuthRefused, type AuthRefusal } from '../../../shared/auth/auth-flows.ts';

export type ErrorLike = {
  name?: string;
  message: string;
  status?: number | undefined;
  code?: string | undefined;
  hint?: string | null;
  reasons?: readonly string[];
};

type PlainKind = Exclude<AuthRefusal, { kind: 'weak' | 'other' }>['kind'];

/** Codes of GoTrue, and hints of our own functions, with the refusal a person is told. */
const KINDS: Readonly<Record<string, PlainKind>> = {
  user_already_exists: 'exists',
  email_exists: 'exists',
  phone_exists: 'exists',
  identity_already_exists: 'exists',
  otp_expired: 'wrong_code',
  mfa_verification_failed: 'wrong_code',
  mfa_challenge_expired: 'wrong_code',
  reauthentication_not_valid: 'wrong_code',
  mfa_recovery_codes_locked: 'too_many',
  over_request_rate_limit: 'too_many',
  over_email_send_rate_limit: 'too_many',
  over_sms_send_rate_limit: 'too_many',
  reauthentication_needed: 'reauthenticate',
  same_password: 'same_password',
  insufficient_aal: 'second_step',
  session_not_found: 'signed_out',
  session_expired: 'signed_out',
  bad_jwt: 'signed_out',
  no_authorization: 'signed_out',
  bad_code_verifier: 'other_browser',
  flow_state_not_found: 'other_browser',
  flow_state_expired: 'other_browser',
  pkce_code_verifier_not_found: 'other_browser',
  email_address_invalid: 'bad_email',
  email_not_confirmed: 'unconfirmed',
  phone_provider_disabled: 'no_phone',
  sms_send_failed: 'bad_phone',
  single_identity_not_deletable: 'sole_identity',
  invitation_for_another_account: 'other_account',
  membership_ended: 'membership_ended',
  '42501': 'link_unusable',
};

const NAMES: Readonly<Record<string, PlainKind>> = {
  AuthRetryableFetchError: 'network',
  AuthSessionMissingError: 'signed_out',
  AuthPKCECodeVerifierMissingError: 'other_browser',
  AuthPKCEGrantCodeExchangeError: 'other_browser',
};

/** Sorts an error of the client library; what is not known is told with its name, status, code and message (R8.29). */
export function authRefusal({ name = '', message, status, code, hint, reasons }: ErrorLike): AuthRefusal {
  if (code === 'weak_password' || name === 'AuthWeakPasswordError') return { kind: 'weak', reasons: reasons ?? [] };
  const kind = KINDS[hint ?? ''] ?? KINDS[code ?? ''] ?? NAMES[name];
  if (kind) return { kind };
  if (status === 429) return { kind: 'too_many' };
  if (code === 'validation_failed' && /email/i.test(message)) return { kind: 'bad_email' };
  if (code === 'validation_failed' && /phone/i.test(message)) return { kind: 'bad_phone' };
  // PostgREST's client has no code for a request that never arrived.
  if (/already registered/i.test(message)) return { kind: 'exists' };
  if (/failed to fetch|networkerror|load failed/i.test(message)) return { kind: 'network' };
  return { kind: 'other', name, status: status ?? null, code: code ?? null, message };
}

/** @throws {AuthRefused} always */
export function refuse(error: ErrorLike): never {
  throw new AuthRefused(authRefusal(error), { cause: error });
}

type Answer = { data: unknown; error: ErrorLike | null };
type DataOf<A> = A extends { error: null; data: infer Data } ? NonNullable<Data> : never;

/** The data of an answer; throws {AuthRefused} for its error. */
export function must<A extends Answer>({ data, error }: A): DataOf<A> {
  if (error) refuse(error);
  if (data === null || data === undefined) throw new AuthRefused({ kind: 'network' });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an answer without an error has the other half of its union
  return data as DataOf<A>;
}
