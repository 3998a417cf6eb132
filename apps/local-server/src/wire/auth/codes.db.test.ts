import { createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { withConnection } from '@cairn/database/prepare-database.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { answerForm } from './answer-form-for-tests.ts';
import { followed, emailsTo, nextEmail } from './emails-for-tests.ts';

let server: TestServer;
const PASSWORD = 'a long word';
const OTHER_ORIGIN = 'https://app.example.test';

beforeAll(async () => {
  server = await startTestServer({ auth: { confirmEmail: true, limitFactor: 1000 }, origins: [OTHER_ORIGIN] });
});
afterAll(() => server.stop());

let people = 0;
const newEmail = () => `person${(people += 1)}@example.test`;

/** A client that keeps its code verifier, as an app in a browser does. */
function pkceClient(ownFetch: typeof fetch = fetch) {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return createClient(server.url, server.secrets.publishableKey, {
    auth: { flowType: 'pkce', storage, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: ownFetch },
  });
}

async function confirmed() {
  const email = newEmail();
  const client = server.visitor();
  await client.auth.signUp({ email, password: PASSWORD });
  const { code } = await nextEmail(server, email);
  const { data } = await client.auth.verifyOtp({ email, token: code, type: 'signup' });
  if (!data.session) throw new Error('no session');
  return { client, email, session: data.session, id: data.session.user.id };
}

/** `POST /signup`, with the answer as it came. */
async function signUpAsIs(email: string, password: string, data: Record<string, unknown> = { full_name: 'Ann' }) {
  const headers = { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ email, password, data });
  const answer = await fetch(`${server.url}/auth/v1/signup`, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text(), email };
}

/** What remains when ids, times and the address are taken out: members and their order, and every other value. */
const formOf = ({ status, text }: { status: number; text: string }, email: string) => [status, answerForm(text, email)];

const expired = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' };

