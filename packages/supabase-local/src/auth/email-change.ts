import type { TransactionSql } from 'postgres';
import { errorCode } from '@cairn/database/error-code.ts';
import type { Auth, AuthRequest, Db, SessionHolder } from './auth-context.ts';
import { emailTaken } from './auth-error.ts';
import { lockSignedIn } from './auth-gate.ts';
import type { Challenge } from './flow-states.ts';
import { dropCodes, takenRecipient } from './one-time-codes.ts';
import { isGerman, writeTakenEmail } from './auth-emails.ts';
import { prepare, sendEmail } from './send-code.ts';
import { accountByEmail, accountById, lockAccount, updateProviders, type Account } from './users.ts';

/** What GoTrue answers when the first of the two addresses has agreed. */
export const FIRST_OF_TWO = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

/** Marks the session that asked for the change. */
const ASKED = 'email_change';

type ChangeSlot = 'email_change_current' | 'email_change_new';

/** Who has agreed, as `email_change_confirm_status` keeps it; GoTrue counts there. */
const NOBODY = 0;
const AGREED: Record<ChangeSlot, number> = { email_change_current: 1, email_change_new: 2 };

/** What letters about a change are counted under, whichever way they were asked for. */
export const mailKey = (userId: string): string => `email_change ${userId}`;

type EmailChangeRequest = {
  newEmail: string;
  /** Null: nobody's session, as when a letter is asked for again, or a link is made for somebody. */
  signed: SessionHolder | null;
};

/**
 * The session that asked first stays when the change is agreed. Whoever asks while a change is pending takes nothing over: for
 * the same address the first one keeps its place, for another nobody has one (decision 17).
 */
async function noteAsking(db: Db, person: Account, { newEmail, signed }: EmailChangeRequest): Promise<void> {
  if (person.emailChange === newEmail) return;
  const isFirst = person.emailChange === null;
  await db`
    update auth.sessions set tag = case
      when id = ${signed?.sessionId ?? null}::text::uuid and (${isFirst}::boolean or tag = ${ASKED}) then ${ASKED} end
    where user_id = ${person.id}`;
}

/** From here on both must agree anew: what was agreed, and the codes before, count no more. */
export async function beginEmailChange(tx: TransactionSql, person: Account, asking: EmailChangeRequest): Promise<void> {
  // Asked for again by nobody's session: what was agreed and sent stays, or a stranger would take it back again and again.
  if (asking.signed === null && person.emailChange === asking.newEmail) return;
  await noteAsking(tx, person, asking);
  await tx`delete from auth.earlier_codes where user_id = ${person.id} and kind like 'email_change%'`;
  await tx`
    update auth.users set email_change = ${asking.newEmail}, email_change_confirm_status = ${NOBODY},
      email_change_token_current = null, email_change_token_new = null, updated_at = now()
    where id = ${person.id}`;
}

/**
 * Both codes are there before either letter goes, however long a mail server takes.
 *
 * @throws {AuthError} unexpected_failure when the mail server did not take a letter
 */
export async function sendEmailChange(
  auth: Auth,
  c: AuthRequest,
  { id }: Account,
  asking: EmailChangeRequest,
  challenge: Challenge | null,
): Promise<void> {
  const { newEmail } = asking;
  const other = await accountByEmail(auth.sql, newEmail);
  // Nobody learns from the answer whose an address is: whoever has it is told, and no code leads on.
  const isTaken = other !== null && other.id !== id;
  const emails = await auth.sql.begin(async tx => {
    await (asking.signed ? lockSignedIn(tx, asking.signed) : lockAccount(tx, id));
    const person = await accountById(tx, id);
    await beginEmailChange(tx, person, asking);
    const to = { person, kind: 'email_change', challenge } as const;
    const current = person.email
      ? [await prepare(auth, tx, c, { ...to, email: person.email, slot: 'email_change_current' })]
      : [];
    // Made in either case, so that what the account says, now or asked again, and how long it took, does not tell.
    const recipient = isTaken ? takenRecipient(newEmail) : newEmail;
    const toNew = await prepare(auth, tx, c, { ...to, email: recipient, slot: 'email_change_new' });
    if (!isTaken) return [...current, toNew];
    return [...current, await writeTakenEmail(isGerman(other.metadata, c), newEmail)];
  });
  for (const email of emails) await sendEmail(auth, 'email_change', email);
}

async function changeEmail(db: Db, { id, emailChange }: Account): Promise<void> {
  try {
    await db`
      update auth.users set email = email_change, email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(),
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
  await dropCodes(db, id);
  // Whoever came in by the old mailbox is out; the device that asked for the change stays.
  await db`delete from auth.sessions where user_id = ${id} and tag is distinct from ${ASKED}`;
  await db`update auth.sessions set tag = null where user_id = ${id}`;
}

/**
 * One address has agreed to the change. Which one is kept: the same one twice is still one.
 *
 * @returns false while the other one has not
 * @throws {AuthError} email_exists when somebody took the new address meanwhile
 */
export async function agreeToEmailChange(tx: TransactionSql, userId: string, slot: ChangeSlot): Promise<boolean> {
  await lockAccount(tx, userId);
  const account = await accountById(tx, userId);
  const [before] = await tx<{ agreed: number }[]>`
    select email_change_confirm_status as agreed from auth.users where id = ${userId}`;
  const hasOtherAgreed = before !== undefined && before.agreed !== NOBODY && before.agreed !== AGREED[slot];
  if (account.email && !hasOtherAgreed) {
    await tx`update auth.users set email_change_confirm_status = ${AGREED[slot]} where id = ${userId}`;
    return false;
  }
  await changeEmail(tx, account);
  return true;
}
