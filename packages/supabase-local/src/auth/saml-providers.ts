import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StartFailure } from '@cairn/database/start-failure.ts';
import { readIdpMetadata } from './saml-metadata.ts';

/** An identity provider whose SAML assertions are believed, for people of its own domains. */
export type SamlProvider = {
  /** UUID by which calls name it; its identities are those of `sso:<id>`. */
  id: string;
  entityId: string;
  /** Where people are sent, with the request in the address (HTTP-Redirect binding). */
  ssoUrl: string;
  /** PEM; a signature by the key of any of them counts, whatever the certificate says of its own dates. */
  certificates: string[];
  /** In lower case. Of addresses elsewhere its word is not taken. */
  domains: string[];
};

type Environment = Record<string, string | undefined>;
type Parts = Pick<SamlProvider, 'entityId' | 'ssoUrl' | 'certificates'>;

const VARIABLE = /^CAIRN_SAML_([A-Z0-9]+)_(ID|DOMAINS|METADATA|ENTITY_ID|SSO_URL|CERTIFICATE)$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const MIN_RSA_BITS = 2048;

function readText(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartFailure(`${variable} must name a file that can be read.`, { cause: error });
  }
}

function requireCertificate(variable: string, pem: string): string {
  try {
    const certificate = new X509Certificate(pem);
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS)
      return certificate.toString();
  } catch (error) {
    throw new StartFailure(`${variable} must hold certificates in PEM.`, { cause: error });
  }
  throw new StartFailure(`${variable} must hold certificates of RSA keys of ${MIN_RSA_BITS} bits or more.`);
}

function certificatesIn(variable: string, value: string): string[] {
  const text = value.includes('-----BEGIN') ? value : readText(variable, value);
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0)
    throw new StartFailure(`${variable} must hold a certificate in PEM, or the path of its file.`);
  return found.map(pem => requireCertificate(variable, pem));
}

function requireSsoUrl(variable: string, value: string): string {
  const { protocol, hostname } = URL.canParse(value) ? new URL(value) : { protocol: '', hostname: '' };
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))) return value;
  throw new StartFailure(`${variable} must be an address that begins with https://, not "${value}".`);
}

function partsFromMetadata(variable: string, path: string): Parts {
  const text = readText(variable, path);
  try {
    const { entityId, ssoUrl, certificates } = readIdpMetadata(text, new Date());
    const pems = certificates.map(pem => requireCertificate(variable, pem));
    return { entityId, ssoUrl: requireSsoUrl(variable, ssoUrl), certificates: pems };
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    const why = error instanceof Error ? error.message : 'it cannot be read';
    throw new StartFailure(`${variable} must name a file with the metadata of one identity provider: ${why}.`, {
      cause: error,
    });
  }
}

function partsOf(prefix: string, of: (what: string) => string | undefined): Parts {
  const [metadata, entityId, ssoUrl, certificate] = ['METADATA', 'ENTITY_ID', 'SSO_URL', 'CERTIFICATE'].map(of);
  if (metadata !== undefined) {
    if (entityId ?? ssoUrl ?? certificate)
      throw new StartFailure(`${prefix}METADATA must stand alone: it holds entity id, address and certificate.`);
    return partsFromMetadata(`${prefix}METADATA`, metadata);
  }
  const missing = entityId === undefined ? 'ENTITY_ID' : ssoUrl === undefined ? 'SSO_URL' : 'CERTIFICATE';
  if (entityId === undefined || ssoUrl === undefined || certificate === undefined)
    throw new StartFailure(`${prefix}${missing} must be set as well, or ${prefix}METADATA in its place.`);
  const certificates = certificatesIn(`${prefix}CERTIFICATE`, certificate);
  return { entityId, ssoUrl: requireSsoUrl(`${prefix}SSO_URL`, ssoUrl), certificates };
}

function domainsIn(variable: string, value: string | undefined): string[] {
  const domains = (value ?? '').split(',').map(part => part.trim().toLowerCase());
  if (domains.every(domain => DOMAIN.test(domain))) return domains;
  throw new StartFailure(`${variable} must list domains of addresses, such as example.com, separated by commas.`);
}

/** The same at each start, as identities are kept by it: a UUID made from the entity id (RFC 9562, version 8). */
function idFrom(entityId: string): string {
  const bytes = createHash('sha256').update(`saml ${entityId}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function requireDistinct(what: string, values: string[]): void {
  const twice = values.find((value, at) => values.indexOf(value) !== at);
  if (twice !== undefined) throw new StartFailure(`CAIRN_SAML_… must name each ${what} once, not "${twice}" twice.`);
}

function providerNamed(name: string, environment: Environment): SamlProvider {
  const prefix = `CAIRN_SAML_${name}_`;
  const of = (what: string) => environment[`${prefix}${what}`] || undefined;
  const parts = partsOf(prefix, of);
  const id = of('ID')?.toLowerCase() ?? idFrom(parts.entityId);
  if (!UUID.test(id)) throw new StartFailure(`${prefix}ID must be a UUID, not "${id}".`);
  return { id, ...parts, domains: domainsIn(`${prefix}DOMAINS`, of('DOMAINS')) };
}

/**
 * The identity providers of `CAIRN_SAML_<NAME>_DOMAINS` with `…_METADATA`, or with `…_ENTITY_ID`, `…_SSO_URL` and
 * `…_CERTIFICATE`; `…_ID` where its UUID is to be another than the one made from the entity id.
 *
 * @throws {StartFailure} with a sentence that names the variable and what it may be
 */
export function readSamlProviders(environment: Environment): SamlProvider[] {
  const set = Object.keys(environment).filter(name => name.startsWith('CAIRN_SAML_') && environment[name]);
  const unknown = set.find(name => !VARIABLE.test(name));
  if (unknown !== undefined)
    throw new StartFailure(
      `${unknown} must be called CAIRN_SAML_<NAME>_DOMAINS, …_METADATA, …_ENTITY_ID, …_SSO_URL, …_CERTIFICATE or …_ID.`,
    );
  const names = [...new Set(set.map(name => VARIABLE.exec(name)?.[1] ?? ''))].toSorted();
  const providers = names.map(name => providerNamed(name, environment));
  requireDistinct(
    'domain',
    providers.flatMap(({ domains }) => domains),
  );
  requireDistinct(
    'entity id',
    providers.map(({ entityId }) => entityId),
  );
  requireDistinct(
    'id',
    providers.map(({ id }) => id),
  );
  return providers;
}
