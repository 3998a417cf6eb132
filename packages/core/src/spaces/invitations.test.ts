import { expect, test } from 'vitest';
import { invitationState, linkFailure } from './invitations.ts';

const now = '2026-11-21T09:00:00Z';
const open = { accepted_at: null, revoked_at: null, expires_at: '2026-11-21T09:00:01Z' };

test('an invitation is open until it is accepted, taken back or 14 days old', () => {
  expect(invitationState(open, now)).toBe('open');
  expect(invitationState({ ...open, expires_at: now }, now)).toBe('expired');
  expect(invitationState({ ...open, revoked_at: now }, now)).toBe('revoked');
  expect(invitationState({ ...open, revoked_at: now, accepted_at: now }, now)).toBe('accepted');
});

test('what a holder learns of a refused link: one answer for every dead token', () => {
  expect(linkFailure({ code: '42501', hint: null })).toBe('unusable');
  expect(linkFailure({ code: 'P0001', hint: 'invitation_for_another_account' })).toBe('another_account');
  expect(linkFailure({ code: 'P0001', hint: 'email_not_confirmed' })).toBe('email_not_confirmed');
  expect(linkFailure({ code: 'P0001', hint: 'membership_ended' })).toBe('membership_ended');
  expect(linkFailure({ code: '57014' })).toBe('unknown');
});
