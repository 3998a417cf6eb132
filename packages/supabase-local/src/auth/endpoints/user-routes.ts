import type { Hono } from 'hono';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, invalid, ssoManaged } from '../auth-error.ts';
import { lockSignedIn, requirePerson } from '../auth-gate.ts';
import { objectIn, textIn } from '../body.ts';
import { mailKey, sendEmailChange } from '../email-change.ts';
import { requireLevel } from '../factors.ts';
import { challengeIn } from '../flow-states.ts';
import { claimNonce, dropCodes } from '../one-time-codes.ts';
import { sendPhoneChange } from '../phone-change.ts';
import { requirePhone, requireSms } from '../phones.ts';
import { hashPassword, isPassword, requireStrong } from '../passwords.ts';
import { endSessions } from '../sessions.ts';
import { accountById, mergeMetadata, ownData, requireEmail, userById, type Account } from '../users.ts';

/** A session older than this must show again who it belongs to before the password may change. */
const RECENT = '24 hours';
const TO_UPDATE = 'AAL2 session is required to update email, password or data when MFA is enabled.';

async function requireRecent(auth: Auth, sessionId: string, account: Account, nonce: string | undefined) {
  const [session] = await auth.sql<{ isRecent: boolean }[]>`
    select created_at > now() - ${RECENT}::interval as "isRecent" from auth.sessions where id = ${sessionId}`;
  if (session?.isRecent) return;
  if (nonce === undefined)
    throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication');
  const isRight = await auth.sql.begin(tx =>
    claimNonce(auth, tx, account.id, account.email ?? account.phone ?? '', nonce),
  );
  if (!isRight) throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
}

async function hashOfNew(auth: Auth, account: Account, password: string): Promise<string> {
  if (account.hash && (await isPassword(auth.sql, password, account.hash)))
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
  return hashPassword(auth.sql, password);
}

async function changePassword(auth: Auth, c: AuthRequest, account: Account, password: string): Promise<void> {
  const { userId, sessionId } = c.get('signed');
  const nonce = textIn(c.get('body'), 'nonce');
  await auth.limits.guess('factor', addressOf(c), `nonce ${userId}`, () =>
    requireRecent(auth, sessionId, account, nonce),
  );
  const hash = await auth.inHashTurn(c, () => hashOfNew(auth, account, password), userId);
  await auth.sql.begin(async tx => {
    await lockSignedIn(tx, c.get('signed'));
    await requireLevel(tx, c.get('signed'), 401, TO_UPDATE);
    await tx`update auth.users set encrypted_password = ${hash}, updated_at = now() where id = ${userId}`;
    // Whoever knew the old password is out.
    await endSessions(tx, userId, sessionId, 'others');
    await dropCodes(tx, userId);
    await audit(tx, 'user_updated_password', userId, addressOf(c));
  });
}

type Changes = {
  email: string | null;
  phone: string | null;
  password: string | null;
  data: Record<string, unknown> | undefined;
};

function changedPhone(auth: Auth, account: Account, wanted: string | undefined): string | null {
  if (wanted === undefined) return null;
  requireSms(auth, 'Phone logins are disabled');
  const phone = requirePhone(wanted);
  return phone === account.phone ? null : phone;
}

/** Everything is looked at before anything is changed. */
async function changesIn(auth: Auth, c: AuthRequest, account: Account): Promise<Changes> {
  const body = c.get('body');
  if (body['app_metadata'] !== undefined && body['app_metadata'] !== null)
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
  const wanted = textIn(body, 'email');
  const address = wanted === undefined ? null : requireEmail(wanted);
  const email = address === account.email ? null : address;
  const phone = changedPhone(auth, account, textIn(body, 'phone'));
  const password = textIn(body, 'password') ?? null;
  if (account.isSso && (email !== null || phone !== null || body['password'] != null)) throw ssoManaged();
  if (body['password'] === '') requireStrong('');
  if (password !== null) requireStrong(password);
  const data = objectIn(body, 'data');
  if (email !== null || phone !== null || password !== null || data !== undefined)
    await requireLevel(auth.sql, c.get('signed'), 401, TO_UPDATE);
  return { email, phone, password, data: data && ownData(data) };
}

async function update(auth: Auth, c: AuthRequest): Promise<Response> {
  const { userId } = c.get('signed');
  if (textIn(c.get('body'), 'password') !== undefined) auth.limits.count('password', addressOf(c), userId);
  // Each is a line of the log that is kept.
  auth.limits.count('change', addressOf(c), userId);
  const account = await accountById(auth.sql, userId);
  const { email, phone, password, data } = await changesIn(auth, c, account);
  const challenge = challengeIn(c.get('body'));
  if (email !== null) auth.limits.count('mail', addressOf(c), mailKey(userId));
  if (password !== null) await changePassword(auth, c, account, password);
  if (data) await mergeMetadata(auth.sql, userId, 'raw_user_meta_data', data);
  if (email !== null) {
    await sendEmailChange(auth, c, account, { newEmail: email, signed: c.get('signed') }, challenge);
  }
  if (phone !== null) await sendPhoneChange(auth, c, account, phone);
  await audit(auth.sql, 'user_modified', userId, addressOf(c));
  return c.json(await userById(auth.sql, userId));
}

const isScope = (text: string) => text === 'global' || text === 'local' || text === 'others';

async function signOut(auth: Auth, c: AuthRequest): Promise<Response> {
  const scope = c.req.query('scope') ?? 'global';
  if (!isScope(scope)) throw invalid(`Unsupported logout scope ${JSON.stringify(scope)}`);
  const { userId, sessionId } = c.get('signed');
  // 422: client libraries take 401 and 403 for a session that is gone already.
  if (scope !== 'local')
    await requireLevel(
      auth.sql,
      c.get('signed'),
      422,
      'AAL2 session is required to end other sessions when MFA is enabled.',
    );
  await auth.sql.begin(async tx => {
    await audit(tx, 'logout', userId, addressOf(c), { scope });
    await endSessions(tx, userId, sessionId, scope);
  });
  return c.body(null, 204);
}

export function addUser(app: Hono<AuthVariables>, auth: Auth): void {
  const person = requirePerson(auth);
  app.get('/user', person, async c => c.json(await userById(auth.sql, c.get('signed').userId)));
  app.put('/user', person, c => update(auth, c));
  app.post('/logout', person, c => signOut(auth, c));
}
