import { errorCode } from '@cairn/database/error-code.ts';
import { Hono, type Context } from 'hono';
import type { BytesInFlight } from './limits/bytes-in-flight.ts';
import { rejectTruncatedBody, type BodyRefusal } from './requests/reject-truncated-body.ts';
import { addAdmin } from './auth/endpoints/admin-routes.ts';
import type { Auth, AuthVariables } from './auth/auth-context.ts';
import { answerError, AuthError, invalid } from './auth/auth-error.ts';
import { requireKey, requirePerson, requireSecretKey } from './auth/auth-gate.ts';
import { inAuthTurns } from './auth/auth-turns.ts';
import { readBody } from './auth/body.ts';
import { addCodes } from './auth/endpoints/code-routes.ts';
import { addExternal } from './auth/endpoints/external-routes.ts';
import { addFactors } from './auth/endpoints/factor-routes.ts';
import { addIdentities } from './auth/endpoints/identity-routes.ts';
import { addLinks } from './auth/endpoints/link-routes.ts';
import { enabledProviders } from './auth/providers.ts';
import { addRecoveryCodes } from './auth/endpoints/recovery-code-routes.ts';
import { addSaml } from './auth/endpoints/saml-routes.ts';
import { addSignUp } from './auth/endpoints/sign-up-routes.ts';
import { addToken } from './auth/endpoints/token-routes.ts';
import { addUser } from './auth/endpoints/user-routes.ts';
import { addVerify } from './auth/endpoints/verify-routes.ts';

/** Nobody's name, address and metadata are longer. */
const BODY_LIMIT_BYTES = 128 * 1024;
const RETRY_AFTER_S = 2;
/** Seconds; GoTrue's, and what the client library keeps the keys for. */
const JWKS_AGE_S = 600;

const DESCRIPTION = { name: 'GoTrue', description: 'GoTrue is a user registration and authentication API' };

function settingsOf({ settings, sms }: Auth) {
  return {
    external: { anonymous_users: false, ...enabledProviders(settings.providers), email: true, phone: sms !== null },
    disable_signup: false,
    mailer_autoconfirm: !settings.confirmEmail,
    phone_autoconfirm: false,
    sms_provider: sms?.name ?? '',
    saml_enabled: settings.samlProviders.length > 0,
    passkeys_enabled: false,
  };
}

/** What needs no person and no secret. */
function addOpenRoutes(app: Hono<AuthVariables>, auth: Auth): void {
  app.get('/health', c => c.json({ version: 'cairn', ...DESCRIPTION }));
  app.get('/settings', c => c.json(settingsOf(auth)));
  app.get('/.well-known/jwks.json', c => {
    c.header('Cache-Control', `public, max-age=${JWKS_AGE_S}`);
    return c.json(auth.keys.jwks);
  });
}

/** Somebody held the account for longer than a request waits (auth-pool.ts). */
const LOCK_NOT_AVAILABLE = '55P03';

/** What the database says about a value that was sent, as opposed to a fault of ours. */
const isAboutValue = (code: string) => /^22[0-9A-Z]{3}$/.test(code);

/** In GoTrue's words. */
function refuseBody(c: Context, { why, limit }: BodyRefusal): Response {
  if (why === 'large') return answerError(c, invalid(`The request is larger than ${limit / 1024} kB`));
  if (why === 'late' || why === 'broken')
    return answerError(c, new AuthError(408, 'request_timeout', 'The request did not arrive in time'));
  const status = why === 'network' ? 429 : 503;
  const more = { retryAfterS: RETRY_AFTER_S };
  return answerError(c, new AuthError(status, 'over_request_rate_limit', 'Too many bytes at once', more));
}

/**
 * Everything under /auth/v1, as GoTrue answers (docs/supabase-parity.md lists what differs).
 *
 * @param flight the room for bodies of signing in, apart from that of all other services
 */
export function createAuthApp(auth: Auth, flight: BytesInFlight): Hono<AuthVariables> {
  const app = new Hono<AuthVariables>().basePath('/auth/v1');
  app.onError((error, c) => {
    if (error instanceof AuthError) return answerError(c, error);
    const code = errorCode(error);
    if (code === LOCK_NOT_AVAILABLE)
      return answerError(
        c,
        new AuthError(503, 'request_timeout', 'The account is in use', { retryAfterS: RETRY_AFTER_S }),
      );
    if (isAboutValue(code)) return answerError(c, invalid('A value cannot be stored as it was sent'));
    throw error;
  });
  app.notFound(c => c.text('404 page not found', 404));
  app.use(async (c, next) => {
    await next();
    // Tokens and people's data are nobody's to keep; the key set says for itself how long it may be kept.
    if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'no-store');
  });
  app.use(
    requireKey(auth),
    rejectTruncatedBody({ flight, limitOf: () => BODY_LIMIT_BYTES, refuse: refuseBody }),
    readBody,
    inAuthTurns(auth),
  );
  addOpenRoutes(app, auth);
  for (const add of [addSignUp, addToken, addCodes, addVerify, addExternal, addSaml, addUser]) add(app, auth);
  app.use('/factors', requirePerson(auth));
  app.use('/factors/*', requirePerson(auth));
  app.use('/user/identities/*', requirePerson(auth));
  for (const add of [addRecoveryCodes, addFactors, addIdentities]) add(app, auth);
  app.use('/admin/*', requireSecretKey(auth));
  app.use('/invite', requireSecretKey(auth));
  for (const add of [addAdmin, addLinks]) add(app, auth);
  return app;
}
