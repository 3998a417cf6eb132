import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { BUCKETS, PNG, rawCall } from './storage-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let bob: Awaited<ReturnType<TestServer['person']>>;
let call: ReturnType<typeof rawCall>;
let folders = 0;
/** A folder of Ann's that no other test has used. */
let here = '';

beforeAll(async () => {
  server = await startTestServer();
  await server.ask(BUCKETS);
  ann = await server.person('Ann');
  bob = await server.person('Bob');
  call = rawCall(server);
});

beforeEach(() => {
  folders += 1;
  here = `${ann.id}/${folders}`;
});

afterAll(() => server.stop());

const box = (bucket = 'own') => ann.client.storage.from(bucket);
const text = async (blob: Blob | null) => blob?.text();
const kept = () =>
  readdirSync(join(server.data, 'files'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .length;

describe('upload', () => {
  test('R7.16 upload by POST, update by PUT, and both answer with id and key', async () => {
    const first = await box().upload(`${here}/a.txt`, 'one');
    expect(first.data).toEqual({ path: `${here}/a.txt`, id: expect.any(String), fullPath: `own/${here}/a.txt` });
    const files = kept();
    const second = await box().update(`${here}/a.txt`, 'two');
    expect(second.data).toEqual(first.data);
    expect(await text((await box().download(`${here}/a.txt`)).data)).toBe('two');
    expect(kept()).toBe(files);
  });

  test('R9.06 an upload without options is kept for 3600 s, is text/plain, and replaces nothing', async () => {
    await box().upload(`${here}/a.txt`, 'one');
    const answer = await call(`/object/own/${here}/a.txt`, ann);
    // Nobody's cache keeps what is not anybody's; what was wished stays with it.
    expect([answer.headers.get('Cache-Control'), answer.headers.get('Vary')]).toEqual([
      'private, no-cache',
      expect.stringContaining('Authorization'),
    ]);
    expect((await box().info(`${here}/a.txt`)).data).toMatchObject({ cacheControl: 'max-age=3600' });
    const { data: link } = await box().createSignedUrl(`${here}/a.txt`, 60);
    expect((await fetch(link?.signedUrl ?? '')).headers.get('Cache-Control')).toBe('private, no-store');
    expect(answer.headers.get('Content-Type')).toBe('text/plain;charset=UTF-8');
    const { error } = await box().upload(`${here}/a.txt`, 'two');
    expect(error).toMatchObject({
      status: 400,
      statusCode: '409',
      code: 'KeyAlreadyExists',
      message: 'The resource already exists',
    });
    expect(await text((await box().download(`${here}/a.txt`)).data)).toBe('one');
  });

  test('options travel: upsert, type, cache time and metadata, as bytes and as a form', async () => {
    const metadata = { taken: 'Zürich', nested: { n: 1 } };
    const options = { upsert: true, contentType: 'text/csv', cacheControl: '60', metadata };
    for (const body of ['a,b', new Blob(['a,b'], { type: 'text/csv' })]) {
      expect((await box().upload(`${here}/t.csv`, body, options)).error).toBeNull();
      const { data } = await box().info(`${here}/t.csv`);
      expect(data).toMatchObject({ contentType: 'text/csv', cacheControl: 'max-age=60', metadata, size: 3 });
    }
  });

  test('eight uploads of one name at once leave one object and its bytes only', async () => {
    const before = kept();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => box().upload(`${here}/race`, `${at}`)));
    expect(answers.filter(answer => answer.error === null)).toHaveLength(1);
    await Promise.all(Array.from({ length: 8 }, (_, at) => box().upload(`${here}/race`, `${at}`, { upsert: true })));
    expect(await text((await box().download(`${here}/race`)).data)).toMatch(/^[0-7]$/);
    expect(kept()).toBe(before + 1);
  });

  test('into a folder of somebody else nothing goes, and no byte is kept', async () => {
    const before = kept();
    const { error } = await bob.client.storage.from('own').upload(`${here}/x`, 'x');
    expect(error).toMatchObject({ status: 400, statusCode: '403', code: 'AccessDenied' });
    expect(error?.message).toContain('row-level security');
    const mine = await box().upload(`${here}/mine`, 'mine');
    expect(mine.error).toBeNull();
    for (const upsert of [true, false])
      expect((await bob.client.storage.from('own').upload(`${here}/mine`, 'his', { upsert })).error).not.toBeNull();
    expect((await server.visitor().storage.from('own').upload(`${here}/y`, 'x')).error).not.toBeNull();
    expect(await text((await box().download(`${here}/mine`)).data)).toBe('mine');
    expect(kept()).toBe(before + 1);
  });

  test('a bucket that is not there is named so', async () => {
    const { error } = await box('nowhere').upload('x', 'x');
    expect(error).toMatchObject({ status: 400, statusCode: '404', code: 'NoSuchBucket', message: 'Bucket not found' });
  });
});

