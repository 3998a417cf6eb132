/**
 * What a token says of itself; not verified, so nothing may rest on it but what this device shows. Null for what is no token.
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
