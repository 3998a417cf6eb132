import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { followed, emailsTo, nextEmail } from './emails-for-tests.ts';

let server: TestServer;
const PASSWORD = 'a long word';

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

let people = 0;
async function somebody(data = {}) {
  people += 1;
  const email = `person${people}@example.test`;
  const client = server.visitor();
  const { data: made } = await client.auth.signUp({ email, password: PASSWORD, options: { data } });
  if (!made.session) throw new Error('no session');
  return { client, email, newEmail: `moved${people}@example.test`, session: made.session, id: made.session.user.id };
}

const makeOld = (id: string) =>
  server.ask(`update auth.sessions set created_at = now() - interval '25 hours' where user_id = '${id}'`);

describe('R7.07 the own user', () => {
  test('GET /user and PUT /user: data is merged, null takes a member out', async () => {
    const { client } = await somebody({ colour: 'red', shape: 'round' });
    const { data, error } = await client.auth.updateUser({ data: { colour: null, size: 3 } });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toMatchObject({ shape: 'round', size: 3 });
    expect(data.user?.user_metadata).not.toHaveProperty('colour');
    expect((await client.auth.getUser()).data.user?.user_metadata).toEqual(data.user?.user_metadata);
  });

  test('what somebody says of themselves comes to 128 kB at most, however many requests it came in', async () => {
    const { client, id } = await somebody();
    const answers = [];
    for (const name of ['a', 'b', 'c'])
      answers.push(await client.auth.updateUser({ data: { [name]: name.repeat(60_000) } }));
    expect(answers.map(({ error }) => error?.code)).toEqual([undefined, undefined, 'validation_failed']);
    const [kept] = await server.ask(
      `select octet_length(raw_user_meta_data::text) < 128 * 1024 as fits, raw_user_meta_data ? 'b' as has from auth.users where id = '${id}'`,
    );
    expect(kept).toEqual({ fits: true, has: true });
    expect((await client.auth.updateUser({ data: { a: null, c: 'short' } })).error).toBeNull();
  });

  test('nobody gives themselves app_metadata, a role or a confirmed address', async () => {
    const { session, id } = await somebody();
    const put = (body: object) =>
      fetch(`${server.url}/auth/v1/user`, {
        method: 'PUT',
        headers: { apikey: server.secrets.publishableKey, Authorization: `Bearer ${session.access_token}` },
        body: JSON.stringify(body),
      });
    const app = await put({ app_metadata: { admin: true } });
    expect([app.status, await app.json()]).toMatchObject([403, { error_code: 'not_admin' }]);
    await put({ role: 'service_role', email_confirm: true, id: '00000000-0000-4000-8000-00000000dead', aud: 'x' });
    expect(await server.ask(`select role, aud, id from auth.users where id = '${id}'`)).toEqual([
      { role: 'authenticated', aud: 'authenticated', id },
    ]);
  });

  test('nobody says of themselves what GoTrue says: the rest of the data is kept', async () => {
    const { client, email, id } = await somebody({ phone: '+15550001111', custom_claims: { admin: true } });
    const data = { email: 'boss@example.test', email_verified: true, phone: '1', sub: 'x', full_name: 'Ann' };
    const { data: after } = await client.auth.updateUser({ data: { ...data, phone_verified: null } });
    expect(after.user?.user_metadata).toEqual({
      full_name: 'Ann',
      email,
      sub: id,
      email_verified: true,
      phone_verified: false,
    });
  });

  test('GET /reauthenticate: an old session changes the password with the code of an email only', async () => {
    const { client, email, id } = await somebody();
    await makeOld(id);
    const bare = await client.auth.updateUser({ password: 'my new word' });
    expect(bare.error).toMatchObject({ status: 400, code: 'reauthentication_needed' });
    expect((await client.auth.reauthenticate()).error).toBeNull();
    const { code, link, subject } = await nextEmail(server, email);
    expect([subject, link]).toEqual(['Your confirmation code', '']);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const guess = await client.auth.updateUser({ password: 'my new word', nonce: wrong });
    expect(guess.error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' });
    expect((await client.auth.updateUser({ password: 'my new word', nonce: code })).error).toBeNull();
    const again = await client.auth.updateUser({ password: 'my newer word', nonce: code });
    expect(again.error).toMatchObject({ code: 'reauthentication_not_valid' });
    expect((await client.auth.signInWithPassword({ email, password: 'my new word' })).error).toBeNull();
  });
});

describe('changing the address', () => {
  test('both addresses must agree, in either order; then the new one signs in', async () => {
    for (const newFirst of [true, false]) {
      const { client, email, newEmail } = await somebody();
      const { data } = await client.auth.updateUser({ email: newEmail });
      expect(data.user).toMatchObject({ email, new_email: newEmail });
      const [toOld, toNew] = [await nextEmail(server, email), await nextEmail(server, newEmail)];
      const codes = [
        { email, token: toOld.code, type: 'email_change' as const },
        { email: newEmail, token: toNew.code, type: 'email_change' as const },
      ];
      const [first, second] = newFirst ? codes.toReversed() : codes;
      if (!first || !second) throw new Error('two codes');
      const half = await server.visitor().auth.verifyOtp(first);
      expect([half.error, half.data.session]).toEqual([null, null]);
      expect((await server.visitor().auth.verifyOtp(first)).error?.code).toBe('otp_expired');
      expect((await server.visitor().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
      const whole = await server.visitor().auth.verifyOtp(second);
      expect(whole.data.session?.user).toMatchObject({
        email: newEmail,
        identities: [{ identity_data: { email: newEmail, email_verified: true } }],
      });
      expect(
        (await server.visitor().auth.signInWithPassword({ email: newEmail, password: PASSWORD })).error,
      ).toBeNull();
      const old = await server.visitor().auth.signInWithPassword({ email, password: PASSWORD });
      expect(old.error?.code).toBe('invalid_credentials');
    }
  });

  test('what the old address was sent before opens nothing afterwards; other sessions end, the one that asked stays', async () => {
    const { client, email, newEmail, id } = await somebody();
    const other = server.visitor();
    await other.auth.signInWithPassword({ email, password: PASSWORD });
    await server.visitor().auth.resetPasswordForEmail(email);
    const recovery = await nextEmail(server, email);
    const kept = await server.ask(`select recovery_token, recovery_sent_at from auth.users where id = '${id}'`);
    await client.auth.updateUser({ email: newEmail });
    const [toOld, toNew] = [await nextEmail(server, email, 1), await nextEmail(server, newEmail)];
    await followed(toOld.link);
    await followed(toNew.link);
    expect((await client.auth.getUser()).data.user?.email).toBe(newEmail);
    expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await followed(recovery.link)).fragment.get('error_code')).toBe('otp_expired');
    // Bound to its address, whatever a hand or a fault leaves in the table.
    await server.ask(`update auth.users set recovery_token = '${String(kept[0]?.['recovery_token'])}',
      recovery_sent_at = now() where id = '${id}'`);
    for (const address of [email, newEmail]) {
      const shown = { email: address, token: recovery.code, type: 'recovery' as const };
      expect((await server.visitor().auth.verifyOtp(shown)).error?.code).toBe('otp_expired');
    }
    expect((await followed(recovery.link)).fragment.get('error_code')).toBe('otp_expired');
  });

  test('who asks for a pending change as well takes nothing over, by whatever way round', async () => {
    for (const detour of [false, true]) {
      const { client, email, newEmail, id } = await somebody();
      const thief = server.visitor();
      await thief.auth.signInWithPassword({ email, password: PASSWORD });
      await client.auth.updateUser({ email: newEmail });
      if (detour) await thief.auth.updateUser({ email: `detour-${newEmail}` });
      await thief.auth.updateUser({ email: newEmail });
      const asked = detour ? 3 : 2;
      await expect.poll(async () => (await emailsTo(server, email)).length).toBe(asked);
      for (const address of [email, newEmail]) {
        const [received] = await emailsTo(server, address);
        const shown = { email: address, token: received?.code ?? '', type: 'email_change' as const };
        expect((await server.visitor().auth.verifyOtp(shown)).error).toBeNull();
      }
      expect((await thief.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
      expect([detour, (await client.auth.getUser()).data.user?.id]).toEqual([detour, detour ? undefined : id]);
    }
  });

  test('an email from before a change of password opens nothing after it', async () => {
    const { client, email } = await somebody();
    await server.visitor().auth.signInWithOtp({ email });
    const { link } = await nextEmail(server, email);
    expect((await client.auth.updateUser({ password: 'my new word' })).error).toBeNull();
    expect((await followed(link)).fragment.get('error_code')).toBe('otp_expired');
  });

  test('by the links: the first leads back with a word, the second with the session', async () => {
    const { client, email, newEmail } = await somebody();
    await client.auth.updateUser({ email: newEmail });
    const [toOld, toNew] = [await nextEmail(server, email), await nextEmail(server, newEmail)];
    expect((await followed(toNew.link)).fragment.get('message')).toContain('Please proceed to confirm');
    expect((await followed(toNew.link)).fragment.get('error_code')).toBe('otp_expired');
    expect((await followed(toOld.link)).fragment.get('type')).toBe('email_change');
    expect((await client.auth.getUser()).data.user?.email).toBe(newEmail);
  });

  test('an address that is taken is answered as a free one, and its owner told without a code', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const free = await ann.client.auth.updateUser({ email: ann.newEmail });
    const taken = await ann.client.auth.updateUser({ email: bob.email });
    expect([free.error, taken.error]).toEqual([null, null]);
    const form = (user: object | null) => Object.keys(user ?? {}).toSorted();
    expect(form(taken.data.user)).toEqual(form(free.data.user));
    expect(taken.data.user).toMatchObject({ email: ann.email, new_email: bob.email });
    const told = await nextEmail(server, bob.email);
    expect([told.code, told.link]).toEqual(['', '']);
    const own = await nextEmail(server, ann.email, 1);
    await server.visitor().auth.verifyOtp({ email: ann.email, token: own.code, type: 'email_change' });
    expect((await ann.client.auth.getUser()).data.user?.email).toBe(ann.email);
  });

  test.each(['PUT /user', 'POST /resend'] as const)(
    'asked for again by %s, an address that is taken is no other than a free one, early and late',
    async way => {
      const { email: owned } = await somebody();
      const askTwice = async (newEmail: string, late: boolean) => {
        const { client, email, id } = await somebody();
        await client.auth.updateUser({ email: newEmail });
        const codes = [(await nextEmail(server, email)).code];
        if (late)
          await server.ask(
            `update auth.users set email_change_sent_at = email_change_sent_at - interval '31 minutes' where id = '${id}'`,
          );
        const before = (await client.auth.getUser()).data.user;
        if (way === 'PUT /user') await client.auth.updateUser({ email: newEmail });
        else await server.visitor().auth.resend({ type: 'email_change', email });
        codes.push((await nextEmail(server, email, 1)).code);
        const after = (await client.auth.getUser()).data.user;
        const sentAgain = before?.email_change_sent_at === after?.email_change_sent_at;
        return { sentAgain, isSameCode: codes[0] === codes[1], isUpdated: before?.updated_at !== after?.updated_at };
      };
      for (const late of [false, true]) {
        const free = await askTwice(`free${people}@example.test`, late);
        expect(await askTwice(owned, late)).toEqual(free);
        expect(free.sentAgain).toBe(way === 'POST /resend' && !late);
      }
    },
  );

  test('a code of a change works for an hour, however often the letters are asked for again', async () => {
    const { client, email, newEmail, id } = await somebody();
    await client.auth.updateUser({ email: newEmail });
    const [toOld, toNew] = [await nextEmail(server, email), await nextEmail(server, newEmail)];
    const pass = (minutes: number) =>
      server.ask(`
        update auth.users set email_change_sent_at = email_change_sent_at - interval '${minutes} minutes' where id = '${id}';
        update auth.earlier_codes set sent_at = sent_at - interval '${minutes} minutes' where user_id = '${id}'`);
    await pass(31);
    await server.visitor().auth.resend({ type: 'email_change', email });
    const [again, other] = [await nextEmail(server, email, 1), await nextEmail(server, newEmail, 1)];
    await pass(30);
    const shown = (address: string, token: string) =>
      server.visitor().auth.verifyOtp({ email: address, token, type: 'email_change' });
    expect((await shown(email, toOld.code)).error?.code).toBe('otp_expired');
    expect((await shown(newEmail, toNew.code)).error?.code).toBe('otp_expired');
    expect([(await shown(email, again.code)).error, (await shown(newEmail, other.code)).error]).toEqual([null, null]);
    expect((await client.auth.getUser()).data.user?.email).toBe(newEmail);
  });

  test('who has no address of their own learns from what the account says no more', async () => {
    const { email: taken } = await somebody();
    const { client, session } = await somebody();
    const sent: unknown[] = [];
    for (const email of [taken, 'free-one@example.test', taken]) {
      await server.ask(`update auth.users set email = null where id = '${session.user.id}'`);
      const { data } = await client.auth.updateUser({ email });
      expect(data.user?.email_change_sent_at).toBe(data.user?.updated_at);
      sent.push(data.user?.email_change_sent_at);
    }
    expect(new Set(sent).size).toBe(3);
  });

  test("letters of a change asked for again by nobody's session take back nothing that was agreed", async () => {
    const { client, email, newEmail } = await somebody();
    await client.auth.updateUser({ email: newEmail });
    const [toOld, toNew] = [await nextEmail(server, email), await nextEmail(server, newEmail)];
    await server.visitor().auth.verifyOtp({ email: newEmail, token: toNew.code, type: 'email_change' });
    await server.visitor().auth.resend({ type: 'email_change', email });
    await nextEmail(server, email, 1);
    await server.visitor().auth.verifyOtp({ email, token: toOld.code, type: 'email_change' });
    expect((await client.auth.getUser()).data.user?.email).toBe(newEmail);
  });

  test('of an address nobody learns without end whether it has an account', async () => {
    const strict = await startTestServer({ auth: { confirmEmail: false, limitFactor: 1 } });
    try {
      const { client } = await strict.person('Eve');
      const codes = [];
      for (const email of ['nobody@example.test', 'second@example.test', 'third@example.test'])
        codes.push((await client.auth.updateUser({ email })).error?.code);
      expect(codes.slice(1)).toEqual(['over_email_send_rate_limit', 'over_email_send_rate_limit']);
    } finally {
      await strict.stop();
    }
  });

  test('asked for again once somebody else has it, an address is told of as before', async () => {
    const { client, newEmail } = await somebody();
    await client.auth.updateUser({ email: newEmail });
    const asked = async () => {
      await server.visitor().auth.resend({ type: 'email_change', email: newEmail });
      return (await client.auth.getUser()).data.user;
    };
    const before = await asked();
    const { data } = await server.visitor().auth.signUp({ email: newEmail, password: PASSWORD });
    expect(data.session).not.toBeNull();
    expect(await asked()).toEqual(before);
    await server.ask(`delete from auth.users where email = '${newEmail}'`);
    expect(await asked()).toEqual(before);
  });

  test('an address that is taken meanwhile is refused', async () => {
    const ann = await somebody();
    await ann.client.auth.updateUser({ email: ann.newEmail });
    await server.visitor().auth.signUp({ email: ann.newEmail, password: PASSWORD });
    const verify = async (email: string) => {
      const emails = await emailsTo(server, email);
      const token = emails.find(received => received.link.includes('email_change'))?.code ?? '';
      return (await server.visitor().auth.verifyOtp({ email, token, type: 'email_change' })).error;
    };
    expect(await verify(ann.email)).toBeNull();
    expect(await verify(ann.newEmail)).toMatchObject({ status: 422, code: 'email_exists' });
  });

  test('R7.05 resending the change sends both emails again and takes back nothing that was agreed', async () => {
    const { client, email, newEmail } = await somebody();
    await client.auth.updateUser({ email: newEmail });
    const first = await nextEmail(server, newEmail);
    await server.visitor().auth.verifyOtp({ email: newEmail, token: first.code, type: 'email_change' });
    expect((await client.auth.resend({ type: 'email_change', email })).error).toBeNull();
    const again = await nextEmail(server, email, 1);
    const whole = await server.visitor().auth.verifyOtp({ email, token: again.code, type: 'email_change' });
    expect(whole.error).toBeNull();
    expect((await client.auth.getUser()).data.user?.email).toBe(newEmail);
  });
});

describe('emails', () => {
  test('speak German to who chose it, and to a browser that asks for it', async () => {
    const { email } = await somebody({ locale: 'de-AT' });
    await server.visitor().auth.resetPasswordForEmail(email);
    expect((await nextEmail(server, email)).subject).toBe('Setze dein Passwort zurück');
    const english = await somebody();
    const headers = { apikey: server.secrets.publishableKey, 'Accept-Language': 'de-DE,de;q=0.9,en;q=0.5' };
    const body = JSON.stringify({ email: english.email });
    await fetch(`${server.url}/auth/v1/otp`, { method: 'POST', headers, body });
    expect((await nextEmail(server, english.email)).subject).toBe('Dein Anmelde-Link');
  });
});