describe('what a bucket takes', () => {
  const put = (bytes: Uint8Array | string, contentType: string) =>
    box('pictures').upload(`${here}/p`, bytes, { contentType, upsert: true });

  test('only its types and sizes', async () => {
    expect((await put(PNG, 'image/png')).error).toBeNull();
    expect((await put('words', 'text/plain')).error).toMatchObject({ statusCode: '415', code: 'InvalidMimeType' });
    const large = await put(Buffer.concat([PNG, Buffer.alloc(1000)]), 'image/png');
    expect(large.error).toMatchObject({ status: 400, statusCode: '413', code: 'EntityTooLarge' });
  });

  test('an image that does not begin as one is refused, however short', async () => {
    for (const bytes of ['<script>alert(1)</script>', 'no', ''])
      expect((await put(bytes, 'image/png')).error).toMatchObject({ statusCode: '415' });
    expect((await put(PNG, 'image/jpeg')).error).toMatchObject({ statusCode: '415' });
  });
});

describe('names', () => {
  const encoded = [
    '%00',
    'a%00b',
    '%2e%2e%2fx',
    'a%2f..%2fb',
    'a%2f%2fb',
    '%2fetc%2fpasswd',
    '%',
    '%ff',
    'a%5cb',
    'ü',
    'x%0ay',
    '%ef%bc%8e%ef%bc%8e',
    'x'.repeat(1100),
  ];

  test.each(encoded)('%s is refused with 400 for every call', async name => {
    for (const method of ['POST', 'PUT', 'GET', 'DELETE']) {
      const body = method === 'POST' || method === 'PUT' ? { body: 'x' } : {};
      const answer = await call(`/object/own/${name}`, ann, { method, ...body });
      expect([method, answer.status]).toEqual([method, 400]);
      expect(await answer.json()).toMatchObject({ statusCode: '400', code: 'InvalidKey' });
    }
  });

  test('a path that climbs, sent as it is, names what it comes to and nothing else', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const lines = [
      `GET /storage/v1/object/own/../../../../etc/passwd HTTP/1.1`,
      'Host: x',
      'Connection: close',
      '',
      '',
    ];
    socket.write(lines.join('\r\n'));
    const answer: string[] = [];
    for await (const chunk of socket) answer.push(String(chunk));
    expect(answer.join('')).not.toContain('root:');
  });

  test('move and copy refuse them too', async () => {
    await box().upload(`${here}/a`, 'x');
    for (const name of ['../x', `${here}/\0`, '', `${here}//b`, '/abs'])
      for (const answer of [await box().move(`${here}/a`, name), await box().copy(`${here}/a`, name)])
        expect(answer.error).toMatchObject({ status: 400, code: 'InvalidKey' });
  });

  test('names that S3 allows go through and come back', async () => {
    for (const name of ["it's (1)*.txt", 'a b&c$@=;:+,.txt', '...', '..a']) {
      expect((await box().upload(`${here}/${name}`, name)).error).toBeNull();
      const { data } = await box().list(here, { search: name });
      expect(data?.map(file => file.name)).toContain(name);
    }
  });
});

describe('broken requests', () => {
  test.each([
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=q', 'no form at all'],
    ['multipart/form-data; boundary=q', '--q\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\ncut o'],
    [
      'multipart/form-data; boundary=q',
      '--q\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n1\r\n--q--\r\n',
    ],
  ])('a form (%s) that cannot be read gets 400 and stores nothing', async (type, body) => {
    const answer = await call(`/object/own/${here}/f`, ann, {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    });
    expect([answer.status, (await answer.json()).code]).toEqual([400, 'InvalidRequest']);
    expect((await box().exists(`${here}/f`)).data).toBe(false);
  });

  test.each(['/object/list/own', '/object/sign/own', '/object/move', '/object/copy', '/bucket'])(
    'a body that is no object gets 400 from %s',
    async path => {
      for (const body of ['{', 'null', '[]', '7', '{"prefix":1,"name":1,"bucketId":1}']) {
        const answer = await call(path, ann, { method: 'POST', body });
        expect([body, answer.status]).toEqual([body, 400]);
      }
    },
  );

  test('metadata that is no JSON object, and a type that is none, get 400', async () => {
    const send = (headers: Record<string, string>) =>
      call(`/object/own/${here}/m`, ann, { method: 'POST', body: 'x', headers });
    expect((await send({ 'x-metadata': btoa('[1]') })).status).toBe(400);
    expect((await send({ 'Content-Type': 'nonsense' })).status).toBe(400);
  });

  test('without a key nothing but public things is answered', async () => {
    expect((await fetch(`${server.url}/storage/v1/object/own/x`)).status).toBe(401);
    expect((await fetch(`${server.url}/storage/v1/bucket`, { headers: { apikey: 'sb_secret_guess' } })).status).toBe(
      401,
    );
  });
});

