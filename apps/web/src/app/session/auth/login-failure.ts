import type { TFunction } from 'i18next';
import type { LoginFailure } from './auth-gate.ts';

type AuthErrorLike = { name: string; message: string; status?: number | undefined; code?: string | undefined };

/** What is told in words; an owed second step is asked for instead. */
type ToldFailure = Exclude<LoginFailure, { kind: 'second_step' }>;

/** Sorts an error of the authentication library (R8.25–R8.29). */
export function loginFailure(error: AuthErrorLike): ToldFailure {
  const { name, message, status, code } = error;
  if (code === 'email_not_confirmed' || code === 'phone_not_confirmed' || /email not confirmed/i.test(message))
    return { kind: 'unconfirmed' };
  if (code === 'invalid_credentials' || /invalid login credentials/i.test(message)) return { kind: 'invalid' };
  // The library's own, for an answer that holds no session.
  if (name === 'AuthInvalidTokenResponseError') return { kind: 'no_session' };
  // With a status somebody answered: a gateway before the server, or the server itself.
  if (name === 'AuthRetryableFetchError' && !status) return { kind: 'network' };
  return { kind: 'other', name, status: status ?? null, code: code ?? null, message };
}

/** What a person reads under "Login Failed". */
export function loginFailureText(failure: ToldFailure, t: TFunction<'auth'>): string {
  if (failure.kind !== 'other') return t(`failed.${failure.kind}`);
  const detail = [failure.name, failure.status, failure.code].filter(part => part !== null).join(', ');
  return t('failed.other', { detail, message: failure.message });
}
