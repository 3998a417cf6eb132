import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '@cairn/supabase-local/log/log.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import {
  answerTo,
  assertionOf,
  makeIdp,
  requestIn,
  responseAround,
  signAssertion,
  type TestIdp,
  type AssertionFields,
} from './saml-idp-for-tests.ts';

const MINUTE_MS = 60_000;
const PASSWORD = 'a long word';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const DENIED = 'urn:oasis:names:tc:SAML:2.0:status:Responder';

const idp = makeIdp('id.acme.test', ['acme.test', 'acme.example']);
const other = makeIdp('id.other.test', ['other.test']);
const keycloak = { name: 'keycloak', clientId: 'cairn', secret: 'sesame', url: 'https://keys.acme.test' } as const;
let logged: string[] = [];
let server: TestServer;

beforeAll(async () => {
  const samlProviders = [idp.provider, other.provider];
  const auth = { confirmEmail: false, limitFactor: 1000, providers: [keycloak], samlProviders };
  server = await startTestServer({ auth, log: createLog('warn', { write: line => void logged.push(line) }) });
});
afterAll(() => server.stop());
beforeEach(() => {
  logged = [];
});

/** Why the last response was refused, as the log has it. */
const reason = (): unknown => {
  const line: { reason?: string } = JSON.parse(logged.at(-1) ?? '{}');
  return line.reason;
};

const ask = (path: string, init: RequestInit & { key?: boolean } = {}) => {
  const headers = {
    'Content-Type': 'application/json',
    ...(init.key !== false && { apikey: server.secrets.publishableKey }),
  };
  return fetch(`${server.url}/auth/v1/${path}`, { redirect: 'manual', headers, ...init });
};

const sso = (body: unknown) => ask('sso', { method: 'POST', body: JSON.stringify(body) });

async function begun(client: SupabaseClient = server.visitor(), { provider }: TestIdp = idp): Promise<string> {
  const options = { redirectTo: `${server.url}/auth` };
  const { data, error } = await client.auth.signInWithSSO({ domain: provider.domains[0] ?? '', options });
  if (error) throw error;
  return data.url;
}

/** As the identity provider's page posts it: from another origin, without a key. */
async function post(fields: Record<string, string> | URLSearchParams) {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://id.acme.test' };
  const body = new URLSearchParams(fields).toString();
  const answer = await ask('sso/saml/acs', { method: 'POST', headers, body });
  const to = new URL(answer.headers.get('Location') ?? 'http://nowhere.test');
  return { status: answer.status, to, fragment: new URLSearchParams(to.hash.slice(1)), answer };
}

const encoded = (xml: string) => Buffer.from(xml).toString('base64');

const signedResponse = (told: AssertionFields, by: TestIdp = idp) =>
  responseAround(told, signAssertion(assertionOf(told), by.privateKey));

/** Through the identity provider and back; it tells what `changes` say, else the truth. */
async function comesBack(
  changes: Partial<AssertionFields> = {},
  { client, by = idp }: { client?: SupabaseClient; by?: TestIdp } = {},
) {
  const request = requestIn(await begun(client, by));
  const xml = signedResponse({ ...answerTo(request, by), ...changes }, by);
  const fields = { SAMLResponse: encoded(xml), RelayState: request.relayState };
  return { ...(await post(fields)), request, xml, fields };
}

async function userOf(fragment: URLSearchParams) {
  const { data, error } = await server.visitor().auth.getUser(fragment.get('access_token') ?? '');
  if (error) throw error;
  return data.user;
}

function pkceClient() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const auth = { flowType: 'pkce' as const, storage, autoRefreshToken: false, detectSessionInUrl: false };
  return createClient(server.url, server.secrets.publishableKey, { auth });
}

