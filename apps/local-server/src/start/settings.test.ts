import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../wire/auth/saml-idp-for-tests.ts';
import { isLoopback, readSettings } from './settings.ts';

test('with nothing set, the settings are those of the README', () => {
  expect(readSettings({})).toEqual({
    port: 4310,
    host: '127.0.0.1',
    data: '.cairn',
    databaseUrl: null,
    origins: [],
    seed: 'auto',
    mail: { smtpUrl: null, from: 'Cairn <cairn@localhost>' },
    sms: { provider: 'none' },
    auth: { siteUrl: null, confirmEmail: true, limitFactor: 1, providers: [], samlProviders: [] },
    publicRealtime: false,
  });
});

test('an empty variable counts as not set', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: '', CAIRN_SEED: '' })).toEqual(readSettings({}));
});

test('each setting is read', () => {
  const settings = readSettings({
    PORT: '80',
    HOST: '::',
    CAIRN_DATA: '/a b',
    DATABASE_URL: 'postgres://u:p@h:1/d',
    CAIRN_ORIGINS: 'https://a.example, http://localhost:5173',
    CAIRN_SEED: 'off',
    CAIRN_SMS: 'local',
    SMTP_URL: 'smtps://u:p@mail.example',
    MAIL_FROM: 'Cairn <cairn@example.org>',
    CAIRN_URL: 'https://app.example',
    CAIRN_CONFIRM_EMAIL: 'off',
    CAIRN_RATE_LIMIT_FACTOR: '20',
    CAIRN_PUBLIC_REALTIME: 'on',
    CAIRN_AUTH_KEYCLOAK_ID: 'cairn',
    CAIRN_AUTH_KEYCLOAK_SECRET: 'sesame',
    CAIRN_AUTH_KEYCLOAK_URL: 'https://id.example/realms/one/',
  });
  expect(settings).toEqual({
    port: 80,
    host: '::',
    data: '/a b',
    databaseUrl: 'postgres://u:p@h:1/d',
    origins: ['https://a.example', 'http://localhost:5173'],
    seed: 'off',
    mail: { smtpUrl: 'smtps://u:p@mail.example', from: 'Cairn <cairn@example.org>' },
    sms: { provider: 'local' },
    auth: {
      siteUrl: 'https://app.example',
      confirmEmail: false,
      limitFactor: 20,
      providers: [{ name: 'keycloak', clientId: 'cairn', secret: 'sesame', url: 'https://id.example/realms/one' }],
      samlProviders: [],
    },
    publicRealtime: true,
  });
});

test.each(['-1', '65536', '4310x', '0x10', '1e3', ' '])('PORT %j is refused by name', value => {
  expect(() => readSettings({ PORT: value })).toThrow(/^PORT must/);
});

test('a bad DATABASE_URL is refused without repeating it', () => {
  expect(() => readSettings({ DATABASE_URL: 'mysql://u:sesame@h/d' })).toThrow(/^DATABASE_URL must(?!.*sesame)/);
});

test.each(['https://a.example/', 'a.example', 'https://a.example/path', '*'])('the origin %j is refused', value => {
  expect(() => readSettings({ CAIRN_ORIGINS: value })).toThrow(/^CAIRN_ORIGINS must/);
});

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.2', false],
])('%s is loopback: %s', (host, answer) => {
  expect(isLoopback(host)).toBe(answer);
});

test('a mail server that is none is refused without its password', () => {
  expect(() => readSettings({ SMTP_URL: 'https://u:secret@mail.example' })).toThrow(/^SMTP_URL must(?!.*secret)/);
  expect(() => readSettings({ MAIL_FROM: 'Cairn' })).toThrow(/^MAIL_FROM must/);
});

test.each([
  { CAIRN_URL: 'app.example' },
  { CAIRN_URL: 'https://app.example/path' },
  { CAIRN_CONFIRM_EMAIL: 'yes' },
  { CAIRN_RATE_LIMIT_FACTOR: '0' },
  { CAIRN_RATE_LIMIT_FACTOR: '1.5' },
  { CAIRN_PUBLIC_REALTIME: 'yes' },
])('%j is refused by name', setting => {
  expect(() => readSettings(setting)).toThrow(new RegExp(`^${Object.keys(setting)[0]} must`));
});

test('a sign-in service that lacks a part is refused with the name of that part, not with its secret', () => {
  expect(() => readSettings({ CAIRN_AUTH_GOOGLE_ID: 'x' })).toThrow(/^CAIRN_AUTH_GOOGLE_SECRET must/);
  const keycloak = { CAIRN_AUTH_KEYCLOAK_ID: 'x', CAIRN_AUTH_KEYCLOAK_SECRET: 'sesame' };
  expect(() => readSettings(keycloak)).toThrow(/^CAIRN_AUTH_KEYCLOAK_URL must(?!.*sesame)/);
});

