import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { strToU8, zipSync } from 'fflate';
import type { NamedFile } from '../files/form-package.ts';
import { VERIFY_SCRIPT } from './verify-script.ts';

export type SealedPackage = {
  zip: Uint8Array<ArrayBuffer>;
  /** SHA-256 (hex) of the manifest: whoever knows it elsewhere can tell that the manifest itself is the first one. */
  manifestHash: string;
};

export const textFile = (name: string, text: string): NamedFile => ({ name, bytes: strToU8(text) });

/**
 * Files as one ZIP with a manifest of their hashes (`manifest.sha256`, as `sha256sum -c` reads it) and the program that
 * checks it.
 *
 * @throws {RangeError} when two files have one name, or a name leads out of the package
 */
export function sealedPackage(files: readonly NamedFile[]): SealedPackage {
  const all = [...files, textFile('verify.mjs', VERIFY_SCRIPT)];
  const names = new Set(all.map(({ name }) => name));
  if (names.size < all.length) throw new RangeError('two files of a package have one name');
  const leading = [...names].find(name => /^[/\\]|(^|\/)\.\.(\/|$)|[\\\n]/.test(name));
  if (leading !== undefined) throw new RangeError(`the name ${leading} leads out of the package`);
  const lines = all.map(({ name, bytes }) => `${bytesToHex(sha256(bytes))}  ${name}\n`);
  const manifest = textFile('manifest.sha256', lines.join(''));
  const entries = [...all, manifest].map(({ name, bytes }) => [name, bytes] as const);
  return {
    zip: new Uint8Array(zipSync(Object.fromEntries(entries), { level: 6 })),
    manifestHash: bytesToHex(sha256(manifest.bytes)),
  };
}