describe('R7.06 POST /sso and GET /authorize', () => {
  test('R7.06 each leads to its provider: /sso with a SAML request, /authorize with an OAuth one', async () => {
    const request = requestIn(await begun());
    expect(request).toMatchObject({
      id: expect.stringMatching(/^_[0-9a-f]{64}$/),
      issuer: `${server.url}/auth/v1/sso/saml/metadata`,
      acsUrl: `${server.url}/auth/v1/sso/saml/acs`,
      destination: 'https://id.acme.test/sso',
      relayState: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const options = { redirectTo: `${server.url}/auth`, skipBrowserRedirect: true };
    const { data } = await server.visitor().auth.signInWithOAuth({ provider: 'keycloak', options });
    const answer = await fetch(data.url ?? '', { redirect: 'manual' });
    const there = new URL(answer.headers.get('Location') ?? '');
    expect([answer.status, there.origin]).toEqual([302, 'https://keys.acme.test']);
    expect(there.searchParams.get('redirect_uri')).toBe(`${server.url}/auth/v1/callback`);
    expect(await (await ask('settings')).json()).toMatchObject({ saml_enabled: true, external: { keycloak: true } });
  });

  test('R7.06 /sso answers the address, or goes there with 303; by domain or by the id of the provider', async () => {
    const jumped = await sso({ domain: 'ACME.example' });
    expect([jumped.status, jumped.headers.get('Location')]).toEqual([
      303,
      expect.stringMatching(/^https:\/\/id\.acme\.test\/sso\?SAMLRequest=/),
    ]);
    const told = await sso({ provider_id: other.provider.id, skip_http_redirect: true });
    expect([told.status, await told.json()]).toEqual([
      200,
      { url: expect.stringMatching(/^https:\/\/id\.other\.test\/sso\?SAMLRequest=/) },
    ]);
    const { data } = await server.visitor().auth.signInWithSSO({ providerId: idp.provider.id });
    expect(data?.url).toMatch(/^https:\/\/id\.acme\.test\/sso\?/);
  });

  test.each([
    [{ domain: 'nobody.test' }, 404, 'sso_provider_not_found'],
    [{ provider_id: '00000000-0000-4000-8000-00000000dead' }, 404, 'sso_provider_not_found'],
    [{ provider_id: 'acme' }, 400, 'validation_failed'],
    [{}, 400, 'validation_failed'],
    [{ domain: 'acme.test', provider_id: '00000000-0000-4000-8000-00000000dead' }, 400, 'validation_failed'],
    [{ domain: 'acme.test', skip_http_redirect: 'yes' }, 400, 'validation_failed'],
    [{ domain: 'acme.test', code_challenge: 'short', code_challenge_method: 's256' }, 400, 'validation_failed'],
    [{ domain: ['acme.test'] }, 400, 'bad_json'],
  ])('R7.06 /sso with %j is refused with %i %s', async (body, status, code) => {
    const answer = await sso(body);
    expect([answer.status, await answer.json()]).toMatchObject([status, { error_code: code }]);
  });

  test('the metadata names entity id and address, wants assertions signed, and is there for anybody', async () => {
    const answer = await ask('sso/saml/metadata', { key: false });
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/xml']);
    const xml = await answer.text();
    expect(xml).toContain(`entityID="${server.url}/auth/v1/sso/saml/metadata"`);
    expect(xml).toContain(`Location="${server.url}/auth/v1/sso/saml/acs"`);
    expect(xml).toContain('WantAssertionsSigned="true"');
  });
});

describe('R7.06 back from the identity provider', () => {
  test('R7.06 a signed assertion makes an account at first and enters the same one after, session behind #', async () => {
    const { status, to, fragment } = await comesBack();
    expect([status, `${to.origin}${to.pathname}`]).toEqual([303, `${server.url}/auth`]);
    const user = await userOf(fragment);
    expect(user).toMatchObject({
      email: 'ida@acme.test',
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: `sso:${idp.provider.id}`, providers: [`sso:${idp.provider.id}`] },
      user_metadata: { full_name: 'Ida Test' },
      identities: [{ provider: `sso:${idp.provider.id}`, id: 'subject-1' }],
    });
    const amr = [{ method: 'sso/saml', provider: idp.provider.id }];
    expect(decodeJwt(fragment.get('access_token') ?? '')).toMatchObject({ amr, aal: 'aal1' });
    const again = await comesBack({ email: 'ida.new@acme.test' });
    expect((await userOf(again.fragment)).id).toBe(user.id);
  });

  test('R7.06 with a code challenge it leads back with a code that the asking client alone exchanges', async () => {
    const client = pkceClient();
    const { to } = await comesBack({}, { client });
    expect(to.hash).toBe('');
    const code = to.searchParams.get('code') ?? '';
    expect((await pkceClient().auth.exchangeCodeForSession(code)).error).not.toBeNull();
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect([error, data.user?.email]).toEqual([null, 'ida@acme.test']);
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ amr: [{ method: 'sso/saml' }] });
  });

  test.each<[string, Partial<AssertionFields>, string]>([
    ['for another audience', { audience: 'https://other.example' }, 'audience'],
    ['with another recipient', { recipient: 'https://other.example/acs' }, 'subject confirmation'],
    ['for another destination', { destination: 'https://other.example/acs' }, 'destination'],
    ['that expired', { notBefore: -10 * MINUTE_MS, notOnOrAfter: -MINUTE_MS }, 'time'],
    ['of a time to come', { notBefore: 5 * MINUTE_MS, notOnOrAfter: 10 * MINUTE_MS }, 'time'],
    ['of another issuer', { issuer: 'https://id.other.test/metadata' }, 'issuer'],
    ['to a request that was not ours', { responseTo: '_foreign', subjectTo: '_foreign' }, 'in response to'],
    ['to no request', { responseTo: '', subjectTo: '' }, 'in response to'],
    ['whose subject answers no request', { subjectTo: '' }, 'subject confirmation'],
    ['whose subject answers another request', { subjectTo: '_foreign' }, 'in response to'],
    ['that signs nobody in', { status: DENIED }, 'status'],
    ['with a name that changes each time', { format: TRANSIENT }, 'saml_assertion_no_user_id'],
    ['with an address of a foreign domain', { email: 'ida@other.test' }, 'email_address_not_authorized'],
    ['with an address below its domain', { email: 'ida@mail.acme.test' }, 'email_address_not_authorized'],
    ['without an address', { email: '' }, 'saml_assertion_no_email'],
  ])('a response %s is refused', async (_, changes, why) => {
    const { status, fragment } = await comesBack(changes);
    expect([status, fragment.get('access_token'), reason()]).toEqual([303, null, why]);
    expect(fragment.get('error_code')).toMatch(/^(validation_failed|access_denied|saml_|email_address_not_auth)/);
  });

  test('clocks half a minute apart are borne', async () => {
    const { fragment } = await comesBack({ notBefore: 20_000, notOnOrAfter: MINUTE_MS });
    expect(fragment.get('access_token')).not.toBeNull();
  });
});

