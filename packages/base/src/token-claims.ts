/**
 * What a token says of itself; not verified: nothing may rest on it but what a device shows its person, or what somebody who verifies the
 * token is asked with it. Null for what is no token.
 *
 * @param token a JWT
 */
export function claimsOf(token: string): Readonly<Record<string, unknown>> | null {
  try {
    const claims: unknown = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null ? { ...claims } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return null;
    throw error;
  }
}
