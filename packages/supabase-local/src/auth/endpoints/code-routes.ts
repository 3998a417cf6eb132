import type { Hono } from 'hono';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, invalid } from '../auth-error.ts';
import { requirePerson } from '../auth-gate.ts';
import { objectIn, textIn } from '../body.ts';
import { mailKey, sendEmailChange } from '../email-change.ts';
import { challengeIn } from '../flow-states.ts';
import { hashPassword, unknownPassword } from '../passwords.ts';
import { sendCodeOfChange } from '../phone-change.ts';
import { requestSmsCode } from '../phone-sign-up.ts';
import { requirePhone, requireSms } from '../phones.ts';
import { sendCode, sendCodeUnseen } from '../send-code.ts';
import { countSms, sendSmsCode, sendSmsCodeUnseen, unseen } from '../send-sms-code.ts';
import { distrust } from '../unconfirmed-account.ts';
import {
  accountByEmail,
  accountById,
  accountByPhone,
  accountByPhoneChange,
  confirmUser,
  insertEmailIdentity,
  insertUser,
  ownData,
  requireEmail,
  type Account,
} from '../users.ts';

const EMPTY = {};

/** A new account, entered by mail only until its owner chooses a password. */
async function createByMail(auth: Auth, c: AuthRequest, email: string, data: Record<string, unknown>) {
  const hash = await auth.inHashTurn(c, () => hashPassword(auth.sql, unknownPassword()));
  const userId = await auth.sql.begin(async tx => {
    const id = await insertUser(tx, { email, hash, metadata: data });
    await insertEmailIdentity(tx, id, email);
    if (!auth.settings.confirmEmail) await confirmUser(tx, id);
    return id;
  });
  return accountById(auth.sql, userId);
}

async function requestCode(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  if (textIn(body, 'phone')) {
    if (textIn(body, 'email')) throw invalid('Only an email address or phone number should be provided');
    return requestSmsCode(auth, c);
  }
  const email = requireEmail(textIn(body, 'email'));
  const challenge = challengeIn(body);
  auth.limits.count('mail', addressOf(c), `otp ${email}`);
  const before = await accountByEmail(auth.sql, email);
  if (!before && body['create_user'] === false) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
  const person = before ?? (await createByMail(auth, c, email, ownData(objectIn(body, 'data') ?? {})));
  const isNew = !person.isConfirmed;
  // Whoever signed up may not be who asks now, and answers.
  if (before && isNew) await distrust(auth.sql, before.id);
  const how = isNew
    ? ({ kind: 'signup', slot: 'confirmation' } as const)
    : ({ kind: 'magiclink', slot: 'recovery' } as const);
  await sendCode(auth, c, { person, email, ...how, challenge });
  return c.json(EMPTY);
}

async function recover(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  if (!textIn(body, 'email')) throw invalid('Password recovery requires an email');
  const email = requireEmail(textIn(body, 'email'));
  const challenge = challengeIn(body);
  auth.limits.count('mail', addressOf(c), `recover ${email}`);
  const person = await accountByEmail(auth.sql, email);
  if (!person) return c.json(EMPTY);
  const noted = async () => {
    if (!person.isConfirmed) await distrust(auth.sql, person.id);
    await audit(auth.sql, 'user_recovery_requested', person.id, addressOf(c));
  };
  sendCodeUnseen(auth, c, { person, email, kind: 'recovery', slot: 'recovery', challenge }, noted);
  return c.json(EMPTY);
}

/**
 * Behind the answer, and with a limit that nobody is told of: whoever asks has no session, and is not to learn which addresses belong
 * together.
 */
async function resendEmailChange(auth: Auth, c: AuthRequest, email: string): Promise<void> {
  // GoTrue finds the account by its present address, and also takes the new one.
  const [row] = await auth.sql<{ id: string }[]>`
    select id from auth.users where (email = ${email} or email_change = ${email}) and email_change <> ''
    order by (email = ${email}) desc limit 1`;
  if (!row) return;
  const send = async () => {
    auth.limits.count('mail', addressOf(c), mailKey(row.id));
    const person = await accountById(auth.sql, row.id);
    if (person.emailChange)
      await sendEmailChange(auth, c, person, { newEmail: person.emailChange, signed: null }, null);
  };
  send().catch((error: unknown) =>
    auth.log.info({ err: error }, 'letters about a change of address were not sent again'),
  );
}

