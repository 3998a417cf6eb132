import { childrenNamed, isNamed, parseXml, textOf, type XmlBounds } from './saml-xml.ts';

const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** Some list every claim they can tell. */
const BOUNDS: XmlBounds = { tags: 4_000, attributes: 4_000 };

type IdpMetadata = { entityId: string; ssoUrl: string; certificates: string[] };

/** Lines of 64 signs, as readers of PEM expect. */
const pemOf = (base64: string) => {
  const lines = base64.replaceAll(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
};

function certificatesOf(role: Element): string[] {
  const keys = childrenNamed(role, 'metadata', 'KeyDescriptor').filter(key => key.getAttribute('use') !== 'encryption');
  return keys
    .flatMap(key => childrenNamed(key, 'signature', 'KeyInfo'))
    .flatMap(info => childrenNamed(info, 'signature', 'X509Data'))
    .flatMap(data => childrenNamed(data, 'signature', 'X509Certificate'))
    .map(certificate => pemOf(textOf(certificate)));
}

/**
 * What one identity provider says of itself (SAML 2.0 metadata). The file is the operator's: its own signature is not looked at.
 *
 * @param now after `validUntil` the file counts no more
 * @throws {Error} with words that say what is missing
 */
export function readIdpMetadata(text: string, now: Date): IdpMetadata {
  const { root } = parseXml(text, BOUNDS);
  if (!isNamed(root, 'metadata', 'EntityDescriptor')) throw new Error('its root is no EntityDescriptor');
  const validUntil = root.getAttribute('validUntil');
  if (validUntil && !(Date.parse(validUntil) > now.getTime())) throw new Error('its validUntil has passed');
  const entityId = root.getAttribute('entityID') ?? '';
  const [role, another] = childrenNamed(root, 'metadata', 'IDPSSODescriptor');
  if (entityId === '' || !role || another) throw new Error('it needs an entityID and one IDPSSODescriptor');
  const service = childrenNamed(role, 'metadata', 'SingleSignOnService').find(
    candidate => candidate.getAttribute('Binding') === REDIRECT_BINDING,
  );
  const certificates = certificatesOf(role);
  if (!service) throw new Error('it has no SingleSignOnService of the HTTP-Redirect binding');
  if (certificates.length === 0) throw new Error('it has no certificate for signing');
  return { entityId, ssoUrl: service.getAttribute('Location') ?? '', certificates };
}