describe('confirming an address', () => {
  test('R7.02 a sign-up waits for its email; the code of the email signs in, once', async () => {
    const email = newEmail();
    const client = server.visitor();
    const { data, error } = await client.auth.signUp({ email, password: PASSWORD });
    expect([error, data.session]).toEqual([null, null]);
    expect(data.user).toMatchObject({ email, identities: [{ provider: 'email' }] });
    expect(data.user?.email_confirmed_at).toBeUndefined();
    const early = await client.auth.signInWithPassword({ email, password: PASSWORD });
    expect(early.error).toMatchObject({ status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' });
    const { code, subject } = await nextEmail(server, email);
    expect(subject).toBe('Confirm your email address');
    const verify = () => client.auth.verifyOtp({ email: email.toUpperCase(), token: code, type: 'signup' });
    const { data: done } = await verify();
    expect(done.user).toMatchObject({ email, user_metadata: { email_verified: true } });
    expect(decodeJwt(done.session?.access_token ?? '')).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }] });
    expect((await verify()).error).toMatchObject(expired);
    expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test('the link of the email leads back with the session behind #, once', async () => {
    const email = newEmail();
    const emailRedirectTo = `${server.url}/welcome?from=mail`;
    await server.visitor().auth.signUp({ email, password: PASSWORD, options: { emailRedirectTo } });
    const { link } = await nextEmail(server, email);
    const first = await followed(link);
    expect([first.status, first.url?.pathname, first.query.get('from')]).toEqual([303, '/welcome', 'mail']);
    expect(Object.fromEntries(first.fragment)).toMatchObject({
      type: 'signup',
      token_type: 'bearer',
      expires_in: '3600',
    });
    const { data } = await server.visitor().auth.setSession({
      access_token: first.fragment.get('access_token') ?? '',
      refresh_token: first.fragment.get('refresh_token') ?? '',
    });
    expect(data.user?.email).toBe(email);
    const second = await followed(link);
    expect(Object.fromEntries(second.fragment)).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
    });
  });

  test('its hash alone confirms as well, for pages of our own', async () => {
    const email = newEmail();
    await server.visitor().auth.signUp({ email, password: PASSWORD });
    const { tokenHash } = await nextEmail(server, email);
    const { data } = await server.visitor().auth.verifyOtp({ token_hash: tokenHash, type: 'email' });
    expect(data.session?.user.email).toBe(email);
  });

  test('signing up with an address that has an account looks the same, and tells nobody', async () => {
    const { email, id } = await confirmed();
    const { data, error } = await server.visitor().auth.signUp({ email, password: 'some other word' });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, role: 'authenticated', identities: [{ provider: 'email' }] });
    expect(data.user?.id).not.toBe(id);
    expect(await emailsTo(server, email)).toHaveLength(1);
    expect((await server.visitor().auth.signInWithPassword({ email, password: 'some other word' })).error?.code).toBe(
      'invalid_credentials',
    );
  });

  test('what a sign-up is answered has one form: for a new address, one that waits, one that was invited and one that has an account', async () => {
    const invited = newEmail();
    await server.operator().auth.admin.inviteUserByEmail(invited);
    const waiting = newEmail();
    await signUpAsIs(waiting, PASSWORD);
    const taken = await confirmed();
    const reply = await signUpAsIs(newEmail(), 'some other word');
    for (const [email, password] of [
      [waiting, PASSWORD],
      [waiting, 'some other word'],
      [invited, 'some other word'],
      [taken.email, 'some other word'],
    ] as const)
      expect(formOf(await signUpAsIs(email, password), email)).toEqual(formOf(reply, reply.email));
    const ids = await server.ask(
      `select id from auth.users where email in ('${invited}', '${waiting}', '${taken.email}')`,
    );
    const again = await Promise.all([invited, waiting, taken.email].map(email => signUpAsIs(email, PASSWORD)));
    for (const { id } of ids) expect(again.map(({ text }) => text).join(' ')).not.toContain(String(id));
  });

  test('what the database does not take of a sign-up is refused alike, with and without an account', async () => {
    const taken = await confirmed();
    const answers = await Promise.all(
      [newEmail(), taken.email].map(email => signUpAsIs(email, PASSWORD, { full_name: 'a\u0000b' })),
    );
    expect(answers.map(({ status }) => status)).not.toContain(200);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(answers[0]?.status).toBe(answers[1]?.status);
  });

  test('R7.05 signing up again before confirming, and POST /resend, send the code that works already, which works once', async () => {
    const email = newEmail();
    const client = server.visitor();
    await client.auth.signUp({ email, password: PASSWORD });
    const first = await nextEmail(server, email);
    expect((await client.auth.resend({ type: 'signup', email })).error).toBeNull();
    const second = await nextEmail(server, email, 1);
    await client.auth.signUp({ email, password: 'a later, longer word' });
    const third = await nextEmail(server, email, 2);
    expect([second.code, third.code]).toEqual([first.code, first.code]);
    expect((await client.auth.verifyOtp({ email, token: first.code, type: 'signup' })).error).toBeNull();
    expect((await client.auth.verifyOtp({ email, token: third.code, type: 'signup' })).error).toMatchObject(expired);
    expect((await client.auth.resend({ type: 'signup', email })).error).toBeNull();
    expect((await client.auth.resend({ type: 'signup', email: 'unknown@example.test' })).error).toBeNull();
    expect(await emailsTo(server, email)).toHaveLength(3);
  });

  test('who signed up with a foreign address has no way in once its owner confirmed: of two passwords neither is kept', async () => {
    const email = newEmail();
    const [thief, owner] = [server.visitor(), server.visitor()];
    await thief.auth.signUp({ email, password: PASSWORD, options: { data: { full_name: 'Not the owner' } } });
    await owner.auth.signUp({ email, password: 'a later, longer word' });
    await thief.auth.signUp({ email, password: PASSWORD });
    const { code } = await nextEmail(server, email, 2);
    const { data } = await owner.auth.verifyOtp({ email, token: code, type: 'signup' });
    expect(data.user?.user_metadata).not.toHaveProperty('full_name');
    const tried = await thief.auth.signInWithPassword({ email, password: PASSWORD });
    expect(tried.error?.code).toBe('invalid_credentials');
    expect((await owner.auth.updateUser({ password: 'a later, longer word' })).error).toBeNull();
    const entered = await server.visitor().auth.signInWithPassword({ email, password: 'a later, longer word' });
    expect(entered.error).toBeNull();
  });

  test.each(['otp', 'recovery', 'invitation', 'link'] as const)(
    'who signed up with a foreign address has no way in once its owner came by %s',
    async way => {
      const email = newEmail();
      const [thief, owner] = [server.visitor(), server.visitor()];
      await thief.auth.signUp({ email, password: PASSWORD, options: { data: { full_name: 'Not the owner' } } });
      await nextEmail(server, email);
      const { admin } = server.operator().auth;
      if (way === 'otp') await owner.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
      if (way === 'recovery') await owner.auth.resetPasswordForEmail(email);
      if (way === 'invitation') await admin.inviteUserByEmail(email);
      const made = way === 'link' ? await admin.generateLink({ type: 'recovery', email }) : null;
      const token = made?.data.properties?.email_otp ?? (await nextEmail(server, email, 1)).code;
      const type = way === 'otp' || way === 'invitation' ? 'email' : 'recovery';
      const { data, error } = await owner.auth.verifyOtp({ email, token, type });
      expect([error, data.user?.email]).toEqual([null, email]);
      expect(data.user?.user_metadata).not.toHaveProperty('full_name');
      const tried = await thief.auth.signInWithPassword({ email, password: PASSWORD });
      expect(tried.error?.code).toBe('invalid_credentials');
      expect((await owner.auth.updateUser({ password: 'a later, longer word' })).error).toBeNull();
    },
  );

  test('asking takes nothing from an account that was confirmed by another way in, and a letter sent again nothing at all', async () => {
    const [email, waiting] = [newEmail(), newEmail()];
    await server.operator().auth.admin.createUser({ email, password: PASSWORD });
    await server.ask(`update auth.users set phone = '4915112345', phone_confirmed_at = now() where email = '${email}'`);
    await server.visitor().auth.signInWithOtp({ email });
    await server.visitor().auth.signUp({ email: waiting, password: PASSWORD });
    await server.visitor().auth.resend({ type: 'signup', email: waiting });
    for (const [address, before] of [
      [email, 0],
      [waiting, 1],
    ] as const) {
      const { code } = await nextEmail(server, address, before);
      const entered = await server.visitor().auth.verifyOtp({ email: address, token: code, type: 'signup' });
      expect(entered.error).toBeNull();
      expect((await server.visitor().auth.signInWithPassword({ email: address, password: PASSWORD })).error).toBeNull();
    }
  });

  test('the same password again before confirming is kept', async () => {
    const email = newEmail();
    const client = server.visitor();
    await client.auth.signUp({ email, password: PASSWORD });
    await client.auth.signUp({ email, password: PASSWORD });
    const { code } = await nextEmail(server, email, 1);
    expect((await client.auth.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull();
    expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test('a code works for an hour', async () => {
    const email = newEmail();
    const client = server.visitor();
    await client.auth.signUp({ email, password: PASSWORD });
    const { code, link } = await nextEmail(server, email);
    await server.ask(`update auth.users set confirmation_sent_at = now() - interval '3601 s' where email = '${email}'`);
    expect((await client.auth.verifyOtp({ email, token: code, type: 'signup' })).error).toMatchObject(expired);
    expect((await followed(link)).fragment.get('error_code')).toBe('otp_expired');
  });

  test("a code is of one address and one kind: another's is none", async () => {
    const [mine, yours] = [newEmail(), newEmail()];
    const client = server.visitor();
    for (const email of [mine, yours]) await client.auth.signUp({ email, password: PASSWORD });
    const { code } = await nextEmail(server, mine);
    for (const [email, type] of [
      [yours, 'signup'],
      [mine, 'recovery'],
      [mine, 'email_change'],
    ] as const)
      expect((await client.auth.verifyOtp({ email, token: code, type })).error).toMatchObject(expired);
    expect((await client.auth.verifyOtp({ email: mine, token: code, type: 'email' })).error).toBeNull();
  });

  test('the database cannot be used to find out a code', async () => {
    const email = newEmail();
    await server.visitor().auth.signUp({ email, password: PASSWORD });
    const { code } = await nextEmail(server, email);
    const rows = await server.ask(`
      select 1 from auth.users where email = '${email}' and confirmation_token in
        (encode(sha224('${email}${code}'), 'hex'), encode(sha256('${email}${code}'), 'hex'), '${code}')`);
    expect(rows).toEqual([]);
  });
});

describe('where a link leads back to', () => {
  test.each([
    ['https://evil.example.test/x', null],
    ['javascript:alert(1)', null],
    ['https://app.example.test.evil.test/', null],
    ['https://app.example.test@evil.test/', null],
    ['//evil.test/', null],
    [`${OTHER_ORIGIN}/deep?a=1`, `${OTHER_ORIGIN}/deep`],
  ])('%s: %s', async (wanted, allowed) => {
    const email = newEmail();
    await server.visitor().auth.signUp({ email, password: PASSWORD, options: { emailRedirectTo: wanted } });
    const { link } = await nextEmail(server, email);
    const { url } = await followed(link);
    expect(`${url?.origin}${url?.pathname}`).toBe(allowed ?? `${server.url}/`);
  });

  test('an email never points at the host that a request claims', async () => {
    const { email } = await confirmed();
    const headers = { apikey: server.secrets.publishableKey, 'X-Forwarded-Host': 'evil.test', Host: 'evil.test' };
    await fetch(`${server.url}/auth/v1/recover`, { method: 'POST', headers, body: JSON.stringify({ email }) });
    expect((await nextEmail(server, email, 1)).link.startsWith(`${server.url}/`)).toBe(true);
  });
});

describe('R7.04 one-time codes', () => {
  test('POST /otp and POST /verify sign in who has an account', async () => {
    const { email, id } = await confirmed();
    const client = server.visitor();
    expect(await client.auth.signInWithOtp({ email })).toMatchObject({
      error: null,
      data: { user: null, session: null },
    });
    const { code, link } = await nextEmail(server, email, 1);
    expect(new URL(link).searchParams.get('type')).toBe('magiclink');
    const { data } = await client.auth.verifyOtp({ email, token: code, type: 'email' });
    expect(data.user?.id).toBe(id);
  });

  test('somebody new gets an account that the code confirms, unless that is not wanted', async () => {
    const email = newEmail();
    const client = server.visitor();
    const refused = await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    expect(refused.error).toMatchObject({ status: 422, code: 'otp_disabled', message: 'Signups not allowed for otp' });
    await client.auth.signInWithOtp({ email, options: { data: { full_name: 'Otto' } } });
    const { code } = await nextEmail(server, email);
    const { data } = await client.auth.verifyOtp({ email, token: code, type: 'email' });
    expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Otto' } });
  });

  test('a phone number is not enabled', async () => {
    const sent = await server.visitor().auth.signInWithOtp({ phone: '+15550001111' });
    expect(sent.error).toMatchObject({ status: 400, code: 'phone_provider_disabled' });
    const verified = await server.visitor().auth.verifyOtp({ phone: '+15550001111', token: '123456', type: 'sms' });
    expect(verified.error).toMatchObject(expired);
  });

  test('the link with a code challenge leads back with a code that only the asking client can use, once', async () => {
    const { email, id } = await confirmed();
    const client = pkceClient();
    await client.auth.signInWithOtp({ email, options: { emailRedirectTo: `${server.url}/auth` } });
    const { link, tokenHash } = await nextEmail(server, email, 1);
    expect(tokenHash).toMatch(/^pkce_/);
    const { query, fragment } = await followed(link);
    expect([...fragment.keys()]).toEqual([]);
    const code = query.get('code') ?? '';
    const thief = pkceClient();
    await thief.auth.signInWithOtp({ email: newEmail() });
    expect((await thief.auth.exchangeCodeForSession(code)).error).toMatchObject({
      status: 400,
      code: 'bad_code_verifier',
    });
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect([error, data.user?.id]).toEqual([null, id]);
    await client.auth.signInWithOtp({ email });
    expect((await client.auth.exchangeCodeForSession(code)).error).toMatchObject({ code: 'flow_state_not_found' });
  });

  test("a stranger who asks for a code takes nobody's away, however often: each email works until one is used", async () => {
    const { email, id } = await confirmed();
    const owner = pkceClient();
    await owner.auth.resetPasswordForEmail(email);
    const second = await nextEmail(server, email, 1);
    for (let n = 2; n < 6; n += 1) {
      const stranger = pkceClient();
      await (n % 2 === 0
        ? stranger.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })
        : stranger.auth.resetPasswordForEmail(email));
      await nextEmail(server, email, n);
      // The second half of its life: another one is made, beside it.
      if (n !== 3) continue;
      await server.ask(
        `update auth.users set recovery_sent_at = recovery_sent_at - interval '31 minutes' where id = '${id}'`,
      );
    }
    const { query } = await followed(second.link);
    const { data, error } = await owner.auth.exchangeCodeForSession(query.get('code') ?? '');
    expect([error, data.user?.id]).toEqual([null, id]);
    const last = await nextEmail(server, email, 5);
    expect(last.code).not.toBe(second.code);
    const late = await server.visitor().auth.verifyOtp({ email, token: last.code, type: 'recovery' });
    expect(late.error).toMatchObject(expired);
  });

  test('R7.03 grant_type password, refresh_token and pkce each answer a session of the person', async () => {
    const { email, id } = await confirmed();
    const grants: (string | null)[] = [];
    const recording: typeof fetch = (input, init) => {
      const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
      if (pathname === '/auth/v1/token') grants.push(`${init?.method} ${searchParams.get('grant_type')}`);
      return fetch(input, init);
    };
    const client = pkceClient(recording);
    const { data: password } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    const { data: refreshed } = await client.auth.refreshSession();
    await client.auth.signInWithOtp({ email });
    const code = (await followed((await nextEmail(server, email, 1)).link)).query.get('code') ?? '';
    const { data: exchanged } = await client.auth.exchangeCodeForSession(code);
    expect(grants).toEqual(['POST password', 'POST refresh_token', 'POST pkce']);
    const tokens = [password, refreshed, exchanged].map(({ session }) => session?.access_token ?? '');
    expect(new Set(tokens).size).toBe(3);
    expect(tokens.map(token => decodeJwt(token).sub)).toEqual([id, id, id]);
  });

  test('R7.02 a sign-up with a code challenge is confirmed the same way, and its code lives five minutes', async () => {
    const email = newEmail();
    const client = pkceClient();
    await client.auth.signUp({ email, password: PASSWORD });
    const code = (await followed((await nextEmail(server, email)).link)).query.get('code') ?? '';
    const age = (sign: string) =>
      server.ask(`update auth.flow_state set auth_code_issued_at = auth_code_issued_at ${sign} interval '301 s'
        where auth_code = '${code}'`);
    const headers = { apikey: server.secrets.publishableKey };
    const body = JSON.stringify({ auth_code: code, code_verifier: 'x'.repeat(60) });
    await age('-');
    const late = await fetch(`${server.url}/auth/v1/token?grant_type=pkce`, { method: 'POST', headers, body });
    expect([late.status, await late.json()]).toMatchObject([422, { error_code: 'flow_state_expired' }]);
    await age('+');
    expect((await client.auth.exchangeCodeForSession(code)).data.user?.email).toBe(email);
  });

  test('R7.02 a sign-up carries address, password, data, captcha and code challenge', async () => {
    const bodies: Record<string, unknown>[] = [];
    const recording: typeof fetch = (input, init) => {
      bodies.push(JSON.parse(typeof init?.body === 'string' ? init.body : 'null'));
      return fetch(input, init);
    };
    const client = pkceClient(recording);
    const email = newEmail();
    const options = { data: { full_name: 'Carla' }, captchaToken: 'a token' };
    expect((await client.auth.signUp({ email, password: PASSWORD, options })).error).toBeNull();
    expect(bodies).toEqual([
      {
        email,
        password: PASSWORD,
        data: { full_name: 'Carla' },
        gotrue_meta_security: { captcha_token: 'a token' },
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 's256',
      },
    ]);
  });

  test('half a code challenge is refused', async () => {
    const headers = { apikey: server.secrets.publishableKey };
    const body = JSON.stringify({ email: newEmail(), code_challenge: 'x'.repeat(43) });
    const answer = await fetch(`${server.url}/auth/v1/otp`, { method: 'POST', headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error_code: 'validation_failed' }]);
  });
});

