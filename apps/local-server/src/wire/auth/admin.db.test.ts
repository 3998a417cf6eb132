import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { createSigningKeys } from '@cairn/supabase-local/access/signing-keys.ts';
import { followed, nextEmail } from './emails-for-tests.ts';

let server: TestServer;
const PASSWORD = 'a long word';
const NOBODY = '00000000-0000-4000-8000-00000000dead';

beforeAll(async () => {
  server = await startTestServer({ auth: { confirmEmail: true, limitFactor: 1000 } });
});
afterAll(() => server.stop());

const admin = () =>
  createClient(server.url, server.secrets.secretKey, { auth: { persistSession: false, autoRefreshToken: false } }).auth
    .admin;

let people = 0;
const newEmail = () => `person${(people += 1)}@example.test`;

async function somebody() {
  const email = newEmail();
  const { data, error } = await admin().createUser({ email, password: PASSWORD, email_confirm: true });
  if (!data.user) throw error;
  return { email, id: data.user.id };
}

const signIn = (email: string, password = PASSWORD) => server.visitor().auth.signInWithPassword({ email, password });

describe('R7.12 /admin/users', () => {
  test('creates an account with what is given, confirmed or not', async () => {
    const email = newEmail();
    const { data, error } = await admin().createUser({
      email,
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { full_name: 'Ada' },
      app_metadata: { plan: 'free' },
      id: '11111111-1111-4111-8111-111111111111',
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      id: '11111111-1111-4111-8111-111111111111',
      email,
      user_metadata: { full_name: 'Ada', email_verified: true },
      app_metadata: { plan: 'free', provider: 'email', providers: ['email'] },
      identities: [{ provider: 'email' }],
    });
    expect((await signIn(email)).error).toBeNull();
    const later = newEmail();
    await admin().createUser({ email: later, password: PASSWORD });
    expect((await signIn(later)).error?.code).toBe('email_not_confirmed');
  });

  test('takes a bcrypt hash over, of Go and of others, and no other text', async () => {
    const [row] = await server.ask(`select extensions.crypt('${PASSWORD}', extensions.gen_salt('bf', 4)) as hash`);
    const hash = String(row?.['hash']);
    for (const password_hash of [hash, hash.replace('$2a$', '$2b$'), hash.replace('$2a$', '$2y$')]) {
      const email = newEmail();
      await admin().createUser({ email, password_hash, email_confirm: true });
      expect((await signIn(email)).error).toBeNull();
    }
    const { error } = await admin().createUser({ email: newEmail(), password_hash: 'plain' });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test.each([
    { attributes: {}, status: 400, code: 'validation_failed' },
    { attributes: { email: 'nobody' }, status: 400, code: 'validation_failed' },
    { attributes: { email: 'x@example.test', password: 'short' }, status: 422, code: 'weak_password' },
    { attributes: { email: 'x@example.test', role: 'postgres' }, status: 400, code: 'validation_failed' },
    { attributes: { email: 'x@example.test', id: 'x' }, status: 400, code: 'validation_failed' },
    { attributes: { phone: '+15550001111' }, status: 400, code: 'phone_provider_disabled' },
  ])('refuses $attributes', async ({ attributes, status, code }) => {
    expect((await admin().createUser(attributes)).error).toMatchObject({ status, code });
  });

  test('an address that is taken is refused', async () => {
    const { email } = await somebody();
    expect((await admin().createUser({ email })).error).toMatchObject({ status: 422, code: 'email_exists' });
  });

  test('lists by pages, the newest first, with the total and the next page', async () => {
    for (let n = 0; n < 5; n += 1) await somebody();
    const { data } = await admin().listUsers({ page: 1, perPage: 2 });
    expect(data).toMatchObject({ aud: 'authenticated', nextPage: 2 });
    expect(data.users).toHaveLength(2);
    const total = 'total' in data ? data.total : 0;
    const all = await admin().listUsers({ page: 1, perPage: 1000 });
    expect([total, all.data.users.length]).toEqual([all.data.users.length, total]);
    const pages = Math.ceil(total / 2);
    expect('lastPage' in data && data.lastPage).toBe(pages);
    const lastPage = await admin().listUsers({ page: pages, perPage: 2 });
    expect(lastPage.data).toMatchObject({ nextPage: null });
    const dates = all.data.users.map(user => user.created_at);
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  test('reads and changes one; a new password ends its sessions', async () => {
    const { id, email } = await somebody();
    const { data: signed } = await signIn(email);
    expect((await admin().getUserById(id)).data.user?.email).toBe(email);
    const changed = newEmail();
    const { data } = await admin().updateUserById(id, {
      email: changed,
      password: 'my new word',
      user_metadata: { size: 3 },
      app_metadata: { plan: 'paid' },
    });
    expect(data.user).toMatchObject({
      email: changed,
      user_metadata: { size: 3 },
      app_metadata: { plan: 'paid', provider: 'email' },
      identities: [{ identity_data: { email: changed } }],
    });
    expect((await server.visitor().auth.getUser(signed.session?.access_token ?? '')).error).not.toBeNull();
    expect((await signIn(changed, 'my new word')).error).toBeNull();
    const taken = await admin().updateUserById(id, { email: (await somebody()).email });
    expect(taken.error).toMatchObject({ status: 422, code: 'email_exists' });
  });

  test('who is banned cannot sign in, refresh or use a token, until it is lifted', async () => {
    const { id, email } = await somebody();
    const { data } = await signIn(email);
    await admin().updateUserById(id, { ban_duration: '1h30m' });
    expect((await signIn(email)).error).toMatchObject({ status: 400, code: 'user_banned' });
    const refresh_token = data.session?.refresh_token ?? '';
    expect((await server.visitor().auth.refreshSession({ refresh_token })).error?.code).toBe('user_banned');
    const token = data.session?.access_token ?? '';
    expect((await server.visitor().auth.getUser(token)).error).toMatchObject({ status: 403, code: 'user_banned' });
    expect((await admin().updateUserById(id, { ban_duration: 'soon' })).error?.code).toBe('validation_failed');
    await admin().updateUserById(id, { ban_duration: 'none' });
    expect((await signIn(email)).error).toBeNull();
  });

  test('deletes for good, or softly so that what refers to the row stays', async () => {
    const [gone, soft] = [await somebody(), await somebody()];
    expect((await admin().deleteUser(gone.id)).error).toBeNull();
    expect((await admin().getUserById(gone.id)).error).toMatchObject({ status: 404, code: 'user_not_found' });
    expect((await admin().deleteUser(soft.id, true)).error).toBeNull();
    const { data } = await admin().getUserById(soft.id);
    expect(data.user).toMatchObject({ id: soft.id, email: '', user_metadata: {}, identities: [] });
    for (const { email } of [gone, soft]) expect((await signIn(email)).error?.code).toBe('invalid_credentials');
    expect((await admin().deleteUser(NOBODY)).error).toMatchObject({ status: 404, code: 'user_not_found' });
    expect((await admin().createUser({ email: soft.email })).error).toBeNull();
  });

  test("lists and removes somebody's factors, and ends sessions by their token", async () => {
    const { id, email } = await somebody();
    const client = server.visitor();
    const { data: signed } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' });
    const { data } = await admin().mfa.listFactors({ userId: id });
    expect(data?.factors).toEqual([expect.objectContaining({ id: factor?.id, status: 'unverified' })]);
    expect(JSON.stringify(data)).not.toContain('secret');
    expect((await admin().mfa.deleteFactor({ userId: id, id: factor?.id ?? '' })).error).toBeNull();
    expect((await admin().mfa.listFactors({ userId: id })).data?.factors).toEqual([]);
    expect((await admin().signOut(signed.session?.access_token ?? '', 'global')).error).toBeNull();
    expect((await client.auth.getUser()).error).not.toBeNull();
  });
});

describe('R7.12 /admin/generate_link and /invite', () => {
  const open = async (link: string) => (await followed(link)).fragment;

  test('signup, magiclink, recovery and invite give a link and a code that work', async () => {
    const known = await somebody();
    const kinds = [
      { type: 'signup', email: newEmail(), password: PASSWORD },
      { type: 'invite', email: newEmail() },
      { type: 'magiclink', email: known.email },
      { type: 'recovery', email: known.email },
    ] as const;
    for (const params of kinds) {
      const make = () => admin().generateLink({ ...params, options: { redirectTo: `${server.url}/welcome` } });
      const { data, error } = await make();
      expect(error).toBeNull();
      expect(data.user).toMatchObject({ email: params.email });
      expect(data.properties).toMatchObject({
        verification_type: params.type,
        redirect_to: `${server.url}/welcome`,
        email_otp: expect.stringMatching(/^\d{6}$/),
      });
      const { action_link, hashed_token } = data.properties ?? { action_link: '', hashed_token: '' };
      expect(new URL(action_link).searchParams.get('token')).toBe(hashed_token);
      expect((await open(action_link)).get('type')).toBe(params.type);
    }
    const { data } = await admin().generateLink({ type: 'magiclink', email: known.email });
    const code = { email: known.email, token: data.properties?.email_otp ?? '', type: 'magiclink' as const };
    expect((await server.visitor().auth.verifyOtp(code)).error).toBeNull();
  });

  test('a magic link for a new address is a sign-up', async () => {
    const { data } = await admin().generateLink({ type: 'magiclink', email: newEmail() });
    expect(data.properties?.verification_type).toBe('signup');
  });

  test('email_change_current and email_change_new belong to one change', async () => {
    const { email, id } = await somebody();
    const changed = newEmail();
    const links: string[] = [];
    for (const type of ['email_change_current', 'email_change_new'] as const) {
      const { data } = await admin().generateLink({ type, email, newEmail: changed });
      expect(data.properties?.verification_type).toBe(type);
      links.push(data.properties?.action_link ?? '');
    }
    expect((await open(links[0] ?? '')).get('message')).toContain('Please proceed');
    expect((await open(links[1] ?? '')).get('type')).toBe('email_change');
    expect((await admin().getUserById(id)).data.user?.email).toBe(changed);
  });

  test('what cannot be made is refused', async () => {
    const { email } = await somebody();
    const unknown = await admin().generateLink({ type: 'recovery', email: 'unknown@example.test' });
    expect(unknown.error).toMatchObject({ status: 404, code: 'user_not_found' });
    const taken = await admin().generateLink({ type: 'signup', email, password: PASSWORD });
    expect(taken.error).toMatchObject({ status: 422, code: 'email_exists' });
    const weak = await admin().generateLink({ type: 'signup', email: newEmail(), password: 'short' });
    expect(weak.error).toMatchObject({ status: 422, code: 'weak_password' });
  });

  test('an invitation goes by mail; its code lets the person in, who then chooses a password', async () => {
    const email = newEmail();
    const { data, error } = await admin().inviteUserByEmail(email, { data: { full_name: 'Ivo' } });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, invited_at: expect.any(String), user_metadata: { full_name: 'Ivo' } });
    const { code, subject } = await nextEmail(server, email);
    expect(subject).toBe('You are invited to Cairn');
    const client = server.visitor();
    const { data: in_ } = await client.auth.verifyOtp({ email, token: code, type: 'invite' });
    expect(in_.user?.email).toBe(email);
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull();
    expect((await signIn(email)).error).toBeNull();
    const again = await admin().inviteUserByEmail(email);
    expect(again.error).toMatchObject({ status: 422, code: 'email_exists' });
  });
});

describe('the secret key', () => {
  const paths: [string, string][] = [
    ['GET', 'admin/users'],
    ['POST', 'admin/users'],
    ['GET', `admin/users/${NOBODY}`],
    ['PUT', `admin/users/${NOBODY}`],
    ['DELETE', `admin/users/${NOBODY}`],
    ['GET', `admin/users/${NOBODY}/factors`],
    ['POST', 'admin/generate_link'],
    ['POST', 'invite'],
  ];

  const ask = (method: string, path: string, headers: Record<string, string>) =>
    fetch(`${server.url}/auth/v1/${path}`, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) });

  test.for(paths)('%s %s is for it alone', async ([method, path]) => {
    const { email } = await somebody();
    const { data } = await signIn(email);
    const { publishableKey, secretKey, signingKey } = server.secrets;
    const Authorization = `Bearer ${data.session?.access_token}`;
    const forged = await createSigningKeys(signingKey).sign({ role: 'authenticated', sub: NOBODY }, 60);
    const tries: [Record<string, string>, number, string | null][] = [
      [{}, 401, null],
      [{ apikey: 'sb_secret_guess' }, 401, null],
      [{ apikey: publishableKey }, 401, 'no_authorization'],
      [{ apikey: publishableKey, Authorization: `Bearer ${publishableKey}` }, 401, 'no_authorization'],
      [{ apikey: publishableKey, Authorization: `Bearer ${secretKey}` }, 401, 'no_authorization'],
      [{ apikey: publishableKey, Authorization }, 403, 'not_admin'],
      [{ apikey: secretKey, Authorization }, 403, 'not_admin'],
      [{ apikey: secretKey, Authorization: `Bearer ${forged}` }, 403, 'not_admin'],
      [{ apikey: secretKey, Authorization: 'Bearer a.b.c' }, 403, 'bad_jwt'],
      [{ apikey: secretKey, 'User-Agent': 'Mozilla/5.0 (X11; Linux)' }, 401, null],
    ];
    for (const [headers, status, code] of tries) {
      const answer = await ask(method, path, headers);
      const body: { error_code?: string } = await answer.json();
      expect([headers, answer.status, body.error_code ?? null]).toEqual([headers, status, code]);
    }
  });
});
