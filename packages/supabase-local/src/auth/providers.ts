import { outsideTurn } from './outside-turn.ts';

/** A sign-in service besides our own, as configured for this installation. */
export type Provider = {
  name: ProviderName;
  clientId: string;
  secret: string;
  /** Address of the installation, for services that people run themselves. */
  url?: string;
};

type Endpoints = { authorize: string; token: string; person: string; emails?: string };

type Service = {
  scopes: string;
  /** Whether its word that an address belongs to the person may be taken. */
  vouchesForEmail: boolean;
  /** Who signs its ID tokens; null where there is none, or no single one. */
  issuer(url: string | undefined): string | null;
  endpoints(url: string | undefined): Endpoints;
};

export const SERVICES = {
  azure: {
    scopes: 'openid email profile',
    // Whoever runs a directory there writes any address into it.
    vouchesForEmail: false,
    // Of the common directory each tenant has its own.
    issuer: url => (url === undefined ? null : `${url}/v2.0`),
    endpoints: (url = 'https://login.microsoftonline.com/common') => ({
      authorize: `${url}/oauth2/v2.0/authorize`,
      token: `${url}/oauth2/v2.0/token`,
      person: 'https://graph.microsoft.com/oidc/userinfo',
    }),
  },
  github: {
    scopes: 'user:email',
    vouchesForEmail: true,
    issuer: () => null,
    endpoints: (url = 'https://github.com') => ({
      authorize: `${url}/login/oauth/authorize`,
      token: `${url}/login/oauth/access_token`,
      person: url === 'https://github.com' ? 'https://api.github.com/user' : `${url}/api/v3/user`,
      emails: url === 'https://github.com' ? 'https://api.github.com/user/emails' : `${url}/api/v3/user/emails`,
    }),
  },
  gitlab: {
    scopes: 'openid email profile',
    vouchesForEmail: true,
    issuer: (url = 'https://gitlab.com') => url,
    endpoints: (url = 'https://gitlab.com') => ({
      authorize: `${url}/oauth/authorize`,
      token: `${url}/oauth/token`,
      person: `${url}/oauth/userinfo`,
    }),
  },
  google: {
    scopes: 'openid email profile',
    vouchesForEmail: true,
    issuer: () => 'https://accounts.google.com',
    endpoints: () => ({
      authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
      token: 'https://oauth2.googleapis.com/token',
      person: 'https://openidconnect.googleapis.com/v1/userinfo',
    }),
  },
  keycloak: {
    scopes: 'openid email profile',
    vouchesForEmail: true,
    issuer: (url = '') => url,
    endpoints: (url = '') => ({
      authorize: `${url}/protocol/openid-connect/auth`,
      token: `${url}/protocol/openid-connect/token`,
      person: `${url}/protocol/openid-connect/userinfo`,
    }),
  },
} satisfies Record<string, Service>;

export type ProviderName = keyof typeof SERVICES;

/** Every name that GoTrue's settings list, so that an app can ask for each. */
const GOTRUE_NAMES =
  `apple azure bitbucket discord facebook figma fly github gitlab google kakao keycloak linkedin linkedin_oidc notion
  slack slack_oidc snapchat spotify twitch twitter workos x zoom`.split(/\s+/);

export const enabledProviders = (providers: Provider[]): Record<string, boolean> =>
  Object.fromEntries(GOTRUE_NAMES.map(name => [name, providers.some(provider => provider.name === name)]));

const isServiceName = (name: string): name is ProviderName => Object.hasOwn(SERVICES, name);

/**
 * The services named by `CAIRN_AUTH_<NAME>_ID`, `…_SECRET` and, where there is no common one, `…_URL`.
 *
 * @throws {RangeError} with the name of the variable that is missing
 */
