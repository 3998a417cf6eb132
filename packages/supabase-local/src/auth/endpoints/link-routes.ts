import type { Hono } from 'hono';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, emailTaken, invalid } from '../auth-error.ts';
import { objectIn, textIn } from '../body.ts';
import { beginEmailChange } from '../email-change.ts';
import { isGerman, writeEmail } from '../auth-emails.ts';
import { issueCode, type Code } from '../one-time-codes.ts';
import { hashPassword, requireStrong, unknownPassword } from '../passwords.ts';
import { actionLink } from '../redirects.ts';
import { redirectOf } from '../send-code.ts';
import { distrust } from '../unconfirmed-account.ts';
import {
  accountByEmail,
  accountById,
  insertEmailIdentity,
  insertUser,
  mergeMetadata,
  requireEmail,
  userById,
  type Account,
} from '../users.ts';

async function createUnconfirmed(auth: Auth, email: string, body: Record<string, unknown>, hash: string | null) {
  const userId = await auth.sql.begin(async tx => {
    const id = await insertUser(tx, { email, hash, metadata: objectIn(body, 'data') ?? {} });
    await insertEmailIdentity(tx, id, email);
    return id;
  });
  return accountById(auth.sql, userId);
}

/** The invited person: a new account without a password, or one that was never confirmed. */
async function invited(auth: Auth, c: AuthRequest, email: string): Promise<Account> {
  const before = await accountByEmail(auth.sql, email);
  if (before?.isConfirmed) throw emailTaken();
  if (before) await distrust(auth.sql, before.id);
  const person = before ?? (await createUnconfirmed(auth, email, c.get('body'), null));
  await auth.sql`update auth.users set invited_at = now(), updated_at = now() where id = ${person.id}`;
  await audit(auth.sql, 'user_invited', null, addressOf(c), { user_id: person.id });
  return person;
}

async function invite(auth: Auth, c: AuthRequest): Promise<Response> {
  const email = requireEmail(textIn(c.get('body'), 'email'));
  const person = await invited(auth, c, email);
  const { code, tokenHash } = await issueCode(auth, auth.sql, { userId: person.id, email, slot: 'confirmation' });
  const link = actionLink(auth.settings, tokenHash, 'invite', redirectOf(auth, c));
  await auth.send(await writeEmail('invite', isGerman(person.metadata, c), email, { code, link }));
  return c.json(await userById(auth.sql, person.id));
}

type GeneratedLink = { userId: string; code: Code; type: string };

async function forSignUp(auth: Auth, c: AuthRequest, email: string): Promise<GeneratedLink> {
  const body = c.get('body');
  const before = await accountByEmail(auth.sql, email);
  if (before?.isConfirmed) throw emailTaken();
  if (before) await distrust(auth.sql, before.id);
  if (before) await mergeMetadata(auth.sql, before.id, 'raw_user_meta_data', objectIn(body, 'data') ?? {});
  const password = textIn(body, 'password');
  if (!before && password === undefined) throw invalid('Signup requires a valid password');
  if (password !== undefined) requireStrong(password);
  const person = before ?? (await createUnconfirmed(auth, email, body, await hashPassword(auth.sql, password ?? '')));
  const code = await issueCode(auth, auth.sql, { userId: person.id, email, slot: 'confirmation' });
  return { userId: person.id, code, type: 'signup' };
}

async function forInvite(auth: Auth, c: AuthRequest, email: string): Promise<GeneratedLink> {
  const { id } = await invited(auth, c, email);
  const code = await issueCode(auth, auth.sql, { userId: id, email, slot: 'confirmation' });
  return { userId: id, code, type: 'invite' };
}

async function known(auth: Auth, email: string): Promise<Account> {
  const account = await accountByEmail(auth.sql, email);
  if (account) return account;
  throw new AuthError(404, 'user_not_found', 'User with this email not found');
}

async function forSignIn(auth: Auth, c: AuthRequest, email: string, type: string): Promise<GeneratedLink> {
  const before = await accountByEmail(auth.sql, email);
  if (!before && type === 'magiclink') {
    const hash = await hashPassword(auth.sql, unknownPassword());
    const { id } = await createUnconfirmed(auth, email, c.get('body'), hash);
    const code = await issueCode(auth, auth.sql, { userId: id, email, slot: 'confirmation' });
    return { userId: id, code, type: 'signup' };
  }
  const { id, isConfirmed } = await known(auth, email);
  if (!isConfirmed) await distrust(auth.sql, id);
  await audit(auth.sql, 'user_recovery_requested', id, addressOf(c));
  return { userId: id, code: await issueCode(auth, auth.sql, { userId: id, email, slot: 'recovery' }), type };
}

async function forEmailChange(auth: Auth, c: AuthRequest, email: string, type: string): Promise<GeneratedLink> {
  const person = await known(auth, email);
  const newEmail = requireEmail(textIn(c.get('body'), 'new_email'));
  const other = await accountByEmail(auth.sql, newEmail);
  if (other && other.id !== person.id) throw emailTaken();
  // The link for the other address, made before for the same change, goes on working.
  if (person.emailChange !== newEmail) {
    await auth.sql.begin(tx => beginEmailChange(tx, person, { newEmail, signed: null }));
  }
  const isNew = type === 'email_change_new';
  const to = { userId: person.id, email: isNew ? newEmail : email } as const;
  const code = await issueCode(auth, auth.sql, { ...to, slot: isNew ? 'email_change_new' : 'email_change_current' });
  return { userId: person.id, code, type };
}

function make(auth: Auth, c: AuthRequest, email: string, type: string): Promise<GeneratedLink> {
  switch (type) {
    case 'signup':
      return forSignUp(auth, c, email);
    case 'invite':
      return forInvite(auth, c, email);
    case 'magiclink':
    case 'recovery':
      return forSignIn(auth, c, email, type);
    case 'email_change_current':
    case 'email_change_new':
      return forEmailChange(auth, c, email, type);
    default:
      throw invalid(`Invalid email action link type requested: ${type}`);
  }
}

/** The link and the code of a letter, for somebody who sends it themselves. */
async function generate(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  const email = requireEmail(textIn(body, 'email'));
  const made = await make(auth, c, email, textIn(body, 'type') ?? '');
  const redirectTo = redirectOf(auth, c);
  const linkType = made.type.startsWith('email_change') ? 'email_change' : made.type;
  return c.json({
    ...(await userById(auth.sql, made.userId)),
    action_link: actionLink(auth.settings, made.code.tokenHash, linkType, redirectTo),
    email_otp: made.code.code,
    hashed_token: made.code.tokenHash,
    verification_type: made.type,
    redirect_to: redirectTo,
  });
}

export function addLinks(app: Hono<AuthVariables>, auth: Auth): void {
  app.post('/invite', c => invite(auth, c));
  app.post('/admin/generate_link', c => generate(auth, c));
}
