import { SignJWT } from 'jose';
import { createSigningKeys, makeSigningKey } from '../signing-keys.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let bob: Awaited<ReturnType<TestServer['person']>>;

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person('Ann');
  bob = await server.person('Bob');
});

afterAll(() => server.stop());

const sign = (claims: Record<string, unknown>, key = server.secrets.signingKey) =>
  createSigningKeys(key).sign(claims, 3600);

/** With the installation's own secret: an algorithm that is not ours is refused even then. */
const signOtherwise = (claims: Record<string, unknown>) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(server.secrets.jwtSecret));

const unsigned = (claims: object) =>
  `${btoa('{"alg":"none"}').replaceAll('=', '')}.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.`;

const call = (path: string, token: string | null, init: RequestInit = {}) => {
  const headers = new Headers({ apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' });
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  return fetch(`${server.url}${path}`, { ...init, headers });
};

describe('grants', () => {
  test('a REVOKE of a migration holds, also after the first request', async () => {
    await server.visitor().from('notes').select();
    const visitor = await server.visitor().from('closed').select();
    expect(visitor.error?.code).toBe('42501');
    expect(visitor.status).toBe(401);
    const insert = await ann.client.from('closed').insert({ id: 2 });
    expect(insert.error?.code).toBe('42501');
    expect(insert.status).toBe(403);
  });
});

describe('JSON', () => {
  test.each([
    { value: { a: [1, { b: null }] }, kind: 'object' },
    { value: [1, 2], kind: 'array' },
    { value: [], kind: 'array' },
    { value: 'words', kind: 'string' },
    { value: 7, kind: 'number' },
    { value: true, kind: 'boolean' },
  ])('a jsonb argument $value arrives as $kind', async ({ value, kind }) => {
    const { data, error } = await ann.client.rpc('kind_of', { p_value: value });
    expect(error).toBeNull();
    expect(data).toBe(kind);
  });

  test('a jsonb column holds what was sent', async () => {
    await ann.client.from('notes').insert({ words: 'json', extra: { deep: ['x'] } });
    const { data } = await ann.client.from('notes').select('extra->deep->>0').eq('words', 'json').single();
    expect(Object.values(data ?? {})).toEqual(['x']);
  });

  test('a trigger on auth.users can read the name a person signed up with', async () => {
    expect(await server.ask(`select name from names where id = '${ann.id}'`)).toEqual([{ name: 'Ann' }]);
  });
});

describe('errors', () => {
  test('a refusal keeps its code, words, details and hint', async () => {
    const { error, status } = await ann.client.rpc('refuse');
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'P0001', message: 'not today', details: 'because', hint: 'tomorrow' });
  });

  test('a broken check keeps its code', async () => {
    const { error, status } = await ann.client.from('notes').insert({ words: '' });
    expect([status, error?.code]).toEqual([400, '23514']);
  });

  test.each(['55P03', '40P01', '40001', '57014', '22023', '42501'])('SQLSTATE %s reaches the client', async state => {
    const { error } = await ann.client.rpc('raise_state', { p_state: state });
    expect(error?.code).toBe(state);
  });
});

