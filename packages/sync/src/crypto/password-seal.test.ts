import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeWithPassword, openWithPassword, PASSWORD_SEAL } from './password-seal.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16));

afterEach(() => vi.restoreAllMocks());

describe('what a password closes', () => {
  test('R9.13 is AES-GCM of 256 bits with 16 bytes of salt and 12 of vector, new each time', async () => {
    const derive = vi.spyOn(crypto.subtle, 'deriveKey');
    const [one, other] = [await closeWithPassword(bytes('a'), 'pass'), await closeWithPassword(bytes('a'), 'pass')];
    expect(derive.mock.calls[0]?.[2]).toEqual({ name: 'AES-GCM', length: 256 });
    expect([one.salt.length, one.iv.length, one.body.length]).toEqual([16, 12, 1 + 16]);
    expect(one.salt).not.toEqual(other.salt);
    expect(one.iv).not.toEqual(other.iv);
  });

  test('R9.14 opens with a key of PBKDF2, SHA-256 and 100000 rounds, derived elsewhere', async () => {
    const { createCipheriv, pbkdf2Sync } = await import('node:crypto');
    const salt = fromHex('000102030405060708090a0b0c0d0e0f');
    const iv = fromHex('101112131415161718191a1b');
    const cipher = createCipheriv('aes-256-gcm', pbkdf2Sync('pass word', salt, 100_000, 32, 'sha256'), iv);
    const body = Buffer.concat([cipher.update('the key'), cipher.final(), cipher.getAuthTag()]);
    const opened = await openWithPassword({ salt, iv, body: new Uint8Array(body) }, 'pass word');
    expect(new TextDecoder().decode(opened)).toBe('the key');
    expect(PASSWORD_SEAL).toMatchObject({ derivation: 'PBKDF2', hash: 'SHA-256', iterations: 100_000 });
  });

  test('R8.46 says so when it cannot be encrypted', async () => {
    vi.spyOn(crypto.subtle, 'encrypt').mockRejectedValue(new Error('no'));
    await expect(closeWithPassword(bytes('a'), 'pass')).rejects.toThrow('Failed to encrypt data');
  });

  test('R8.47 says so with another password, and when one bit has changed', async () => {
    const sealed = await closeWithPassword(bytes('secret'), 'pass');
    const sentence = 'Failed to decrypt data - incorrect password or corrupted data';
    await expect(openWithPassword(sealed, 'Pass')).rejects.toThrow(sentence);
    sealed.body[0] = (sealed.body[0] ?? 0) ^ 1;
    await expect(openWithPassword(sealed, 'pass')).rejects.toThrow(sentence);
  });
});
