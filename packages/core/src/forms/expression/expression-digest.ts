import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const HASHES: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  MD5: md5,
  'SHA-1': sha1,
  'SHA-256': sha256,
  'SHA-384': sha384,
  'SHA-512': sha512,
};

/**
 * ODK's digest(): the hash of a text in UTF-8, in base64 or hex. Empty for a hash or a spelling there is none of.
 *
 * @param algorithm MD5, SHA-1, SHA-256, SHA-384 or SHA-512
 */
export function digest(text: string, algorithm: string, encoding: string): string {
  const hash = Object.hasOwn(HASHES, algorithm) ? HASHES[algorithm] : undefined;
  const bytes = hash?.(new TextEncoder().encode(text));
  if (!bytes) return '';
  if (encoding === 'hex') return bytesToHex(bytes);
  return encoding === 'base64' ? btoa(String.fromCharCode(...bytes)) : '';
}

/** ODK's base64-decode(): the text in UTF-8 that was written so; empty where it is none. */
export function fromBase64(text: string): string {
  const plain = text.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return '';
  try {
    const bytes = Uint8Array.from(atob(plain), character => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof DOMException || error instanceof TypeError) return '';
    throw error;
  }
}
