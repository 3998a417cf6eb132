import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@cairn/database/error-code.ts';
import { StartFailure } from '@cairn/database/start-failure.ts';

export type Secrets = { jwtSecret: string; publishableKey: string; secretKey: string };

const random = (bytes: number) => randomBytes(bytes).toString('base64url');

const makeSecrets = (): Secrets => ({
  jwtSecret: random(48),
  publishableKey: `sb_publishable_${random(24)}`,
  secretKey: `sb_secret_${random(24)}`,
});

function parse(text: string, file: string): Secrets {
  try {
    const { jwtSecret, publishableKey, secretKey }: Record<keyof Secrets, unknown> = JSON.parse(text);
    if (typeof jwtSecret === 'string' && typeof publishableKey === 'string' && typeof secretKey === 'string') {
      return { jwtSecret, publishableKey, secretKey };
    }
  } catch (error) {
    throw new StartFailure(`The keys in ${file} cannot be read; put the file back from a copy.`, { cause: error });
  }
  throw new StartFailure(`The keys in ${file} are not complete; put the file back from a copy.`);
}

/**
 * The keys of this installation, made on the first start; the file is readable by its owner only.
 *
 * @throws {StartFailure} when the folder cannot be written or the file is damaged
 */
export function openSecrets(folder: string): Secrets {
  const file = join(folder, 'secrets.json');
  try {
    if (existsSync(file)) return parse(readFileSync(file, 'utf8'), file);
    const secrets = makeSecrets();
    writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return secrets;
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(`The data folder ${folder} cannot be written (${errorCode(error)}).`, { cause: error });
  }
}