/** A text message is asked for again; whether there is an account, or a change under way, nobody learns. */
async function resendSms(auth: Auth, c: AuthRequest, slot: 'sms' | 'phone_change'): Promise<Response> {
  const sms = requireSms(auth, 'Phone logins are disabled');
  const given = textIn(c.get('body'), 'phone');
  if (given === undefined) throw invalid('Type provided requires a phone number');
  const phone = requirePhone(given);
  countSms(auth, c, phone);
  if (slot === 'phone_change') {
    const asking = await accountByPhoneChange(auth.sql, phone);
    if (asking) unseen(auth, () => sendCodeOfChange(auth, sms, c, { person: asking, phone }));
    return c.json(EMPTY);
  }
  const person = await accountByPhone(auth.sql, phone);
  if (person && !person.isPhoneConfirmed) sendSmsCodeUnseen(auth, sms, c, { person, phone, slot });
  return c.json(EMPTY);
}

async function resend(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  const type = textIn(body, 'type') ?? '';
  if (!['signup', 'email_change', 'sms', 'phone_change'].includes(type))
    throw invalid('Missing one of these types: signup, email_change, sms, phone_change');
  if (type === 'sms' || type === 'phone_change') return resendSms(auth, c, type);
  if (!textIn(body, 'email')) throw invalid('Type provided requires an email address');
  const email = requireEmail(textIn(body, 'email'));
  auth.limits.count('mail', addressOf(c), `${type} ${email}`);
  if (type === 'email_change') await resendEmailChange(auth, c, email);
  const person = type === 'signup' ? await accountByEmail(auth.sql, email) : null;
  if (person && !person.isConfirmed)
    sendCodeUnseen(auth, c, {
      person,
      email,
      kind: 'signup',
      slot: 'confirmation',
      challenge: challengeIn(body),
    });
  return c.json(EMPTY);
}

async function reauthenticateByPhone(auth: Auth, c: AuthRequest, person: Account, phone: string): Promise<Response> {
  const sms = requireSms(auth, 'Phone logins are disabled');
  if (!person.isPhoneConfirmed) throw new AuthError(422, 'phone_not_confirmed', 'Please verify your phone first.');
  countSms(auth, c, phone);
  await audit(auth.sql, 'user_reauthenticate_requested', person.id, addressOf(c));
  await sendSmsCode(auth, sms, c, { person, phone, slot: 'reauthentication' });
  return c.json(EMPTY);
}

async function reauthenticate(auth: Auth, c: AuthRequest): Promise<Response> {
  const { userId } = c.get('signed');
  const person = await accountById(auth.sql, userId);
  if (!person.email && person.phone) return reauthenticateByPhone(auth, c, person, person.phone);
  if (!person.email) throw invalid('Reauthentication requires the user to have an email or a phone number');
  if (!person.isConfirmed) throw new AuthError(422, 'email_not_confirmed', 'Please verify your email first.');
  auth.limits.count('mail', addressOf(c), `reauthenticate ${userId}`);
  await audit(auth.sql, 'user_reauthenticate_requested', userId, addressOf(c));
  const how = { kind: 'reauthentication', slot: 'reauthentication', challenge: null } as const;
  await sendCode(auth, c, { person, email: person.email, ...how });
  return c.json(EMPTY);
}

export function addCodes(app: Hono<AuthVariables>, auth: Auth): void {
  app.post('/otp', c => requestCode(auth, c));
  app.post('/magiclink', c => requestCode(auth, c));
  app.post('/recover', c => recover(auth, c));
  app.post('/resend', c => resend(auth, c));
  app.get('/reauthenticate', requirePerson(auth), c => reauthenticate(auth, c));
}