export function providersFrom(environment: Record<string, string | undefined>): Provider[] {
  return Object.keys(SERVICES)
    .filter(isServiceName)
    .flatMap(name => {
      const of = (what: string) => environment[`CAIRN_AUTH_${name.toUpperCase()}_${what}`] || undefined;
      const [clientId, secret, url] = [of('ID'), of('SECRET'), of('URL')];
      if (clientId === undefined) return [];
      const missing = secret === undefined ? 'SECRET' : name === 'keycloak' && url === undefined ? 'URL' : null;
      if (missing !== null) throw new RangeError(`CAIRN_AUTH_${name.toUpperCase()}_${missing}`);
      return [{ name, clientId, secret: secret ?? '', ...(url && { url: url.replace(/\/+$/, '') }) }];
    });
}

export type Outsider = { id: string; email: string | null; isVerified: boolean; data: Record<string, unknown> };

const PATIENCE_MS = 10_000;

type ProviderRequest = { method?: 'POST'; body?: URLSearchParams; headers?: Record<string, string> };

async function ask(address: string, { headers = {}, ...init }: ProviderRequest): Promise<unknown> {
  const own = { Accept: 'application/json', 'User-Agent': 'Cairn' };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return outsideTurn(async () => {
    const answer = await fetch(address, { ...init, headers: { ...own, ...headers }, redirect: 'error', signal });
    if (!answer.ok) throw new Error(`the sign-in service answered ${answer.status}`);
    return answer.json();
  });
}

/** Who signs the ID tokens of this service; null where it gives none. */
export const issuerOf = ({ name, url }: Provider): string | null => SERVICES[name].issuer(url);

const endpointsOf = ({ name, url }: Provider): Endpoints => SERVICES[name].endpoints(url);

/** Where the person is sent to sign in; `state` comes back with them. */
export function authorizeUrl(provider: Provider, callback: string, state: string, scopes?: string): string {
  const url = new URL(endpointsOf(provider).authorize);
  const asked = [SERVICES[provider.name].scopes, scopes ?? ''].join(' ').trim();
  const query = { client_id: provider.clientId, redirect_uri: callback, response_type: 'code', scope: asked, state };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

async function tokenFor(provider: Provider, code: string, callback: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    client_id: provider.clientId,
    client_secret: provider.secret,
  });
  const answer: Record<string, unknown> = Object(await ask(endpointsOf(provider).token, { method: 'POST', body }));
  const token = answer['access_token'];
  if (typeof token !== 'string') throw new Error('the sign-in service gave no token');
  return token;
}

async function gitHubEmail(address: string, init: ProviderRequest) {
  const emails = await ask(address, init);
  const list: Record<string, unknown>[] = Array.isArray(emails) ? emails : [];
  const primary = list.find(entry => entry['primary'] === true);
  return { email: primary?.['email'], email_verified: primary?.['verified'] };
}

/** Who came back with this code, by the service's own word. @throws when it does not answer as it should */
export async function outsider(provider: Provider, code: string, callback: string): Promise<Outsider> {
  const { person, emails } = endpointsOf(provider);
  const init = { headers: { Authorization: `Bearer ${await tokenFor(provider, code, callback)}` } };
  const told: Record<string, unknown> = Object(await ask(person, init));
  const found = emails === undefined ? told : { ...told, ...(await gitHubEmail(emails, init)) };
  return outsiderFrom(provider, found);
}

/** Somebody by what their service says of them. @throws when it names nobody */
export function outsiderFrom(provider: Provider, found: Record<string, unknown>): Outsider {
  const id = found['sub'] ?? found['id'];
  if (typeof id !== 'string' && typeof id !== 'number') throw new Error('the sign-in service named nobody');
  const email = typeof found['email'] === 'string' ? found['email'].trim().toLowerCase() : null;
  const isVerified = email !== null && SERVICES[provider.name].vouchesForEmail && found['email_verified'] === true;
  const text = (name: string) => (typeof found[name] === 'string' ? { [name]: found[name] } : {});
  const name = { ...text('name'), ...(typeof found['name'] === 'string' && { full_name: found['name'] }) };
  const data = { sub: String(id), ...(email && { email, email_verified: isVerified }), ...name, ...text('picture') };
  return { id: String(id), email, isVerified, data };
}
