import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { errorCode } from '@cairn/database/error-code.ts';
import type { Db } from './auth-context.ts';
import { AuthError, emailTaken, invalid, phoneTaken, userNotFound } from './auth-error.ts';

/** A user as GoTrue's answers carry them; which members are there depends on the account. */
export type User = {
  id: string;
  aud: string;
  role: string;
  email: string;
  phone: string;
  app_metadata: Record<string, unknown>;
  user_metadata: Record<string, unknown>;
  identities: { identity_id: string; id: string; provider: string; identity_data: Record<string, unknown> }[];
  factors?: { id: string; factor_type: string; status: string; friendly_name?: string }[];
  created_at: string;
};

/** What decides whether and how somebody gets in; never leaves the server. */
export type Account = {
  id: string;
  email: string | null;
  /** bcrypt, or null when the person has no password. */
  hash: string | null;
  /** The address is the person's. */
  isConfirmed: boolean;
  /** E.164 without `+`. */
  phone: string | null;
  isPhoneConfirmed: boolean;
  isBanned: boolean;
  /** Comes in through an identity provider alone; others may have the same address. */
  isSso: boolean;
  emailChange: string | null;
  phoneChange: string | null;
  metadata: Record<string, unknown>;
};

// What may be missing is left out; the metadata is the person's own and keeps its nulls.
const USER = `
  jsonb_strip_nulls(jsonb_build_object(
    'email_confirmed_at', u.email_confirmed_at, 'phone_confirmed_at', u.phone_confirmed_at,
    'confirmed_at', u.confirmed_at, 'confirmation_sent_at', u.confirmation_sent_at, 'invited_at', u.invited_at,
    'recovery_sent_at', u.recovery_sent_at, 'new_email', nullif(u.email_change, ''), 'new_phone', nullif(u.phone_change, ''),
    'phone_change_sent_at', u.phone_change_sent_at,
    'email_change_sent_at', u.email_change_sent_at, 'reauthentication_sent_at', u.reauthentication_sent_at,
    'last_sign_in_at', u.last_sign_in_at, 'banned_until', u.banned_until, 'deleted_at', u.deleted_at,
    'factors', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', f.id, 'created_at', f.created_at,
        'updated_at', f.updated_at, 'status', f.status, 'friendly_name', nullif(f.friendly_name, ''),
        'factor_type', f.factor_type, 'last_challenged_at', f.last_challenged_at)) order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id))) ||
  jsonb_build_object(
    'id', u.id, 'aud', u.aud, 'role', u.role, 'email', coalesce(u.email, ''), 'phone', coalesce(u.phone, ''),
    'app_metadata', coalesce(u.raw_app_meta_data, '{}'), 'user_metadata', coalesce(u.raw_user_meta_data, '{}'),
    'identities', coalesce((
      select jsonb_agg(jsonb_build_object('identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id,
        'identity_data', i.identity_data, 'provider', i.provider, 'last_sign_in_at', i.last_sign_in_at,
        'created_at', i.created_at, 'updated_at', i.updated_at, 'email', i.email) order by i.created_at, i.id)
      from auth.identities i where i.user_id = u.id), '[]'),
    'created_at', u.created_at, 'updated_at', u.updated_at, 'is_anonymous', u.is_anonymous) as "user"`;

const ACCOUNT = `
  u.id, u.email, nullif(u.encrypted_password, '') as hash, u.email_confirmed_at is not null as "isConfirmed",
  nullif(u.phone, '') as phone, u.phone_confirmed_at is not null as "isPhoneConfirmed",
  coalesce(u.banned_until > now(), false) as "isBanned", u.is_sso_user as "isSso", nullif(u.email_change, '') as "emailChange",
  nullif(u.phone_change, '') as "phoneChange",
  coalesce(u.raw_user_meta_data, '{}') as metadata`;

/** @throws {AuthError} user_not_found */
export async function userById(db: Db, id: string): Promise<User> {
  const [row] = await db.unsafe<{ user: User }[]>(`select ${USER} from auth.users u where u.id = $1`, [id]);
  if (!row) throw userNotFound();
  return row.user;
}

/**
 * Until the transaction ends nobody else changes how this person gets in: what is asked after it holds when it is acted on
 * (decision 17). Rows that refer to the account are in nobody's way: a long push of theirs is not waited for.
 */
export async function lockAccount(tx: TransactionSql, userId: string): Promise<void> {
  await tx`select from auth.users where id = ${userId} for no key update`;
}

/** The newest first. */
export async function listUsers(db: Db, page: number, perPage: number): Promise<{ users: User[]; total: number }> {
  const [count] = await db<{ total: number }[]>`select count(*)::int as total from auth.users`;
  const rows = await db.unsafe<{ user: User }[]>(
    `select ${USER} from auth.users u order by u.created_at desc, u.id limit $1 offset $2`,
    [perPage, (page - 1) * perPage],
  );
  return { users: rows.map(row => row.user), total: count?.total ?? 0 };
}

export async function accountByEmail(db: Db, email: string): Promise<Account | null> {
  const text = `select ${ACCOUNT} from auth.users u where u.email = $1 and u.is_sso_user = false and u.deleted_at is null`;
  const [row] = await db.unsafe<Account[]>(text, [email]);
  return row ?? null;
}

export async function accountByPhone(db: Db, phone: string): Promise<Account | null> {
  const text = `select ${ACCOUNT} from auth.users u where u.phone = $1 and u.is_sso_user = false and u.deleted_at is null`;
  const [row] = await db.unsafe<Account[]>(text, [phone]);
  return row ?? null;
}

