import { timingSafeEqual } from 'node:crypto';
import type { Auth, Db } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { EMAIL_LIFE_S, SMS_LIFE_S } from './code-life.ts';
import { dropLinking } from './flow-states.ts';

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

const place = (token: string, sentAt: string, address = 'email', lifeS = EMAIL_LIFE_S): CodeColumns => ({
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

/**
 * Stands for an address or number that is somebody else's, where a code is made as for a free one: no request names it, so that nobody can
 * show the code, and no link fits.
 */
export const takenRecipient = (address: string): string => `${TAKEN}${address}`;

const TAKEN = 'taken\0';

/** Who a code for the same address or number is made for where somebody else has it, or has it no more. */
const otherRecipient = (to: string): string => (to.startsWith(TAKEN) ? to.slice(TAKEN.length) : takenRecipient(to));

export type Code = { code: string; tokenHash: string };

type CodeRecipient = { userId: string; email: string; slot: Slot; isPkce?: boolean };

/** The code that was made at this instant (microseconds since 1970), for this account and address: it can be sent again and is kept nowhere. */
function codeOf({ vault }: Auth, { userId, email, slot }: CodeRecipient, madeAt: string): string {
  const mark = vault.mark('one-time code', [userId, slot, email, madeAt].join('\0'));
  return String(mark.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The two codes of a change share the instant at which they were sent. */
const TWIN: Partial<Record<Slot, Slot>> = {
  email_change_current: 'email_change_new',
  email_change_new: 'email_change_current',
};

/** A living code works on beside the one that takes its place, as long as its own hour lasts: the instant of the new one is not its. */
async function keepAside(db: Db, userId: string, slot: Slot): Promise<void> {
  const { token, sentAt, lifeS } = COLUMNS[slot];
  await db`
    insert into auth.earlier_codes (user_id, kind, token, sent_at)
    select id, ${token}, ${db(token)}, ${db(sentAt)} from auth.users
    where id = ${userId} and ${db(token)} is not null and ${db(sentAt)} > now() - make_interval(secs => ${lifeS})
    on conflict (user_id, kind) do update set token = excluded.token, sent_at = excluded.sent_at`;
  await db`update auth.users set ${db(token)} = null where id = ${userId}`;
}

type KeptCode = { hash: string | null; age: number | null; at: string | null; now: string };

/**
 * Makes a code for an address or number and keeps its hash. One that was sent within the first half of its life is sent again, and one
 * that is older works on beside the new one: whoever asks for another one, here or elsewhere, makes no letter useless. Where somebody took
 * the address meanwhile, or left it, the code is another, of the same instant: whoever asks again and again does not learn when.
 * @param to `email`: where it goes, an address or, for a text message, a number
 */
export async function issueCode(auth: Auth, db: Db, to: CodeRecipient): Promise<Code> {
  const { token, sentAt, lifeS } = COLUMNS[to.slot];
  const [kept] = await db<KeptCode[]>`
    select ${db(token)} as hash, extract(epoch from now() - ${db(sentAt)})::float as age,
      (extract(epoch from ${db(sentAt)}) * 1000000)::bigint::text as at,
      (extract(epoch from now()) * 1000000)::bigint::text as now
    from auth.users where id = ${to.userId} for update`;
  if (!kept) throw new AuthError(404, 'user_not_found', 'User not found');
  const made = (at: string, email = to.email): Code & { hash: string } => {
    const code = codeOf(auth, { ...to, email }, at);
    const hash = hashOf(auth, email, code);
    return { code, hash, tokenHash: (to.isPkce ? PKCE_PREFIX : '') + hash };
  };
  const isYoung = kept.hash !== null && kept.age !== null && kept.age < lifeS / 2;
  const at = kept.at ?? '';
  if (isYoung && [to.email, otherRecipient(to.email)].some(email => made(at, email).hash === kept.hash)) {
    const again = made(at);
    await db`update auth.users set ${db(token)} = ${again.hash} where id = ${to.userId}`;
    return again;
  }
  const twin = TWIN[to.slot];
  // In one transaction both are made at the same instant.
  const moving = twin && kept.at !== kept.now ? [to.slot, twin] : [to.slot];
  for (const slot of moving) await keepAside(db, to.userId, slot);
  const code = made(kept.now);
  await db`
    update auth.users set ${db(token)} = ${code.hash}, updated_at = now(),
      ${db(sentAt)} = to_timestamp(0) + ${kept.now}::bigint * interval '1 microsecond'
    where id = ${to.userId}`;
  return code;
}

export type CodeClaim = { userId: string; slot: Slot };

/** What a person shows: the code and the address or number it came to, or the hash that stands in the link. */
export type CodeProof = { email: string; code: string } | { tokenHash: string };

/** Whose code this is, held: of two that come with the same one, the second looks at what the first left. */
async function holderOf(db: Db, token: string, hash: string): Promise<string | null> {
  const [found] = await db<{ id: string }[]>`
    select id from auth.users where ${db(token)} = ${hash}
    union all select user_id from auth.earlier_codes where kind = ${token} and token = ${hash} limit 1`;
  if (!found) return null;
  await db`select from auth.users where id = ${found.id} for update`;
  return found.id;
}

async function claimFrom(auth: Auth, db: Db, slot: Slot, shown: CodeProof): Promise<CodeClaim | null> {
  const { token, sentAt, address, lifeS } = COLUMNS[slot];
  const hash = 'tokenHash' in shown ? shown.tokenHash.replace(PKCE_PREFIX, '') : hashOf(auth, shown.email, shown.code);
  const userId = await holderOf(db, token, hash);
  if (userId === null) return null;
  const [row] = await db<{ isBanned: boolean; address: string | null }[]>`
    with kept as (
      select ${db(sentAt)} as sent from auth.users where id = ${userId} and ${db(token)} = ${hash}
      union all
      select sent_at from auth.earlier_codes where user_id = ${userId} and kind = ${token} and token = ${hash})
    update auth.users u set ${db(token)} = null, updated_at = now()
    where u.id = ${userId} and deleted_at is null
      and exists (select from kept where sent > now() - make_interval(secs => ${lifeS}))
    returning coalesce(banned_until > now(), false) as "isBanned", ${db(address)} as address`;
  // A letter to an address that is no longer the person's opens nothing, whatever was kept of it.
  if (!row || !hash.endsWith(addressMark(auth, row.address ?? ''))) return null;
  if (row.isBanned) throw new AuthError(403, 'user_banned', 'User is banned');
  // Of two letters for the same purpose one was used: the other leads nowhere any more.
  await db`delete from auth.earlier_codes where user_id = ${userId} and kind = ${token}`;
  return { userId, slot };
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
    const earlier = await auth.sql<{ id: string; hash: string }[]>`
      select user_id as id, token as hash from auth.earlier_codes
      where kind = ${token} and user_id in (select id from auth.users where ${auth.sql(address)} = ${email})`;
    for (const { id, hash } of earlier.filter(each => isGuessedOut(auth, each.hash)))
      await auth.sql`delete from auth.earlier_codes where user_id = ${id} and kind = ${token} and token = ${hash}`;
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
  await db`delete from auth.earlier_codes where user_id = ${userId}`;
  // The answer to an agreed change of address is still on its way to the app.
  await db`
    delete from auth.flow_state where user_id = ${userId} and authentication_method is distinct from 'email_change'`;
  await dropLinking(db, userId);
}

/** Whether the nonce of a reauthentication mail or text message, sent to `email`, fits; it is used up then. */
export async function claimNonce(auth: Auth, db: Db, userId: string, email: string, nonce: string): Promise<boolean> {
  const { token, sentAt } = COLUMNS.reauthentication;
  await db`select from auth.users where id = ${userId} for update`;
  const kept = await db<{ hash: string }[]>`
    select ${db(token)} as hash from auth.users
    where id = ${userId} and ${db(token)} is not null and ${db(sentAt)} > now() - make_interval(secs => ${EMAIL_LIFE_S})
    union all
    select token from auth.earlier_codes
    where user_id = ${userId} and kind = ${token} and sent_at > now() - make_interval(secs => ${EMAIL_LIFE_S})`;
  const given = Buffer.from(hashOf(auth, email, nonce));
  const isSame = (hash: string) => given.length === hash.length && timingSafeEqual(given, Buffer.from(hash));
  if (!kept.some(({ hash }) => isSame(hash))) return false;
  await db`update auth.users set ${db(token)} = null where id = ${userId}`;
  await db`delete from auth.earlier_codes where user_id = ${userId} and kind = ${token}`;
  return true;
}
