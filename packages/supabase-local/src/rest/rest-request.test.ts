import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { GateVariables } from '../access/gate.ts';
import { withBytes } from '../requests/reject-truncated-body.ts';
import { knownRequests } from './rest-request.ts';

const catalogue = {
  relations: new Map([['notes', new Set(['id', 'words', 'extra', 'owner'])]]),
  functions: new Map([['kind_of', new Set(['p_value', 'p_more'])]]),
};

type RecordedRequest = { method: string; path: string; headers: Record<string, string>; body: string };

/** What would reach the library, as it would. */
async function reached(
  path: string,
  init: Omit<RequestInit, 'body'> & { body?: string } = {},
): Promise<RecordedRequest | number> {
  const seen: RecordedRequest[] = [];
  const app = new Hono<GateVariables>();
  app.use(async (c, next) => {
    const body = init.body === undefined ? null : new TextEncoder().encode(init.body);
    c.req.raw = withBytes(c.req.raw, body);
    return next();
  });
  app.use(knownRequests(() => Promise.resolve(catalogue)));
  app.all('*', async c => {
    const { pathname, search } = new URL(c.req.url);
    const headers = Object.fromEntries(c.req.raw.headers);
    seen.push({ method: c.req.method, path: pathname + search, headers, body: await c.req.text() });
    return c.body(null, 204);
  });
  const answer = await app.request(path, init);
  const isOurs = answer.status === 204 || Object.keys(await answer.json()).join(' ') === 'code message details hint';
  expect(isOurs).toBe(true);
  return seen[0] ?? answer.status;
}

const at = (query: string, init?: Parameters<typeof reached>[1]) => reached(`/rest/v1/notes?${query}`, init);

describe('what of a request reaches the library', () => {
  test.each([
    'select=*',
    'select=id,words&order=words.desc.nullslast,id&limit=10&offset=20',
    'select=id,a:extra->deep->>0,words::text,...names!owner(name),people(id,teams(*))',
    'words=eq.one&id=in.(1,2,3)&owner=not.is.null&extra->>a=ilike.*b*',
    `or=(words.eq.a,and(id.gt.1,not.or(owner.is.null,words.in.("x,y",z))))&not.and=(id.eq.1)`,
    `words=eq.${encodeURIComponent(`1' or '1'='1`)}`,
    'select=id,people(*)&people.name=eq.Ann&people.order=name&people.limit=1&people.or=(a.eq.1)',
    'columns=%22id%22,%22words%22&on_conflict=id',
    'apikey=sb_publishable_x',
  ])('the query %s', async query => {
    const found = await at(query);
    expect(typeof found === 'number' ? found : decodeURIComponent(found.path)).toBe(
      decodeURIComponent(`/rest/v1/notes?${query}`),
    );
  });

  test.each([
    'select=id,(select 1)',
    'select="id" from auth.users --',
    'select=count()',
    `select=${Array.from({ length: 300 }, () => 'id').join(',')}`,
    'select=a(b(c(d(e(f(*))))))',
    'select=words,more:words',
    'select=id,a:extra->a,b:extra->>b',
    'select=*,id,*',
    'select=id,people(name,again:name)',
    'select=*&select=id',
    'limit=1;select 1',
    'limit=-1',
    'limit=1e9',
    'offset=-1',
    'order=id;drop table notes',
    `order=${Array.from({ length: 20 }, () => 'id').join(',')}`,
    'words=zz.1',
    'words=1',
    'words=fts.cat',
    'words=match.(a*)*b',
    'words=eq(any).{a}',
    'words=is.maybe',
    'id=in.1',
    'nope=eq.1',
    'or=(nope.eq.1)',
    'or=(words.eq.a',
    'or=(words.eq.a))--',
    'or=()',
    `or=${'('.repeat(30)}words.eq.a${')'.repeat(30)}`,
    `or=(${Array.from({ length: 200 }, () => 'id.eq.1').join(',')})`,
    `or=(words.eq.${'('.repeat(5000)})`,
    'people.name=eq.Ann',
    'a.b.c.d=eq.1',
    'columns=nope',
    'columns=id;x',
    'on_conflict=id)',
    Array.from({ length: 200 }, (_, n) => `id=neq.${n}`).join('&'),
    `words=eq.${'x'.repeat(20_000)}`,
  ])('not %s', async query => {
    expect(await at(query)).toBe(400);
  });

  test.each([
    ['/rest/v1/', 404],
    ['/rest/v1/nope', 404],
    ['/rest/v1/rpc/nope', 404],
    ['/rest/v1/rpc/', 404],
    ['/rest/v1/notes/1', 404],
    ['/rest/v1//notes', 404],
    ['/rest/v1/%6eotes', 404],
    ['/rest/v1/auth.users', 404],
    ['/rest/v1/constructor', 404],
    ['/rest/v1/rpc/__proto__', 404],
    ['/auth/v1/token', 404],
    ['/_system/x', 404],
  ])('not the path %s', async (path, status) => {
    expect(await reached(path)).toBe(status);
  });

  test.each(['PUT', 'OPTIONS', 'PROPFIND'])('not the method %s, nor a change by GET of a function', async method => {
    expect(await at('', { method })).toBe(405);
    expect(await reached('/rest/v1/rpc/kind_of', { method: 'DELETE' })).toBe(405);
  });
});