/** Who waits to have this number: whoever asked last. */
export async function accountByPhoneChange(db: Db, phone: string): Promise<Account | null> {
  const text = `select ${ACCOUNT} from auth.users u where u.phone_change = $1 and u.deleted_at is null
    order by u.phone_change_sent_at desc nulls last limit 1`;
  const [row] = await db.unsafe<Account[]>(text, [phone]);
  return row ?? null;
}

export async function accountById(db: Db, id: string): Promise<Account> {
  const [row] = await db.unsafe<Account[]>(`select ${ACCOUNT} from auth.users u where u.id = $1`, [id]);
  if (!row) throw userNotFound();
  return row;
}

const EMAIL = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\.]+$/;

/** The address as it is stored: trimmed and in lower case. @throws {AuthError} validation_failed */
export function requireEmail(value: string | undefined): string {
  const email = (value ?? '').trim().toLowerCase();
  if (email === '') throw invalid('An email address is required');
  // Control characters would end up in a mail's header.
  // oxlint-disable-next-line no-control-regex
  if (email.length > 255 || !EMAIL.test(email) || /[\u0000-\u001f\u007f]/.test(email))
    throw invalid('Unable to validate email address: invalid format');
  return email;
}

export type NewUser = {
  id?: string;
  email: string | null;
  /** E.164 without `+`; left out for an account without a number. */
  phone?: string;
  hash: string | null;
  metadata: Record<string, unknown>;
  appMetadata?: Record<string, unknown>;
  provider?: string;
  /** Of an identity provider: its address need not be nobody else's. */
  isSso?: boolean;
};

/** @throws {AuthError} email_exists, phone_exists when somebody else has the address or number, also when they took it just now */
export async function insertUser(db: Db, user: NewUser): Promise<string> {
  const id = user.id ?? randomUUID();
  const provider = user.provider ?? 'email';
  const ofPhone = user.phone === undefined ? {} : { phone: user.phone, email_verified: false, phone_verified: false };
  const metadata = JSON.stringify({ ...user.metadata, ...identityOf(id, user.email), ...ofPhone });
  const app = JSON.stringify({ provider, providers: [provider], ...user.appMetadata });
  try {
    await db`
      insert into auth.users (id, email, phone, encrypted_password, raw_app_meta_data, raw_user_meta_data, is_sso_user)
      values (${id}, ${user.email}, ${user.phone ?? null}, ${user.hash}, ${app}::text::jsonb, ${metadata}::text::jsonb,
        ${user.isSso ?? false})`;
  } catch (error) {
    if (errorCode(error) === '23505') throw user.phone === undefined ? emailTaken() : phoneTaken();
    // A trigger of the product refused, or failed: GoTrue tells it in these words. Class 22 is about what was sent.
    const code = errorCode(error);
    if (code.length === 5 && !code.startsWith('22'))
      throw new AuthError(500, 'unexpected_failure', 'Database error saving new user', { cause: error });
    throw error;
  }
  return id;
}

const identityOf = (sub: string, email: string | null) =>
  email === null ? { sub } : { sub, email, email_verified: false, phone_verified: false };

/** The identity of an account with an e-mail address and a password. */
export async function insertEmailIdentity(db: Db, userId: string, email: string): Promise<void> {
  await insertIdentity(db, { userId, provider: 'email', providerId: userId, data: identityOf(userId, email) });
}

export type NewIdentity = { userId: string; provider: string; providerId: string; data: Record<string, unknown> };

export async function insertIdentity(db: Db, { userId, provider, providerId, data }: NewIdentity): Promise<void> {
  await db`
    insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at)
    values (${randomUUID()}, ${provider}, ${providerId}, ${userId}, ${JSON.stringify(data)}::text::jsonb, now())`;
}

/** From now on the person has shown that the address is theirs. */
export async function confirmUser(db: Db, userId: string): Promise<void> {
  await db`
    update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), confirmation_token = null,
      raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}', updated_at = now()
    where id = ${userId}`;
  await db`
    update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
    where user_id = ${userId} and provider = 'email'`;
}

/** What GoTrue itself writes into the metadata, and providers do: nobody says it of themselves. */
const NOT_OWN = new Set(
  'sub email email_verified phone phone_verified iss aud provider_id providers role custom_claims'.split(' '),
);

/** What a person may say of themselves; the rest is left out, as somebody may send back what they read. */
export const ownData = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !NOT_OWN.has(name)));

/** Bytes; each token and each answer about the person carries all of it. */
const MAX_METADATA = 128 * 1024;

/** Members that are null are taken out, as GoTrue does. @throws {AuthError} validation_failed where it came to too much */
export async function mergeMetadata(
  db: Db,
  userId: string,
  which: 'raw_user_meta_data' | 'raw_app_meta_data',
  changes: Record<string, unknown>,
): Promise<void> {
  const gone = Object.keys(changes).filter(name => changes[name] === null);
  const merged = await db`
    update auth.users u set ${db(which)} = m.merged, updated_at = now()
    from (select id, (coalesce(${db(which)}, '{}') || ${JSON.stringify(changes)}::text::jsonb) - ${gone}::text[] as merged
          from auth.users where id = ${userId} for no key update) m
    where u.id = m.id and octet_length(m.merged::text) <= ${MAX_METADATA}
    returning u.id`;
  if (merged.length > 0) return;
  if ((await db`select from auth.users where id = ${userId}`).length > 0)
    throw invalid(`Metadata have at most ${MAX_METADATA / 1024} kB`);
}

/** Which ways in the account has; the first one made is named as `provider`. */
export async function updateProviders(db: Db, userId: string): Promise<void> {
  await db`
    update auth.users set updated_at = now(), raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || (
      select jsonb_build_object('providers', coalesce(jsonb_agg(distinct i.provider), '[]'),
        'provider', coalesce((array_agg(i.provider order by i.created_at))[1], 'email'))
      from auth.identities i where i.user_id = ${userId})
    where id = ${userId}`;
}
