import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requireStrong, weaknesses } from './passwords.ts';

describe('weaknesses', () => {
  test.each([
    { password: 'a long word', reasons: [] },
    { password: 'cairn-demo-1', reasons: [] },
    { password: 'short', reasons: ['length'] },
    { password: 'ninechars', reasons: ['length'] },
    { password: 'password', reasons: ['length', 'pwned'] },
    { password: 'Password123!', reasons: ['pwned'] },
    { password: '!!Passwort1', reasons: ['pwned'] },
    { password: '1234567890', reasons: ['pwned'] },
    { password: '0987654321', reasons: ['pwned'] },
    { password: '9999999999', reasons: ['pwned'] },
    { password: 'abababababab', reasons: ['pwned'] },
    { password: 'qwertyuiop', reasons: ['pwned'] },
    { password: 'password of the gate', reasons: [] },
    { password: 'password-7391-22', reasons: [] },
    { password: '4815162342', reasons: [] },
    // Counted as people do: four pictures are four characters.
    { password: '🪨🪨🌲🌊', reasons: ['length'] },
  ])('$password: $reasons', ({ password, reasons }) => {
    expect(weaknesses(password)).toEqual(reasons);
  });

  test('whatever is shorter than ten characters is refused for its length', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9, unit: 'grapheme-ascii' }), password => {
        expect(weaknesses(password)).toContain('length');
      }),
    );
  });
});

test('what bcrypt would cut off or cannot hold is refused, not cut off', () => {
  const long = 'wörter und Wörter und noch mehr Wörter, bis es mehr sind als 72 Bytes..';
  expect(() => requireStrong('ein langes Wort')).not.toThrow();
  expect(() => requireStrong(long)).toThrow('longer than 72');
  expect(() => requireStrong('long\0 enough words')).toThrow('NUL');
});
