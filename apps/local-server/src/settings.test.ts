import { expect, test } from 'vitest';
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
    auth: { siteUrl: null, confirmEmail: true, limitFactor: 1, providers: [] },
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
