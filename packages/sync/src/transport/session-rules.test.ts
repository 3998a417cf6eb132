import { virtualClock } from '@cairn/testing/virtual-platform.ts';
import { describe, expect, test } from 'vitest';
import { maySend, needsRenewal, SESSION_RULES, startRotation, storedSessionStatus } from './session-rules.ts';
import { onlyYoungTokens } from './young-tokens.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a stored session', () => {
  test('R4.09 opens the app until 24 h have passed, then only its lock screen, then nothing', () => {
    const expiresAt = SESSION_RULES.expiry;
    expect(storedSessionStatus(expiresAt, 24 * HOUR - 1)).toBe('valid');
    expect(storedSessionStatus(expiresAt, 24 * HOUR)).toBe('locked');
    expect(storedSessionStatus(expiresAt, 30 * 24 * HOUR - 1)).toBe('locked');
    expect(storedSessionStatus(expiresAt, 30 * 24 * HOUR)).toBe('over');
  });

  test('R9.11 expires after 24 h, and a token is sent for 1 h and no longer', () => {
    expect([SESSION_RULES.expiry, SESSION_RULES.maxTokenAge]).toEqual([24 * HOUR, HOUR]);
    expect([maySend(HOUR), maySend(HOUR + 1)]).toEqual([true, false]);
  });
});

describe('rotation', () => {
  test('R9.12 looks every 15 min for less than 5 min', () => {
    expect([SESSION_RULES.rotationInterval, SESSION_RULES.refreshThreshold]).toEqual([15 * MINUTE, 5 * MINUTE]);
    expect([needsRenewal(5 * MINUTE - 1), needsRenewal(5 * MINUTE)]).toEqual([true, false]);
  });

  test('R4.10 a token with 4 minutes left is renewed after 15 min, one with 6 is not', async () => {
    for (const [left, expected] of [
      [4, 1],
      [6, 0],
    ] as const) {
      const clock = virtualClock();
      let renewed = 0;
      let asked = 0;
      const end = clock.now() + 15 * MINUTE + left * MINUTE;
      const stop = startRotation({
        end: async () => ((asked += 1), end),
        renew: async () => void (renewed += 1),
        now: clock.now,
        after: clock.after,
      });
      clock.advance(15 * MINUTE - 1);
      expect(asked).toBe(0);
      clock.advance(1);
      await expect.poll(() => clock.timers).toBe(1);
      expect([asked, renewed]).toEqual([1, expected]);
      stop();
    }
  });

  test('goes on after a renewal that failed, and stops when told', async () => {
    const clock = virtualClock();
    let tries = 0;
    const stop = startRotation({
      end: async () => clock.now(),
      renew: async () => {
        tries += 1;
        throw new Error('no network');
      },
      now: clock.now,
      after: clock.after,
    });
    for (const round of [1, 2]) {
      clock.advance(15 * MINUTE);
      await expect.poll(() => clock.timers).toBe(1);
      expect(tries).toBe(round);
    }
    stop();
    expect(clock.timers).toBe(0);
  });
});

describe('a request', () => {
  test('R9.11 carries no token that was held for more than an hour; a new one goes', async () => {
    let now = 0;
    const sent: string[] = [];
    const ask = onlyYoungTokens(
      async (_, init) => {
        sent.push(new Headers(init?.headers).get('authorization') ?? '');
        return new Response('{}');
      },
      'pub.lish.able',
      () => now,
    );
    const get = async (token: string) => (await ask('/x', { headers: { Authorization: `Bearer ${token}` } })).status;
    expect(await get('a.b.c')).toBe(200);
    expect(await get('pub.lish.able')).toBe(200);
    now = HOUR + 1;
    const refused = await ask('/x', { headers: { Authorization: 'Bearer a.b.c' } });
    expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'PGRST303' }]);
    expect(await get('d.e.f')).toBe(200);
    expect(await get('pub.lish.able')).toBe(200);
    expect(sent).toHaveLength(4);
  });
});
