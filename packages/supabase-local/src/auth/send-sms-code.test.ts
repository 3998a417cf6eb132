import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createAuthLimits, RULES } from './auth-limits.ts';
import type { AuthVariables } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { countSms } from './send-sms-code.ts';

const MINUTE = 60_000;

/** Asks for codes as a visitor from an address does; @returns whether one would go out. */
function asking(now: () => number) {
  const limits = createAuthLimits(1, now);
  const app = new Hono<AuthVariables>();
  app.post('/', c => {
    countSms({ limits }, c, c.req.query('phone') ?? '');
    return c.body(null, 204);
  });
  app.onError((error, c) => c.body(null, error instanceof AuthError ? 429 : 500));
  return async (address: string, phone: string): Promise<boolean> => {
    const env = { incoming: { socket: { remoteAddress: address } } };
    const { status } = await app.request(`/?phone=${phone}`, { method: 'POST' }, env);
    expect([204, 429]).toContain(status);
    return status === 204;
  };
}

test('one network that asks for text messages all the time leaves most of an hour to everybody else', async () => {
  const clock = { now: 0 };
  const ask = asking(() => clock.now);
  let sent = 0;
  for (let minute = 0; minute < 55; minute += 1) {
    clock.now = minute * MINUTE;
    for (let n = 0; n < 20; n += 1) sent += Number(await ask('10.0.0.1', `49151${minute * 100 + n}`));
  }
  expect(sent).toBe(RULES.smsOfNetwork.address?.count);
  expect(sent * 3).toBeLessThanOrEqual(RULES.smsInAll.account?.count ?? 0);
  expect(await ask('10.0.0.2', '4915199999')).toBe(true);
  // What was refused counts for nobody.
  expect(await ask('10.0.0.2', '49151550')).toBe(true);
});
