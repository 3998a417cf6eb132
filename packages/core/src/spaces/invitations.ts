/** A row of organization_invitations, as far as its state needs it; instants ISO 8601. */
export type InvitationTimes = { accepted_at: string | null; revoked_at: string | null; expires_at: string };

export type InvitationState = 'open' | 'accepted' | 'revoked' | 'expired';

/** Where an invitation stands. @param now ISO 8601 */
export function invitationState(
  { accepted_at: accepted, revoked_at: revoked, expires_at: end }: InvitationTimes,
  now: string,
): InvitationState {
  if (accepted !== null) return 'accepted';
  if (revoked !== null) return 'revoked';
  return Date.parse(end) > Date.parse(now) ? 'open' : 'expired';
}

/** Why a link could not be used, as far as whoever holds it may know. */
export type LinkFailure = 'another_account' | 'email_not_confirmed' | 'membership_ended' | 'unusable' | 'unknown';

const HINTS: Readonly<Record<string, LinkFailure>> = {
  invitation_for_another_account: 'another_account',
  email_not_confirmed: 'email_not_confirmed',
  membership_ended: 'membership_ended',
};

/** Reads what the server refused a token with; guessed, spent, revoked and expired tokens are told apart by nobody. */
export function linkFailure({ code, hint }: { code?: string; hint?: string | null }): LinkFailure {
  return HINTS[hint ?? ''] ?? (code === '42501' ? 'unusable' : 'unknown');
}
