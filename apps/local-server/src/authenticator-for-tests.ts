import { TOTP } from 'otpauth';

const STEP_MS = 30_000;
/** Half minutes since 1970 whose code was handed out last, by secret. */
const handed = new Map<string, number>();

/**
 * The next six digits of an authenticator app that a server still takes: each opens once, and those of the half minute before
 * and after count too, so that a test gets three without waiting. @param secret base32
 */
export function codeOfApp(secret: string): string {
  const now = Math.floor(Date.now() / STEP_MS);
  const step = Math.max(now - 1, (handed.get(secret) ?? 0) + 1);
  if (step > now + 1) throw new Error('three codes in half a minute is all there is');
  handed.set(secret, step);
  return new TOTP({ secret }).generate({ timestamp: step * STEP_MS });
}
