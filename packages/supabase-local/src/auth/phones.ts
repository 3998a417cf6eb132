import { errorCode } from '@cairn/database/error-code.ts';
import { AuthError, invalid, phoneTaken } from './auth-error.ts';
import type { Auth, Db } from './auth-context.ts';
import { insertIdentity, updateProviders } from './users.ts';
import type { SmsSender } from '../sms/sms-sender.ts';

/** E.164 without its `+`, as GoTrue stores it; no service number is that long. */
const PHONE = /^[1-9]\d{6,14}$/;

/** As it is stored: without the `+` and what people put between digits. @throws {AuthError} validation_failed */
export function requirePhone(value: string | undefined): string {
  const phone = (value ?? '').replaceAll(/[\s()./-]/g, '').replace(/^\+/, '');
  if (!PHONE.test(phone)) throw invalid('Invalid phone number format (E.164 required)');
  return phone;
}

/** @throws {AuthError} phone_provider_disabled, in the words of each of GoTrue's calls */
export function requireSms({ sms }: Auth, words: string): SmsSender {
  if (!sms) throw new AuthError(400, 'phone_provider_disabled', words);
  return sms;
}

/** The identity of an account with a phone number. */
export async function insertPhoneIdentity(db: Db, userId: string, phone: string, isVerified: boolean): Promise<void> {
  const data = { sub: userId, phone, email_verified: false, phone_verified: isVerified };
  await insertIdentity(db, { userId, provider: 'phone', providerId: userId, data });
}

/** From now on the person has shown that the number is theirs. */
export async function confirmPhone(db: Db, userId: string): Promise<void> {
  await db`
    update auth.users set phone_confirmed_at = coalesce(phone_confirmed_at, now()), confirmation_token = null,
      raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"phone_verified": true}', updated_at = now()
    where id = ${userId}`;
  await db`
    update auth.identities set identity_data = identity_data || '{"phone_verified": true}', updated_at = now()
    where user_id = ${userId} and provider = 'phone'`;
}

/**
 * The number that was asked for becomes the account's; call it with the account held.
 * @throws {AuthError} phone_exists when somebody took it meanwhile
 */
export async function changePhone(db: Db, userId: string, phone: string): Promise<void> {
  try {
    await db`
      update auth.users set phone = ${phone}, phone_confirmed_at = now(), phone_change = '', phone_change_token = null,
        updated_at = now() where id = ${userId}`;
  } catch (error) {
    if (errorCode(error) === '23505') throw phoneTaken();
    throw error;
  }
  const known = await db`
    update auth.identities set updated_at = now(),
      identity_data = identity_data || jsonb_build_object('phone', ${phone}::text, 'phone_verified', true)
    where user_id = ${userId} and provider = 'phone' returning id`;
  if (known.length === 0) await insertPhoneIdentity(db, userId, phone, true);
  await updateProviders(db, userId);
}

/** The identity of the number went: the number goes, and what was sent to it. */
export async function leavePhone(db: Db, userId: string): Promise<void> {
  await db`
    update auth.users set phone = null, phone_confirmed_at = null, phone_change = '', phone_change_token = null,
      confirmation_token = null, updated_at = now() where id = ${userId}`;
}
