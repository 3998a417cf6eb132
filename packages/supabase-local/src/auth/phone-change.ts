import type { TransactionSql } from 'postgres';
import { audit } from './audit.ts';
import { addressOf, type Auth, type AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { lockSignedIn, signedIn } from './auth-gate.ts';
import { requireLevel } from './factors.ts';
import { claimCode, dropCodes, notingRefusals } from './one-time-codes.ts';
import { changePhone, requireSms } from './phones.ts';
import { countSms, sendSmsCode, sendSmsTaken } from './send-sms-code.ts';
import { endSessions } from './sessions.ts';
import { accountById, accountByPhone, userById, type Account } from './users.ts';

const TO_UPDATE = 'AAL2 session is required to update email, password or data when MFA is enabled.';

/**
 * The number becomes the account's when the code sent to it comes back from a session of that account. Whether
 * somebody else has it nobody learns but them: they are told in words, without a code.
 */
export async function sendPhoneChange(auth: Auth, c: AuthRequest, person: Account, phone: string): Promise<void> {
  const sms = requireSms(auth, 'Phone logins are disabled');
  countSms(auth, c, phone);
  await auth.sql.begin(async tx => {
    await lockSignedIn(tx, c.get('signed'));
    await tx`update auth.users set phone_change = ${phone}, phone_change_token = null where id = ${person.id}`;
  });
  if (await accountByPhone(auth.sql, phone)) await sendSmsTaken(sms, c, { person, phone });
  else await sendSmsCode(auth, sms, c, { person, phone, slot: 'phone_change' });
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
