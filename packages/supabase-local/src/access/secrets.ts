import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@cairn/database/error-code.ts';
import { StartFailure } from '@cairn/database/start-failure.ts';
import { makeSigningKey, type SigningKey } from './signing-keys.ts';

export type Secrets = {
  /** The root of every key derived for this installation; signs nothing itself. */
  jwtSecret: string;
  publishableKey: string;
  secretKey: string;
  signingKey: SigningKey;
};

const random = (bytes: number) => randomBytes(bytes).toString('base64url');

const makeSecrets = (): Secrets => ({
  jwtSecret: random(48),
  publishableKey: `sb_publishable_${random(24)}`,
  secretKey: `sb_secret_${random(24)}`,
  signingKey: makeSigningKey(),
});

const isSigningKey = (value: unknown): value is SigningKey =>
  typeof value === 'object' && value !== null && 'kid' in value && typeof value.kid === 'string' && 'd' in value;

function parse(text: string, file: string): Secrets {
  try {
    const { jwtSecret, publishableKey, secretKey, signingKey }: Record<keyof Secrets, unknown> = JSON.parse(text);
    const hasKeys = typeof publishableKey === 'string' && typeof secretKey === 'string';
    // A file from before tokens had a key of their own gets one.
    const key = signingKey === undefined ? makeSigningKey() : signingKey;
    if (typeof jwtSecret === 'string' && hasKeys && isSigningKey(key)) {
      return { jwtSecret, publishableKey, secretKey, signingKey: key };
    }
  } catch (error) {
    throw new StartFailure(`The keys in ${file} cannot be read; put the file back from a copy.`, { cause: error });
  }
  throw new StartFailure(`The keys in ${file} are not complete; put the file back from a copy.`);
}

function write(secrets: Secrets, file: string): void {
  writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * The keys of this installation, made on the first start; the file is readable by its owner only.
 *
 * @throws {StartFailure} when the folder cannot be written or the file is damaged
 */
export function openSecrets(folder: string): Secrets {
  const file = join(folder, 'secrets.json');
  try {
    const before = existsSync(file) ? readFileSync(file, 'utf8') : null;
    const secrets = before === null ? makeSecrets() : parse(before, file);
    if (JSON.stringify(secrets) !== before) write(secrets, file);
    return secrets;
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(`The data folder ${folder} cannot be written (${errorCode(error)}).`, { cause: error });
  }
}
