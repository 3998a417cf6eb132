import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

/** A sign-in service with a description, a key set, and a second key that stands in none. */
type Service = { issuer: string; server: Server; key: CryptoKey; foreign: CryptoKey };

let service: Service;
let server: TestServer;

async function startService(): Promise<Service> {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const keys = [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }];
  const made = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const told = request.url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(told));
  });
  await new Promise<void>(resolve => made.listen(0, '127.0.0.1', resolve));
  const { port } = made.address() as AddressInfo;
  return { issuer: `http://127.0.0.1:${port}`, server: made, key: own.privateKey, foreign: foreign.privateKey };
}

beforeAll(async () => {
  service = await startService();
  const keycloak = { name: 'keycloak', clientId: 'cairn', secret: 'sesame', url: service.issuer } as const;
  server = await startTestServer({ auth: { confirmEmail: false, limitFactor: 1000, providers: [keycloak] } });
});
afterAll(async () => {
  await server.stop();
  service.server.close();
});

const now = () => Math.floor(Date.now() / 1000);

const claims = (more: JWTPayload = {}): JWTPayload => ({
  iss: service.issuer,
  aud: 'cairn',
  sub: 'ida',
  iat: now(),
  exp: now() + 300,
  email: 'ida@example.test',
  email_verified: true,
  name: 'Ida',
  ...more,
});

const signed = (payload: JWTPayload, key = service.key) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key);

const enter = (token: string, more: { nonce?: string; access_token?: string } = {}) =>
  server.visitor().auth.signInWithIdToken({ provider: 'keycloak', token, ...more });

describe('R7.03 grant_type id_token', () => {
  test('a token of the configured service signs in: a new account at first, the same one after', async () => {
    const first = await enter(await signed(claims()));
    expect(first.error).toBeNull();
    expect(first.data.user).toMatchObject({ email: 'ida@example.test', user_metadata: { full_name: 'Ida' } });
    expect(decodeJwt(first.data.session?.access_token ?? '')).toMatchObject({ amr: [{ method: 'oauth' }] });
    const second = await enter(await signed(claims({ iat: now() - 10 })));
    expect(second.data.user?.id).toBe(first.data.user?.id);
  });

  test.each<[string, JWTPayload, RegExp]>([
    ['another audience', { aud: 'other-app' }, /^Unacceptable audience in id_token/],
    ['made for another party', { aud: ['cairn', 'other-app'], azp: 'other-app' }, /^Unacceptable audience/],
    ['another issuer', { iss: 'https://other.example' }, /^Bad ID token$/],
    ['a time that is over', { iat: now() - 600, exp: now() - 120 }, /^Bad ID token$/],
    ['a time to come', { nbf: now() + 600 }, /^Bad ID token$/],
    [
      'a nonce nobody asked for',
      { nonce: 'abc' },
      /^Passed nonce and nonce in id_token should either both exist or not/,
    ],
    ['an access token that did not come', { at_hash: 'abc' }, /^ID token has an at_hash claim/],
  ])('a token with %s is refused', async (_, more, words) => {
    const { error } = await enter(await signed(claims(more)));
    expect(error).toMatchObject({ status: 400 });
    expect(error?.message).toMatch(words);
  });

  test.each(['exp', 'sub', 'iat'])('a token without %s is refused', async name => {
    const payload: JWTPayload = JSON.parse(JSON.stringify({ ...claims(), [name]: undefined }));
    expect((await enter(await signed(payload))).error).toMatchObject({ status: 400, message: 'Bad ID token' });
  });

  test('a key that is not in its set, no signature, and a secret as key are refused', async () => {
    const unsigned = [{ alg: 'none' }, claims()].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const shared = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(Buffer.alloc(32, 1));
    for (const token of [await signed(claims(), service.foreign), `${unsigned.join('.')}.`, shared, 'x.y.z'])
      expect((await enter(token)).error).toMatchObject({ status: 400, message: 'Bad ID token' });
  });

  test('the nonce ties the token to whoever asked, the hash the access token to it', async () => {
    const nonce = 'made up before';
    const token = await signed(claims({ nonce: createHash('sha256').update(nonce).digest('hex') }));
    expect((await enter(token, { nonce: 'another' })).error?.message).toBe('Nonces mismatch');
    expect((await enter(token)).error?.message).toMatch(/^Passed nonce/);
    expect((await enter(token, { nonce })).error).toBeNull();
    const hash = createHash('sha256').update('access').digest().subarray(0, 16).toString('base64url');
    const bound = await signed(claims({ at_hash: hash }));
    expect((await enter(bound, { access_token: 'another' })).error?.message).toMatch(/does not match at_hash/);
    expect((await enter(bound, { access_token: 'access' })).error).toBeNull();
  });

  test('an address the service does not vouch for enters no account', async () => {
    const { id } = await server.person('Paula');
    const email = String((await server.ask(`select email from auth.users where id = '${id}'`))[0]?.['email']);
    const token = await signed(claims({ sub: 'thief', email, email_verified: false }));
    expect((await enter(token)).error).toMatchObject({ status: 422, code: 'provider_email_needs_verification' });
  });

  test('each other grant type is answered, and those that are not enabled in the words of GoTrue', async () => {
    const ask = async (grant: string, body: unknown) => {
      const headers = { apikey: server.secrets.publishableKey };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await fetch(`${server.url}/auth/v1/token?grant_type=${grant}`, init);
      return [answer.status, await answer.json()];
    };
    const person = { email: 'grants@example.test', password: 'a long word' };
    await server.visitor().auth.signUp(person);
    const [status, session] = await ask('password', person);
    expect([status, session]).toMatchObject([
      200,
      { access_token: expect.any(String), refresh_token: expect.any(String) },
    ]);
    expect(await ask('refresh_token', { refresh_token: session.refresh_token })).toMatchObject([
      200,
      { access_token: expect.any(String) },
    ]);
    expect(await ask('pkce', { auth_code: 'none', code_verifier: 'x'.repeat(60) })).toMatchObject([
      404,
      { error_code: 'flow_state_not_found' },
    ]);
    expect(await ask('id_token', { provider: 'google', id_token: 'x.y.z' })).toMatchObject([
      400,
      { error_code: 'provider_disabled', msg: 'Provider (issuer "https://accounts.google.com") is not enabled' },
    ]);
    expect(await ask('id_token', { provider: 'own', id_token: 'x.y.z', issuer: 'http://127.0.0.1:1' })).toMatchObject([
      400,
      { error_code: 'validation_failed' },
    ]);
    expect(await ask('web3', { chain: 'solana', message: 'x', signature: 'y' })).toMatchObject([
      422,
      { error_code: 'web3_provider_disabled', msg: 'Web3 provider is disabled' },
    ]);
    expect(await ask('wish', {})).toMatchObject([400, { error_code: 'invalid_credentials' }]);
  });
});