describe('what is believed', () => {
  async function tried(make: (told: AssertionFields) => string) {
    const request = requestIn(await begun());
    const fields = { SAMLResponse: encoded(make(answerTo(request, idp))), RelayState: request.relayState };
    const { fragment } = await post(fields);
    return [fragment.get('access_token'), fragment.get('error_code'), reason()];
  }
  const refusedFor = (why: string) => [null, 'validation_failed', why];

  test('an assertion that nobody signed, or another key did, or was changed after it, is refused', async () => {
    expect(await tried(told => responseAround(told, assertionOf(told)))).toEqual(refusedFor('signature'));
    expect(await tried(told => signedResponse(told, other))).toEqual(refusedFor('signature'));
    const changed = (told: AssertionFields) => signedResponse(told).replace('ida@acme.test', 'eve@acme.test');
    expect(await tried(changed)).toEqual(refusedFor('signature'));
  });

  test('a second assertion beside or around the signed one is refused, whichever comes first', async () => {
    const forged = (told: AssertionFields) => assertionOf({ ...told, nameId: 'eve', email: 'eve@acme.test' });
    const own = (told: AssertionFields) => signAssertion(assertionOf(told), idp.privateKey);
    for (const order of [
      (told: AssertionFields) => forged(told) + own(told),
      (told: AssertionFields) => own(told) + forged(told),
      (told: AssertionFields) =>
        forged(told).replace('</saml:Subject>', `</saml:Subject><saml:Advice>${own(told)}</saml:Advice>`),
    ])
      expect(await tried(told => responseAround(told, order(told)))).toEqual(refusedFor('assertions'));
  });

  test('a signature with SHA-1 is refused', async () => {
    const weak = (told: AssertionFields) =>
      responseAround(told, signAssertion(assertionOf(told), idp.privateKey, true));
    expect(await tried(weak)).toEqual(refusedFor('algorithm'));
  });

  test('a comment, a document type, an unknown entity, XML that is none, too deep or too long is refused before any signature', async () => {
    const nested = `${'<a>'.repeat(40)}${'</a>'.repeat(40)}`;
    for (const make of [
      (told: AssertionFields) => signedResponse(told).replace('ida@acme.test', 'ida@acme.test<!-- -->'),
      (told: AssertionFields) => `<!DOCTYPE x>${signedResponse(told)}`,
      (told: AssertionFields) => signedResponse(told).replace('</samlp:Response>', ''),
      (told: AssertionFields) => signedResponse(told).replace('<samlp:Status>', `${nested}<samlp:Status>`),
      (told: AssertionFields) => signedResponse(told).replace('<samlp:Status>', `${'<a/>'.repeat(900)}<samlp:Status>`),
      (told: AssertionFields) => signedResponse(told).replace('<samlp:Status>', '<a>&name;</a><samlp:Status>'),
    ])
      expect(await tried(make)).toEqual(refusedFor('xml'));
  });

  test('a response counts once, and its assertion for no other request', async () => {
    const first = await comesBack();
    expect(first.fragment.get('access_token')).not.toBeNull();
    expect((await post(first.fields)).fragment.get('error_code')).toBe('saml_relay_state_not_found');
    const next = requestIn(await begun());
    const moved = first.xml.replace(/(<samlp:Response[^>]* InResponseTo=")[^"]*/, `$1${next.id}`);
    for (const xml of [first.xml, moved]) {
      const { relayState } = xml === moved ? next : requestIn(await begun());
      const { fragment } = await post({ SAMLResponse: encoded(xml), RelayState: relayState });
      expect([fragment.get('access_token'), reason()]).toEqual([null, 'in response to']);
    }
  });

  test('of two posts of one response at once one comes in', async () => {
    const request = requestIn(await begun());
    const fields = { SAMLResponse: encoded(signedResponse(answerTo(request, idp))), RelayState: request.relayState };
    const both = await Promise.all([post(fields), post(fields)]);
    expect(both.filter(({ fragment }) => fragment.has('access_token'))).toHaveLength(1);
  });

  test('a request is open for ten minutes; no state, a foreign one and one of /authorize lead nowhere', async () => {
    const request = requestIn(await begun());
    const fields = { SAMLResponse: encoded(signedResponse(answerTo(request, idp))), RelayState: request.relayState };
    const age = (minutes: number) =>
      server.ask(
        `update auth.flow_state set created_at = now() - interval '${minutes} minutes' where id = '${request.relayState}'`,
      );
    await age(11);
    const states = [request.relayState, '', `${server.url}/auth`, '00000000-0000-4000-8000-00000000dead'];
    for (const RelayState of states) {
      const { to, fragment } = await post({ ...fields, RelayState });
      expect([to.origin, fragment.get('error_code')]).toEqual([server.url, 'saml_relay_state_not_found']);
    }
    await age(9);
    expect((await post(fields)).fragment.has('access_token')).toBe(true);
    const { data } = await server.visitor().auth.signInWithOAuth({ provider: 'keycloak' });
    const there = (await fetch(data.url ?? '', { redirect: 'manual' })).headers.get('Location') ?? '';
    const state = new URL(there).searchParams.get('state') ?? '';
    const { fragment } = await post({ ...fields, RelayState: state });
    expect(fragment.get('error_code')).toBe('saml_idp_not_found');
  });

  test('an identity provider cannot answer for another one', async () => {
    const request = requestIn(await begun());
    const told = { ...answerTo(request, idp), issuer: other.provider.entityId };
    const fields = { SAMLResponse: encoded(signedResponse(told, other)), RelayState: request.relayState };
    expect((await post(fields)).fragment.has('access_token')).toBe(false);
    const theirs = await comesBack({}, { by: other });
    expect((await userOf(theirs.fragment)).email).toBe('ida@other.test');
  });

  test('the log tells the reason and the provider, and no word of a response', async () => {
    const { fields } = await comesBack({ audience: 'https://other.example', email: 'secret.name@acme.test' });
    expect(logged.join('')).toContain(`"provider":"${idp.provider.id}","reason":"audience"`);
    for (const part of [fields.SAMLResponse.slice(0, 40), 'secret.name', 'subject-1', 'other.example'])
      expect(logged.join('')).not.toContain(part);
  });
});

