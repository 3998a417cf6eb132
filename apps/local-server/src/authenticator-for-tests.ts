import { TOTP } from 'otpauth';

const STEP_MS = 30_000;
/** Half minutes since 1970 whose code was handed out last, by secret. */
const usedSteps = new Map<string, number>();

/**
 * The next six digits of an authenticator app that a server still takes when they arrive: each opens once, and those of the half
 * minute after count too, so that a test gets two without waiting. Those of the half minute before would count as well, but only
 * until the half minute is over. @param secret base32
 */
export function codeOfApp(secret: string): string {
  const now = Math.floor(Date.now() / STEP_MS);
  const step = Math.max(now, (usedSteps.get(secret) ?? 0) + 1);
  if (step > now + 1) throw new Error('two codes in half a minute is all there is');
  usedSteps.set(secret, step);
  return new TOTP({ secret }).generate({ timestamp: step * STEP_MS });
}
