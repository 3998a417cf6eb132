import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Crockford's base 32: no I, L, O, U to misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Letters of a code: 60 bits, so that nobody finds one by trying. */
const LENGTH = 12;
const CODE = /^[0-9A-HJKMNP-TV-Z]{12}$/;

/**
 * The private code with which whoever reported without a name looks up what became of it: `7Q2K-41AB-9XYZ`.
 *
 * @param random at least 12 bytes from a source fit for secrets
 * @throws {RangeError} with fewer bytes
 */
export function lookUpCode(random: Uint8Array): string {
  if (random.length < LENGTH) throw new RangeError(`a code needs ${LENGTH} bytes, got ${random.length}`);
  const chars = Array.from(random.slice(0, LENGTH), byte => ALPHABET[byte % ALPHABET.length]).join('');
  return chars.replace(/^(.{4})(.{4})(.{4})$/, '$1-$2-$3');
}

/** The code as it is hashed: as a person may type it, with O for 0 and I or L for 1; null where it cannot be one. */
export function normalCode(typed: string): string | null {
  const bare = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return CODE.test(bare) ? bare : null;
}

/** SHA-256 of a code, hex: all the server keeps of it. @throws {RangeError} for what is no code */
export function lookUpHash(code: string): string {
  const normal = normalCode(code);
  if (normal === null) throw new RangeError('not a look-up code');
  return bytesToHex(sha256(utf8ToBytes(normal)));
}
