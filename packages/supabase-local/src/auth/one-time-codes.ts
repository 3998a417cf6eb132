import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Auth, Db } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { dropLinking } from './flow-states.ts';

/** Seconds a code or a link can be used. */
const LIFE_S = 3600;
/** Seconds a code of a text message can be used: it is read where it is typed. */
export const SMS_LIFE_S = 600;
const DIGITS = 6;
/** Hexadecimal digits of a link's hash that say which address or number it was sent to. */
const ADDRESS_DIGITS = 24;

/** What marks the link of somebody who began with a code challenge: it leads back with a code, not with tokens. */
export const PKCE_PREFIX = 'pkce_';

type Slot =
  | 'confirmation'
  | 'recovery'
  | 'email_change_current'
  | 'email_change_new'
  | 'reauthentication'
  | 'sms'
  | 'phone_change';

type CodeColumns = { token: string; sentAt: string; address: string; lifeS: number };

const place = (token: string, sentAt: string, address = 'email', lifeS = LIFE_S): CodeColumns => ({
  token,
  sentAt,
  address,
  lifeS,
});

/**
 * Where the table keeps the hash of each code, when it was sent, and which address or number must still be the one it went to: that is
 * part of what is hashed. Codes of text messages lie where GoTrue keeps them.
 */
const COLUMNS: Record<Slot, CodeColumns> = {
  confirmation: place('confirmation_token', 'confirmation_sent_at'),
  recovery: place('recovery_token', 'recovery_sent_at'),
  email_change_current: place('email_change_token_current', 'email_change_sent_at'),
  email_change_new: place('email_change_token_new', 'email_change_sent_at', 'email_change'),
  reauthentication: place('reauthentication_token', 'reauthentication_sent_at'),
  sms: place('confirmation_token', 'confirmation_sent_at', 'phone', SMS_LIFE_S),
  phone_change: place('phone_change_token', 'phone_change_sent_at', 'phone_change', SMS_LIFE_S),
};

/** Which codes a verification of this type accepts, of letters and of text messages. */
const SLOTS: Record<string, Slot[]> = {
  signup: ['confirmation'],
  invite: ['confirmation'],
  recovery: ['recovery'],
  magiclink: ['recovery'],
  email: ['confirmation', 'recovery'],
  email_change: ['email_change_current', 'email_change_new'],
};
const SMS_SLOTS: Record<string, Slot[]> = { sms: ['sms'], phone_change: ['phone_change'] };

export const isVerification = (type: string): boolean => Object.hasOwn(SLOTS, type);
export const isSmsVerification = (type: string): boolean => Object.hasOwn(SMS_SLOTS, type);

/** What ties a link to the address it was sent to. */
const addressMark = ({ vault }: Auth, email: string) =>
  vault.mark('code address', email).toString('hex').slice(0, ADDRESS_DIGITS);

/** Keyed: six digits would otherwise be found by trying them against the hash. */
const hashOf = (auth: Auth, email: string, code: string) =>
  auth.vault.mark('code', `${email}\0${code}`).toString('hex') + addressMark(auth, email);

export type Code = { code: string; tokenHash: string };

/**
 * Makes a code for an address or number and keeps its hash; an earlier one of the same kind stops working.
 * @param to `email`: where it goes, an address or, for a text message, a number
 */
export async function issueCode(
  auth: Auth,
  db: Db,
  to: { userId: string; email: string; slot: Slot; isPkce?: boolean },
): Promise<Code> {
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const tokenHash = (to.isPkce ? PKCE_PREFIX : '') + hashOf(auth, to.email, code);
  const { token, sentAt } = COLUMNS[to.slot];
  await db`
    update auth.users set ${db(token)} = ${tokenHash}, ${db(sentAt)} = now(), updated_at = now()
    where id = ${to.userId}`;
  return { code, tokenHash };
}

export type CodeClaim = { userId: string; slot: Slot };

/** What a person shows: the code and the address or number it came to, or the hash that stands in the link. */
export type CodeProof = { email: string; code: string } | { tokenHash: string };

