import type { AuthChangeEvent, Session } from '@supabase/supabase-js';
import { storedOf, userOf } from './auth-result.ts';
import type { GateEvents } from './auth-gate.ts';

/**
 * What each of the library's session events means to this device (R4.01).
 *
 * Signing in is no event of ours: whoever signs in is adopted by the step that let them in, once nothing more is owed. The
 * event itself, like that of a second step, brings a token that is kept where somebody is signed in already.
 */
export function hearSession(event: AuthChangeEvent, session: Session | null, events: GateEvents): void {
  switch (event) {
    case 'SIGNED_OUT':
      events.lost();
      return;
    // A change of address that both have agreed to arrives as a sign-in.
    case 'SIGNED_IN':
    case 'USER_UPDATED':
      if (!session) return;
      events.updated(userOf(session));
      events.renewed(storedOf(session), session.user.id);
      return;
    case 'INITIAL_SESSION':
    case 'TOKEN_REFRESHED':
    case 'MFA_CHALLENGE_VERIFIED':
    case 'PASSWORD_RECOVERY':
      if (session) events.renewed(storedOf(session), session.user.id);
  }
}
