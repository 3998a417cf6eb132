import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codeOfApp } from './authenticator-for-tests.ts';

const STEP_MS = 30_000;
/** The last moment of a half minute. */
const EDGE = Date.UTC(2026, 10, 21, 8, 0, 30) - 1;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: EDGE }));
afterEach(() => void vi.useRealTimers());

/** Whether the server, a second later, takes the code. */
const isAccepted = (secret: string, code: string) =>
  new TOTP({ secret }).validate({ token: code, timestamp: Date.now() + 1000, window: 1 }) !== null;

test('a code is still taken after the half minute it was asked for in', () => {
  const secret = new Secret().base32;
  expect(isAccepted(secret, codeOfApp(secret))).toBe(true);
  expect(isAccepted(secret, codeOfApp(secret))).toBe(true);
});

test('no code is handed out twice, and none that the server does not take yet', () => {
  const secret = new Secret().base32;
  const first = codeOfApp(secret);
  expect(codeOfApp(secret)).not.toBe(first);
  expect(() => codeOfApp(secret)).toThrow('two codes');
  vi.setSystemTime(EDGE + STEP_MS);
  expect(isAccepted(secret, codeOfApp(secret))).toBe(true);
});
