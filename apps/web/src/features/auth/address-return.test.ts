import { expect, test } from 'vitest';
import { readReturn, subjectOf } from './address-return.ts';

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
  const expected = { kind: 'error', code: 'otp_expired', message: 'Token has expired' };
  expect(readReturn('', `#${refused}&access_token=a&refresh_token=r`)).toEqual(expected);
  expect(readReturn(`?${refused}`, '')).toEqual(expected);
});

test('half an e-mail change, and an address that brings nothing', () => {
  expect(readReturn('', '#message=Confirmation+link+accepted')).toEqual({ kind: 'half' });
  expect(readReturn('?from=/dashboard', '#access_token=only')).toEqual({ kind: 'nothing' });
});

test('whose token it is, and nobody for what is no token', () => {
  expect(subjectOf(`x.${btoa('{"sub":"sam"}')}.y`)).toBe('sam');
  for (const bad of ['', 'x', 'a.%%%.c', `a.${btoa('[]')}.c`, `a.${btoa('{"sub":1}')}.c`])
    expect(subjectOf(bad)).toBeNull();
});
