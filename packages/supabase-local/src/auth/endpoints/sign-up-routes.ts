import type { Hono } from 'hono';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, invalid } from '../auth-error.ts';
import { objectIn, requireText, textIn } from '../body.ts';
import { challengeIn, type Challenge } from '../flow-states.ts';
import { hashPassword, isPassword, requireStrong } from '../passwords.ts';
import { signUpByPhone } from '../phone-sign-up.ts';
import { sendCodeUnseen } from '../send-code.ts';
import { rehearse, unconfirmedUser, type SignUp } from '../sign-up.ts';
import { startSession } from '../sessions.ts';
import { distrust } from '../unconfirmed-account.ts';
import {
  accountByEmail,
  accountById,
  confirmUser,
  insertEmailIdentity,
  insertUser,
  ownData,
  requireEmail,
  type Account,
} from '../users.ts';

type EmailSignUp = SignUp & { challenge: Challenge | null };

/** Whether the account is to have a phone number instead of an address. @throws {AuthError} for both, and for neither */
function isByPhone(body: Record<string, unknown>): boolean {
  const phone = textIn(body, 'phone');
  const email = textIn(body, 'email');
  if (email === undefined && phone === undefined && textIn(body, 'password') === undefined)
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  if (email !== undefined && phone !== undefined)
    throw invalid('Only an email address or phone number should be provided on signup.');
  return phone !== undefined;
}

function signUpIn(body: Record<string, unknown>): EmailSignUp {
  const email = textIn(body, 'email');
  const password = requireText(body, 'password', 'Signup requires a valid password');
  const address = requireEmail(email);
  requireStrong(password);
  return { email: address, password, data: ownData(objectIn(body, 'data') ?? {}), challenge: challengeIn(body) };
}

async function create(auth: Auth, c: AuthRequest, { email, password, data }: EmailSignUp): Promise<string> {
  const hash = await auth.inHashTurn(c, () => hashPassword(auth.sql, password));
  return auth.sql.begin(async tx => {
    const userId = await insertUser(tx, { email, hash, metadata: data });
    await insertEmailIdentity(tx, userId, email);
    if (!auth.settings.confirmEmail) await confirmUser(tx, userId);
    const action = auth.settings.confirmEmail ? 'user_confirmation_requested' : 'user_signedup';
    await audit(tx, action, userId, addressOf(c), { provider: 'email' });
    return userId;
  });
}

async function repeated(auth: Auth, c: AuthRequest, userId: string, wanted: EmailSignUp): Promise<Response> {
  await audit(auth.sql, 'user_repeated_signup', userId, addressOf(c), { provider: 'email' });
  if (!auth.settings.confirmEmail) throw new AuthError(422, 'user_already_exists', 'User already registered');
  // As much work as making the account would be.
  await auth.inHashTurn(c, () => hashPassword(auth.sql, wanted.password));
  await rehearse(auth, wanted);
  return c.json(unconfirmedUser(wanted));
}

/**
 * Asked for again with another password before anybody confirmed: whose address it is nobody knows yet, so that neither password is
 * kept. Whoever confirms sets theirs (decision 17).
 */
async function compareWithBefore(
  auth: Auth,
  c: AuthRequest,
  before: Account,
  { password }: EmailSignUp,
): Promise<void> {
  if (await auth.inHashTurn(c, () => isPassword(auth.sql, password, before.hash))) return;
  await distrust(auth.sql, before.id);
}

/** The letter is made behind the answer: nobody gets one at an address that is confirmed, and that is not to be told by the time. */
async function askToConfirm(auth: Auth, c: AuthRequest, userId: string, { email, challenge }: EmailSignUp) {
  const person = await accountById(auth.sql, userId);
  sendCodeUnseen(auth, c, { person, email, kind: 'signup', slot: 'confirmation', challenge });
}

async function signUp(auth: Auth, c: AuthRequest): Promise<Response> {
  if (isByPhone(c.get('body'))) return signUpByPhone(auth, c);
  const wanted = signUpIn(c.get('body'));
  auth.limits.count('signUp', addressOf(c), wanted.email);
  if (auth.settings.confirmEmail) auth.limits.count('mail', addressOf(c), `signup ${wanted.email}`);
  const before = await accountByEmail(auth.sql, wanted.email);
  if (before?.isConfirmed) return repeated(auth, c, before.id, wanted);
  if (before && auth.settings.confirmEmail) {
    await compareWithBefore(auth, c, before, wanted);
    await rehearse(auth, wanted);
    await askToConfirm(auth, c, before.id, wanted);
    return c.json(unconfirmedUser(wanted));
  }
  if (before) return repeated(auth, c, before.id, wanted);
  const userId = await create(auth, c, wanted);
  if (auth.settings.confirmEmail) {
    await askToConfirm(auth, c, userId, wanted);
    return c.json(unconfirmedUser(wanted, userId));
  }
  return c.json(await auth.sql.begin(tx => startSession(auth, tx, c, userId, 'password')));
}

export function addSignUp(app: Hono<AuthVariables>, auth: Auth): void {
  app.post('/signup', c => signUp(auth, c));
}
