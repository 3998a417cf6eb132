import { audit } from './audit.ts';
import { addressOf, type Auth, type AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { objectIn, requireText, textIn } from './body.ts';
import { hashPassword, isPassword, requireStrong, unknownPassword } from './passwords.ts';
import { insertPhoneIdentity, requirePhone, requireSms } from './phones.ts';
import { countSms, sendSmsCode, sendSmsCodeUnseen } from './send-sms-code.ts';
import type { SmsSender } from '../sms/sms-sender.ts';
import { rehearse, unconfirmedUser, type SignUp } from './sign-up.ts';
import { distrust } from './unconfirmed-account.ts';
import { accountById, accountByPhone, insertUser, ownData, type Account } from './users.ts';

type PhoneSignUp = SignUp & { phone: string };

async function createByPhone(auth: Auth, c: AuthRequest, { phone, password, data }: PhoneSignUp): Promise<Account> {
  const hash = await auth.inHashTurn(c, () => hashPassword(auth.sql, password));
  const userId = await auth.sql.begin(async tx => {
    const id = await insertUser(tx, { email: null, phone, hash, metadata: data, provider: 'phone' });
    await insertPhoneIdentity(tx, id, phone, false);
    await audit(tx, 'user_confirmation_requested', id, addressOf(c), { provider: 'phone' });
    return id;
  });
  return accountById(auth.sql, userId);
}

/** Somebody with this number has an account: nothing tells so, and it takes as long. */
async function repeated(auth: Auth, c: AuthRequest, userId: string, wanted: PhoneSignUp): Promise<Response> {
  await audit(auth.sql, 'user_repeated_signup', userId, addressOf(c), { provider: 'phone' });
  await auth.inHashTurn(c, () => hashPassword(auth.sql, wanted.password));
  await rehearse(auth, wanted);
  return c.json(unconfirmedUser(wanted));
}

/** `POST /signup` with a phone number: the account waits for the code of a text message. */
export async function signUpByPhone(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  const sms = requireSms(auth, 'Phone signups are disabled');
  const phone = requirePhone(textIn(body, 'phone'));
  const password = requireText(body, 'password', 'Signup requires a valid password');
  requireStrong(password);
  const wanted = { email: '', phone, password, data: ownData(objectIn(body, 'data') ?? {}) };
  auth.limits.count('signUp', addressOf(c), phone);
  countSms(auth, c, phone);
  const before = await accountByPhone(auth.sql, phone);
  if (before?.isPhoneConfirmed) return repeated(auth, c, before.id, wanted);
  if (before && !(await auth.inHashTurn(c, () => isPassword(auth.sql, password, before.hash))))
    await distrust(auth.sql, before.id);
  if (before) await rehearse(auth, wanted);
  const { id } = before ?? (await createByPhone(auth, c, wanted));
  const person = await accountById(auth.sql, id);
  // Behind the answer: a confirmed number gets none, and that is not to be told by the time.
  sendSmsCodeUnseen(auth, sms, c, { person, phone, slot: 'sms' });
  return c.json(unconfirmedUser(wanted, before ? undefined : id));
}

/** `POST /otp` with a phone number: the code of a text message signs in, and makes an account unless that is not wanted. */
export async function requestSmsCode(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  const sms: SmsSender = requireSms(auth, 'Unsupported phone provider');
  const phone = requirePhone(textIn(body, 'phone'));
  const channel = textIn(body, 'channel') ?? 'sms';
  if (channel !== 'sms') throw new AuthError(400, 'validation_failed', "Invalid channel, supported values are 'sms'");
  countSms(auth, c, phone);
  const before = await accountByPhone(auth.sql, phone);
  if (!before && body['create_user'] === false) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
  if (before && !before.isPhoneConfirmed) await distrust(auth.sql, before.id);
  const data = ownData(objectIn(body, 'data') ?? {});
  const person = before ?? (await createByPhone(auth, c, { email: '', phone, password: unknownPassword(), data }));
  await sendSmsCode(auth, sms, c, { person, phone, slot: 'sms' });
  return c.json({});
}
