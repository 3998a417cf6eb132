import { randomBytes } from 'node:crypto';
import type { Db } from './auth-context.ts';
import { AuthError, invalid } from './auth-error.ts';
import { isCommonPassword } from './common-passwords.ts';

export const MIN_LENGTH = 10;
/** bcrypt reads no further. */
const MAX_BYTES = 72;
/** GoTrue's cost: 2^10 rounds. */
const COST = 10;

const WORDS = {
  length: `Password should be at least ${MIN_LENGTH} characters.`,
  pwned: 'Password is known to be weak and easy to guess, please choose a different one.',
};

type Reason = keyof typeof WORDS;

/** Why a password is too weak, in the order GoTrue names it; empty when it is not. */
export function weaknesses(password: string): Reason[] {
  const reasons: Reason[] = [];
  if (Array.from(password).length < MIN_LENGTH) reasons.push('length');
  if (isCommonPassword(password)) reasons.push('pwned');
  return reasons;
}

export const weaknessMessage = (reasons: Reason[]): string => reasons.map(reason => WORDS[reason]).join(' ');

/** @throws {AuthError} weak_password with every reason, or validation_failed for what bcrypt cannot hold */
export function requireStrong(password: string): void {
  if (Buffer.byteLength(password) > MAX_BYTES) throw invalid(`Password cannot be longer than ${MAX_BYTES} characters`);
  if (password.includes('\0')) throw invalid('Password cannot contain the character NUL');
  const reasons = weaknesses(password);
  if (reasons.length === 0) return;
  throw new AuthError(422, 'weak_password', weaknessMessage(reasons), { body: { weak_password: { reasons } } });
}

/** A password nobody knows, for an account that is entered otherwise. */
export const unknownPassword = (): string => randomBytes(32).toString('base64url');

/** bcrypt as GoTrue stores it; computed by Postgres, so that hashing never holds up this process. */
export async function hashPassword(db: Db, password: string): Promise<string> {
  const [row] = await db<{ hash: string }[]>`
    select extensions.crypt(${password}, extensions.gen_salt('bf', ${COST}::int)) as hash`;
  if (!row) throw new Error('Postgres gave no hash');
  return row.hash;
}

/** Only a salt: nothing hashes to it. */
const NOBODYS_HASH = '$2a$10$CwTycUXWue0Thq9StjUM0u';

/**
 * Whether the password is the one of the hash. Takes as long when there is no hash, so that the time of an answer does
 * not tell which addresses have an account.
 */
export async function isPassword(db: Db, password: string, hash: string | null): Promise<boolean> {
  const usable = hash && /^\$2[abxy]\$/.test(hash) ? hash.replace(/^\$2[by]\$/, '$2a$') : null;
  const against = usable ?? NOBODYS_HASH;
  if (password.includes('\0')) return false;
  const [row] = await db<{ same: boolean }[]>`select extensions.crypt(${password}, ${against}) = ${against} as same`;
  return row?.same === true && usable !== null;
}
