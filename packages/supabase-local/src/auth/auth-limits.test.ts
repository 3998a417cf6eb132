import { describe, expect, test } from 'vitest';
import { AuthError } from './auth-error.ts';
import { createAuthLimits, RULES } from './auth-limits.ts';

const wrong = () => Promise.reject(new AuthError(400, 'invalid_credentials', 'wrong'));

async function codes(times: number, work: (n: number) => unknown): Promise<string[]> {
  const seen: string[] = [];
  for (let n = 0; n < times; n += 1) {
    const code = await Promise.resolve()
      .then(() => work(n))
      .then(
        () => 'done',
        (error: unknown) => (error instanceof AuthError ? error.code : 'fault'),
      );
    seen.push(code);
  }
  return seen;
}

const last = (list: string[]) => list.at(-1);

describe('guessing a password', () => {
  const { both, account, address } = RULES.signIn;

  test('an address that failed 30 times on an account waits there, and on no other account', async () => {
    const limits = createAuthLimits(1, () => 0);
    const guess = (who: string) => limits.guess('signIn', '10.0.0.1', who, wrong);
    expect(last(await codes(both?.count ?? 0, () => guess('ann@x.test')))).toBe('invalid_credentials');
    expect(await codes(1, () => guess(' ANN@x.test '))).toEqual(['over_request_rate_limit']);
    expect(await codes(1, () => guess('bob@x.test'))).toEqual(['invalid_credentials']);
    expect(await codes(1, () => limits.guess('signIn', '10.0.0.2', 'ann@x.test', wrong))).toEqual([
      'invalid_credentials',
    ]);
  });

  test('calls of our own functions, which have no address, are counted by account and not together', async () => {
    const limits = createAuthLimits(1, () => 0);
    const guess = (who: string) => limits.guess('signIn', '', who, wrong);
    await codes((address?.count ?? 0) + 10, n => guess(`person ${n}`));
    expect(await codes(1, () => guess('ann'))).toEqual(['invalid_credentials']);
    await codes(both?.count ?? 0, () => guess('ann'));
    expect(await codes(1, () => guess('ann'))).toEqual(['over_request_rate_limit']);
  });

  test('an account that many addresses guess at waits for all of them', async () => {
    const limits = createAuthLimits(1, () => 0);
    const seen = await codes((account?.count ?? 0) + 1, n => limits.guess('signIn', `10.0.1.${n}`, 'ann', wrong));
    expect(seen.filter(code => code === 'over_request_rate_limit')).toHaveLength(1);
    expect(last(seen)).toBe('over_request_rate_limit');
  });

  test('an address that tries one password on many accounts waits', async () => {
    const limits = createAuthLimits(1, () => 0);
    const seen = await codes((address?.count ?? 0) + 1, n => limits.guess('signIn', '10.0.0.1', `p${n}`, wrong));
    expect(seen.indexOf('over_request_rate_limit')).toBe(address?.count);
  });

  test('what goes well, and a fault of ours, never adds up', async () => {
    const limits = createAuthLimits(1, () => 0);
    const times = (both?.count ?? 0) * 2;
    expect(new Set(await codes(times, () => limits.guess('signIn', 'a', 'ann', async () => 1)))).toEqual(
      new Set(['done']),
    );
    const fault = () => Promise.reject(new Error('down'));
    expect(new Set(await codes(times, () => limits.guess('signIn', 'a', 'ann', fault)))).toEqual(new Set(['fault']));
  });
});