describe('whose account it is', () => {
  test('an address that has an account with a password does not lead into it', async () => {
    const email = 'paula@acme.test';
    const own = await server.visitor().auth.signUp({ email, password: PASSWORD });
    const user = await userOf((await comesBack({ nameId: 'paula', email })).fragment);
    expect([user.email, user.id === own.data.user?.id]).toEqual([email, false]);
    const { data } = await server.visitor().auth.signInWithPassword({ email, password: PASSWORD });
    expect(data.user?.id).toBe(own.data.user?.id);
    expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(['email']);
  });

  test('two first sign-ins of one person at once make one account', async () => {
    const came = await Promise.all([1, 2, 3].map(() => comesBack({ nameId: 'twin', email: 'twin@acme.test' })));
    const users = await Promise.all(came.map(({ fragment }) => userOf(fragment)));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
  });

  test('somebody who is banned stays out', async () => {
    const user = await userOf((await comesBack({ nameId: 'bert', email: 'bert@acme.test' })).fragment);
    await server.operator().auth.admin.updateUserById(user.id, { ban_duration: '1h' });
    const { fragment } = await comesBack({ nameId: 'bert', email: 'bert@acme.test' });
    expect([fragment.get('access_token'), fragment.get('error_code')]).toEqual([null, 'user_banned']);
  });

  test('address, password and further ways in stay with the identity provider', async () => {
    const { fragment } = await comesBack({ nameId: 'nora', email: 'nora@acme.test' });
    const client = server.visitor();
    const [access_token, refresh_token] = ['access_token', 'refresh_token'].map(name => fragment.get(name) ?? '');
    await client.auth.setSession({ access_token: access_token ?? '', refresh_token: refresh_token ?? '' });
    for (const change of [{ password: 'another long word' }, { email: 'nora@home.test' }])
      expect((await client.auth.updateUser(change)).error).toMatchObject({ status: 422, code: 'user_sso_managed' });
    expect((await client.auth.linkIdentity({ provider: 'keycloak' })).error?.code).toBe('user_sso_managed');
    expect((await client.auth.updateUser({ data: { full_name: 'Nora N.' } })).error).toBeNull();
  });
});

describe('the form', () => {
  test('a field twice, none, another type, no form and more than 128 kB are refused with 400', async () => {
    const twice = new URLSearchParams([
      ['SAMLResponse', 'eA=='],
      ['SAMLResponse', 'eA=='],
    ]);
    expect((await post(twice)).status).toBe(400);
    expect((await post({ RelayState: 'x' })).status).toBe(400);
    expect((await post({ SAMLResponse: 'x'.repeat(129 * 1024) })).status).toBe(400);
    const json = await ask('sso/saml/acs', { method: 'POST', body: '{"SAMLResponse":"x"}' });
    expect([json.status, await json.json()]).toMatchObject([400, { error_code: 'validation_failed' }]);
    const { fragment } = await post({ SAMLResponse: '%%%', RelayState: requestIn(await begun()).relayState });
    expect([fragment.get('error_code'), reason()]).toEqual(['validation_failed', 'xml']);
  });
});
