import type { Hono } from 'hono';
import type { TransactionSql } from 'postgres';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, invalid } from '../auth-error.ts';
import { requireText, textIn } from '../body.ts';
import { agreeToEmailChange, FIRST_OF_TWO } from '../email-change.ts';
import { issueAuthCode } from '../flow-states.ts';
import {
  claimCode,
  isSmsVerification,
  isVerification,
  notingRefusals,
  PKCE_PREFIX,
  type CodeProof,
} from '../one-time-codes.ts';
import { agreeToPhone } from '../phone-change.ts';
import { confirmPhone, requirePhone } from '../phones.ts';
import { allowedRedirect, withFragment, withQuery } from '../redirects.ts';
import { flowName } from '../send-code.ts';
import { startSession, type TokenAnswer } from '../sessions.ts';
import { accountById, confirmUser, requireEmail } from '../users.ts';

/** @returns whose code it was; null when the other address of a change has to agree as well */
async function accept(auth: Auth, tx: TransactionSql, c: AuthRequest, type: string, shown: CodeProof) {
  const { userId, slot } = await claimCode(auth, tx, type, shown);
  if (slot === 'sms') {
    const { isPhoneConfirmed } = await accountById(tx, userId);
    if (!isPhoneConfirmed) await confirmPhone(tx, userId);
    await audit(tx, isPhoneConfirmed ? 'login' : 'user_signedup', userId, addressOf(c), { provider: 'phone' });
    return userId;
  }
  if (slot === 'email_change_current' || slot === 'email_change_new') {
    await audit(tx, 'user_modified', userId, addressOf(c));
    return (await agreeToEmailChange(tx, userId, slot)) ? userId : null;
  }
  const { isConfirmed } = await accountById(tx, userId);
  if (!isConfirmed) await confirmUser(tx, userId);
  await audit(tx, isConfirmed ? 'login' : 'user_signedup', userId, addressOf(c), { provider: 'email' });
  return userId;
}

/** A text message has no link: its code is shown with the number it came to. */
function smsShownIn(body: Record<string, unknown>): CodeProof & { email: string } {
  if (textIn(body, 'email') ?? textIn(body, 'token_hash'))
    throw invalid('Only an email address or phone number should be provided on verify');
  const code = requireText(body, 'token', 'Verify requires either a token or a token hash');
  return { email: requirePhone(textIn(body, 'phone')), code: code.replaceAll(/[\s-]/g, '') };
}

function shownIn(body: Record<string, unknown>): CodeProof {
  const tokenHash = textIn(body, 'token_hash');
  const email = textIn(body, 'email');
  if (tokenHash !== undefined) {
    if (email !== undefined) throw invalid('Only the token_hash and type should be provided');
    return { tokenHash };
  }
  const code = requireText(body, 'token', 'Verify requires either a token or a token hash');
  if (email === undefined) throw invalid('Only an email address or phone number should be provided on verify');
  return { email: requireEmail(email), code: code.replaceAll(/[\s-]/g, '') };
}

async function verify(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  const type = requireText(body, 'type', 'Verify requires a verification type');
  const isSms = textIn(body, 'phone') !== undefined;
  const shown = isSms ? smsShownIn(body) : shownIn(body);
  if (isSms && !isSmsVerification(type)) throw invalid('Invalid phone verification type');
  if (!isSms && !isVerification(type)) throw invalid('Invalid email verification type');
  if (type === 'phone_change' && 'code' in shown) return agreeToPhone(auth, c, shown.email, shown.code);
  const account = 'email' in shown ? shown.email : shown.tokenHash;
  const session = await auth.limits.guess('verify', addressOf(c), account, () =>
    notingRefusals(auth, type, shown, () =>
      auth.sql.begin(async tx => {
        const userId = await accept(auth, tx, c, type, shown);
        return userId === null ? null : startSession(auth, tx, c, userId, 'otp');
      }),
    ),
  );
  return c.json(session ?? { msg: FIRST_OF_TWO, code: '200' });
}

type LinkResult = { session: TokenAnswer } | { code: string } | { message: string };

async function follow(auth: Auth, c: AuthRequest, type: string, tokenHash: string): Promise<LinkResult> {
  if (!isVerification(type) || type === 'email') throw invalid('Invalid email verification type');
  const isPkce = tokenHash.startsWith(PKCE_PREFIX);
  return auth.sql.begin(async tx => {
    const userId = await accept(auth, tx, c, type, { tokenHash });
    if (userId === null) return { message: FIRST_OF_TWO };
    if (isPkce) return { code: await issueAuthCode(tx, userId, flowName(type as Parameters<typeof flowName>[0])) };
    return { session: await startSession(auth, tx, c, userId, 'otp') };
  });
}

const ERRORS: Record<number, string> = { 400: 'invalid_request', 401: 'unauthorized_client', 403: 'access_denied' };

/** GoTrue's parameters of a way back that did not work, behind `#` and for a code challenge also in the query. */
export function errorRedirect(to: string, error: AuthError, isPkce: boolean): string {
  const parameters = {
    error: ERRORS[error.status] ?? 'server_error',
    error_code: error.code,
    error_description: error.message,
  };
  return withFragment(isPkce ? withQuery(to, parameters) : to, parameters);
}

/** A session as GoTrue hands it to the page a link or a provider leads to. */
export function sessionRedirect(to: string, session: TokenAnswer, more: Record<string, string>): string {
  const { access_token, token_type, refresh_token } = session;
  const times = { expires_at: String(session.expires_at), expires_in: String(session.expires_in) };
  return withFragment(to, { access_token, ...times, refresh_token, token_type, ...more });
}

async function followLink(auth: Auth, c: AuthRequest): Promise<Response> {
  const [token, type] = [c.req.query('token') ?? c.req.query('token_hash') ?? '', c.req.query('type') ?? ''];
  const to = allowedRedirect(auth.settings, c.req.query('redirect_to'));
  const isPkce = token.startsWith(PKCE_PREFIX);
  c.header('Cache-Control', 'no-store');
  if (token === '' || type === '') throw invalid('Verify requires a token or a token hash and a verification type');
  try {
    const followed = await auth.limits.guess('verify', addressOf(c), token, () => follow(auth, c, type, token));
    if ('session' in followed) return c.redirect(sessionRedirect(to, followed.session, { type }), 303);
    if ('code' in followed) return c.redirect(withQuery(to, { code: followed.code }), 303);
    return c.redirect(withFragment(isPkce ? withQuery(to, followed) : to, followed), 303);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return c.redirect(errorRedirect(to, error, isPkce), 303);
  }
}

export function addVerify(app: Hono<AuthVariables>, auth: Auth): void {
  app.post('/verify', c => verify(auth, c));
  app.get('/verify', c => followLink(auth, c));
}
