/**
 * Where a letter's link, or a sign-in service, leads back to.
 * @param from path in this app to go on to afterwards
 */
export function returnAddress(from: string | undefined): string {
  const url = new URL('/auth/return', location.origin);
  if (from !== undefined) url.searchParams.set('from', from);
  return url.href;
}
