import { createClient } from '@supabase/supabase-js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { onlyOurAnswers } from './our-answers.ts';
import { supabaseBackend } from './supabase-backend.ts';

const URL_OF_BACKEND = 'https://backend.example.test';
const JSON_TYPE = { 'content-type': 'application/json' };
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status, headers: JSON_TYPE });
const page = (status: number) => new Response('<h1>Log in</h1>', { status, headers: { 'content-type': 'text/html' } });

/** Answers that are a portal's, on every status a worker has met. */
const portal: [string, () => Response][] = [
  ['401 page', () => page(401)],
  ['403 page', () => page(403)],
  ['404 page', () => page(404)],
  ['511 page', () => page(511)],
  ['200 page', () => page(200)],
  ['200 {"login":"please"}', () => json({ login: 'please' })],
  ['403 {"login":"please"}', () => json({ login: 'please' }, 403)],
  ['403 {"code":403,"msg":"Log in"}', () => json({ code: 403, msg: 'Log in' }, 403)],
  ['a page that calls itself JSON', () => new Response('<h1>', { status: 400, headers: JSON_TYPE })],
];

/** A client with an expired session, on a network that gives one answer. */
function clientOn(answer: () => Response) {
  const user = { id: 'sam', aud: 'authenticated', email: 'sam@example.test', app_metadata: {}, user_metadata: {} };
  const session = {
    access_token: 'a.b.c',
    refresh_token: 'r',
    expires_at: 1,
    expires_in: 1,
    token_type: 'bearer',
    user,
  };
  const kept = new Map([['session', JSON.stringify(session)]]);
  const client = createClient(URL_OF_BACKEND, 'publishable', {
    auth: {
      storageKey: 'session',
      autoRefreshToken: false,
      storage: {
        getItem: key => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: key => void kept.delete(key),
      },
    },
    global: { fetch: onlyOurAnswers(async () => answer()) },
  });
  return { client, kept };
}

const asked = (path: string, answer: () => Response) =>
  onlyOurAnswers(async () => answer())(`${URL_OF_BACKEND}${path}`).then(response => response.status);

afterEach(() => vi.useRealTimers());

describe('the session', () => {
  test.each(portal)('R4.08 %s in the place of the server says nothing about the session', async (_name, answer) => {
    await expect(asked('/auth/v1/token?grant_type=refresh_token', answer)).rejects.toThrow('network');
  });

  test('the client keeps its session on a portal and gives it up on the word of the server', async () => {
    vi.useFakeTimers();
    const onPortal = clientOn(() => page(403));
    const asking = onPortal.client.auth.getSession();
    // The client tries again for half a minute.
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await asking).error).toMatchObject({ name: 'AuthRetryableFetchError' });
    expect(onPortal.kept.has('session')).toBe(true);

    const onServer = clientOn(() => json({ code: 400, error_code: 'refresh_token_not_found', msg: 'gone' }, 400));
    await onServer.client.auth.getSession();
    expect(onServer.kept.has('session')).toBe(false);
  });

  test("R8.30 a sign-in answered with the person alone is the server's; a renewal answered so would end the session, and a portal's JSON is nobody's", async () => {
    const person = { id: 'sam', aud: 'authenticated', app_metadata: { provider: 'email' } };
    const [signIn, renew] = ['password', 'refresh_token'].map(grant => `/auth/v1/token?grant_type=${grant}`);
    expect(await asked(signIn ?? '', () => json({ user: person }))).toBe(200);
    await expect(asked(renew ?? '', () => json({ user: person }))).rejects.toThrow('network');
    for (const user of [{}, { id: 'sam' }, 'sam', null])
      await expect(asked(signIn ?? '', () => json({ user }))).rejects.toThrow('network');
  });

  test('R8.29 what a gateway says in the place of a server that is not there is told, and ends no session', async () => {
    for (const status of [502, 503, 504])
      expect(await asked('/auth/v1/token?grant_type=password', () => page(status))).toBe(status);
    vi.useFakeTimers();
    const { client, kept } = clientOn(() => page(503));
    const asking = client.auth.getSession();
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await asking).error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 });
    expect(kept.has('session')).toBe(true);
  });

  test('a limit on renewals ends no session; a limit on sign-ins is told', async () => {
    const limit = () => json({ code: 429, error_code: 'over_request_rate_limit', msg: 'later' }, 429);
    await expect(asked('/auth/v1/token?grant_type=refresh_token', limit)).rejects.toThrow('network');
    expect(await asked('/auth/v1/token?grant_type=password', limit)).toBe(429);
  });

  test.each([
    ['/auth/v1/token', () => json({ access_token: 'a', refresh_token: 'r' }), 200],
    ['/auth/v1/token', () => json({ code: 'invalid_credentials', message: 'no' }, 400), 400],
    ['/auth/v1/token', () => json({ error: 'invalid_grant', error_description: 'no' }, 400), 400],
    ['/auth/v1/logout', () => new Response(null, { status: 204 }), 204],
  ])("the server's own answer to %s passes", async (path, answer, status) => {
    expect(await asked(path, answer)).toBe(status);
  });
});

