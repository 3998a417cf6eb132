import { errorCode } from '@cairn/database/error-code.ts';
import type { Hono } from 'hono';
import type { TransactionSql } from 'postgres';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, emailTaken, invalid } from '../auth-error.ts';
import { isUuid } from '../auth-gate.ts';
import { objectIn, textIn } from '../body.ts';
import { factorNotFound, removeFactor } from '../factors.ts';
import { dropCodes } from '../one-time-codes.ts';
import { hashPassword, requireStrong, unknownPassword } from '../passwords.ts';
import { endSessions } from '../sessions.ts';
import { noteEndedTokens } from '../ended-accounts.ts';
import * as users from '../users.ts';

const PER_PAGE = 50;
const MAX_PER_PAGE = 1000;

function positive(c: AuthRequest, name: string, otherwise: number): number {
  const text = c.req.query(name);
  if (text === undefined || text === '') return otherwise;
  if (/^\d{1,9}$/.test(text)) return Number(text) || otherwise;
  throw invalid(`Bad Pagination Parameters: ${name} must be a number`);
}

async function list(auth: Auth, c: AuthRequest): Promise<Response> {
  const page = positive(c, 'page', 1);
  const perPage = Math.min(positive(c, 'per_page', PER_PAGE), MAX_PER_PAGE);
  const found = await users.listUsers(auth.sql, page, perPage);
  const last = Math.max(1, Math.ceil(found.total / perPage));
  const link = (to: number, rel: string) => `</admin/users?page=${to}&per_page=${perPage}>; rel="${rel}"`;
  c.header('X-Total-Count', String(found.total));
  c.header('Link', [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', '));
  return c.json({ users: found.users, aud: 'authenticated' });
}

const UNITS: Record<string, number> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

/** Seconds of a duration as Go writes it, `24h` or `1h30m`; null lifts the ban. */
function banSeconds(text: string): number | null {
  if (text === 'none') return null;
  if (!/^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/.test(text)) throw invalid('invalid format for ban duration');
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)/g)];
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}

const ROLES = ['authenticated', 'anon', 'service_role'];

function requireRole(body: Record<string, unknown>): string | undefined {
  const role = textIn(body, 'role');
  if (role !== undefined && !ROLES.includes(role)) throw invalid('The role must be one of the API');
  return role;
}

/** A given hash is taken as it is, so that people can be brought over from elsewhere without a new password. */
async function hashIn(auth: Auth, body: Record<string, unknown>): Promise<string | undefined> {
  const [password, hash] = [textIn(body, 'password'), textIn(body, 'password_hash')];
  if (password !== undefined && hash !== undefined)
    throw invalid('Only a password or a password hash should be provided');
  if (hash !== undefined && !/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(hash))
    throw invalid('The password hash must be a bcrypt hash');
  if (password !== undefined) requireStrong(password);
  return password === undefined ? hash : hashPassword(auth.sql, password);
}

async function setFlags(tx: TransactionSql, userId: string, body: Record<string, unknown>): Promise<void> {
  const [role, ban] = [requireRole(body), textIn(body, 'ban_duration')];
  if (role) await tx`update auth.users set role = ${role}, updated_at = now() where id = ${userId}`;
  if (ban !== undefined) {
    const seconds = banSeconds(ban);
    await tx`
      update auth.users set banned_until = now() + make_interval(secs => ${seconds}::float), updated_at = now()
      where id = ${userId}`;
  }
  if (body['email_confirm'] === true) await users.confirmUser(tx, userId);
  const app = objectIn(body, 'app_metadata');
  if (app) await users.mergeMetadata(tx, userId, 'raw_app_meta_data', app);
}

function requireNoPhone(body: Record<string, unknown>): void {
  if (textIn(body, 'phone')) throw new AuthError(400, 'phone_provider_disabled', 'Phone logins are disabled');
}

async function create(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  requireNoPhone(body);
  if (!textIn(body, 'email')) throw invalid('Cannot create a user without either an email or phone');
  const email = users.requireEmail(textIn(body, 'email'));
  const id = textIn(body, 'id');
  if (id !== undefined && !isUuid(id)) throw invalid('ID must conform to the uuid v4 format');
  if (await users.accountByEmail(auth.sql, email)) throw emailTaken();
  const hash = (await hashIn(auth, body)) ?? (await hashPassword(auth.sql, unknownPassword()));
  const userId = await auth.sql.begin(async tx => {
    const metadata = objectIn(body, 'user_metadata') ?? {};
    const made = await users.insertUser(tx, { email, hash, metadata, ...(id && { id }) });
    await users.insertEmailIdentity(tx, made, email);
    await setFlags(tx, made, body);
    await audit(tx, 'user_signedup', null, addressOf(c), { user_id: made, provider: 'email' });
    return made;
  });
  return c.json(await users.userById(auth.sql, userId));
}