describe('headers', () => {
  const prefer = async (value: string) => {
    const found = await at('', { headers: { prefer: value } });
    return typeof found === 'number' ? found : found.headers['prefer'];
  };

  test.each([
    'count=planned',
    'count=estimated',
    'count = planned',
    'return=minimal,count=planned',
    'count=estimated, count=planned',
  ])('Prefer: %s is an exact count', async value => {
    expect(String(await prefer(value)).replace('return=minimal, ', '')).toBe('count=exact');
  });

  test.each([
    'Count=planned',
    'count=PLANNED',
    'count="planned"',
    'count',
    'count=planned;x',
    'plan=1',
    'timezone=UTC',
    'params=single-object',
  ])('Prefer: %s is nothing', async value => {
    expect(await prefer(value)).toBeUndefined();
  });

  test.each([
    'application/vnd.pgrst.plan',
    'application/vnd.pgrst.plan+json; options=analyze',
    'APPLICATION/VND.PGRST.PLAN+text',
    'text/html',
  ])('Accept: %s alone is refused, beside another it is left out', async value => {
    expect(await at('', { headers: { accept: value } })).toBe(406);
    const both = await at('', { headers: { accept: `${value}, application/json` } });
    expect(both).toMatchObject({ headers: { accept: 'application/json' } });
  });

  test('of all others only the known ones go on, and no schema but public', async () => {
    const headers = {
      'x-forwarded-for': '1.2.3.4',
      'x-http-method-override': 'DELETE',
      range: '0-4',
      'range-unit': 'items',
    };
    expect(await at('', { headers })).toMatchObject({
      method: 'GET',
      headers: { range: '0-4', 'range-unit': 'items' },
    });
    const found = await at('', { headers: { ...headers, range: 'bytes=0-1,5-9' } });
    expect(found).toMatchObject({ headers: { 'range-unit': 'items' } });
    expect(typeof found === 'number' ? null : Object.keys(found.headers)).toEqual(['range-unit']);
    expect(await at('', { headers: { 'accept-profile': 'auth' } })).toBe(406);
    expect(await at('', { method: 'POST', body: '{}', headers: { 'content-profile': 'auth' } })).toBe(406);
  });
});

describe('bodies', () => {
  const post = (body: string, headers = {}, path = '/rest/v1/notes') =>
    reached(path, { method: 'POST', body, headers });
  const json = { 'content-type': 'application/json' };

  test.each([
    '{"words":"a"}',
    '[{"words":"a"},{"words":"b","extra":[1,[2]]}]',
    ' [ { } ] ',
    '{"w\\u006frds":{"any":["thing"]}}',
  ])('%s is rows', async body => {
    expect(await post(body, json)).toMatchObject({ body, headers: json });
  });

  test.each([
    '"text"',
    '7',
    'true',
    'null',
    '[1]',
    '["a"]',
    '[[{}]]',
    '[null]',
    '[{},1]',
    '[{}',
    '{}{}',
    '{"words":1',
    'x',
    '[{} {}]]',
  ])('%s is none', async body => {
    expect(await post(body, json)).toBe(400);
    expect(await post(body, json, '/rest/v1/rpc/kind_of')).toBe(400);
  });

  test('a member that is no column or argument is named, and goes no further', async () => {
    for (const name of ['nope', '__proto__', 'constructor']) {
      expect(await post(`{"${name}":1}`, json)).toBe(400);
      expect(await post(`{"${name}":1}`, json, '/rest/v1/rpc/kind_of')).toBe(404);
    }
    expect(await post('[{"p_value":1}]', json, '/rest/v1/rpc/kind_of')).toBe(400);
    expect(await reached('/rest/v1/notes', { method: 'PATCH', body: '[{"words":"a"}]', headers: json })).toBe(400);
    expect(await reached('/rest/v1/notes?id=eq.1', { method: 'DELETE', body: '{}', headers: json })).toBe(400);
  });

  test('rows, members and values have bounds', async () => {
    expect(await post(`[${Array.from({ length: 1001 }, () => '{}').join(',')}]`, json)).toBe(413);
    expect(await post(`{"words":[${'0,'.repeat(300_001)}0]}`, json)).toBe(413);
    expect(await post(`{"${'k'.repeat(1000)}":1}`, json)).toBe(413);
    const text = 'x'.repeat(600_000);
    expect(await post(`{"words":"${text}"}`, json)).toMatchObject({ method: 'POST' });
    expect(await post(`[{"words":"${text}"},{"words":"${text}"}]`, json)).toBe(413);
    expect(await post(`{"extra":["${text}","${text}"]}`, json)).toMatchObject({ method: 'POST' });
    const twice = `{${Array.from({ length: 201 }, () => '"words":1').join(',')}}`;
    expect(await post(twice, json)).toBe(413);
  });

  test.each([
    'text/csv',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'text/plain',
    'multipart/form-data',
  ])('as %s none is read', async type => {
    expect(await post('{"words":"a"}', { 'content-type': type })).toBe(415);
  });
});

test('the library is one version, and two of its exports are called, in one place', () => {
  const folder = fileURLToPath(new URL('../', import.meta.url));
  const imports = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(file =>
      readFileSync(`${folder}${file}`, 'utf8')
        .split('\n')
        .filter(line => /from '@supabase\/lite/.test(line))
        .map(line => `${file}: ${line}`),
    );
  expect(imports).toEqual([
    `lite.ts: import { App } from '@supabase/lite';`,
    `lite.ts: import { createPostgresConnection } from '@supabase/lite/postgres';`,
  ]);
  const { dependencies } = JSON.parse(readFileSync(`${folder}../package.json`, 'utf8')) as { dependencies: object };
  expect(dependencies).toMatchObject({ '@supabase/lite': '0.10.0' });
});
