import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withConnection } from '@cairn/database/prepare-database.ts';
import { codeOfApp } from '../../authenticator-for-tests.ts';
import { smtpForTests } from '../smtp-for-tests.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { nextEmail } from './emails-for-tests.ts';

/** What is asked before the account is held, and acted on after it, is asked again: each test lets the owner be quicker. */
let server: TestServer;
const PASSWORD = 'a long word';

beforeAll(async () => {
  server = await startTestServer({ auth: { confirmEmail: false, limitFactor: 1 } });
});
afterAll(() => server.stop());

let people = 0;
async function owner() {
  people += 1;
  const email = `owner${people}@example.test`;
  const client = server.visitor();
  const { data } = await client.auth.signUp({ email, password: PASSWORD });
  return { client, email, id: data.user?.id ?? '' };
}

async function thiefOf(email: string) {
  const client = server.visitor();
  const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  return { client, token: data.session?.access_token ?? '' };
}

const callAs = (token: string, method: string, path: string, body: object = {}) =>
  fetch(`${server.url}/auth/v1${path}`, {
    method,
    headers: { apikey: server.secrets.publishableKey, Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  }).then(async answer => ({ status: answer.status, body: (await answer.json()) as Record<string, unknown> }));

/** Holds the account, lets `late` come and wait for it, lets `change` happen first. */
async function overtaken<T>(userId: string, late: () => Promise<T>, change: string): Promise<T> {
  return withConnection(server.databaseUrl, async sql => {
    let answer: Promise<T> | undefined;
    await sql.begin(async tx => {
      await tx`select from auth.users where id = ${userId} for update`;
      answer = late();
      const waiting = () =>
        server.ask(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%auth.%'`);
      await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
      await tx.unsafe(change);
    });
    if (!answer) throw new Error('nobody came');
    return answer;
  });
}

const verifiedFactor = (userId: string) => `
  delete from auth.mfa_factors where user_id = '${userId}' and status = 'unverified';
  insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
  values (gen_random_uuid(), '${userId}', 'phone', 'totp', 'verified')`;

describe('R7.11 a second step that is being switched on', () => {
  test('a factor that is enrolled at that moment is refused', async () => {
    const { email, id } = await owner();
    const { token } = await thiefOf(email);
    const enrol = () => callAs(token, 'POST', '/factors', { factor_type: 'totp', friendly_name: '' });
    const answer = await overtaken(id, enrol, verifiedFactor(id));
    expect([answer.status, answer.body['error_code']]).toEqual([403, 'insufficient_aal']);
    expect(await server.ask(`select status from auth.mfa_factors where user_id = '${id}'`)).toEqual([
      { status: 'verified' },
    ]);
  });

  test('one that stayed unconfirmed needs the second level once another is confirmed', async () => {
    const { client, email, id } = await owner();
    const enrolled = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'thief' });
    if (!enrolled.data) throw enrolled.error;
    await server.ask(`insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
      values (gen_random_uuid(), '${id}', 'phone', 'totp', 'verified')`);
    const thief = await thiefOf(email);
    const { error } = await thief.client.auth.mfa.challengeAndVerify({
      factorId: enrolled.data.id,
      code: codeOfApp(enrolled.data.totp.secret),
    });
    expect(error).toMatchObject({ status: 403, code: 'insufficient_aal' });
  });

  test('the factor that is being confirmed cannot be taken out as an unconfirmed one', async () => {
    const { client, email, id } = await owner();
    const enrolled = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' });
    const { token } = await thiefOf(email);
    const factor = enrolled.data?.id ?? '';
    const remove = () => callAs(token, 'DELETE', `/factors/${factor}`);
    const confirm = `update auth.mfa_factors set status = 'verified' where id = '${factor}'`;
    expect(await overtaken(id, remove, confirm)).toMatchObject({
      status: 422,
      body: { error_code: 'insufficient_aal' },
    });
  });
});

test('a sign-in whose password was changed while it was compared is none', async () => {
  const { email, id } = await owner();
  await server.ask(`delete from auth.sessions where user_id = '${id}'`);
  const signIn = () => server.visitor().auth.signInWithPassword({ email, password: PASSWORD });
  const change = `update auth.users set encrypted_password = extensions.crypt('another', extensions.gen_salt('bf', 4))
    where id = '${id}'`;
  expect((await overtaken(id, signIn, change)).error?.code).toBe('invalid_credentials');
  expect(await server.ask(`select 1 from auth.sessions where user_id = '${id}'`)).toEqual([]);
});

describe('the agreement of two addresses', () => {
  test('the new one agreeing twice is still one; the old one is missing', async () => {
    const { client, email, id } = await owner();
    const newEmail = `thief${people}@example.test`;
    const service = createClient(server.url, server.secrets.secretKey, { auth: { persistSession: false } });
    await client.auth.updateUser({ email: newEmail });
    const first = await nextEmail(server, newEmail);
    const agree = (token: string) =>
      server.visitor().auth.verifyOtp({ email: newEmail, token, type: 'email_change' as const });
    expect((await agree(first.code)).data.session).toBeNull();
    const again = await service.auth.admin.generateLink({ type: 'email_change_new', email, newEmail });
    const twice = await agree(again.data.properties?.email_otp ?? '');
    expect([twice.error, twice.data.session]).toEqual([null, null]);
    expect(await server.ask(`select email from auth.users where id = '${id}'`)).toEqual([{ email }]);
    const old = await nextEmail(server, email);
    const whole = await server.visitor().auth.verifyOtp({ email, token: old.code, type: 'email_change' });
    expect(whole.data.session?.user.email).toBe(newEmail);
  });

  test('emails about a change are counted for the person, under whichever address they are asked for, and nobody is told: no code changes', async () => {
    const { client, email, id } = await owner();
    const newEmail = `moved${people}@example.test`;
    expect((await client.auth.updateUser({ email: newEmail })).error).toBeNull();
    const codes = () =>
      server.ask(`select email_change_token_current, email_change_token_new, email_change_sent_at::text
        from auth.users where id = '${id}'`);
    const before = await codes();
    for (const address of [newEmail, email, `nobody${people}@example.test`]) {
      const { error } = await server.visitor().auth.resend({ type: 'email_change', email: address });
      expect(error).toBeNull();
    }
    expect(await codes()).toEqual(before);
    const again = await server.visitor().auth.resend({ type: 'email_change', email });
    expect(again.error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
  });

  test('both codes are there before the first email goes', async () => {
    const smtp = await smtpForTests({ answer: 'refuse' });
    const mail = { smtpUrl: smtp.url, from: 'Cairn <cairn@localhost>' };
    const slow = await startTestServer({ mail });
    const { client, id } = await slow.person('Ann');
    expect((await client.auth.updateUser({ email: 'moved@example.test' })).error?.status).toBe(500);
    expect(
      await slow.ask(`select email_change_token_current is not null as current, email_change_token_new is not null as new
        from auth.users where id = '${id}'`),
    ).toEqual([{ current: true, new: true }]);
    await slow.stop();
    await smtp.stop();
  });
});