function userIdOf(c: AuthRequest): string {
  const id = c.req.param('id') ?? '';
  if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'user_id must be an UUID');
  return id;
}

async function setEmail(tx: TransactionSql, userId: string, email: string): Promise<void> {
  try {
    await tx`update auth.users set email = ${email}, updated_at = now() where id = ${userId}`;
  } catch (error) {
    if (errorCode(error) === '23505') throw emailTaken();
    throw error;
  }
  const changed = await tx`
    update auth.identities set updated_at = now(),
      identity_data = identity_data || jsonb_build_object('email', ${email}::text)
    where user_id = ${userId} and provider = 'email' returning id`;
  if (changed.length === 0) await users.insertEmailIdentity(tx, userId, email);
  await users.updateProviders(tx, userId);
}

async function update(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  requireNoPhone(body);
  const { id } = await users.accountById(auth.sql, userIdOf(c));
  const email = textIn(body, 'email') === undefined ? null : users.requireEmail(textIn(body, 'email'));
  const hash = await hashIn(auth, body);
  await auth.sql.begin(async tx => {
    if (email !== null) await setEmail(tx, id, email);
    if (hash !== undefined) {
      await tx`update auth.users set encrypted_password = ${hash}, updated_at = now() where id = ${id}`;
      await endSessions(tx, id, '', 'global');
    }
    if (email !== null || hash !== undefined) await dropCodes(tx, id);
    await setFlags(tx, id, body);
    const metadata = objectIn(body, 'user_metadata');
    if (metadata) await users.mergeMetadata(tx, id, 'raw_user_meta_data', metadata);
    await audit(tx, 'user_modified', null, addressOf(c), { user_id: id });
  });
  return c.json(await users.userById(auth.sql, id));
}

/** The row stays for what refers to it; who it was and every way in go. */
async function deleteSoftly(tx: TransactionSql, id: string): Promise<void> {
  await tx`
    update auth.users set email = null, phone = null, encrypted_password = null, email_change = '',
      confirmation_token = null, recovery_token = null, email_change_token_new = null,
      email_change_token_current = null, reauthentication_token = null, raw_user_meta_data = '{}',
      raw_app_meta_data = '{}', deleted_at = now(), updated_at = now()
    where id = ${id} and deleted_at is null`;
  for (const table of ['identities', 'mfa_factors', 'sessions'])
    await tx`delete from ${tx(`auth.${table}`)} where user_id = ${id}`;
}

async function remove(auth: Auth, c: AuthRequest): Promise<Response> {
  const { id } = await users.accountById(auth.sql, userIdOf(c));
  const isSoft = c.get('body')['should_soft_delete'] === true;
  await auth.sql.begin(async tx => {
    await audit(tx, 'user_deleted', null, addressOf(c), { user_id: id });
    await noteEndedTokens(tx, id);
    if (isSoft) await deleteSoftly(tx, id);
    else await tx`delete from auth.users where id = ${id}`;
  });
  return c.json({});
}

async function removeOthersFactor(auth: Auth, c: AuthRequest): Promise<Response> {
  const userId = userIdOf(c);
  const factorId = c.req.param('factor') ?? '';
  const factor = (await users.userById(auth.sql, userId)).factors?.find(({ id }) => id === factorId);
  if (!factor) throw factorNotFound();
  await auth.sql.begin(async tx => {
    await removeFactor(tx, userId, factorId, null);
    await audit(tx, 'factor_unenrolled', null, addressOf(c), { user_id: userId, factor_id: factorId });
  });
  return c.json(factor);
}

export function addAdmin(app: Hono<AuthVariables>, auth: Auth): void {
  app.get('/admin/users', c => list(auth, c));
  app.post('/admin/users', c => create(auth, c));
  app.get('/admin/users/:id', async c => c.json(await users.userById(auth.sql, userIdOf(c))));
  app.put('/admin/users/:id', c => update(auth, c));
  app.delete('/admin/users/:id', c => remove(auth, c));
  app.get('/admin/users/:id/factors', async c => {
    const user = await users.userById(auth.sql, userIdOf(c));
    return c.json(user.factors ?? []);
  });
  app.delete('/admin/users/:id/factors/:factor', c => removeOthersFactor(auth, c));
}