describe('download', () => {
  const bytes = 'abcdefghij';

  beforeEach(() => box().upload(`${here}/d.txt`, bytes, { contentType: 'text/x-letters' }));

  test.each([
    ['bytes=0-3', 206, 'abcd', 'bytes 0-3/10'],
    ['bytes=7-', 206, 'hij', 'bytes 7-9/10'],
    ['bytes=-2', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=8-99', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=4-2', 200, bytes, null],
    ['lines=1-2', 200, bytes, null],
  ])('Range %s gets %i', async (Range, status, body, range) => {
    const answer = await call(`/object/own/${here}/d.txt`, ann, { headers: { Range } });
    expect([answer.status, await answer.text(), answer.headers.get('Content-Range')]).toEqual([status, body, range]);
    expect(answer.headers.get('Accept-Ranges')).toBe('bytes');
  });

  test('a range beyond the end gets 416', async () => {
    const answer = await call(`/object/own/${here}/d.txt`, ann, { headers: { Range: 'bytes=10-' } });
    expect([answer.status, (await answer.json()).code]).toEqual([416, 'InvalidRange']);
  });

  test('what has not changed is not sent again; HEAD tells the size', async () => {
    const head = await call(`/object/own/${here}/d.txt`, ann, { method: 'HEAD' });
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, '10']);
    const tag = head.headers.get('ETag') ?? '';
    const again = await call(`/object/own/${here}/d.txt`, ann, { headers: { 'If-None-Match': tag } });
    expect(again.status).toBe(304);
    const part = await call(`/object/own/${here}/d.txt`, ann, {
      headers: { Range: 'bytes=0-1', 'If-Range': '"other"' },
    });
    expect(part.status).toBe(200);
  });

  test('download= makes it a file to save, whatever its name is', async () => {
    const answer = await call(`/object/own/${here}/d.txt?download=${encodeURIComponent('Grüße".txt')}`, ann);
    expect(answer.headers.get('Content-Disposition')).toBe(
      `attachment; filename="Gr__e_.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%22.txt`,
    );
  });

  test('somebody else, and a visitor, are told that it is not there', async () => {
    for (const client of [bob.client, server.visitor()]) {
      const { error } = await client.storage.from('own').download(`${here}/d.txt`);
      expect(error).toMatchObject({ status: 400, statusCode: '404', code: 'NoSuchKey', message: 'Object not found' });
      expect((await client.storage.from('own').exists(`${here}/d.txt`)).data).toBe(false);
    }
    expect((await box().exists(`${here}/d.txt`)).data).toBe(true);
  });

  test('R7.17 info describes it', async () => {
    const { data } = await box().info(`${here}/d.txt`);
    expect(data).toMatchObject({
      name: `${here}/d.txt`,
      bucketId: 'own',
      size: 10,
      contentType: 'text/x-letters',
      cacheControl: 'max-age=3600',
      etag: '"a925576942e94b2ef57a066101b48876"',
      metadata: {},
    });
  });

  test('a public bucket is read by anybody with its address, a private one is not there', async () => {
    await box('open').upload(`${here}/p.txt`, 'for all');
    const { publicUrl } = server
      .visitor()
      .storage.from('open')
      .getPublicUrl(`${here}/p.txt`, { download: 'x.txt' }).data;
    const answer = await fetch(publicUrl);
    expect([answer.status, await answer.text()]).toEqual([200, 'for all']);
    expect(answer.headers.get('Content-Disposition')).toContain('attachment');
    const closed = await fetch(server.visitor().storage.from('own').getPublicUrl(`${here}/d.txt`).data.publicUrl);
    expect([closed.status, (await closed.json()).code]).toEqual([400, 'NoSuchBucket']);
  });

  test("an image to be transformed gets Supabase's answer of a project without that feature", async () => {
    const transform = { width: 10 };
    const { error } = await box().download(`${here}/d.txt`, { transform });
    expect(error).toMatchObject({
      status: 403,
      code: 'FeatureNotEnabled',
      message: 'feature not enabled for this tenant',
    });
  });
});
