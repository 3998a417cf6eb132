import type { TransactionSql } from 'postgres';
import { addressOf, type Auth, type AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { isGerman } from './auth-emails.ts';
import { SMS_LIFE_S } from './code-life.ts';
import { issueCode } from './one-time-codes.ts';
import type { SmsSender } from '../sms/sms-sender.ts';

type Slot = 'sms' | 'phone_change' | 'reauthentication';

type CodeRecipient = { person: { id: string; metadata: Record<string, unknown> }; phone: string; slot: Slot };

/** One message, within its 160 characters. */
const TEXTS = {
  en: {
    sms: (code: string) =>
      `Your Cairn code is ${code}. It works for ${SMS_LIFE_S / 60} minutes. Nobody from Cairn asks you for it.`,
    phone_change: (code: string) =>
      `Your code to use this number in Cairn is ${code}. If you did not ask for it, do not pass it on.`,
    taken: 'Somebody wants to use your number for another account of Cairn. Yours keeps it; you need not do anything.',
    reauthentication: (code: string) =>
      `Your Cairn confirmation code is ${code}. If you did not ask for it, do not pass it on.`,
  },
  de: {
    sms: (code: string) =>
      `Dein Code für Cairn: ${code}. Er gilt ${SMS_LIFE_S / 60} Minuten. Niemand von Cairn fragt dich danach.`,
    phone_change: (code: string) =>
      `Dein Code, um diese Nummer in Cairn zu nutzen: ${code}. Gib ihn nicht weiter, wenn du ihn nicht wolltest.`,
    taken: 'Jemand möchte deine Nummer für ein anderes Cairn-Konto nutzen. Sie bleibt bei dir; du musst nichts tun.',
    reauthentication: (code: string) =>
      `Dein Bestätigungscode für Cairn: ${code}. Gib ihn nicht weiter, wenn du ihn nicht wolltest.`,
  },
};

/** One text message a minute to a number, so many from a network at once and an hour, and so many in all: each costs the operator money. */
export function countSms({ limits }: Pick<Auth, 'limits'>, c: AuthRequest, phone: string): void {
  const counted: (() => void)[] = [];
  try {
    counted.push(limits.count('sms', addressOf(c), phone));
    counted.push(limits.count('smsOfNetwork', addressOf(c), ''));
    counted.push(limits.count('smsInAll', '', ''));
  } catch (error) {
    for (const takeBack of counted) takeBack();
    throw error;
  }
}

/** Makes the code; sending is the caller's, after the database has what was promised. */
async function prepare(
  auth: Auth,
  tx: TransactionSql,
  c: AuthRequest,
  { person, phone, slot }: CodeRecipient,
): Promise<string> {
  const { code } = await issueCode(auth, tx, { userId: person.id, email: phone, slot });
  return TEXTS[isGerman(person.metadata, c) ? 'de' : 'en'][slot](code);
}

async function sendText(sms: SmsSender, phone: string, text: string): Promise<void> {
  try {
    await sms.send({ to: phone, text });
  } catch (error) {
    throw new AuthError(422, 'sms_send_failed', 'Error sending confirmation OTP to provider', { cause: error });
  }
}

/** @throws {AuthError} sms_send_failed when the provider did not take it; the person may ask again */
export async function sendSmsCode(auth: Auth, sms: SmsSender, c: AuthRequest, to: CodeRecipient): Promise<void> {
  await sendText(sms, to.phone, await auth.sql.begin(tx => prepare(auth, tx, c, to)));
}

/** Instead of a code, where the number is another account's. @throws {AuthError} sms_send_failed */
export const sendSmsTaken = (
  sms: SmsSender,
  c: AuthRequest,
  { person, phone }: Omit<CodeRecipient, 'slot'>,
): Promise<void> => sendText(sms, phone, TEXTS[isGerman(person.metadata, c) ? 'de' : 'en'].taken);

/** Sends behind the answer, for calls that must not tell whether a number has an account. */
export function unseen({ log }: Pick<Auth, 'log'>, send: () => Promise<void>): void {
  send().catch((error: unknown) => log.warn({ err: error }, 'a text message was not sent'));
}

/** Makes and sends a code behind the answer. */
export const sendSmsCodeUnseen = (auth: Auth, sms: SmsSender, c: AuthRequest, to: CodeRecipient): void =>
  unseen(auth, () => sendSmsCode(auth, sms, c, to));