describe('bearers', () => {
  const paths = ['/rest/v1/notes', '/rest/v1/rpc/who', '/storage/v1/object/box/x', '/functions/v1/media/confirm'];

  test.each(paths)('garbage, alg none, a foreign signature and a foreign role are refused on %s', async path => {
    const claims = { role: 'authenticated', sub: ann.id };
    const tokens = [
      'zzz',
      'a.b.c',
      '',
      unsigned(claims),
      unsigned({ role: 'service_role' }),
      await sign(claims, makeSigningKey()),
      await signOtherwise(claims),
      await sign({ role: 'postgres', sub: ann.id }),
      await sign({ role: 'cairn_migrator' }),
      await sign({ role: 'authenticated', sub: 'nobody' }),
      await sign({ role: 'authenticated', sub: '00000000-0000-4000-8000-0000000000ff' }),
    ];
    for (const token of tokens) expect((await call(path, token)).status).toBe(401);
  });

  test("a refusal has PostgREST's shape", async () => {
    const body: unknown = await (await call('/rest/v1/notes', 'zzz')).json();
    expect(body).toEqual({ code: 'PGRST301', message: 'Expected 3 parts in JWT; got 1', details: null, hint: null });
  });

  test("auth refuses a garbage bearer in GoTrue's shape", async () => {
    const answer = await call('/auth/v1/user', 'zzz');
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error_code: 'bad_jwt' });
  });

  test('a token ends with its session, at once', async () => {
    const eve = await server.person('Eve');
    expect((await call('/rest/v1/notes', eve.token)).status).toBe(200);
    await eve.client.auth.signOut({ scope: 'global' });
    expect((await call('/rest/v1/notes', eve.token)).status).toBe(401);
  });

  test('without a bearer, or with the publishable key as one, the caller is a visitor', async () => {
    for (const token of [null, server.secrets.publishableKey]) {
      const answer = await call('/rest/v1/rpc/who', token, { method: 'POST', body: '{}' });
      expect(await answer.json()).toMatchObject({ role: 'anon', uid: null });
    }
  });

  test('the secret key is the service, and a key that is none is refused', async () => {
    const headers = { apikey: server.secrets.secretKey, 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.url}/rest/v1/rpc/who`, { method: 'POST', headers, body: '{}' });
    expect(await answer.json()).toMatchObject({ role: 'service_role' });
    expect((await fetch(`${server.url}/rest/v1/notes`, { headers: { apikey: 'sb_secret_guess' } })).status).toBe(401);
    expect((await fetch(`${server.url}/rest/v1/notes`)).status).toBe(401);
  });
});

describe('request context', () => {
  test('a signed-in caller is authenticated, with their id; no secret is among the headers a function sees', async () => {
    const { data } = await ann.client.rpc('who');
    expect(data).toMatchObject({ role: 'authenticated', uid: ann.id });
    expect(String(data.headers)).not.toContain(ann.token);
    expect(String(data.headers)).not.toContain(server.secrets.publishableKey);
  });

  test('nobody reads or writes what another person owns', async () => {
    const { data: mine } = await ann.client.from('notes').insert({ words: 'private' }).select().single();
    expect((await bob.client.from('notes').select().eq('id', mine.id)).data).toEqual([]);
    expect((await bob.client.from('notes').update({ words: 'x' }).eq('id', mine.id).select()).data).toEqual([]);
    const forged = await bob.client.from('notes').insert({ words: 'forged', owner: ann.id });
    expect([forged.status, forged.error?.code]).toEqual([403, '42501']);
  });

  test('two hundred calls at once by two people never mix them up', async () => {
    const calls = Array.from({ length: 200 }, async (_, at) => {
      const person = at % 2 === 0 ? ann : bob;
      const { data } = await person.client.rpc(at % 3 === 0 ? 'sync_pull' : 'who');
      return data.uid === person.id;
    });
    expect(await Promise.all(calls)).toEqual(Array(200).fill(true));
  });
});

test("an address that is cut in the middle of a letter is the asker's mistake, not a fault", async () => {
  for (const path of ['/rest/v1/%E2', '/rest/v1/rpc/%E2', '/functions/v1/%E2']) {
    const answer = await call(path, ann.token);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'PGRST125' });
  }
});

describe('body limit', () => {
  test('JSON over 10 MB and uploads over 60 MB get 413', async () => {
    const json = await call('/rest/v1/notes', ann.token, {
      method: 'POST',
      body: `{"words":"${'x'.repeat(10_500_000)}"}`,
    });
    expect(json.status).toBe(413);
    const upload = await call('/storage/v1/object/box/big', ann.token, {
      method: 'POST',
      body: new Uint8Array(63_000_000),
    });
    expect(upload.status).toBe(413);
  });

  test('bodies that are no JSON get a client error', async () => {
    for (const body of ['{', 'null', '"x"', '[1']) {
      const answer = await call('/rest/v1/notes', ann.token, { method: 'POST', body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
  });
});

const preflight = (path: string, origin: string) =>
  fetch(`${server.url}${path}`, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'apikey' },
  });

describe('CORS', () => {
  test.each(['/rest/v1/notes', '/auth/v1/token', '/storage/v1/object/box/x', '/functions/v1/media/confirm'])(
    'only our own origin may call %s from a browser',
    async path => {
      expect((await preflight(path, 'https://evil.example')).headers.get('Access-Control-Allow-Origin')).toBeNull();
      expect((await preflight(path, server.url)).headers.get('Access-Control-Allow-Origin')).toBe(server.url);
      const headers = { Origin: 'https://evil.example', apikey: server.secrets.publishableKey };
      const answer = await fetch(`${server.url}${path}`, { headers });
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    },
  );
});

describe('security headers', () => {
  test('the app may load only its own things and be framed by nobody', async () => {
    const { headers } = await fetch(server.url);
    const policy = headers.get('Content-Security-Policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`connect-src 'self' ${server.url.replace('http', 'ws')}`);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  });

  test('a stored page that is opened as one runs nothing', async () => {
    const page = new Blob(['<script>alert(1)</script>'], { type: 'text/html' });
    const stored = await ann.client.storage.from('box').upload('page.html', page);
    expect(stored.error).toBeNull();
    const answer = await call('/storage/v1/object/box/page.html', ann.token);
    expect([answer.status, await answer.text()]).toEqual([200, '<script>alert(1)</script>']);
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'; sandbox");
  });
});

describe('the sync lane', () => {
  const device = '00000000-0000-4000-8000-0000000000aa';

  test('answers as the library would, for the person of the token', async () => {
    const args = { p_cursors: {}, p_device: device, p_limit: 50 };
    const { data } = await ann.client.rpc('sync_pull', args);
    expect(data).toEqual({ uid: ann.id, kind: 'object', device, limit: 50 });
    const pushed = await ann.client.rpc('sync_push', { p_device: device, p_mutations: [{ mid: 'ä', n: 1 }] });
    expect(pushed.data).toEqual({ results: [{ mid: 'ä', n: 1 }] });
  });

  test('keeps error shapes, and takes no visitor', async () => {
    const { error, status } = await ann.client.rpc('sync_push', { p_device: device, p_mutations: [] });
    expect([status, error?.code, error?.message]).toEqual([400, '22023', 'nothing to do']);
    const bad = await call('/rest/v1/rpc/sync_pull', ann.token, { method: 'POST', body: '{' });
    expect(bad.status).toBe(400);
    const visitor = await server.visitor().rpc('sync_pull', { p_cursors: {} });
    expect(visitor.data).toMatchObject({ uid: null });
  });
});
