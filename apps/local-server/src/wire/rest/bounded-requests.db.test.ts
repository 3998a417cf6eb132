import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

/** What would hold up everybody while it is read is refused before anything reads it. */
let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person('Ann');
});
afterAll(() => server.stop());

type RequestOptions = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };
async function ask(
  path: string,
  init: RequestOptions = {},
  token?: string,
): Promise<{ status: number; body: unknown }> {
  const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const headers = { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json', ...bearer };
  const answer = await fetch(`${server.url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}
const post = (path: string, body: BodyInit, token?: string) => ask(path, { method: 'POST', body }, token);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('JSON that is nested beyond 64 levels', () => {
  const refusals: [string, string, (deep: string) => string, number, object][] = [
    ['a function', '/rest/v1/rpc/kind_of', deep => `{"p_value":${deep}}`, 400, { code: 'PGRST102' }],
    ['a row', '/rest/v1/names', deep => `{"name":${deep}}`, 400, { code: 'PGRST102' }],
    ['a function of the sync', '/rest/v1/rpc/sync_pull', deep => `{"p_cursors":${deep}}`, 400, { code: 'PGRST102' }],
    ['sign-in', '/auth/v1/recover', deep => `{"email":${deep}}`, 400, { error_code: 'bad_json' }],
    ['files', '/storage/v1/object/list/box', deep => `{"prefix":${deep}}`, 400, { code: 'InvalidRequest' }],
    ['a service', '/functions/v1/media/confirm', deep => `{"id":${deep}}`, 400, { code: 'invalid' }],
    ['a broadcast', '/realtime/v1/api/broadcast', deep => `{"messages":${deep}}`, 422, { errors: {} }],
  ];
  test.each(refusals)('is refused by %s', async (_, path, body, status, words) => {
    // Broadcasts are for whoever is signed in.
    for (const token of path.startsWith('/realtime/') ? [ann.token] : [undefined, ann.token])
      expect(await post(path, body(nested(64)), token)).toMatchObject({ status, body: words });
  });

  test('is taken up to there', async () => {
    expect(await post('/rest/v1/rpc/kind_of', `{"p_value":${nested(63)}}`)).toEqual({ status: 200, body: 'array' });
  });

  test('is not said of brackets in somebody’s words', async () => {
    const body = JSON.stringify({ words: '['.repeat(200), extra: { filter: '{"'.repeat(200) } });
    expect((await post('/rest/v1/notes', body, ann.token)).status).toBe(201);
  });
});

describe('a number that the database would write out in thousands of digits', () => {
  const device = 'd0000000-0000-4000-8000-000000000000';

  test.each([
    ['a function', '/rest/v1/rpc/kind_of', '{"p_value":[1e1000]}', 'PGRST102'],
    ['a row', '/rest/v1/notes', '{"words":"a","extra":{"n":1e-1000}}', 'PGRST102'],
    ['a push', '/rest/v1/rpc/sync_push', `{"p_device":"${device}","p_mutations":[1e1000]}`, 'PGRST102'],
    ['a service', '/functions/v1/media/confirm', '{"id":1e1000}', 'invalid'],
  ])('is refused by %s', async (_, path, body, code) => {
    expect(await post(path, body, ann.token)).toMatchObject({ status: 400, body: { code } });
  });

  test('does not come in a text that is JSON either', async () => {
    const [plain, twice] = ['[1e1000,1e3]', JSON.stringify('[1\\u00651000]').replace('\\\\', '\\')];
    for (const extra of [plain, twice]) {
      const answer = await post('/rest/v1/notes', JSON.stringify({ words: extra, extra }), ann.token);
      expect(answer.status).toBe(201);
    }
    const kept = await server.ask(`select length(extra::text) as chars from notes where words like '%1000%'`);
    expect(kept.map(({ chars }) => Number(chars) < 30)).toEqual([true, true]);
  });

  test('nor in a list that is given to the sync as one text', async () => {
    const lists: [string, object][] = [
      ['sync_push', { p_device: device, p_mutations: '[1e3]' }],
      ['sync_pull', { p_cursors: '{"a":1e3}' }],
    ];
    for (const [name, args] of lists) {
      const given = await post(`/rest/v1/rpc/${name}`, JSON.stringify(args), ann.token);
      expect(given).toMatchObject(name === 'sync_pull' ? { status: 200, body: { kind: 'null' } } : { status: 400 });
    }
  });
});

describe('who has no session sends 256 kB at most, who has one ten MB', () => {
  const words = JSON.stringify('x'.repeat(300_000));
  test('to functions of the database', async () => {
    const body = `{"p_value":${words}}`;
    expect(await post('/rest/v1/rpc/kind_of', body)).toMatchObject({ status: 413, body: { code: '413' } });
    expect(await post('/rest/v1/rpc/kind_of', body, ann.token)).toEqual({ status: 200, body: 'string' });
  });

  test('to services, files and channels', async () => {
    expect((await post('/functions/v1/media/confirm', `{"id":${words}}`)).status).toBe(413);
    const list = await post('/storage/v1/object/list/box', `{"prefix":${words}}`);
    expect(list).toMatchObject({ status: 400, body: { statusCode: '413', code: 'EntityTooLarge' } });
    const message = `{"messages":[{"topic":"t","event":"e","payload":{"words":${words}}}]}`;
    expect((await post('/realtime/v1/api/broadcast', message)).status).toBe(413);
    expect((await post('/realtime/v1/api/broadcast', message, ann.token)).status).toBe(202);
  });
});

describe('what visitors send to the public calls of the database', () => {
  const SUBMIT = '/rest/v1/rpc/submit_public_report';

  test('is 64 kB at most, whoever asks and however the call is written', async () => {
    const body = `{"p_value":"${'x'.repeat(70_000)}"}`;
    const words = { code: '413', message: 'The request is larger than 64 kB' };
    for (const path of [SUBMIT, SUBMIT.replace('_', '%5F')])
      for (const token of [undefined, ann.token])
        expect(await post(path, body, token)).toMatchObject({ status: 413, body: words });
    expect((await post('/rest/v1/rpc/kind_of', body)).status).toBe(200);
  });

  test('has the room that bodies have, also where nobody says how long it is', async () => {
    // A sixty-fourth of it: 168 kB of the visitors of a network.
    const narrow = await startTestServer({ bodyShare: 1 / 64 });
    const answers: (number | undefined)[] = [];
    const lines = Array.from({ length: 12 }, () => {
      const headers = { apikey: narrow.secrets.publishableKey, 'Content-Type': 'application/json' };
      const line = request(`${narrow.url}${SUBMIT}`, { method: 'POST', headers });
      line.on('response', answer => answers.push(answer.resume().statusCode)).on('error', () => undefined);
      line.write(`{"p_value":"${'x'.repeat(40_000)}`);
      return line;
    });
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(8);
    expect(new Set(answers)).toEqual(new Set([429]));
    for (const line of lines) line.destroy();
    await narrow.stop();
  });
});

