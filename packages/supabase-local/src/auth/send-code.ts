import type { TransactionSql } from 'postgres';
import type { Auth, AuthRequest, Email } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { textIn } from './body.ts';
import { beginFlow, type Challenge } from './flow-states.ts';
import { isGerman, writeEmail, type EmailKind } from './auth-emails.ts';
import { issueCode } from './one-time-codes.ts';
import { actionLink, allowedRedirect } from './redirects.ts';

/** Where the person wants to come back to; auth-js names it in the query, other clients in the body. */
export const redirectOf = ({ settings }: Auth, c: AuthRequest): string =>
  allowedRedirect(settings, c.req.query('redirect_to') ?? textIn(c.get('body'), 'redirect_to'));

type Person = { id: string; metadata: Record<string, unknown> };

type CodeRecipient = {
  person: Person;
  /** The address the letter goes to. */
  email: string;
  kind: EmailKind;
  slot: Parameters<typeof issueCode>[2]['slot'];
  challenge: Challenge | null;
};

/** GoTrue's name of the flow that such a letter is part of. */
const FLOW: Partial<Record<EmailKind, string>> = { signup: 'email/signup' };
export const flowName = (kind: EmailKind): string => FLOW[kind] ?? kind;

/** Makes the code and the letter; sending is the caller's, after the database has what was promised. */
export async function prepare(
  auth: Auth,
  tx: TransactionSql,
  c: AuthRequest,
  { person, email, kind, slot, challenge }: CodeRecipient,
): Promise<Email> {
  const authenticationMethod = flowName(kind);
  if (challenge) await beginFlow(tx, { userId: person.id, authenticationMethod, providerType: 'email', challenge });
  const issued = await issueCode(auth, tx, { userId: person.id, email, slot, isPkce: challenge !== null });
  const isCodeOnly = kind === 'reauthentication';
  const link = isCodeOnly ? null : actionLink(auth.settings, issued.tokenHash, kind, redirectOf(auth, c));
  return writeEmail(kind, isGerman(person.metadata, c), email, { code: issued.code, link });
}

/** @throws {AuthError} unexpected_failure when the mail server did not take it; the person may ask again */
export async function sendEmail(auth: Auth, kind: EmailKind, email: Email): Promise<void> {
  try {
    await auth.send(email);
  } catch (error) {
    auth.log.warn({ err: error }, 'an auth letter was not sent');
    throw new AuthError(500, 'unexpected_failure', `Error sending ${kind} email`, { cause: error });
  }
}

/** @throws {AuthError} unexpected_failure */
export async function sendCode(auth: Auth, c: AuthRequest, to: CodeRecipient): Promise<void> {
  await sendEmail(auth, to.kind, await auth.sql.begin(tx => prepare(auth, tx, c, to)));
}

/**
 * Sends behind the answer, for calls that must not tell whether an address has an account: neither the time of the answer, nor an
 * account that somebody holds, nor a failing mail server does.
 *
 * @param first what is to be noted before
 */
export function sendCodeUnseen(auth: Auth, c: AuthRequest, to: CodeRecipient, first?: () => Promise<void>): void {
  const send = async () => {
    await first?.();
    await auth.send(await auth.sql.begin(tx => prepare(auth, tx, c, to)));
  };
  send().catch((error: unknown) => auth.log.warn({ err: error }, 'an auth letter was not sent'));
}