describe('work and files', () => {
  test.each([
    ['/storage/v1/object/media/o/p', () => json({ statusCode: '409', error: 'Duplicate', message: 'there' }, 400), 400],
    ['/storage/v1/object/media/o/p', () => new Response('bytes', { headers: { 'content-type': 'image/jpeg' } }), 200],
    [
      '/functions/v1/guests/picture',
      () => new Response('bytes', { headers: { 'content-type': 'application/octet-stream' } }),
      200,
    ],
    ['/storage/v1/object/media/o/p', () => page(413), 413],
    ['/rest/v1/rpc/remove_sample_data', () => json(7), 200],
    ['/rest/v1/rpc/sync_push', () => page(503), 503],
    ['/functions/v1/media/confirm', () => json({ code: 'not_uploaded', message: 'none' }, 404), 404],
  ])("the server's own answer to %s passes", async (path, answer, status) => {
    expect(await asked(path, answer)).toBe(status);
  });

  const file = { id: 'p', organizationId: 'o', bytes: new ArrayBuffer(3), mime: 'image/jpeg', sha256: '' };
  const signal = new AbortController().signal;
  const backendOn = (answer: () => Response) => {
    const { client, kept } = clientOn(answer);
    kept.clear();
    return supabaseBackend(client);
  };

  test.each(portal.filter(([name]) => !name.startsWith('200 {')))(
    '%s is a network that does not work, for a photo and for its confirmation',
    async (_name, answer) => {
      const backend = backendOn(answer);
      await expect(backend.upload(file, () => undefined, signal)).rejects.toMatchObject({ kind: 'network' });
      await expect(backend.confirmUpload('p', signal)).rejects.toMatchObject({ kind: 'network' });
      await expect(backend.push('d', [], signal)).rejects.toMatchObject({ kind: 'network' });
    },
  );

  test("a JSON answer of a portal confirms no photo and takes no work's place", async () => {
    const backend = backendOn(() => json({ login: 'please' }));
    await expect(backend.confirmUpload('p', signal)).rejects.toMatchObject({ kind: 'network' });
    await expect(backend.push('d', [], signal)).rejects.toMatchObject({ kind: 'network' });
  });

  test.each([
    [404, 'not_uploaded', 'busy'],
    [409, 'hash_mismatch', 'mismatch'],
    [404, 'not_found', 'refused'],
    [401, 'signed_out', 'auth'],
  ])('a confirmation answered %i %s is %s', async (status, code, kind) => {
    const backend = backendOn(() => json({ code, message: 'said' }, status));
    await expect(backend.confirmUpload('p', signal)).rejects.toMatchObject({ kind });
  });

  test('storage that refuses in its own words is believed', async () => {
    const refused = backendOn(() => json({ statusCode: '403', error: 'Unauthorized', message: 'policy' }, 400));
    await expect(refused.upload(file, () => undefined, signal)).rejects.toMatchObject({ kind: 'refused' });
    const there = backendOn(() => json({ statusCode: '409', error: 'Duplicate', message: 'there' }, 400));
    await expect(there.upload(file, () => undefined, signal)).resolves.toBeUndefined();
  });
});
