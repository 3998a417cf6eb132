import type { Hono } from 'hono';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, invalid, wrongSignIn } from '../auth-error.ts';
import { requireText, textIn } from '../body.ts';
import { exchangeCode, SSO_METHOD } from '../flow-states.ts';
import { linkIdentity } from '../outsiders.ts';
import { requirePhone, requireSms } from '../phones.ts';
import { createIdTokenGrant } from '../id-token.ts';
import { isPassword, weaknesses, weaknessMessage } from '../passwords.ts';
import { refreshSession, startSession } from '../sessions.ts';
import { accountByEmail, accountById, accountByPhone, lockAccount, type Account } from '../users.ts';

type Name = { email: string } | { phone: string };

async function accountOf(auth: Auth, c: AuthRequest, name: Name, password: string): Promise<Account> {
  const account =
    'phone' in name ? await accountByPhone(auth.sql, name.phone) : await accountByEmail(auth.sql, name.email);
  const isRight = await auth.inHashTurn(c, () => isPassword(auth.sql, password, account?.hash ?? null));
  if (!account || !isRight) throw wrongSignIn();
  if (account.isBanned) throw new AuthError(400, 'user_banned', 'User is banned');
  if ('phone' in name && !account.isPhoneConfirmed)
    throw new AuthError(400, 'phone_not_confirmed', 'Phone not confirmed');
  if ('email' in name && !account.isConfirmed) throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
  return account;
}

/** So that an app can tell a person whose password was chosen before the rules. */
function weakness(password: string) {
  const reasons = weaknesses(password);
  return reasons.length === 0 ? {} : { weak_password: { message: weaknessMessage(reasons), reasons } };
}

function nameIn(auth: Auth, body: Record<string, unknown>): Name {
  const [email, phone] = [textIn(body, 'email'), textIn(body, 'phone')];
  if (email && phone) throw invalid('Only an email address or phone number should be provided on login.');
  if (phone) {
    requireSms(auth, 'Phone logins are disabled');
    return { phone: requirePhone(phone) };
  }
  if (!email) throw invalid('missing email or phone');
  return { email: email.trim().toLowerCase() };
}

async function byPassword(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  const name = nameIn(auth, body);
  const password = textIn(body, 'password') ?? '';
  const key = 'phone' in name ? name.phone : name.email;
  const account = await auth.limits.guess('signIn', addressOf(c), key, () => accountOf(auth, c, name, password));
  const provider = 'phone' in name ? 'phone' : 'email';
  const session = await auth.inSignInTurn(c, () => signedInBy(auth, c, account, provider), account.id);
  return c.json({ ...session, ...weakness(password) });
}

const signedInBy = (auth: Auth, c: AuthRequest, account: Account, provider: 'email' | 'phone') =>
  auth.sql.begin(async tx => {
    await lockAccount(tx, account.id);
    // The password may have been changed while it was compared: whoever knew the old one is out.
    if ((await accountById(tx, account.id)).hash !== account.hash) throw wrongSignIn();
    await audit(tx, 'login', account.id, addressOf(c), { provider });
    return startSession(auth, tx, c, account.id, 'password');
  });

async function byRefreshToken(auth: Auth, c: AuthRequest): Promise<Response> {
  const token = requireText(c.get('body'), 'refresh_token', 'refresh_token required');
  try {
    return c.json(await refreshSession(auth, token));
  } catch (error) {
    if (error instanceof AuthError && error.code === 'refresh_token_not_found')
      auth.limits.count('renewal', addressOf(c), '');
    throw error;
  }
}

async function byCode(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  const [code, verifier] = [textIn(body, 'auth_code'), textIn(body, 'code_verifier')];
  if (!code || !verifier) throw invalid('invalid request: both auth code and code verifier should be non-empty');
  const exchange = () =>
    auth.sql.begin(async tx => {
      const { userId, authenticationMethod, link } = await exchangeCode(tx, code, verifier);
      if (link) await linkIdentity(tx, c, userId, link);
      const isOfProvider = authenticationMethod === 'oauth' || authenticationMethod === SSO_METHOD;
      const method = isOfProvider ? authenticationMethod : 'otp';
      await audit(tx, 'login', userId, addressOf(c), { provider_type: authenticationMethod });
      return startSession(auth, tx, c, userId, method);
    });
  return c.json(await auth.limits.guess('exchange', addressOf(c), '', exchange));
}

async function token(auth: Auth, c: AuthRequest, byIdToken: (c: AuthRequest) => Promise<Response>): Promise<Response> {
  switch (c.req.query('grant_type')) {
    case 'password':
      return byPassword(auth, c);
    case 'refresh_token':
      return byRefreshToken(auth, c);
    case 'pkce':
      return byCode(auth, c);
    case 'id_token':
      return byIdToken(c);
    case 'web3':
      throw new AuthError(422, 'web3_provider_disabled', 'Web3 provider is disabled');
    default:
      throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
  }
}

export function addToken(app: Hono<AuthVariables>, auth: Auth): void {
  const byIdToken = createIdTokenGrant(auth);
  app.post('/token', c => token(auth, c, byIdToken));
}
