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
