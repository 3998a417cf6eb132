import { createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOfApp } from '../../authenticator-for-tests.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

let server: TestServer;
const PASSWORD = 'a long word';

beforeAll(async () => {
  server = await startTestServer({ auth: { confirmEmail: false, limitFactor: 1 } });
});
afterAll(() => server.stop());

/** Recovery codes stand behind a switch of the client library. */
const client = () =>
  createClient(server.url, server.secrets.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, experimental: { recoveryCodes: true } },
  });

let people = 0;
async function somebody() {
  people += 1;
  const email = `person${people}@example.test`;
  const own = client();
  const { data } = await own.auth.signUp({ email, password: PASSWORD });
  if (!data.session) throw new Error('no session');
  return { client: own, email, id: data.session.user.id, session: data.session };
}

async function signIn(email: string) {
  const own = client();
  const { data } = await own.auth.signInWithPassword({ email, password: PASSWORD });
  if (!data.session) throw new Error('no session');
  return { client: own, session: data.session };
}

type Client = ReturnType<typeof client>;

const secretIn = (uri: string) => new URL(uri).searchParams.get('secret') ?? '';
/** The code of so many half minutes from now. */
const codeAt = (uri: string, steps: number) =>
  new TOTP({ secret: secretIn(uri) }).generate({ timestamp: Date.now() + steps * 30_000 });
const codeOf = (uri: string) => codeOfApp(secretIn(uri));

async function enrol(own: Client, friendlyName = 'phone') {
  const { data, error } = await own.auth.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) throw error;
  return data;
}

/** Enrolled and confirmed: the client's session is at the second level. */
async function withFactor() {
  const person = await somebody();
  const { id, totp } = await enrol(person.client);
  const { error } = await person.client.auth.mfa.challengeAndVerify({ factorId: id, code: codeOf(totp.uri) });
  if (error) throw error;
  return { ...person, factorId: id, uri: totp.uri };
}

const levels = async (own: Client) => (await own.auth.mfa.getAuthenticatorAssuranceLevel()).data;

