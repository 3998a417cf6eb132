import { errorCode } from '@cairn/database/error-code.ts';
import type { Auth, AuthRequest, Db } from './auth-context.ts';
import { emailTaken } from './auth-error.ts';
import type { Challenge } from './flow-states.ts';
import { sendCode } from './send-code.ts';
import { accountByEmail, accountById, updateProviders, type Account } from './users.ts';

/** What GoTrue answers when the first of the two addresses has agreed. */
export const FIRST_OF_TWO = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

/** @throws {AuthError} email_exists */
export async function sendEmailChange(
  auth: Auth,
  c: AuthRequest,
  person: Account,
  newEmail: string,
  challenge: Challenge | null,
): Promise<void> {
  const other = await accountByEmail(auth.sql, newEmail);
  if (other && other.id !== person.id) throw emailTaken();
  await auth.sql`
    update auth.users set email_change = ${newEmail}, email_change_confirm_status = 0,
      email_change_token_current = null, email_change_token_new = null, updated_at = now()
    where id = ${person.id}`;
  if (person.email) {
    const email = person.email;
    await sendCode(auth, c, { person, email, kind: 'email_change', slot: 'email_change_current', challenge });
  }
  await sendCode(auth, c, { person, email: newEmail, kind: 'email_change', slot: 'email_change_new', challenge });
}

async function changeEmail(db: Db, { id, emailChange }: Account): Promise<void> {
  try {
    await db`
      update auth.users set email = email_change, email_change = '', email_change_token_current = null,
        email_change_token_new = null, email_change_confirm_status = 0,
        email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(),
        raw_user_meta_data = coalesce(raw_user_meta_data, '{}')
          || jsonb_build_object('email', email_change, 'email_verified', true)
      where id = ${id}`;
  } catch (error) {
    if (errorCode(error) === '23505') throw emailTaken();
    throw error;
  }
  await db`
    update auth.identities set updated_at = now(),
      identity_data = identity_data || jsonb_build_object('email', ${emailChange}::text, 'email_verified', true)
    where user_id = ${id} and provider = 'email'`;
  await updateProviders(db, id);
}

/**
 * One address has agreed to the change.
 *
 * @returns false while the other one has not
 * @throws {AuthError} email_exists when somebody took the new address meanwhile
 */
export async function agreeToEmailChange(db: Db, userId: string): Promise<boolean> {
  const account = await accountById(db, userId);
  const [row] = await db<{ agreed: number }[]>`
    update auth.users set email_change_confirm_status = email_change_confirm_status + 1
    where id = ${userId} returning email_change_confirm_status as agreed`;
  if (account.email && row?.agreed === 1) return false;
  await changeEmail(db, account);
  return true;
}
