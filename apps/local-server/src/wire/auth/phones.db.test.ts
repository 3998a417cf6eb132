import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MailOutbox } from '@cairn/supabase-local/mail/mail-outbox.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { answerForm } from './answer-form-for-tests.ts';

const PASSWORD = 'a long word';
const expired = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' };
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ sms: { provider: 'local' }, auth: { confirmEmail: false, limitFactor: 1000 } });
});
afterAll(() => server.stop());

let numbers = 0;
const newPhone = () => `+4915100${String(10_000 + (numbers += 1))}`;

/** Text messages that came to a number, the newest first. */
const messagesTo = async (phone: string) =>
  (await new MailOutbox(server.data).list()).filter(({ to }) => to === phone).map(({ text = '' }) => text);

/** The code of the newest message to a number that has `before` of them, waited for. */
async function nextCode(phone: string, before = 0): Promise<string> {
  await expect.poll(async () => (await messagesTo(phone)).length).toBe(before + 1);
  return /\b\d{6}\b/.exec((await messagesTo(phone))[0] ?? '')?.[0] ?? '';
}

async function confirmed() {
  const phone = newPhone();
  const client = server.visitor();
  await client.auth.signUp({ phone, password: PASSWORD });
  const { data } = await client.auth.verifyOtp({ phone, token: await nextCode(phone), type: 'sms' });
  if (!data.session) throw new Error('no session');
  return { client, phone, id: data.session.user.id, token: data.session.access_token };
}