describe('R7.11 a second factor', () => {
  test('enrol gives a picture, the secret and the address that apps read', async () => {
    const { client: own, email } = await somebody();
    const factor = await enrol(own);
    expect(factor).toMatchObject({ type: 'totp', friendly_name: 'phone', id: expect.any(String) });
    expect(factor.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /);
    const uri = new URL(factor.totp.uri);
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      `/${new URL(server.url).host}:${email}`,
    ]);
    expect(uri.searchParams.get('secret')).toBe(factor.totp.secret);
    const rows = await server.ask(`select 1 from auth.mfa_factors where secret like '%${factor.totp.secret}%'`);
    expect(rows).toEqual([]);
  });

  test('an issuer or a name that no app would show is refused before anything is drawn or kept', async () => {
    const { client: own } = await somebody();
    for (const long of [{ issuer: 'x'.repeat(300) }, { issuer: 'ü'.repeat(60) }, { friendlyName: 'x'.repeat(300) }]) {
      const { error } = await own.auth.mfa.enroll({ factorType: 'totp', ...long });
      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    }
    expect((await own.auth.mfa.listFactors()).data?.all).toEqual([]);
    expect((await own.auth.mfa.enroll({ factorType: 'totp', issuer: 'Müller & Söhne, Halle 3' })).error).toBeNull();
  });

  test('challenge and verify lift the session; the token names level and methods', async () => {
    const { client: own } = await somebody();
    expect(await levels(own)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
    const { id, totp } = await enrol(own);
    const { data: challenge } = await own.auth.mfa.challenge({ factorId: id });
    expect(challenge).toMatchObject({ id: expect.any(String), type: 'totp', expires_at: expect.any(Number) });
    const { data, error } = await own.auth.mfa.verify({
      factorId: id,
      challengeId: challenge?.id ?? '',
      code: codeOf(totp.uri),
    });
    expect(error).toBeNull();
    expect(data).toMatchObject({ token_type: 'bearer', expires_in: 3600, refresh_token: expect.any(String) });
    expect(data?.user.factors).toEqual([expect.objectContaining({ id, status: 'verified', factor_type: 'totp' })]);
    expect(await levels(own)).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'totp' }, { method: 'password' }],
    });
    const { data: list } = await own.auth.mfa.listFactors();
    expect(list?.totp.map(factor => factor.id)).toEqual([id]);
    const { data: renewed } = await own.auth.refreshSession();
    expect(decodeJwt(renewed.session?.access_token ?? '')).toMatchObject({ aal: 'aal2' });
  });

  test('the next sign-in is at the first level and asks for the factor', async () => {
    const { email, factorId, uri } = await withFactor();
    const { client: own } = await signIn(email);
    expect(await levels(own)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    expect((await own.auth.mfa.challengeAndVerify({ factorId, code: codeOf(uri) })).error).toBeNull();
    expect(await levels(own)).toMatchObject({ currentLevel: 'aal2' });
  });

  test('confirming the first factor ends the sessions that did not show it', async () => {
    const person = await somebody();
    const elsewhere = await signIn(person.email);
    const { id, totp } = await enrol(person.client);
    await person.client.auth.mfa.challengeAndVerify({ factorId: id, code: codeOf(totp.uri) });
    const { error } = await elsewhere.client.auth.getUser(elsewhere.session.access_token);
    expect(error?.name).toBe('AuthSessionMissingError');
  });

  test('a wrong code, a code of ten minutes ago, and an answered challenge are refused', async () => {
    const { client: own } = await somebody();
    const { id: factorId, totp } = await enrol(own);
    const { data } = await own.auth.mfa.challenge({ factorId });
    const challengeId = data?.id ?? '';
    const verify = (code: string) => own.auth.mfa.verify({ factorId, challengeId, code });
    const wrong = { status: 422, code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' };
    expect((await verify(codeAt(totp.uri, -20))).error).toMatchObject(wrong);
    expect((await verify('abcdef')).error).toMatchObject(wrong);
    expect((await verify(codeOf(totp.uri))).error).toBeNull();
    expect((await verify(codeOf(totp.uri))).error).toMatchObject({ status: 422, code: 'mfa_ip_address_mismatch' });
  });

  test('a code opens once, also when it comes four times at the same moment, and none before it opens after it', async () => {
    const { email, factorId, uri } = await withFactor();
    const others = await Promise.all([1, 2, 3, 4].map(async () => (await signIn(email)).client));
    const code = codeAt(uri, 1);
    const tries = others.map(
      async other => (await other.auth.mfa.challengeAndVerify({ factorId, code })).error === null,
    );
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    const { client: late } = await signIn(email);
    const before = await late.auth.mfa.challengeAndVerify({ factorId, code: codeAt(uri, 0) });
    expect(before.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
    expect(await levels(late)).toMatchObject({ currentLevel: 'aal1' });
  });

  test('a challenge lives five minutes, and is of one factor', async () => {
    const { client: own } = await somebody();
    const [one, two] = [await enrol(own, 'one'), await enrol(own, 'two')];
    const { data } = await own.auth.mfa.challenge({ factorId: one.id });
    const challengeId = data?.id ?? '';
    const foreign = await own.auth.mfa.verify({ factorId: two.id, challengeId, code: codeOf(two.totp.uri) });
    expect(foreign.error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
    await server.ask(
      `update auth.mfa_challenges set created_at = now() - interval '301 s' where id = '${challengeId}'`,
    );
    const late = await own.auth.mfa.verify({ factorId: one.id, challengeId, code: codeOf(one.totp.uri) });
    expect(late.error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' });
  });

  test("another person's factor cannot be seen, challenged, answered or removed", async () => {
    const owner = await withFactor();
    const { client: other } = await somebody();
    const { factorId } = owner;
    const answers = [
      await other.auth.mfa.challenge({ factorId }),
      await other.auth.mfa.verify({ factorId, challengeId: factorId, code: codeOf(owner.uri) }),
      await other.auth.mfa.unenroll({ factorId }),
    ];
    for (const { error } of answers) expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' });
    expect((await other.auth.mfa.listFactors()).data?.all).toEqual([]);
  });

  test('names are told apart, other kinds are not enabled, ten are enough', async () => {
    const { client: own } = await somebody();
    await enrol(own, 'same');
    const twice = await own.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'same' });
    expect(twice.error).toMatchObject({ status: 422, code: 'mfa_factor_name_conflict' });
    const phone = await own.auth.mfa.enroll({ factorType: 'phone', phone: '+15550001111' });
    expect(phone.error).toMatchObject({ status: 422, code: 'mfa_phone_enroll_not_enabled' });
    const key = await own.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'key' });
    expect(key.error).toMatchObject({ status: 422, code: 'mfa_webauthn_enroll_not_enabled' });
    for (let n = 1; n < 10; n += 1) await enrol(own, `factor ${n}`);
    const eleventh = await own.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'more' });
    expect(eleventh.error).toMatchObject({ status: 422, code: 'too_many_enrolled_mfa_factors' });
  });

  test('with a factor, adding or removing one and changing password, address or data, and ending other sessions need the second level', async () => {
    const { email, factorId, client: raised } = await withFactor();
    const { client: own } = await signIn(email);
    const enrolled = await own.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'thief' });
    expect(enrolled.error).toMatchObject({ status: 403, code: 'insufficient_aal' });
    const removed = await own.auth.mfa.unenroll({ factorId });
    expect(removed.error).toMatchObject({ status: 422, code: 'insufficient_aal' });
    for (const change of [{ password: 'another long word' }, { email: 'thief@example.test' }, { data: { a: 1 } }])
      expect((await own.auth.updateUser(change)).error).toMatchObject({ status: 401, code: 'insufficient_aal' });
    for (const scope of ['others', 'global'] as const)
      expect((await own.auth.signOut({ scope })).error).toMatchObject({ status: 422, code: 'insufficient_aal' });
    expect((await raised.auth.getUser()).error).toBeNull();
    expect((await own.auth.signOut({ scope: 'local' })).error).toBeNull();
    expect((await raised.auth.updateUser({ password: 'another long word' })).error).toBeNull();
  });

  test('unenrol takes it out and the session is an ordinary one again', async () => {
    const { client: own, factorId } = await withFactor();
    expect(await own.auth.mfa.unenroll({ factorId })).toEqual({ data: { id: factorId }, error: null });
    const { data } = await own.auth.refreshSession();
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
    expect((await own.auth.mfa.listFactors()).data?.all).toEqual([]);
  });

  test('a factor that is taken out takes the level of the sessions it raised, whatever their tokens say; who does it keeps theirs', async () => {
    const owner = await withFactor();
    const other = await enrol(owner.client, 'new phone');
    const raised = await owner.client.auth.mfa.challengeAndVerify({ factorId: other.id, code: codeOf(other.totp.uri) });
    expect(raised.error).toBeNull();
    const { client: lost } = await signIn(owner.email);
    const code = codeAt(owner.uri, 1);
    expect((await lost.auth.mfa.challengeAndVerify({ factorId: owner.factorId, code })).error).toBeNull();
    expect((await lost.from('notes').select('id')).error).toBeNull();
    expect((await owner.client.auth.mfa.unenroll({ factorId: owner.factorId })).error).toBeNull();
    expect(await lost.from('notes').select('id')).toMatchObject({ status: 401, data: null });
    expect((await owner.client.from('notes').select('id')).error).toBeNull();
    expect(await levels(owner.client)).toMatchObject({ currentLevel: 'aal2' });
  });

  test('codes cannot be tried on end: after ten wrong ones the person waits', async () => {
    const { client: own } = await somebody();
    const { id: factorId, totp } = await enrol(own);
    const wrong = String((Number(codeOf(totp.uri)) + 500_000) % 1_000_000).padStart(6, '0');
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < 11; n += 1)
      codes.push((await own.auth.mfa.challengeAndVerify({ factorId, code: wrong })).error?.code);
    expect(codes.filter(code => code === 'mfa_verification_failed')).toHaveLength(10);
    expect(codes.at(-1)).toBe('over_request_rate_limit');
    const right = await own.auth.mfa.challengeAndVerify({ factorId, code: codeOf(totp.uri) });
    expect(right.error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
  });
});