async function claimFrom(auth: Auth, db: Db, slot: Slot, shown: CodeProof): Promise<CodeClaim | null> {
  const { token, sentAt, address, lifeS } = COLUMNS[slot];
  const hashes =
    'tokenHash' in shown
      ? [shown.tokenHash]
      : [hashOf(auth, shown.email, shown.code), PKCE_PREFIX + hashOf(auth, shown.email, shown.code)];
  const [row] = await db<{ userId: string; isBanned: boolean; hash: string; address: string | null }[]>`
    update auth.users u set ${db(token)} = null, updated_at = now()
    from (select id, ${db(token)} as hash from auth.users where ${db(token)} in ${db(hashes)} for update) kept
    where u.id = kept.id and ${db(sentAt)} > now() - make_interval(secs => ${lifeS}) and deleted_at is null
    returning u.id as "userId", kept.hash, coalesce(banned_until > now(), false) as "isBanned",
      ${db(address)} as address`;
  // A letter to an address that is no longer the person's opens nothing, whatever was kept of it.
  if (!row?.hash.endsWith(addressMark(auth, row.address ?? ''))) return null;
  if (row.isBanned) throw new AuthError(403, 'user_banned', 'User is banned');
  return { userId: row.userId, slot };
}

/**
 * Uses up a code: of two that come with the same one, one gets it.
 *
 * @throws {AuthError} otp_expired when there is none that fits, user_banned
 */
export async function claimCode(auth: Auth, db: Db, type: string, shown: CodeProof): Promise<CodeClaim> {
  for (const slot of SLOTS[type] ?? SMS_SLOTS[type] ?? []) {
    const claimed = await claimFrom(auth, db, slot, shown);
    if (claimed) return claimed;
  }
  const words = 'tokenHash' in shown ? 'Email link is invalid or has expired' : 'Token has expired or is invalid';
  throw new AuthError(403, 'otp_expired', words);
}

/** Whether this many wrong guesses at a code are too many. */
function isGuessedOut({ limits }: Auth, hash: string): boolean {
  try {
    limits.count('code', '', hash);
    return false;
  } catch (error) {
    if (error instanceof AuthError) return true;
    throw error;
  }
}

/**
 * Notes that a code was refused of an address or number: counted against each that lives there, from wherever it was tried. One that was
 * guessed at too often works no more, and its owner asks for another. Outside the transaction that refused, which leaves nothing.
 */
async function noteRefusedCode(auth: Auth, type: string, { email }: { email: string }): Promise<void> {
  for (const slot of SLOTS[type] ?? SMS_SLOTS[type] ?? []) {
    const { token, sentAt, address, lifeS } = COLUMNS[slot];
    const living = await auth.sql<{ id: string; hash: string }[]>`
      select id, ${auth.sql(token)} as hash from auth.users
      where ${auth.sql(address)} = ${email} and ${auth.sql(token)} is not null
        and ${auth.sql(sentAt)} > now() - make_interval(secs => ${lifeS})`;
    for (const { id, hash } of living.filter(each => isGuessedOut(auth, each.hash)))
      await auth.sql`update auth.users set ${auth.sql(token)} = null where id = ${id} and ${auth.sql(token)} = ${hash}`;
  }
}

/** Looks at a code, and notes where it was refused. @throws {AuthError} what `claim` throws */
export async function notingRefusals<T>(
  auth: Auth,
  type: string,
  shown: CodeProof,
  claim: () => Promise<T>,
): Promise<T> {
  try {
    return await claim();
  } catch (error) {
    if (error instanceof AuthError && error.code === 'otp_expired' && 'code' in shown)
      await noteRefusedCode(auth, type, shown);
    throw error;
  }
}

/** After a change of password or address: what was sent before, and a flow that was begun, leads nowhere any more. */
export async function dropCodes(db: Db, userId: string): Promise<void> {
  await db`
    update auth.users set confirmation_token = null, recovery_token = null, email_change = '',
      email_change_token_current = null, email_change_token_new = null, email_change_confirm_status = 0,
      reauthentication_token = null, phone_change = '', phone_change_token = null, updated_at = now()
    where id = ${userId}`;
  // The answer to an agreed change of address is still on its way to the app.
  await db`
    delete from auth.flow_state where user_id = ${userId} and authentication_method is distinct from 'email_change'`;
  await dropLinking(db, userId);
}

/** Whether the nonce of a reauthentication mail or text message, sent to `email`, fits; it is used up then. */
export async function claimNonce(auth: Auth, db: Db, userId: string, email: string, nonce: string): Promise<boolean> {
  const { token, sentAt } = COLUMNS.reauthentication;
  const [row] = await db<{ hash: string }[]>`
    select ${db(token)} as hash from auth.users
    where id = ${userId} and ${db(token)} is not null and ${db(sentAt)} > now() - make_interval(secs => ${LIFE_S})
    for update`;
  const given = Buffer.from(hashOf(auth, email, nonce));
  const kept = Buffer.from(row?.hash ?? '');
  if (given.length !== kept.length || !timingSafeEqual(given, kept)) return false;
  await db`update auth.users set ${db(token)} = null where id = ${userId}`;
  return true;
}
