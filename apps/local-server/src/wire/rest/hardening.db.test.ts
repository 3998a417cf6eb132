import { SignJWT } from 'jose';
import { createSigningKeys, makeSigningKey } from '@cairn/supabase-local/access/signing-keys.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let bob: Awaited<ReturnType<TestServer['person']>>;

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person('Ann');
  bob = await server.person('Bob');
});

afterAll(() => server.stop());

/** Postgres has many ways to fail at reading a text; each repeats it. */
const RARE_TYPES =
  `regclass regproc regprocedure regtype regrole regnamespace regoper regoperator regconfig regdictionary regcollation
  tsquery tsvector xml jsonb jsonpath point box path polygon lseg line circle cidr macaddr macaddr8 bit varbit pg_lsn
  int4range money oid xid tid timetz bytea txid_snapshot pg_snapshot float8 int8 date time`.split(/\s+/);

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

  test('a row that is refused is not repeated, whichever way it was written', async () => {
    const direct = await ann.client.from('notes').insert({ words: '', extra: { secret: 'diary' } });
    const missing = await ann.client.from('notes').insert({ words: null, extra: { secret: 'diary' } });
    const called = await ann.client.rpc('keep_note', { p_words: '', p_extra: { secret: 'diary' } });
    const none = await ann.client.rpc('keep_note', { p_words: null, p_extra: { secret: 'diary' } });
    expect([direct, missing, called, none].map(({ error }) => error?.code)).toEqual([
      '23514',
      '23502',
      '23514',
      '23502',
    ]);
    for (const { error } of [direct, missing, called, none]) expect(JSON.stringify(error)).not.toContain('diary');
  });

  test('the code of a sentence of ours is answered, and nothing else that stands in its place', async () => {
    const { error } = await ann.client.rpc('refuse_with_code', { p_detail: 'CN001' });
    expect(error).toMatchObject({ code: '23514', message: 'not like this', details: 'CN001' });
    const other = await ann.client.rpc('refuse_with_code', { p_detail: 'Failing row contains (CN001, diary)' });
    expect(other.error).toMatchObject({ code: '23514', details: null });
  });

  test('no cast is put on the answer of a function, and a value that cannot be read is not repeated', async () => {
    const secret = 'diary of Ann';
    const given = `p_value=${encodeURIComponent(JSON.stringify(secret))}`;
    const path = '/rest/v1/rpc/kind_of';
    const asked = ['select=kind_of::int', 'select=kind_of%3A%3Aint', 'kind_of::int=eq.1', 'order=kind_of::int'];
    for (const query of [...asked, 'or=(kind_of::int.eq.1)', 'not.and=(kind_of::int.eq.1)', '%73elect=kind_of::int']) {
      const answer = await call(`${path}?${given}&${query}`, ann.token);
      const text = await answer.text();
      expect([query, answer.status, text.includes('string')]).toEqual([query, 400, false]);
      expect([query, text]).toEqual([query, expect.stringContaining('no casts on a function')]);
    }
    for (const other of ['rpc%2Fkind_of', 'rpc%2fkind_of', '%72pc%2F%6bind_of']) {
      const answer = await call(`/rest/v1/${other}?${given}&select=kind_of::int`, ann.token);
      expect([other, await answer.text()]).toEqual([other, expect.stringContaining('no casts on a function')]);
    }
    expect((await call(`${path}?p_value=${encodeURIComponent('"a::b"')}`, ann.token)).status).toBe(200);
    await ann.client.from('notes').insert({ words: secret });
    for (const type of ['int', 'date', 'json', 'uuid', 'numeric', 'bool', 'timestamptz', 'inet', 'interval']) {
      const { status, error } = await ann.client.from('notes').select(`words::${type}`);
      expect([type, status]).toEqual([type, 400]);
      expect([type, JSON.stringify(error).includes('Ann')]).toEqual([type, false]);
    }
    for (const type of RARE_TYPES) {
      const { error } = await ann.client.from('notes').select(`words::${type}`);
      expect([type, JSON.stringify(error ?? '')]).toEqual([type, expect.not.stringMatching(/Ann|diary/)]);
    }
    const wide = await ann.client.from('notes').insert({ words: '99999999999999' }).select('words::int');
    expect(JSON.stringify(wide.error)).not.toContain('9999');
    expect(wide.error).toMatchObject({ code: '22003' });
  });

  test('what cannot be read is the mistake of who asks: quotes, zero bytes, JSON without a bottom', async () => {
    const asked = ['select="words', 'select=id:"', '"extra",..=eq.1', 'select=%00', 'id=eq.%00', 'order="'];
    for (const query of asked) {
      const answer = await call(`/rest/v1/notes?${query.replaceAll('"', '%22')}`, ann.token);
      expect([query, Math.floor(answer.status / 100)]).toEqual([query, 4]);
    }
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const bodies: [string, string][] = [
      ['/rest/v1/notes', deep],
      ['/rest/v1/notes', `{"words":"x","extra":${deep}}`],
      ['/rest/v1/rpc/kind_of', `{"p_value":${deep}}`],
      ['/rest/v1/rpc/sync_push', `{"p_device":"00000000-0000-4000-8000-0000000000aa","p_mutations":${deep}}`],
      ['/rest/v1/rpc/sync_pull', `{"p_cursors":${deep}}`],
      ['/auth/v1/recover', `{"email":${deep}}`],
      ['/auth/v1/user', `{"data":{"a":${deep}}}`],
      ['/storage/v1/object/list/box', deep],
      ['/functions/v1/media/confirm', `{"id":${deep}}`],
      ['/realtime/v1/api/broadcast', `{"messages":${deep}}`],
    ];
    for (const [path, body] of bodies) {
      const answer = await call(path, ann.token, { method: path.endsWith('/user') ? 'PUT' : 'POST', body });
      expect([path, answer.status < 500, await answer.text()]).toEqual([
        path,
        true,
        expect.not.stringContaining('SUP'),
      ]);
    }
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

  test('a key where a session belongs is nobody, for every function', async () => {
    const body = JSON.stringify({ id: '00000000-0000-4000-8000-0000000000aa' });
    for (const path of ['media/confirm', 'people/invite', 'people/renew', 'account/delete', 'schedules/plan'])
      for (const token of [server.secrets.publishableKey, 'sb_nonsense']) {
        const answer = await call(`/functions/v1/${path}`, token, { method: 'POST', body });
        expect([path, Math.floor(answer.status / 100)]).toEqual([path, 4]);
      }
    const confirm = await call('/functions/v1/media/confirm', server.secrets.publishableKey, { method: 'POST', body });
    expect([confirm.status, await confirm.json()]).toEqual([401, { code: 'signed_out', message: 'Sign in first' }]);
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
    // A path each: what a member stored comes from our origin as well.
    const { host } = new URL(server.url);
    for (const rule of ['script-src', 'worker-src'])
      expect(policy).toContain(`${rule} ${host}/assets/ ${host}/push-worker.js ${host}/sw.js`);
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

test.each(['text/html', 'text/javascript', 'application/xhtml+xml', 'image/svg+xml', 'application/ecmascript'])(
  'what is stored as %s is saved, not shown or run',
  async type => {
    const name = `${type.replaceAll(/\W/g, '-')}.txt`;
    await ann.client.storage.from('box').upload(name, new Blob(['alert(1)'], { type }));
    const { headers } = await call(`/storage/v1/object/box/${name}`, ann.token);
    expect(headers.get('Content-Disposition')).toBe('attachment');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  },
);

test('nobody is told of a rollback that did not happen', async () => {
  const headers = { Prefer: 'tx=rollback, return=representation', 'Content-Type': 'application/json' };
  const body = JSON.stringify({ words: 'kept after all' });
  const answer = await call('/rest/v1/notes', ann.token, { method: 'POST', headers, body });
  expect([answer.status, answer.headers.get('Preference-Applied') ?? '']).toEqual([
    201,
    expect.not.stringContaining('rollback'),
  ]);
  expect((await ann.client.from('notes').select().eq('words', 'kept after all')).data).toHaveLength(1);
});

test.each(['constructor', 'toString', '__proto__'])('a verification of type %s is refused', async type => {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ type, email: 'ann@example.test', token: '123456' });
  const answer = await call('/auth/v1/verify', null, { method: 'POST', headers, body });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error_code: 'validation_failed' }]);
});

test.each([{ organization_id: { toString: 'x' } }, { email: ['a@example.test'] }, { site_ids: 'x' }, { role: 7 }])(
  'an invitation with a field of another type is refused: %j',
  async fields => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ organization_id: '00000000-0000-4000-8000-0000000000a1', ...fields });
    const answer = await call('/functions/v1/people/invite', ann.token, { method: 'POST', headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid' }]);
  },
);

describe('calls of the sync engine', () => {
  const device = '00000000-0000-4000-8000-0000000000aa';

  test('answers as the library would, for the person of the token', async () => {
    const args = { p_cursors: {}, p_device: device, p_limit: 50 };
    const { data } = await ann.client.rpc('sync_pull', args);
    expect(data).toEqual({ uid: ann.id, kind: 'object', device, limit: 50, patience: '8s' });
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
