import type { TransactionSql } from 'postgres';
import { audit } from './audit.ts';
import { addressOf, type AuthRequest, type Db } from './auth-context.ts';
import { AuthError, emailTaken } from './auth-error.ts';
import { dropCodes } from './one-time-codes.ts';
import { leavePhone } from './phones.ts';
import type { Outsider } from './providers.ts';
import {
  accountByEmail,
  accountById,
  confirmUser,
  insertIdentity,
  insertUser,
  mergeMetadata,
  updateProviders,
} from './users.ts';

async function ownerOf(db: Db, provider: string, providerId: string): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    update auth.identities set last_sign_in_at = now(), updated_at = now()
    where provider = ${provider} and provider_id = ${providerId} returning user_id as "userId"`;
  return row?.userId ?? null;
}

async function addIdentity(db: Db, userId: string, provider: string, who: Outsider): Promise<void> {
  await insertIdentity(db, { userId, provider, providerId: who.id, data: who.data });
  await updateProviders(db, userId);
}

/** @throws {AuthError} identity_already_exists */
export async function requireUnlinked(db: Db, userId: string, provider: string, who: Outsider): Promise<void> {
  const owner = await ownerOf(db, provider, who.id);
  if (owner === null) return;
  const words = owner === userId ? 'Identity is already linked' : 'Identity is already linked to another user';
  throw new AuthError(422, 'identity_already_exists', words);
}

/** Adds a way in to the account of whoever began to; call it with the account held. @throws {AuthError} identity_already_exists */
export async function linkIdentity(
  tx: TransactionSql,
  c: AuthRequest,
  userId: string,
  { provider, who }: { provider: string; who: Outsider },
): Promise<void> {
  await requireUnlinked(tx, userId, provider, who);
  await addIdentity(tx, userId, provider, who);
  await audit(tx, 'identity_linked', userId, addressOf(c), { provider });
}

/** An account nobody confirmed may have been made by a stranger: what they put in place goes before the owner comes in. */
async function takeOver(tx: TransactionSql, userId: string): Promise<void> {
  await tx`delete from auth.identities where user_id = ${userId}`;
  await tx`delete from auth.sessions where user_id = ${userId}`;
  await tx`
    update auth.users set encrypted_password = null, raw_user_meta_data = '{}', recovery_token = null where id = ${userId}`;
}

async function join(tx: TransactionSql, userId: string, isConfirmed: boolean, provider: string, who: Outsider) {
  if (!isConfirmed) await takeOver(tx, userId);
  await addIdentity(tx, userId, provider, who);
  if (!isConfirmed) {
    await mergeMetadata(tx, userId, 'raw_user_meta_data', who.data);
    await confirmUser(tx, userId);
  }
}

/**
 * The account that somebody from outside enters: the one linked to them, or one with the address that the service
 * vouches for, or a new one.
 *
 * @returns the refusal instead of the id when nobody vouches for the address
 */
export async function personBehind(
  tx: TransactionSql,
  c: AuthRequest,
  provider: string,
  who: Outsider,
): Promise<string | AuthError> {
  const owner = await ownerOf(tx, provider, who.id);
  if (owner !== null) {
    const { isBanned } = await accountById(tx, owner);
    return isBanned ? new AuthError(403, 'user_banned', 'User is banned') : owner;
  }
  if (who.email === null || !who.isVerified) {
    const words = `Unverified email with ${provider}. Verify the email with ${provider} in order to sign in`;
    return new AuthError(422, 'provider_email_needs_verification', words);
  }
  const known = await accountByEmail(tx, who.email);
  if (known?.isBanned) return new AuthError(403, 'user_banned', 'User is banned');
  if (known) {
    await join(tx, known.id, known.isConfirmed, provider, who);
    await audit(tx, 'identity_linked', known.id, addressOf(c), { provider });
    return known.id;
  }
  const userId = await insertUser(tx, { email: who.email, hash: null, metadata: who.data, provider });
  await addIdentity(tx, userId, provider, who);
  await confirmUser(tx, userId);
  await audit(tx, 'user_signedup', userId, addressOf(c), { provider });
  return userId;
}

/**
 * The account that somebody from an identity provider enters: their own with it, or a new one. Whoever has an account with
 * the same address keeps it: no identity provider leads into an account that was made in another way.
 *
 * @param provider `sso:` and the identity provider's id
 * @throws {AuthError} user_banned
 */
export async function ssoPersonBehind(
  tx: TransactionSql,
  c: AuthRequest,
  provider: string,
  who: Outsider,
): Promise<string> {
  // Two first sign-ins at once make one account.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${who.id}`}, 0))`;
  const owner = await ownerOf(tx, provider, who.id);
  if (owner !== null) {
    if ((await accountById(tx, owner)).isBanned) throw new AuthError(403, 'user_banned', 'User is banned');
    return owner;
  }
  const userId = await insertUser(tx, { email: who.email, hash: null, metadata: who.data, provider, isSso: true });
  await addIdentity(tx, userId, provider, who);
  await confirmUser(tx, userId);
  await audit(tx, 'user_signedup', userId, addressOf(c), { provider });
  return userId;
}

/**
 * Call it with the account held.
 *
 * @returns whether the account lost its address and password with it
 * @throws {AuthError} single_identity_not_deletable, identity_not_found, email_exists
 */
export async function unlinkIdentity(tx: TransactionSql, userId: string, identityId: string): Promise<boolean> {
  const own = await tx<{ id: string; provider: string }[]>`
    select id, provider from auth.identities where user_id = ${userId} order by created_at`;
  if (own.length <= 1) {
    const words = 'User must have at least 1 identity after unlinking';
    throw new AuthError(422, 'single_identity_not_deletable', words);
  }
  const identity = own.find(({ id }) => id === identityId);
  if (!identity) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist");
  await tx`delete from auth.identities where id = ${identityId}`;
  // Without the identity of the mail address there is no password either.
  if (identity.provider === 'email') await leaveEmail(tx, userId);
  if (identity.provider === 'phone') await leavePhone(tx, userId);
  await updateProviders(tx, userId);
  return identity.provider === 'email';
}

/** The account's address is from now on one that the remaining identities vouch for. */
async function leaveEmail(tx: TransactionSql, userId: string): Promise<void> {
  const [next] = await tx<{ email: string | null }[]>`
    select email from auth.identities where user_id = ${userId} and identity_data ->> 'email_verified' = 'true'
    order by created_at limit 1`;
  const email = next?.email ?? null;
  const other = email === null ? null : await accountByEmail(tx, email);
  if (other && other.id !== userId) throw emailTaken();
  await tx`
    update auth.users set email = ${email}, encrypted_password = null, updated_at = now() where id = ${userId}`;
  await dropCodes(tx, userId);
}
