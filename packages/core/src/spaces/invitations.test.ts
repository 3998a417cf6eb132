import { expect, test } from 'vitest';
import { invitationState } from './invitations.ts';

const now = '2026-11-21T09:00:00Z';
const open = { accepted_at: null, revoked_at: null, expires_at: '2026-11-21T09:00:01Z' };

test('an invitation is open until it is accepted, taken back or 14 days old', () => {
  expect(invitationState(open, now)).toBe('open');
  expect(invitationState({ ...open, expires_at: now }, now)).toBe('expired');
  expect(invitationState({ ...open, revoked_at: now }, now)).toBe('revoked');
  expect(invitationState({ ...open, revoked_at: now, accepted_at: now }, now)).toBe('accepted');
});