describe('mail', () => {
  test('whoever asks for somebody else, or guesses their codes, does not keep them from their own, but for a flood', async () => {
    for (const [kind, own, all] of [
      ['mail', 1, 20],
      ['sms', 1, 10],
      ['verify', 10, 100],
    ] as const) {
      const limits = createAuthLimits(1, () => 0);
      const stranger = await codes(own + 1, () => limits.guess(kind, '10.0.0.1', 'ann', wrong));
      expect([stranger.slice(0, own).includes('invalid_credentials'), last(stranger)?.startsWith('over_')]).toEqual([
        true,
        true,
      ]);
      expect(await codes(1, () => limits.count(kind, '10.0.0.2', 'ann'))).toEqual(['done']);
      const flood = await codes(all, n => limits.guess(kind, `10.0.1.${n}`, 'ann', wrong));
      expect(flood.indexOf(last(flood) ?? '')).toBe(all - own - 1);
    }
  });

  test('an email of one kind goes to an account once a minute, in the words of GoTrue with the seconds', async () => {
    const clock = { now: 0 };
    const limits = createAuthLimits(1, () => clock.now);
    limits.count('mail', 'a', 'otp ann');
    clock.now = 20_500;
    const again = () => limits.count('mail', 'a', 'otp ann');
    expect(again).toThrow('For security purposes, you can only request this after 40 seconds.');
    expect(await codes(1, again)).toEqual(['over_email_send_rate_limit']);
    limits.count('mail', 'a', 'recover ann');
    clock.now = 60_000;
    again();
  });

  test('an address that writes to everybody waits, and what is refused by one rule does not count for the other', () => {
    const clock = { now: 0 };
    const limits = createAuthLimits(1, () => clock.now);
    for (let n = 0; n < 30; n += 1) limits.count('mail', 'a', `otp ${n}`);
    expect(() => limits.count('mail', 'a', 'otp new')).toThrow('Request rate limit reached');
    limits.count('mail', 'b', 'otp new');
  });
});

test('whoever has one address of IPv6 has a network of them: they count as one', () => {
  const limits = createAuthLimits(1, () => 0);
  const from = (n: number) => limits.count('signUp', `2001:db8:1:2::${n.toString(16)}`, `a${n}`);
  for (let n = 1; n <= 30; n += 1) from(n);
  expect(() => from(31)).toThrow('Request rate limit reached');
  limits.count('signUp', '2001:db8:1:3::1', 'b');
});

test('whoever has many networks that begin alike has four shares', () => {
  const limits = createAuthLimits(1, () => 0);
  const from = (n: number) => limits.count('signUp', `2001:db8:1:${n.toString(16)}::1`, `a${n}`);
  for (let n = 1; n <= 120; n += 1) from(n);
  expect(() => from(121)).toThrow('Request rate limit reached');
  limits.count('signUp', '2001:db8:2:1::1', 'b');
});

test("whoever has many networks that begin alike fills nobody's account: letters, codes and passwords go on elsewhere", async () => {
  const rented = (n: number) => `2001:db8:1:${n.toString(16)}::1`;
  for (const kind of ['signIn', 'mail', 'verify'] as const) {
    const limits = createAuthLimits(1, () => 0);
    await codes(200, n => limits.guess(kind, rented(n % 50), 'ann', wrong));
    expect(await codes(1, () => limits.count(kind, '192.0.2.1', 'ann'))).toEqual(['done']);
  }
});

test('one who rents networks that begin alike has half of all text messages', async () => {
  const limits = createAuthLimits(1, () => 0);
  const seen = await codes(400, n => limits.count('smsOfNetwork', `2001:db8:1:${(n % 50).toString(16)}::1`, ''));
  expect(seen.filter(code => code === 'done')).toHaveLength((RULES.smsInAll.account?.count ?? 0) / 2);
});

test('who signed in from a network before is not kept out there by what strangers do elsewhere', async () => {
  const limits = createAuthLimits(1, () => 0);
  await limits.guess('signIn', '192.0.2.1', 'ann@x.test', async () => 1);
  for (const kind of ['signIn', 'mail', 'verify'] as const)
    await codes(300, n =>
      limits.guess(kind, `10.0.1.${n % 250}`, kind === 'mail' ? 'otp ann@x.test' : 'ann@x.test', wrong),
    );
  expect(await codes(1, () => limits.count('signIn', '192.0.2.1', 'ann@x.test'))).toEqual(['done']);
  expect(await codes(1, () => limits.count('mail', '192.0.2.1', 'otp ann@x.test'))).toEqual(['done']);
  expect(await codes(1, () => limits.count('verify', '192.0.2.1', 'ann@x.test'))).toEqual(['done']);
  expect(await codes(1, () => limits.count('signIn', '192.0.2.2', 'ann@x.test'))).not.toEqual(['done']);
});

test('the factor multiplies every rule', async () => {
  const limits = createAuthLimits(3, () => 0);
  const seen = await codes(91, () => limits.count('signUp', 'a', 'ann'));
  expect(seen.indexOf('over_request_rate_limit')).toBe(90);
});
