import { SAML, ValidateInResponseTo, type Profile } from '@node-saml/node-saml';
import { AuthError } from './auth-error.ts';
import type { Outsider } from './providers.ts';
import type { SamlProvider } from './saml-providers.ts';
import { childrenNamed, isNamed, parseXml, textOf, type XmlBounds, type XmlDocument } from './saml-xml.ts';
import { requireEmail } from './users.ts';

/** Clocks of two well-kept machines are not further apart. */
const CLOCK_SKEW_MS = 30_000;
const MAX_NAME_ID_LENGTH = 255;

/** Room for 150 groups of a person; at ten times as many a signature took the library seconds to look at. */
const BOUNDS: XmlBounds = { tags: 800, attributes: 600 };

/** All that a signature of an assertion may name: no SHA-1, no HMAC, no transform but those two. */
const ALGORITHMS = new Set([
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const NAME_ATTRIBUTES = [
  'name',
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'cn',
  'urn:oid:2.5.4.3',
];

/** Why a response was refused: for the log, which hears no word of the response itself. */
type SamlReason =
  | 'xml'
  | 'algorithm'
  | 'destination'
  | 'status'
  | 'assertions'
  | 'signature'
  | 'audience'
  | 'time'
  | 'in response to'
  | 'issuer'
  | 'subject confirmation'
  | 'statement'
  | 'library';

/** People read the same words whatever was wrong. */
export class SamlRefusal extends AuthError {
  readonly reason: SamlReason;

  constructor(reason: SamlReason, cause?: unknown) {
    const isRefusedThere = reason === 'status';
    super(
      isRefusedThere ? 403 : 400,
      isRefusedThere ? 'access_denied' : 'validation_failed',
      isRefusedThere ? 'The identity provider did not sign you in' : 'SAML Assertion is not valid',
      { cause },
    );
    this.reason = reason;
  }
}

/** The one request a response must answer, and whom it is for. */
export type ExpectedResponse = {
  provider: SamlProvider;
  /** `ID` of our request. */
  requestId: string;
  /** Our entity id: the audience. */
  entityId: string;
  /** Address of our assertion consumer service: destination and recipient. */
  acsUrl: string;
};

/** Our side of the conversation with one identity provider, for the one request. */
export function serviceFor({ provider, requestId, entityId, acsUrl }: ExpectedResponse): SAML {
  return new SAML({
    issuer: entityId,
    audience: entityId,
    callbackUrl: acsUrl,
    entryPoint: provider.ssoUrl,
    idpIssuer: provider.entityId,
    idpCert: provider.certificates,
    wantAssertionsSigned: true,
    // Many sign the assertion alone; everything that is believed stands in it.
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    validateInResponseTo: ValidateInResponseTo.always,
    generateUniqueId: () => requestId,
    // Whether the request is still open was asked of the database, which closed it.
    cacheProvider: {
      saveAsync: async (_, value) => ({ value, createdAt: Date.now() }),
      getAsync: async key => (key === requestId ? new Date().toISOString() : null),
      removeAsync: async key => key,
    },
  });
}

function textIn(encoded: string): string {
  // Lines may be broken anywhere.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded.replaceAll(/\s/g, ''))) throw new SamlRefusal('xml');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch (error) {
    throw new SamlRefusal('xml', error);
  }
}

/** Comments, CDATA and instructions are read differently by different readers, and no identity provider sends them. */
function documentIn(text: string): XmlDocument {
  const body = text.replace(/^\uFEFF?\s*<\?xml [^<>?]*\?>/, '');
  if (/<[!?]/.test(body)) throw new SamlRefusal('xml');
  try {
    return parseXml(text, BOUNDS);
  } catch (error) {
    throw new SamlRefusal('xml', error);
  }
}

/** What can be told without a key: it is meant for here, holds one assertion, and is signed in no odd way. */
function requireShape({ root, elements }: XmlDocument, { acsUrl }: ExpectedResponse): void {
  if (!isNamed(root, 'protocol', 'Response')) throw new SamlRefusal('xml');
  if (root.getAttribute('Destination') !== acsUrl) throw new SamlRefusal('destination');
  const codes = childrenNamed(root, 'protocol', 'Status').flatMap(s => childrenNamed(s, 'protocol', 'StatusCode'));
  if (codes.length !== 1 || codes[0]?.getAttribute('Value') !== SUCCESS) throw new SamlRefusal('status');
  const algorithms = elements.map(element => element.getAttribute('Algorithm')).filter(Boolean);
  if (!algorithms.every(name => ALGORITHMS.has(name ?? ''))) throw new SamlRefusal('algorithm');
  const assertions = elements.filter(({ localName }) => /assertion$/i.test(localName));
  if (assertions.length !== 1 || childrenNamed(root, 'assertion', 'Assertion').length !== 1)
    throw new SamlRefusal('assertions');
}

const LIBRARY_REASONS: [RegExp, SamlReason][] = [
  [/signature/i, 'signature'],
  [/audience/i, 'audience'],
  [/InResponseTo/i, 'in response to'],
  [/not yet valid|expired|too old|valid date|No valid subject confirmation/i, 'time'],
];

async function verified(encoded: string, expected: ExpectedResponse): Promise<Profile> {
  try {
    const { profile } = await serviceFor(expected).validatePostResponseAsync({ SAMLResponse: encoded });
    if (profile) return profile;
  } catch (error) {
    const words = error instanceof Error ? error.message : '';
    throw new SamlRefusal(LIBRARY_REASONS.find(([pattern]) => pattern.test(words))?.[1] ?? 'library', error);
  }
  throw new SamlRefusal('library');
}

/** The library looks at times and audience; what ties the assertion to our one request is looked at here. */
function isForUs(confirmation: Element, { acsUrl, requestId }: ExpectedResponse, now: number): boolean {
  const [data, another] = childrenNamed(confirmation, 'assertion', 'SubjectConfirmationData');
  if (confirmation.getAttribute('Method') !== BEARER || !data || another) return false;
  const ends = Date.parse(data.getAttribute('NotOnOrAfter') ?? '');
  const begins = data.getAttribute('NotBefore');
  return (
    data.getAttribute('Recipient') === acsUrl &&
    data.getAttribute('InResponseTo') === requestId &&
    now - CLOCK_SKEW_MS < ends &&
    (!begins || Date.parse(begins) <= now + CLOCK_SKEW_MS)
  );
}

function subjectOf(assertion: Element, expected: ExpectedResponse): Element {
  const [issuer] = childrenNamed(assertion, 'assertion', 'Issuer');
  if (textOf(issuer) !== expected.provider.entityId) throw new SamlRefusal('issuer');
  const [subject, another] = childrenNamed(assertion, 'assertion', 'Subject');
  const confirmations = subject ? childrenNamed(subject, 'assertion', 'SubjectConfirmation') : [];
  const now = Date.now();
  if (!subject || another || !confirmations.some(one => isForUs(one, expected, now)))
    throw new SamlRefusal('subject confirmation');
  if (childrenNamed(assertion, 'assertion', 'AuthnStatement').length === 0) throw new SamlRefusal('statement');
  return subject;
}

function attributesOf(assertion: Element): Map<string, string> {
  const attributes = childrenNamed(assertion, 'assertion', 'AttributeStatement').flatMap(statement =>
    childrenNamed(statement, 'assertion', 'Attribute'),
  );
  const pairs = attributes.map(attribute => {
    const value = textOf(childrenNamed(attribute, 'assertion', 'AttributeValue')[0]);
    return [attribute.getAttribute('Name') ?? '', value] as const;
  });
  return new Map(pairs.filter(([, value]) => value !== ''));
}

const firstOf = (attributes: Map<string, string>, names: string[]) =>
  names.map(name => attributes.get(name)).find(value => value !== undefined);

/** An identity provider speaks for the addresses of its own domains only. */
function emailOf(email: string | undefined, { domains }: SamlProvider): string {
  if (email === undefined)
    throw new AuthError(400, 'saml_assertion_no_email', 'SAML Assertion does not contain an email address');
  const address = requireEmail(email);
  if (domains.includes(address.slice(address.lastIndexOf('@') + 1))) return address;
  const words = 'The identity provider may not sign in addresses of this domain';
  throw new AuthError(422, 'email_address_not_authorized', words);
}

function personIn(assertion: Element, subject: Element, provider: SamlProvider): Outsider {
  const [nameId, another] = childrenNamed(subject, 'assertion', 'NameID');
  const [id, format] = [textOf(nameId), nameId?.getAttribute('Format')];
  // A transient one is another at each sign-in, and would make a new account each time.
  if (another || id === '' || id.length > MAX_NAME_ID_LENGTH || format === TRANSIENT) {
    const words = 'SAML Assertion did not contain a Subject NameID that identifies this user at each sign-in';
    throw new AuthError(400, 'saml_assertion_no_user_id', words);
  }
  const attributes = attributesOf(assertion);
  const given = firstOf(attributes, EMAIL_ATTRIBUTES) ?? (format === EMAIL_FORMAT ? id : undefined);
  const email = emailOf(given, provider);
  const name = firstOf(attributes, NAME_ATTRIBUTES)?.slice(0, MAX_NAME_ID_LENGTH);
  const data = { iss: provider.entityId, sub: id, email, email_verified: true, phone_verified: false };
  return { id, email, isVerified: true, data: { ...data, ...(name && { name, full_name: name }) } };
}

/**
 * Whom the identity provider signed in, by a response to our request.
 *
 * @param encoded the form's `SAMLResponse`: XML in base64
 * @throws {AuthError} validation_failed, access_denied (it signed nobody in), saml_assertion_no_user_id,
 *   saml_assertion_no_email, email_address_not_authorized (an address outside the provider's domains)
 */
export async function readSamlResponse(encoded: string, expected: ExpectedResponse): Promise<Outsider> {
  requireShape(documentIn(textIn(encoded)), expected);
  const profile = await verified(encoded, expected);
  // Only what the signature covers is read from here on.
  const { root: assertion } = parseXml(profile.getAssertionXml?.() ?? '', BOUNDS);
  if (!isNamed(assertion, 'assertion', 'Assertion')) throw new SamlRefusal('assertions');
  return personIn(assertion, subjectOf(assertion, expected), expected.provider);
}
