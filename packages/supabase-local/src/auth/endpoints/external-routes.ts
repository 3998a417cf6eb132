import type { Hono } from 'hono';
import type { TransactionSql } from 'postgres';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, invalid } from '../auth-error.ts';
import { isUuid } from '../auth-gate.ts';
import {
  beginFlow,
  challengeIn,
  finishFlow,
  keepOutsider,
  requireLinking,
  takeFlow,
  type FlowState,
} from '../flow-states.ts';
import { personBehind, requireUnlinked } from '../outsiders.ts';
import { authorizeUrl, outsider, type Outsider, type Provider } from '../providers.ts';
import { allowedRedirect, withQuery } from '../redirects.ts';
import { startSession } from '../sessions.ts';
import { errorRedirect, sessionRedirect } from './verify-routes.ts';

const callbackOf = ({ settings }: Auth) => `${settings.siteUrl()}/auth/v1/callback`;

function providerNamed(auth: Auth, name: string): Provider {
  const provider = auth.settings.providers.find(known => known.name === name);
  if (!provider) throw invalid('Unsupported provider: provider is not enabled');
  return provider;
}

/** The address at the provider, with a state that leads back to this request; single use, five minutes. */
export async function beginExternal(auth: Auth, c: AuthRequest, linkingTo?: string): Promise<string> {
  const provider = providerNamed(auth, c.req.query('provider') ?? '');
  const challenge = challengeIn(c.req.query());
  // Whoever goes to the service could be somebody else, who was sent the address.
  if (linkingTo && challenge === null) throw invalid('A code challenge is required to link an identity');
  auth.limits.count('flow', addressOf(c), '');
  const state = await beginFlow(auth.sql, {
    authenticationMethod: 'oauth',
    providerType: provider.name,
    challenge,
    referrer: allowedRedirect(auth.settings, c.req.query('redirect_to')),
    ...(linkingTo && { linkingTo }),
  });
  return authorizeUrl(provider, callbackOf(auth), state, c.req.query('scopes'));
}

async function whoCame(auth: Auth, provider: Provider, code: string): Promise<Outsider> {
  try {
    return await outsider(provider, code, callbackOf(auth));
  } catch (error) {
    auth.log.warn({ err: error, provider: provider.name }, 'a sign-in service did not answer as it should');
    const words = 'Unable to exchange external code';
    throw new AuthError(500, 'unexpected_failure', words, { cause: error });
  }
}

/** Nothing is linked yet: that the same browser came back is shown with the code (decision 43). */
async function toBeLinked(tx: TransactionSql, flow: FlowState, userId: string, who: Outsider): Promise<string> {
  await requireLinking(tx, flow);
  await requireUnlinked(tx, userId, flow.providerType, who);
  await keepOutsider(tx, flow.id, who);
  return finishFlow(tx, flow.id, userId);
}

async function arrive(auth: Auth, c: AuthRequest, flow: FlowState, code: string): Promise<string> {
  const provider = providerNamed(auth, flow.providerType);
  const who = await whoCame(auth, provider, code);
  const to = flow.referrer ?? auth.settings.siteUrl();
  const enter = async (tx: TransactionSql) => {
    if (flow.linkingTo) return withQuery(to, { code: await toBeLinked(tx, flow, flow.linkingTo, who) });
    const userId = await personBehind(tx, c, provider.name, who);
    if (userId instanceof AuthError) return userId;
    if (flow.challenge !== null) return withQuery(to, { code: await finishFlow(tx, flow.id, userId) });
    await audit(tx, 'login', userId, addressOf(c), { provider: provider.name });
    return sessionRedirect(to, await startSession(auth, tx, c, userId, 'oauth'), {});
  };
  const arrived = await auth.sql.begin(enter);
  if (arrived instanceof AuthError) throw arrived;
  return arrived;
}

const badState = (message: string) => new AuthError(400, 'bad_oauth_state', message);

async function comeBack(auth: Auth, c: AuthRequest, given: (name: string) => string | undefined): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  const state = given('state') ?? '';
  const flow = isUuid(state) ? await takeFlow(auth.sql, state) : null;
  if (!flow) {
    const error = badState('OAuth state not found or expired');
    return c.redirect(errorRedirect(auth.settings.siteUrl(), error, true), 303);
  }
  const to = flow.referrer ?? auth.settings.siteUrl();
  try {
    const refusal = given('error');
    if (refusal) throw new AuthError(403, 'access_denied', given('error_description') ?? refusal);
    const code = given('code');
    if (!code) throw new AuthError(400, 'bad_oauth_callback', 'OAuth callback with missing authorization code missing');
    return c.redirect(await arrive(auth, c, flow, code), 302);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return c.redirect(errorRedirect(to, error, flow.challenge !== null), 302);
  }
}

export function addExternal(app: Hono<AuthVariables>, auth: Auth): void {
  app.get('/authorize', async c => c.redirect(await beginExternal(auth, c), 302));
  app.get('/callback', c => comeBack(auth, c, name => c.req.query(name)));
}