describe('identity providers for SAML', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = selfSigned(publicKey, privateKey);
  const folder = mkdtempSync(join(tmpdir(), 'cairn-saml-'));
  const fileOf = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  const base64 = pem.replaceAll(/-----[A-Z ]+-----|\n/g, '');
  const metadata = (more = '') =>
    `<!-- made by hand --><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.acme.test"${more}>` +
    '<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing">' +
    `<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${base64}</X509Certificate></X509Data></KeyInfo>` +
    '</KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://id.acme.test/sso"/>' +
    '</IDPSSODescriptor></EntityDescriptor>';
  const ACME = {
    CAIRN_SAML_ACME_DOMAINS: 'acme.test, ACME.example',
    CAIRN_SAML_ACME_ENTITY_ID: 'https://id.acme.test',
    CAIRN_SAML_ACME_SSO_URL: 'https://id.acme.test/sso',
    CAIRN_SAML_ACME_CERTIFICATE: pem,
  };

  test('are read from variables, from a file of the certificate, or from their metadata, and are the same', () => {
    const [provider] = readSettings(ACME).auth.samlProviders;
    expect(provider).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      entityId: 'https://id.acme.test',
      ssoUrl: 'https://id.acme.test/sso',
      certificates: [pem],
      domains: ['acme.test', 'acme.example'],
    });
    const byFile = { ...ACME, CAIRN_SAML_ACME_CERTIFICATE: fileOf('acme.pem', pem) };
    const { CAIRN_SAML_ACME_DOMAINS } = ACME;
    const byMetadata = { CAIRN_SAML_ACME_DOMAINS, CAIRN_SAML_ACME_METADATA: fileOf('acme.xml', metadata()) };
    for (const settings of [byFile, byMetadata]) expect(readSettings(settings).auth.samlProviders).toEqual([provider]);
    const id = '0b7f5a52-6f1c-4c39-8d1e-3f4b8a0f7a11';
    expect(readSettings({ ...ACME, CAIRN_SAML_ACME_ID: id }).auth.samlProviders[0]?.id).toBe(id);
  });

  test.each([
    ['CAIRN_SAML_ACME_DOMAINS', ''],
    ['CAIRN_SAML_ACME_DOMAINS', '@acme.test'],
    ['CAIRN_SAML_ACME_ENTITY_ID', ''],
    ['CAIRN_SAML_ACME_SSO_URL', ''],
    ['CAIRN_SAML_ACME_SSO_URL', 'http://id.acme.test/sso'],
    ['CAIRN_SAML_ACME_CERTIFICATE', ''],
    ['CAIRN_SAML_ACME_CERTIFICATE', join(folder, 'none.pem')],
    ['CAIRN_SAML_ACME_CERTIFICATE', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    ['CAIRN_SAML_ACME_ID', 'acme'],
    ['CAIRN_SAML_ACME_METADATA', join(folder, 'acme.xml')],
    ['CAIRN_SAML_ACME_CERTIFICAT', pem],
  ])('%s as %j is refused by name', (name, value) => {
    expect(() => readSettings({ ...ACME, [name]: value })).toThrow(new RegExp(`^${name} must`));
  });

  test('a certificate of a short key, and two providers of one domain, are refused', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const weak = selfSigned(short.publicKey, short.privateKey);
    expect(() => readSettings({ ...ACME, CAIRN_SAML_ACME_CERTIFICATE: weak })).toThrow(/2048 bits/);
    const second = Object.entries(ACME).map(([name, value]) => [name.replace('ACME', 'OTHER'), value]);
    expect(() => readSettings({ ...ACME, ...Object.fromEntries(second) })).toThrow(/each domain once/);
  });

  test.each([
    ['metadata that has expired', metadata(' validUntil="2020-01-01T00:00:00Z"')],
    [
      'several providers',
      `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${metadata()}</EntitiesDescriptor>`,
    ],
    ['a document type', `<!DOCTYPE x>${metadata()}`],
    ['no certificate', metadata().replace('use="signing"', 'use="encryption"')],
    ['no address', metadata().replace('HTTP-Redirect', 'SOAP')],
  ])('a metadata file with %s is refused by name', (_, text) => {
    const settings = { CAIRN_SAML_ACME_DOMAINS: 'acme.test', CAIRN_SAML_ACME_METADATA: fileOf('bad.xml', text) };
    expect(() => readSettings(settings)).toThrow(/^CAIRN_SAML_ACME_METADATA must/);
  });
});
