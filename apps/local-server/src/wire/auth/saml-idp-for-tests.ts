import { createSign, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import type { SamlProvider } from '@cairn/supabase-local/auth/saml-providers.ts';

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const MINUTE_MS = 60_000;

/** One value of DER: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const SEQUENCE = 0x30;
/** sha256WithRSAEncryption, without parameters. */
const ALGORITHM = der(SEQUENCE, der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05));

function nameOf(common: string): Buffer {
  const type = der(0x06, Buffer.from('550403', 'hex'));
  return der(SEQUENCE, der(0x31, der(SEQUENCE, type, der(0x0c, Buffer.from(common)))));
}

/** A certificate in PEM that the key signs for itself, valid from 2020 to 2049. */
export function selfSigned(publicKey: KeyObject, privateKey: KeyObject, common = 'Test identity provider'): string {
  const dates = ['200101000000Z', '490101000000Z'].map(date => der(0x17, Buffer.from(date)));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const name = nameOf(common);
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const serial = der(0x02, Buffer.from([1]));
  const body = der(SEQUENCE, version, serial, ALGORITHM, name, der(SEQUENCE, ...dates), name, key);
  const signature = createSign('sha256').update(body).sign(privateKey);
  const whole = der(SEQUENCE, body, ALGORITHM, der(0x03, Buffer.from([0]), signature)).toString('base64');
  return ['-----BEGIN CERTIFICATE-----', ...(whole.match(/.{1,64}/g) ?? []), '-----END CERTIFICATE-----', ''].join(
    '\n',
  );
}

export type TestIdp = { provider: SamlProvider; privateKey: KeyObject };

/** An identity provider with a key of its own; nobody listens at its address, the test carries its answers. */
export function makeIdp(host: string, domains: string[]): TestIdp {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const entityId = `https://${host}/metadata`;
  const certificates = [selfSigned(publicKey, privateKey)];
  return { privateKey, provider: { id: randomUUID(), entityId, ssoUrl: `https://${host}/sso`, certificates, domains } };
}

/** What our request said, as an identity provider reads it. */
export function requestIn(address: string) {
  const query = new URL(address).searchParams;
  const xml = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString();
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? '';
  return {
    id: attribute('ID'),
    acsUrl: attribute('AssertionConsumerServiceURL'),
    destination: attribute('Destination'),
    issuer: /Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '',
    relayState: query.get('RelayState') ?? '',
  };
}

export type AssertionFields = {
  nameId: string;
  format: string;
  email: string;
  issuer: string;
  audience: string;
  recipient: string;
  destination: string;
  /** Of the response, which the signature does not cover. */
  responseTo: string;
  /** Of the assertion's subject confirmation, which it covers. */
  subjectTo: string;
  /** ms from now. */
  notBefore: number;
  notOnOrAfter: number;
  status: string;
};

const instant = (fromNow: number) => new Date(Date.now() + fromNow).toISOString();

/** What an identity provider in good order answers to the request. */
export const answerTo = (
  { id, acsUrl, issuer }: ReturnType<typeof requestIn>,
  { provider }: TestIdp,
): AssertionFields => ({
  nameId: 'subject-1',
  format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  email: `ida@${provider.domains[0]}`,
  issuer: provider.entityId,
  audience: issuer,
  recipient: acsUrl,
  destination: acsUrl,
  responseTo: id,
  subjectTo: id,
  notBefore: -MINUTE_MS,
  notOnOrAfter: 5 * MINUTE_MS,
  status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
});

/** The assertion, without a signature. */
export function assertionOf(told: AssertionFields): string {
  const [begins, ends] = [instant(told.notBefore), instant(told.notOnOrAfter)];
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${instant(0)}">` +
    `<saml:Issuer>${told.issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${told.format}">${told.nameId}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
    `<saml:SubjectConfirmationData NotOnOrAfter="${ends}" Recipient="${told.recipient}"${told.subjectTo && ` InResponseTo="${told.subjectTo}"`}/>` +
    `</saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${begins}" NotOnOrAfter="${ends}"><saml:AudienceRestriction>` +
    `<saml:Audience>${told.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${instant(0)}"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>` +
    `</saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>` +
    `<saml:Attribute Name="email"><saml:AttributeValue>${told.email}</saml:AttributeValue></saml:Attribute>` +
    `<saml:Attribute Name="displayName"><saml:AttributeValue>Ida Test</saml:AttributeValue></saml:Attribute>` +
    `</saml:AttributeStatement></saml:Assertion>`
  );
}

/** Signs the one assertion in the XML. */
export function signAssertion(xml: string, privateKey: KeyObject, isSha1 = false): string {
  const signer = new SignedXml({
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    signatureAlgorithm: isSha1 ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' : RSA_SHA256,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  const assertion = "//*[local-name(.)='Assertion']";
  signer.addReference({ xpath: assertion, transforms: [ENVELOPED, EXCLUSIVE], digestAlgorithm: SHA256 });
  signer.computeSignature(xml, { location: { reference: `${assertion}/*[local-name(.)='Issuer']`, action: 'after' } });
  return signer.getSignedXml();
}

/** The response around assertions that are signed, or are not. */
export const responseAround = (told: AssertionFields, assertions: string): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" ` +
  `IssueInstant="${instant(0)}" Destination="${told.destination}"${told.responseTo && ` InResponseTo="${told.responseTo}"`}>` +
  `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${told.issuer}</saml:Issuer>` +
  `<samlp:Status><samlp:StatusCode Value="${told.status}"/></samlp:Status>${assertions}</samlp:Response>`;