const ask = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const init = { method: 'POST', headers: { apikey: server.secrets.publishableKey, ...headers } };
  const answer = await fetch(`${server.url}/auth/v1/${path}`, { ...init, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const formOf = (value: unknown) => answerForm(JSON.stringify(value), /4915100\d{5}/g);

describe('signing up', () => {
  test('R7.02 POST /signup with phone, password, data and captcha waits for the code of a text message, which signs in once', async () => {
    const phone = newPhone();
    const bare = phone.slice(1);
    const bodies: unknown[] = [];
    const { auth } = server.visitorWith((input, init) => {
      bodies.push(JSON.parse(typeof init?.body === 'string' ? init.body : 'null'));
      return fetch(input, init);
    });
    const options = { data: { full_name: 'Tella' }, captchaToken: 'a token' };
    const { data, error } = await auth.signUp({ phone, password: PASSWORD, options });
    expect(bodies).toEqual([
      expect.objectContaining({
        phone,
        password: PASSWORD,
        data: { full_name: 'Tella' },
        gotrue_meta_security: { captcha_token: 'a token' },
      }),
    ]);
    expect([error, data.session]).toEqual([null, null]);
    expect(data.user).toMatchObject({
      phone: bare,
      email: '',
      app_metadata: { provider: 'phone' },
      user_metadata: { full_name: 'Tella' },
      identities: [{ provider: 'phone', identity_data: { phone: bare, phone_verified: false } }],
    });
    const early = await auth.signInWithPassword({ phone, password: PASSWORD });
    expect(early.error).toMatchObject({ status: 400, code: 'phone_not_confirmed', message: 'Phone not confirmed' });
    const token = await nextCode(phone);
    expect(
      (await auth.verifyOtp({ phone, token: '000000' === token ? '1' : '000000', type: 'sms' })).error,
    ).toMatchObject(expired);
    const done = await auth.verifyOtp({ phone, token, type: 'sms' });
    expect(done.data.user).toMatchObject({ phone: bare, phone_confirmed_at: expect.any(String) });
    expect(decodeJwt(done.data.session?.access_token ?? '')).toMatchObject({ phone: bare, amr: [{ method: 'otp' }] });
    expect((await auth.verifyOtp({ phone, token, type: 'sms' })).error).toMatchObject(expired);
  });

  test('R7.03 R5.03 phone and password sign in, however the number is written; one without the other is refused', async () => {
    const { phone, id } = await confirmed();
    for (const written of [phone, phone.slice(1), `${phone.slice(0, 3)} ${phone.slice(3)}`]) {
      const { data } = await server.visitor().auth.signInWithPassword({ phone: written, password: PASSWORD });
      expect(data.user?.id).toBe(id);
    }
    const wrong = await server.visitor().auth.signInWithPassword({ phone, password: 'not this one' });
    expect(wrong.error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    });
    for (const [path, body] of [
      ['token?grant_type=password', { password: PASSWORD }],
      ['token?grant_type=password', { phone, email: 'a@example.test', password: PASSWORD }],
      ['signup', { phone }],
      ['signup', { phone, email: 'a@example.test', password: PASSWORD }],
      ['otp', {}],
      ['otp', { phone, email: 'a@example.test' }],
      ['verify', { type: 'sms', token: '123456' }],
      ['verify', { type: 'sms', phone }],
      ['verify', { type: 'signup', phone, token: '123456' }],
    ] as const)
      expect([path, body, await ask(path, body)]).toMatchObject([path, body, { status: 400 }]);
    const noPassword = await ask('token?grant_type=password', { phone });
    expect(noPassword).toMatchObject({ status: 400, body: { error_code: 'invalid_credentials' } });
  });

  test.each(['112', 'nobody', '+0151234567', '+49151 1234567 1234567', '+49151<b>2345'])(
    'the number %s is refused',
    async phone => {
      const { error } = await server.visitor().auth.signInWithOtp({ phone });
      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    },
  );

  test('a number that has an account answers as a new one does; nobody is texted and nothing changes', async () => {
    const { phone, id } = await confirmed();
    const { data, error } = await server.visitor().auth.signUp({ phone, password: 'some other word' });
    expect([error, data.session]).toEqual([null, null]);
    const { data: unknown } = await server.visitor().auth.signUp({ phone: newPhone(), password: 'some other word' });
    expect(formOf(data.user)).toEqual(formOf(unknown.user));
    expect(data.user?.id).not.toBe(id);
    expect(await messagesTo(phone)).toHaveLength(1);
    const tried = await server.visitor().auth.signInWithPassword({ phone, password: 'some other word' });
    expect(tried.error?.code).toBe('invalid_credentials');
  });

  test.each(['signUp', 'otp'] as const)(
    'who signed up with a foreign number has no way in once its owner came by %s',
    async way => {
      const phone = newPhone();
      const [thief, owner] = [server.visitor(), server.visitor()];
      await thief.auth.signUp({ phone, password: PASSWORD, options: { data: { full_name: 'Not the owner' } } });
      if (way === 'signUp') await owner.auth.signUp({ phone, password: 'a later, longer word' });
      else await owner.auth.signInWithOtp({ phone });
      const { data } = await owner.auth.verifyOtp({ phone, token: await nextCode(phone, 1), type: 'sms' });
      expect(data.user?.user_metadata).not.toHaveProperty('full_name');
      const tried = await thief.auth.signInWithPassword({ phone, password: PASSWORD });
      expect(tried.error?.code).toBe('invalid_credentials');
    },
  );
});

describe('R7.04 one-time codes by text message', () => {
  test('POST /otp and POST /verify sign in who has an account, and make one unless that is not wanted', async () => {
    const { phone, id } = await confirmed();
    expect((await server.visitor().auth.signInWithOtp({ phone })).error).toBeNull();
    const known = await server.visitor().auth.verifyOtp({ phone, token: await nextCode(phone, 1), type: 'sms' });
    expect(known.data.user?.id).toBe(id);

    const fresh = newPhone();
    const refused = await server.visitor().auth.signInWithOtp({ phone: fresh, options: { shouldCreateUser: false } });
    expect(refused.error).toMatchObject({ status: 422, code: 'otp_disabled', message: 'Signups not allowed for otp' });
    await server.visitor().auth.signInWithOtp({ phone: fresh, options: { data: { full_name: 'Otto' } } });
    const made = await server.visitor().auth.verifyOtp({ phone: fresh, token: await nextCode(fresh), type: 'sms' });
    expect(made.data.user).toMatchObject({ phone: fresh.slice(1), user_metadata: { full_name: 'Otto' } });
  });

  test('POST /resend takes no code away, and tells nobody whether there is an account', async () => {
    const phone = newPhone();
    const { auth } = server.visitor();
    await auth.signUp({ phone, password: PASSWORD });
    const first = await nextCode(phone);
    expect((await auth.resend({ type: 'sms', phone })).error).toBeNull();
    const second = await nextCode(phone, 1);
    expect(second).toBe(first);
    // In the second half of its life another one is made, and both work until one is used.
    await server.ask(
      `update auth.users set confirmation_sent_at = now() - interval '301 s' where phone = '${phone.slice(1)}'`,
    );
    await auth.resend({ type: 'sms', phone });
    const third = await nextCode(phone, 2);
    expect(third).not.toBe(first);
    expect((await auth.verifyOtp({ phone, token: first, type: 'sms' })).error).toBeNull();
    expect((await auth.verifyOtp({ phone, token: third, type: 'sms' })).error).toMatchObject(expired);
    const unknown = newPhone();
    expect([await ask('resend', { type: 'sms', phone }), await ask('resend', { type: 'sms', phone: unknown })]).toEqual(
      [
        { status: 200, body: {} },
        { status: 200, body: {} },
      ],
    );
    expect(await messagesTo(unknown)).toEqual([]);
  });

  test('a code works for ten minutes, for its number and its kind, and is not found out from the database', async () => {
    const [mine, yours] = [newPhone(), newPhone()];
    const { auth } = server.visitor();
    for (const phone of [mine, yours]) await auth.signInWithOtp({ phone });
    const token = await nextCode(mine);
    expect((await auth.verifyOtp({ phone: yours, token, type: 'sms' })).error).toMatchObject(expired);
    const kept = await server.ask(`select confirmation_token as hash from auth.users where phone = '${mine.slice(1)}'`);
    expect(String(kept[0]?.['hash'])).not.toContain(token);
    const byHash = await ask('verify', { type: 'sms', token_hash: kept[0]?.['hash'] });
    expect(byHash).toMatchObject({ status: 400 });
    await server.ask(
      `update auth.users set confirmation_sent_at = now() - interval '601 s' where phone = '${mine.slice(1)}'`,
    );
    expect((await auth.verifyOtp({ phone: mine, token, type: 'sms' })).error).toMatchObject(expired);
  });
});

describe('the number of an account', () => {
  test('is theirs when its code comes back from their own session: no other one, and without a session nobody', async () => {
    const { client, token } = await server.person('Nina');
    const phone = newPhone();
    expect((await client.auth.updateUser({ phone })).data.user).toMatchObject({ new_phone: phone.slice(1), phone: '' });
    const code = await nextCode(phone);
    const wish = { type: 'phone_change', phone, token: code };
    const other = await server.person('Other');
    expect(await ask('verify', wish)).toMatchObject({ status: 401 });
    const stolen = await ask('verify', wish, { Authorization: `Bearer ${other.token}` });
    expect(stolen).toMatchObject({ status: 403, body: { error_code: 'otp_expired' } });
    const own = await ask('verify', wish, { Authorization: `Bearer ${token}` });
    expect(own).toMatchObject({ status: 200, body: { user: { phone: phone.slice(1) } } });
    expect(own.body).not.toHaveProperty('access_token');
    const { data } = await client.auth.getUser();
    expect(data.user?.app_metadata).toMatchObject({ providers: ['email', 'phone'] });
    // Whose it is nobody learns: they are told, without a code.
    const taken = await other.client.auth.updateUser({ phone });
    expect([taken.error, taken.data.user?.new_phone]).toEqual([null, phone.slice(1)]);
    // What the account says of itself does not tell either, the first time and after a free one.
    const third = await server.person('Third');
    const first = await third.client.auth.updateUser({ phone });
    const free = await third.client.auth.updateUser({ phone: newPhone() });
    const again = await third.client.auth.updateUser({ phone });
    const [one, two, three] = [first, free, again].map(
      ({ data: { user } }) => user as { phone_change_sent_at?: string; updated_at?: string } | null,
    );
    for (const user of [one, two, three]) expect(user?.phone_change_sent_at).toBe(user?.updated_at);
    expect(String(three?.phone_change_sent_at) > String(two?.phone_change_sent_at)).toBe(true);
    expect(Object.keys(one ?? {}).toSorted()).toEqual(Object.keys(two ?? {}).toSorted());
    const guess = { ...wish, token: code };
    expect(await ask('verify', guess, { Authorization: `Bearer ${other.token}` })).toMatchObject({ status: 403 });
    expect((await server.visitor().auth.signInWithPassword({ phone, password: PASSWORD })).error).toBeNull();
  });

  test.each(['PUT /user', 'POST /resend'] as const)(
    'asked for again by %s, a number that is taken is no other than a free one, early and late',
    async way => {
      const texts = async (phone: string) => (await messagesTo(phone)).length;
      const askTwice = async (phone: string, late: boolean) => {
        const { client, id } = await server.person('Eve');
        await client.auth.updateUser({ phone });
        if (late)
          await server.ask(
            `update auth.users set phone_change_sent_at = phone_change_sent_at - interval '301 s' where id = '${id}'`,
          );
        const [before, sent] = [(await client.auth.getUser()).data.user, await texts(phone)];
        if (way === 'PUT /user') await client.auth.updateUser({ phone });
        else await ask('resend', { type: 'phone_change', phone });
        await expect.poll(() => texts(phone)).toBe(sent + 1);
        const after = (await client.auth.getUser()).data.user;
        const changed = (name: string) =>
          JSON.stringify({ ...before }[name as 'id']) !== JSON.stringify({ ...after }[name as 'id']);
        return Object.keys({ ...before, ...after }).filter(changed);
      };
      for (const late of [false, true]) {
        const free = await askTwice(newPhone(), late);
        const owner = await confirmed();
        expect([late, await askTwice(owner.phone, late)]).toEqual([late, free]);
        expect(free.includes('phone_change_sent_at')).toBe(late);
        // But for the one they signed up with.
        for (const text of (await messagesTo(owner.phone)).slice(0, -1)) expect(text).not.toMatch(/\d{6}/);
      }
    },
  );

  test('asked for before and after somebody else has it, a number is told of alike; a code that was sent before opens nothing', async () => {
    const phone = newPhone();
    const eve = await server.person('Eve');
    const asked = async () => {
      await eve.client.auth.updateUser({ phone });
      return (await eve.client.auth.getUser()).data.user;
    };
    const before = await asked();
    const code = await nextCode(phone);
    const bo = await server.visitor().auth.signUp({ phone, password: PASSWORD });
    expect(bo.error).toBeNull();
    expect(await asked()).toEqual(before);
    const tried = { type: 'phone_change', phone, token: code };
    expect(await ask('verify', tried, { Authorization: `Bearer ${eve.token}` })).toMatchObject({ status: 403 });
    await server.ask(`delete from auth.users where phone = '${phone.slice(1)}'`);
    expect(await asked()).toEqual(before);
    expect(await ask('verify', tried, { Authorization: `Bearer ${eve.token}` })).toMatchObject({ status: 200 });
  });

  test('a code sent before a change of password adds no number; an unlinked number opens nothing', async () => {
    const { client, token } = await server.person('Ulla');
    const phone = newPhone();
    await client.auth.updateUser({ phone });
    const code = await nextCode(phone);
    await client.auth.updateUser({ password: 'quite another word' });
    const wish = { type: 'phone_change', phone, token: code };
    expect(await ask('verify', wish, { Authorization: `Bearer ${token}` })).toMatchObject({ status: 403 });
    await client.auth.updateUser({ phone });
    const again = { ...wish, token: await nextCode(phone, 1) };
    expect(await ask('verify', again, { Authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
    const { data } = await client.auth.getUserIdentities();
    const identity = data?.identities.find(({ provider }) => provider === 'phone');
    expect(identity && (await client.auth.unlinkIdentity(identity)).error).toBeNull();
    const gone = await server.visitor().auth.signInWithPassword({ phone, password: 'quite another word' });
    expect(gone.error?.code).toBe('invalid_credentials');
  });
});

test('GET /settings says that there is a way in by phone', async () => {
  const headers = { apikey: server.secrets.publishableKey };
  const answer = await fetch(`${server.url}/auth/v1/settings`, { headers });
  expect(await answer.json()).toMatchObject({ external: { phone: true }, sms_provider: 'local' });
});