describe('R7.05 recovering a password', () => {
  test('POST /recover sends an email; its session sets a new password and ends the others', async () => {
    const { email, client: before } = await confirmed();
    const client = server.visitor();
    expect(await client.auth.resetPasswordForEmail(email)).toMatchObject({ error: null, data: {} });
    const { code, subject } = await nextEmail(server, email, 1);
    expect(subject).toBe('Reset your password');
    expect((await client.auth.verifyOtp({ email, token: code, type: 'recovery' })).error).toBeNull();
    const same = await client.auth.updateUser({ password: PASSWORD });
    expect(same.error).toMatchObject({ status: 422, code: 'same_password' });
    const weak = await client.auth.updateUser({ password: 'short' });
    expect(weak.error).toMatchObject({ status: 422, code: 'weak_password', reasons: ['length'] });
    expect((await client.auth.updateUser({ password: 'my new word' })).error).toBeNull();
    expect((await before.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await client.auth.signInWithPassword({ email, password: 'my new word' })).error).toBeNull();
  });

  test('whether an address has an account cannot be told from the answer', async () => {
    const { email } = await confirmed();
    const ask = async (address: string) => {
      const headers = { apikey: server.secrets.publishableKey };
      const init = { method: 'POST', headers, body: JSON.stringify({ email: address }) };
      const answer = await fetch(`${server.url}/auth/v1/recover`, init);
      return [answer.status, await answer.text()];
    };
    expect(await ask(email)).toEqual(await ask('unknown@example.test'));
  });

  test('nor from how long it takes, also while somebody holds the account', async () => {
    const { email } = await confirmed();
    const asked = withConnection(server.databaseUrl, sql =>
      sql.begin(async tx => {
        await tx`select from auth.users where email = ${email} for update`;
        // Answered before the account is let go: what waits for it would wait for ever.
        return (await server.visitor().auth.resetPasswordForEmail(email)).error;
      }),
    );
    expect(await asked).toBeNull();
    expect((await nextEmail(server, email, 1)).subject).toBe('Reset your password');
  });

  test('two that come with the same link: one gets in', async () => {
    const { email } = await confirmed();
    await server.visitor().auth.resetPasswordForEmail(email);
    const { link } = await nextEmail(server, email, 1);
    const answers = await Promise.all([followed(link), followed(link), followed(link)]);
    expect(answers.filter(({ fragment }) => fragment.has('access_token'))).toHaveLength(1);
  });
});
