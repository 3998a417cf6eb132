import type { TransactionSql } from 'postgres';
import { audit } from './audit.ts';
import { addressOf, type Auth, type AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { lockSignedIn, signedIn } from './auth-gate.ts';
import { requireLevel } from './factors.ts';
import { claimCode, dropCodes, issueCode, takenRecipient, notingRefusals } from './one-time-codes.ts';
import { changePhone, requireSms } from './phones.ts';
import { countSms, sendSmsCode, sendSmsTaken } from './send-sms-code.ts';
import { endSessions } from './sessions.ts';
import type { SmsSender } from '../sms/sms-sender.ts';
import { accountById, accountByPhone, userById, type Account } from './users.ts';

const TO_UPDATE = 'AAL2 session is required to update email, password or data when MFA is enabled.';

/**
 * The code of a change goes to the number, or its owner is told in words. What the account says of it, and how long it took, is the same
 * then: a code is made that nobody can show.
 */
export async function sendCodeOfChange(
  auth: Auth,
  sms: SmsSender,
  c: AuthRequest,
  { person, phone }: { person: Account; phone: string },
): Promise<void> {
  if (!(await accountByPhone(auth.sql, phone)))
    return sendSmsCode(auth, sms, c, { person, phone, slot: 'phone_change' });
  await auth.sql.begin(tx =>
    issueCode(auth, tx, { userId: person.id, email: takenRecipient(phone), slot: 'phone_change' }),
  );
  return sendSmsTaken(sms, c, { person, phone });
}

/**
 * The number becomes the account's when the code sent to it comes back from a session of that account. Whether
 * somebody else has it nobody learns but them: they are told in words, without a code.
 */
export async function sendPhoneChange(auth: Auth, c: AuthRequest, person: Account, phone: string): Promise<void> {
  const sms = requireSms(auth, 'Phone logins are disabled');
  countSms(auth, c, phone);
  await auth.sql.begin(async tx => {
    await lockSignedIn(tx, c.get('signed'));
    const token = 'phone_change_token';
    await tx`
      update auth.users set phone_change = ${phone},
        ${tx(token)} = case when phone_change = ${phone} then ${tx(token)} end where id = ${person.id}`;
    await tx`
      delete from auth.earlier_codes where user_id = ${person.id} and kind = ${token}
        and exists (select from auth.users where id = ${person.id} and ${tx(token)} is null)`;
  });
  await sendCodeOfChange(auth, sms, c, { person, phone });
}

/** Whoever had the number before is out, and what was sent to it opens nothing. */
async function replaced(tx: TransactionSql, c: AuthRequest, phone: string): Promise<void> {
  const { userId, sessionId } = c.get('signed');
  const before = await accountById(tx, userId);
  await changePhone(tx, userId, phone);
  await dropCodes(tx, userId);
  if (before.phone !== null) await endSessions(tx, userId, sessionId, 'others');
  await audit(tx, 'user_modified', userId, addressOf(c));
}

/**
 * `POST /verify` of type phone_change. Other than GoTrue's, it wants the session of whoever asked: a number that was mistyped is
 * somebody else's, and their code must not open the account.
 */
export async function agreeToPhone(auth: Auth, c: AuthRequest, phone: string, code: string): Promise<Response> {
  const signed = await signedIn(auth, c);
  c.set('signed', signed);
  await auth.limits.guess('verify', addressOf(c), phone, () =>
    notingRefusals(auth, 'phone_change', { email: phone, code }, () =>
      auth.sql.begin(async tx => {
        await lockSignedIn(tx, signed);
        await requireLevel(tx, signed, 401, TO_UPDATE);
        const { userId } = await claimCode(auth, tx, 'phone_change', { email: phone, code });
        if (userId !== signed.userId) throw new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
        await replaced(tx, c, phone);
      }),
    ),
  );
  return c.json({ user: await userById(auth.sql, signed.userId) });
}
