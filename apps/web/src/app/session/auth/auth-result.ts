import type { Session, SupabaseClient } from '@supabase/supabase-js';
import type { CurrentUser } from '@cairn/sync/device.ts';
import { SESSION_RULES } from '@cairn/sync/transport/session-rules.ts';
import { claimsOf } from '@cairn/base/token-claims.ts';
import { AuthRefused, type AuthResult } from '../../../shared/auth/auth-flows.ts';
import type { StoredSession } from './auth-gate.ts';

export function userOf({ user }: Pick<Session, 'user'>): CurrentUser {
  const name: unknown = user.user_metadata['full_name'];
  // Who has no address is known by their number.
  const email = user.email || (user.phone ? `+${user.phone}` : '');
  return { id: user.id, email, fullName: typeof name === 'string' && name !== '' ? name : null };
}

export const storedOf = (session: Session): StoredSession => ({
  sessionToken: session.access_token,
  expiresAt: Date.now() + SESSION_RULES.expiry,
  ...(session.expires_at !== undefined && { tokenEndsAt: session.expires_at * 1000 }),
});

/** Whether this session still waits for a second step; until then it lets nobody in. */
export const owesSecondStep = ({ user, access_token: token }: Session): boolean =>
  (user.factors ?? []).some(factor => factor.status === 'verified') && claimsOf(token)?.['aal'] !== 'aal2';

/** @throws {AuthRefused} `other` with "No session returned from server" when there is none (R8.30) */
export function toAuthResult(session: Session | null): AuthResult {
  if (!session) {
    const message = 'No session returned from server';
    throw new AuthRefused({ kind: 'other', name: 'NoSession', status: null, code: null, message });
  }
  return { user: userOf(session), session: storedOf(session), secondStep: owesSecondStep(session) };
}

/** The session the library keeps, after its second step. */
export async function raised({ auth }: SupabaseClient): Promise<AuthResult> {
  const { data } = await auth.getSession();
  return toAuthResult(data.session);
}
