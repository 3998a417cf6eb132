import { expect, test } from 'vitest';
import { readReturn } from './address-return.ts';

test('R2.26 the session is read from the hash fragment, or from the code query parameter', () => {
  expect(readReturn('', '#access_token=a.b.c&refresh_token=r&type=signup')).toEqual({
    kind: 'tokens',
    accessToken: 'a.b.c',
    refreshToken: 'r',
    recovery: false,
  });
  expect(readReturn('', 'access_token=a&refresh_token=r&type=recovery')).toMatchObject({ recovery: true });
  expect(readReturn('?code=4f9c&from=%2Fsecurity', '')).toEqual({ kind: 'code', code: '4f9c' });
});

test('a refusal is read from either place, and comes before any token', () => {
  const refused = 'error=access_denied&error_code=otp_expired&error_description=Token+has+expired';
  const expected = { kind: 'error', problem: 'expired' };
  expect(readReturn('', `#${refused}&access_token=a&refresh_token=r`)).toEqual(expected);
  expect(readReturn(`?${refused}`, '')).toEqual(expected);
});

test('no word of an error in an address is kept: a known code is a problem of ours, every other text is "other"', () => {
  const lie = 'Your account is locked. Call +49 555 0100';
  const written: Record<string, string>[] = [
    { error: lie },
    { error_code: lie, error_description: lie },
    { error_description: lie },
    { error: 'toString', error_description: lie },
    { error: '__proto__' },
    { error: '<img src=x>', error_code: 'constructor' },
  ];
  for (const each of written) {
    const text = new URLSearchParams(each).toString();
    expect(readReturn(`?${text}`, '')).toEqual({ kind: 'error', problem: 'other' });
    expect(readReturn('', `#${text}`)).toEqual({ kind: 'error', problem: 'other' });
  }
  const known = new URLSearchParams({ error: 'access_denied', error_description: lie }).toString();
  expect(readReturn(`?${known}`, '')).toEqual({ kind: 'error', problem: 'denied' });
});

test('half an e-mail change, and an address that brings nothing', () => {
  expect(readReturn('', '#message=Confirmation+link+accepted')).toEqual({ kind: 'half' });
  expect(readReturn('?from=/dashboard', '#access_token=only')).toEqual({ kind: 'nothing' });
});
