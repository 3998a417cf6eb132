import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

test('what was sealed can be read again, and only by the same installation', () => {
  const vault = createVault('one secret');
  const sealed = vault.seal('JBSWY3DPEHPK3PXP');
  expect(sealed).not.toContain('JBSWY3DPEHPK3PXP');
  expect(vault.seal('JBSWY3DPEHPK3PXP')).not.toBe(sealed);
  expect(createVault('one secret').open(sealed)).toBe('JBSWY3DPEHPK3PXP');
  expect(() => createVault('another secret').open(sealed)).toThrow('authenticate');
});

test('sealed text that was changed is refused', () => {
  const vault = createVault('one secret');
  const bytes = Buffer.from(vault.seal('words').slice(3), 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => vault.open(`v1.${bytes.toString('base64url')}`)).toThrow('authenticate');
});

test('marks differ by purpose, text and installation', () => {
  const mark = (secret: string, purpose: string, text: string) =>
    createVault(secret).mark(purpose, text).toString('hex');
  const marks = [mark('a', 'otp', 'x'), mark('a', 'refresh', 'x'), mark('a', 'otp', 'y'), mark('b', 'otp', 'x')];
  expect(new Set(marks).size).toBe(4);
  expect(mark('a', 'otp', 'x')).toBe(marks[0]);
});