describe('recovery codes', () => {
  test('ten are given once; each opens the second level once, however it is written', async () => {
    const { client: own, email, factorId } = await withFactor();
    const { data, error } = await own.auth.mfa.recoveryCodes.generate();
    expect(error).toBeNull();
    expect(data).toMatchObject({ type: 'recovery_code', total: 10, friendly_name: 'Recovery codes' });
    const codes = data?.codes ?? [];
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
    const { client: lost } = await signIn(email);
    const [first = ''] = codes;
    const used = await lost.auth.mfa.recoveryCodes.verify({ code: ` ${first.toUpperCase().replaceAll('-', ' ')} ` });
    expect(used.error).toBeNull();
    const again = await lost.auth.mfa.recoveryCodes.verify({ code: first });
    expect(again.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
    expect(await levels(lost)).toMatchObject({
      currentLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
    });
    expect((await lost.auth.mfa.recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 });
    expect((await lost.auth.mfa.unenroll({ factorId })).error).toBeNull();
    const { data: list } = await lost.auth.mfa.listFactors();
    expect(list?.all).toEqual([]);
  });

  test('a code opens once, also when it comes four times at the same moment', async () => {
    const { client: own, email } = await withFactor();
    const code = (await own.auth.mfa.recoveryCodes.generate()).data?.codes[0] ?? '';
    const { session } = await signIn(email);
    const headers = { apikey: server.secrets.publishableKey, Authorization: `Bearer ${session.access_token}` };
    const verify = () =>
      fetch(`${server.url}/auth/v1/factors/recovery-codes/verify`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ code }),
      });
    const answers = await Promise.all([verify(), verify(), verify(), verify()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422]);
  });

  test('the database holds none in clear; a new set ends the old one', async () => {
    const { client: own } = await withFactor();
    const code = (await own.auth.mfa.recoveryCodes.generate()).data?.codes[0] ?? '';
    const plain = code.replaceAll('-', '');
    expect(
      await server.ask(`select 1 from auth.mfa_recovery_codes where code_hash in ('${code}', '${plain}')`),
    ).toEqual([]);
    const { data } = await own.auth.mfa.recoveryCodes.regenerate();
    expect(data?.codes).toHaveLength(10);
    const old = await own.auth.mfa.recoveryCodes.verify({ code });
    expect(old.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
  });

  test('a new set is asked for sixty times in five minutes at most', async () => {
    const { client: own } = await withFactor();
    await own.auth.mfa.recoveryCodes.generate();
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < 62; n += 1) statuses.push((await own.auth.mfa.recoveryCodes.regenerate()).error?.status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter(status => status === undefined).length).toBeLessThanOrEqual(60);
  });

  test('they need the second level and another factor, and there is one set', async () => {
    const { client: plain } = await somebody();
    expect((await plain.auth.mfa.recoveryCodes.generate()).error).toMatchObject({
      status: 403,
      code: 'insufficient_aal',
    });
    expect((await plain.auth.mfa.recoveryCodes.getStatus()).error).toMatchObject({
      status: 404,
      code: 'mfa_factor_not_found',
    });
    const { client: own, email } = await withFactor();
    const first = await own.auth.mfa.recoveryCodes.generate();
    const again = await own.auth.mfa.recoveryCodes.generate();
    expect(again.error).toMatchObject({ status: 422, code: 'mfa_verified_factor_exists' });
    const { client: byCode } = await signIn(email);
    const code = first.data?.codes[0] ?? '';
    expect((await byCode.auth.mfa.recoveryCodes.verify({ code })).error).toBeNull();
    expect((await byCode.from('notes').select('id')).error).toBeNull();
    expect((await own.auth.mfa.recoveryCodes.unenroll()).error).toBeNull();
    expect((await byCode.from('notes').select('id')).status).toBe(401);
    expect((await own.from('notes').select('id')).error).toBeNull();
    expect((await own.auth.mfa.recoveryCodes.getStatus()).error?.code).toBe('mfa_factor_not_found');
    expect(await levels(own)).toMatchObject({ currentLevel: 'aal2' });
  });

  test('after five wrong ones even a right one waits', async () => {
    const { client: own, email } = await withFactor();
    const code = (await own.auth.mfa.recoveryCodes.generate()).data?.codes[0] ?? '';
    const { client: thief } = await signIn(email);
    for (let n = 0; n < 5; n += 1)
      expect((await thief.auth.mfa.recoveryCodes.verify({ code: 'aaaa-aaaa-aaaa' })).error?.status).toBe(422);
    const locked = await thief.auth.mfa.recoveryCodes.verify({ code });
    expect(locked.error).toMatchObject({ status: 429, code: 'mfa_recovery_codes_locked' });
    await server.ask(`update auth.mfa_recovery_code_sets set verification_locked_until = now() - interval '1 s'`);
    expect((await thief.auth.mfa.recoveryCodes.verify({ code })).error).toBeNull();
  });
});
