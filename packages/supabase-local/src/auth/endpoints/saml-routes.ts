import type { Hono } from 'hono';
import type { TransactionSql } from 'postgres';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, invalid } from '../auth-error.ts';
import { isUuid } from '../auth-gate.ts';
import { requireText, textIn } from '../body.ts';
import { beginFlow, challengeIn, finishFlow, SSO_METHOD, takeFlow, type FlowState } from '../flow-states.ts';
import { ssoPersonBehind } from '../outsiders.ts';
import type { Outsider } from '../providers.ts';
import { allowedRedirect, withQuery } from '../redirects.ts';
import type { SamlProvider } from '../saml-providers.ts';
import { readSamlResponse, SamlRefusal, serviceFor, type ExpectedResponse } from '../saml-response.ts';
import { startSession } from '../sessions.ts';
import { errorRedirect, sessionRedirect } from './verify-routes.ts';

/** Seconds somebody may take at their identity provider. */
const REQUEST_LIFE_S = 600;
const METADATA_AGE_S = 600;
/** GoTrue's word: identities of an identity provider are those of `sso:<its id>`. */
const typeOf = ({ id }: SamlProvider) => `sso:${id}`;

/** No place to keep the request's id is needed: nobody else can make it from the flow's. */
const requestIdOf = ({ vault }: Auth, flowId: string) => `_${vault.mark('saml request', flowId).toString('hex')}`;

function expectedFor(auth: Auth, provider: SamlProvider, flowId: string): ExpectedResponse {
  const base = `${auth.settings.siteUrl()}/auth/v1/sso/saml`;
  const requestId = requestIdOf(auth, flowId);
  return { provider, requestId, entityId: `${base}/metadata`, acsUrl: `${base}/acs` };
}

const providerNotFound = (words: string) => new AuthError(404, 'sso_provider_not_found', words);

/** @throws {AuthError} validation_failed, sso_provider_not_found */
function providerIn({ settings }: Auth, body: Record<string, unknown>): SamlProvider {
  const [id, domain] = [textIn(body, 'provider_id')?.toLowerCase(), textIn(body, 'domain')?.trim().toLowerCase()];
  if (id !== undefined && domain !== undefined) throw invalid('Only one of provider_id or domain supported');
  if (id !== undefined) {
    const named = settings.samlProviders.find(provider => provider.id === id);
    if (named) return named;
    throw isUuid(id) ? providerNotFound('No such SSO provider') : invalid('provider_id must be an UUID');
  }
  if (domain === undefined) throw invalid('A provider_id or domain needs to be provided');
  const assigned = settings.samlProviders.find(({ domains }) => domains.includes(domain));
  if (assigned) return assigned;
  throw providerNotFound('No SSO provider assigned for this domain');
}

/** Leads to the identity provider with a request of ours; single use, ten minutes. */
async function begin(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  const provider = providerIn(auth, body);
  const skips = body['skip_http_redirect'] ?? false;
  if (typeof skips !== 'boolean') throw invalid('skip_http_redirect must be true or false');
  auth.limits.count('flow', addressOf(c), '');
  const flowId = await beginFlow(auth.sql, {
    authenticationMethod: SSO_METHOD,
    providerType: typeOf(provider),
    challenge: challengeIn(body),
    referrer: allowedRedirect(auth.settings, textIn(body, 'redirect_to')),
  });
  const url = await serviceFor(expectedFor(auth, provider, flowId)).getAuthorizeUrlAsync(flowId, undefined, {});
  return skips ? c.json({ url }) : c.redirect(url, 303);
}

function metadata(auth: Auth, c: AuthRequest): Response {
  const [provider] = auth.settings.samlProviders;
  if (!provider) throw new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled');
  // What we say of ourselves is the same to all of them.
  const xml = serviceFor(expectedFor(auth, provider, '')).generateServiceProviderMetadata(null);
  c.header('Cache-Control', `public, max-age=${METADATA_AGE_S}`);
  if (c.req.query('download') === 'true') c.header('Content-Disposition', 'attachment; filename="metadata.xml"');
  return c.body(xml, 200, { 'Content-Type': 'application/xml' });
}

type Answer = { flow: FlowState; relayState: string; response: string };

/** The log hears who was asked and what was wrong, of the response itself nothing. */
async function whoCame(auth: Auth, c: AuthRequest, { flow, relayState, response }: Answer): Promise<Outsider> {
  const provider = auth.settings.samlProviders.find(known => typeOf(known) === flow.providerType);
  if (!provider) {
    const words = 'A SAML connection has not been established with this Identity Provider';
    throw new AuthError(404, 'saml_idp_not_found', words);
  }
  try {
    const expected = expectedFor(auth, provider, flow.id);
    return await auth.limits.guess('verify', addressOf(c), relayState, () => readSamlResponse(response, expected));
  } catch (error) {
    const reason = error instanceof SamlRefusal ? error.reason : error instanceof AuthError ? error.code : 'fault';
    auth.log.warn({ provider: provider.id, reason }, 'a SAML response was refused');
    throw error;
  }
}

async function enter(auth: Auth, c: AuthRequest, flow: FlowState, who: Outsider): Promise<string> {
  const to = flow.referrer ?? auth.settings.siteUrl();
  const arrive = async (tx: TransactionSql) => {
    const userId = await ssoPersonBehind(tx, c, flow.providerType, who);
    if (flow.challenge !== null) return withQuery(to, { code: await finishFlow(tx, flow.id, userId) });
    await audit(tx, 'login', userId, addressOf(c), { provider: flow.providerType });
    return sessionRedirect(to, await startSession(auth, tx, c, userId, SSO_METHOD), {});
  };
  return auth.sql.begin(arrive);
}

/** The assertion consumer service: where the identity provider's page posts its response to. */
async function consume(auth: Auth, c: AuthRequest): Promise<Response> {
  const body = c.get('body');
  const response = requireText(body, 'SAMLResponse', 'SAMLResponse is missing');
  const relayState = textIn(body, 'RelayState') ?? '';
  // A response nobody asked for, as identity providers begin them, has no state of ours and leads nowhere.
  const flow = isUuid(relayState) ? await takeFlow(auth.sql, relayState, REQUEST_LIFE_S) : null;
  if (!flow) {
    const words = 'SAML RelayState does not exist or has expired, try logging in again?';
    const error = new AuthError(404, 'saml_relay_state_not_found', words);
    return c.redirect(errorRedirect(auth.settings.siteUrl(), error, true), 303);
  }
  const to = flow.referrer ?? auth.settings.siteUrl();
  try {
    return c.redirect(await enter(auth, c, flow, await whoCame(auth, c, { flow, relayState, response })), 303);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return c.redirect(errorRedirect(to, error, flow.challenge !== null), 303);
  }
}

/** SAML 2.0: off, in GoTrue's words, until an identity provider is configured. */
export function addSaml(app: Hono<AuthVariables>, auth: Auth): void {
  const requireEnabled = () => {
    if (auth.settings.samlProviders.length === 0)
      throw new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled');
  };
  for (const path of ['/sso', '/sso/*'])
    app.use(path, async (_, next) => {
      requireEnabled();
      return next();
    });
  app.post('/sso', c => begin(auth, c));
  app.get('/sso/saml/metadata', c => metadata(auth, c));
  app.post('/sso/saml/acs', c => consume(auth, c));
}
