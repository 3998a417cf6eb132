import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export type Vault = {
  /** Text that only this installation can read again. */
  seal(text: string): string;
  /** @throws when the text was sealed elsewhere or changed since */
  open(sealed: string): string;
  /** A keyed hash, 32 bytes: without the installation's secret nobody can compute it for a guess. */
  mark(purpose: string, text: string): Buffer;
};

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';

/** Keys derived from the installation's secret, one per purpose, for what lies in the database and must not be readable there. */
export function createVault(secret: string): Vault {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `cairn ${purpose}`, 32));
  const sealing = keyFor('seal');
  return {
    seal(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
      const decipher = createDecipheriv(CIPHER, sealing, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
    mark: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
  };
}
