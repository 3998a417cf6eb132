import { createHash, timingSafeEqual } from 'node:crypto';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { audit } from './audit.ts';
import { addressOf, type Auth, type AuthRequest } from './auth-context.ts';
import { AuthError, invalid } from './auth-error.ts';
import { requireText, textIn } from './body.ts';
import { personBehind } from './outsiders.ts';
import { issuerOf, outsiderFrom, type Provider } from './providers.ts';
import { startSession } from './sessions.ts';
import { outsideTurn } from './outside-turn.ts';

/** Public keys only: with a shared secret whoever holds ours could sign for the service. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'];
const PATIENCE_MS = 10_000;
/** Seconds that two clocks may differ. */
const CLOCK_TOLERANCE_S = 30;
/** ms after which the service's description is read again. */
const DESCRIPTION_AGE_MS = 600_000;

/** Issuers of the services whose tokens GoTrue takes, for the sentence of one that is not configured. */
const ISSUERS: Record<string, string> = {
  apple: 'https://appleid.apple.com',
  google: 'https://accounts.google.com',
  facebook: 'https://www.facebook.com',
  kakao: 'https://kauth.kakao.com',
};

/** GoTrue words these as OAuth does. */
const refused = (words: string, cause?: unknown): AuthError =>
  new AuthError(400, 'validation_failed', words, {
    body: { error: 'invalid request', error_description: words },
    ...(cause !== undefined && { cause }),
  });

type Description = { issuer: string; keys: JWTVerifyGetKey; at: number };

/** The keys of each configured issuer, by its own description (OpenID Connect Discovery). A request names no address that is asked. */
function createKeyring() {
  const known = new Map<string, Description>();
  async function describe(issuer: string): Promise<Description> {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) throw new Error(`the issuer answered ${answer.status}`);
    const { issuer: own, jwks_uri: uri }: Record<string, unknown> = Object(await answer.json());
    if (own !== issuer || typeof uri !== 'string' || !URL.canParse(uri))
      throw new Error('the issuer describes another one');
    const isSafe = new URL(uri).protocol === 'https:' || new URL(uri).origin === new URL(issuer).origin;
    if (!isSafe) throw new Error('the keys of the issuer are not behind TLS');
    return { issuer, keys: createRemoteJWKSet(new URL(uri), { timeoutDuration: PATIENCE_MS }), at: performance.now() };
  }
  return async (issuer: string): Promise<JWTVerifyGetKey> => {
    const before = known.get(issuer);
    if (before && performance.now() - before.at < DESCRIPTION_AGE_MS) return before.keys;
    const described = await describe(issuer);
    known.set(issuer, described);
    return described.keys;
  };
}

type Keyring = ReturnType<typeof createKeyring>;

function configured(auth: Auth, body: Record<string, unknown>): { provider: Provider; issuer: string } {
  const name = requireText(body, 'provider', 'provider or client_id and issuer required');
  const provider = auth.settings.providers.find(each => each.name === name);
  const issuer = provider && issuerOf(provider);
  if (provider && issuer) return { provider, issuer };
  if (ISSUERS[name] === undefined && !provider)
    throw invalid(`Custom OIDC provider ${JSON.stringify(name)} not allowed`);
  throw new AuthError(
    400,
    'provider_disabled',
    `Provider (issuer ${JSON.stringify(ISSUERS[name] ?? name)}) is not enabled`,
  );
}

async function claimsOf(
  auth: Auth,
  keyring: Keyring,
  token: string,
  { provider, issuer }: ReturnType<typeof configured>,
) {
  try {
    const options = {
      issuer,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp', 'iat', 'aud'],
      clockTolerance: CLOCK_TOLERANCE_S,
    };
    // The keys may have to be fetched.
    const { payload } = await outsideTurn(async () => jwtVerify(token, await keyring(issuer), options));
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
      throw refused('Bad ID token', error);
    auth.log.warn({ err: error, provider: provider.name }, 'a sign-in service did not show its keys');
    throw new AuthError(500, 'unexpected_failure', 'The sign-in service did not show its keys', { cause: error });
  }
}

function requireAudience({ aud, azp }: JWTPayload, clientId: string): void {
  const all = Array.isArray(aud) ? aud : [aud];
  // With several audiences the token says for whom it was made (OpenID Connect Core, 3.1.3.7).
  const isOurs = all.includes(clientId) && (azp === undefined || azp === clientId);
  if (!isOurs) throw refused('Unacceptable audience in id_token');
}

const sha256 = (text: string) => createHash('sha256').update(text);

function isSame(given: string, wanted: unknown): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(typeof wanted === 'string' ? wanted : '')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Ties the token to what its asker made up before: the token carries the hash. */
function requireNonce({ nonce }: JWTPayload, given: string | undefined): void {
  const hasNonce = typeof nonce === 'string' && nonce !== '';
  if (hasNonce !== (given !== undefined))
    throw refused('Passed nonce and nonce in id_token should either both exist or not.');
  if (given !== undefined && !isSame(sha256(given).digest('hex'), nonce)) throw refused('Nonces mismatch');
}

/** The access token that came along is the one the service gave out with this. */
function requireAccessToken({ at_hash: hash }: JWTPayload, given: string | undefined): void {
  if (hash === undefined) return;
  if (given === undefined) throw refused('ID token has an at_hash claim, but no access_token parameter was provided');
  if (!isSame(sha256(given).digest().subarray(0, 16).toString('base64url'), hash))
    throw refused('Provided access_token does not match at_hash of the ID token');
}

/** `grant_type=id_token`: whoever a configured service vouches for in a token it signed for this installation. */
export function createIdTokenGrant(auth: Auth): (c: AuthRequest) => Promise<Response> {
  const keyring = createKeyring();
  return async c => {
    const body = c.get('body');
    const token = requireText(body, 'id_token', 'id_token required');
    const from = configured(auth, body);
    const session = await auth.limits.guess('verify', addressOf(c), `id_token ${token}`, async () => {
      const claims = await claimsOf(auth, keyring, token, from);
      requireAudience(claims, from.provider.clientId);
      requireNonce(claims, textIn(body, 'nonce'));
      requireAccessToken(claims, textIn(body, 'access_token'));
      return auth.sql.begin(async tx => {
        const { name } = from.provider;
        const userId = await personBehind(tx, c, name, outsiderFrom(from.provider, claims));
        if (userId instanceof AuthError) throw userId;
        await audit(tx, 'login', userId, addressOf(c), { provider: name });
        return startSession(auth, tx, c, userId, 'oauth');
      });
    });
    return c.json(session);
  };
}
