// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { pendingLink, forgetPendingLink, holdPendingLink } from './pending-link.ts';

const opened = (address: string) => {
  forgetPendingLink();
  history.replaceState(null, '', address);
  const held = holdPendingLink();
  return { held, at: location.pathname + location.search + location.hash, link: pendingLink() };
};

test.each([
  ['/auth/return?code=4f9c', '?code=4f9c', ''],
  ['/?code=4f9c', '?code=4f9c', ''],
  ['/tasks?view=board&code=4f9c', '?view=board&code=4f9c', ''],
  ['/no/such/page?error=access_denied', '?error=access_denied', ''],
  ['/tasks?error_description=Pay+now', '?error_description=Pay+now', ''],
  ['/dashboard#access_token=a&refresh_token=b', '', '#access_token=a&refresh_token=b'],
  ['/auth#error_code=otp_expired', '', '#error_code=otp_expired'],
])('R2.26 %s is taken out of the address, at whichever it came', (address, search, hash) => {
  expect(opened(address)).toEqual({ held: true, at: '/auth/return', link: { search, hash, from: null } });
});

test.each(['/assets?scanned=XX-1', '/search?q=code%3D1', '/tasks?view=code', '/share?problem=error'])(
  '%s brings nothing and stays',
  address => expect(opened(address)).toMatchObject({ held: false, at: address, link: null }),
);