describe('what an address asks for', () => {
  test.each(['select', 'order', 'columns', 'or', 'and', 'not.or', 'a.order'])(
    '%s is 4,096 chars at most',
    async name => {
      const refused = await ask(`/rest/v1/notes?${name}=${'a'.repeat(4097)}`, {}, ann.token);
      expect(refused).toMatchObject({ status: 414, body: { code: 'PT414' } });
    },
  );

  test('also in several pieces', async () => {
    const selects = Array.from({ length: 5 }, () => `select=${'a'.repeat(1000)}`).join('&');
    expect((await ask(`/rest/v1/notes?${selects}`, {}, ann.token)).status).toBe(414);
  });

  test('conditions stand sixteen levels deep in each other, not seventeen', async () => {
    const deep = (levels: number) => `(${'or('.repeat(levels - 1)}words.eq.a${')'.repeat(levels)}`;
    expect((await ask(`/rest/v1/notes?or=${deep(16)}`, {}, ann.token)).status).toBe(200);
    const refused = await ask(`/rest/v1/notes?or=${deep(17)}`, {}, ann.token);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'PGRST100', message: 'failed to parse: nested too deeply' },
    });
    const filter = encodeURIComponent(`(words.eq."${'('.repeat(40)}")`);
    expect((await ask(`/rest/v1/notes?or=${filter}`, {}, ann.token)).status).toBe(200);
  });

  test('three hundred ids in a filter are no expression', async () => {
    const ids = Array.from({ length: 300 }, () => randomUUID());
    expect(await ann.client.from('notes').select('id').in('id', ids)).toMatchObject({ status: 200, data: [] });
  });
});

describe('forms', () => {
  const part = 'Content-Disposition: form-data; name="a"\r\n\r\n1\r\n';
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  test.each([
    ['a photo of a report', '/functions/v1/reports/photo', { code: 'invalid' }],
    ['a photo of a guest', '/functions/v1/guests/photo', { code: 'invalid' }],
    ['a file', '/storage/v1/object/box/many', { message: 'The form cannot be read' }],
  ])('%s has sixteen parts at most', async (_, path, words) => {
    const body = `${`--x\r\n${part}`.repeat(17)}--x--`;
    const refused = await ask(path, { method: 'POST', body, headers }, ann.token);
    expect(refused).toMatchObject({ status: 400, body: words });
  });
});
