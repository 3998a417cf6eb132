import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { BUCKETS, PNG, rawCall } from './storage-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let bob: Awaited<ReturnType<TestServer['person']>>;
let call: ReturnType<typeof rawCall>;
let files = 0;
let name = '';

beforeAll(async () => {
  server = await startTestServer();
  await server.ask(BUCKETS);
  ann = await server.person('Ann');
  bob = await server.person('Bob');
  call = rawCall(server);
});

beforeEach(() => {
  files += 1;
  name = `${ann.id}/tus/${files}`;
});

afterAll(() => server.stop());

const CHUNK_HEADERS = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' };
const waiting = () => readdirSync(join(server.data, 'uploads'));
const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const encode = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

type Announcement = { length: number; type?: string; bucket?: string; objectName?: string };

function announce(
  { length, type = 'text/plain', bucket = 'own', objectName = name }: Announcement,
  person = ann,
  more = {},
) {
  const metadata = encode({ bucketName: bucket, objectName, contentType: type, cacheControl: '60' });
  const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(length), 'Upload-Metadata': metadata, ...more };
  return call('/upload/resumable', person, { method: 'POST', headers });
}

const pathIn = (answer: Response) => (answer.headers.get('Location') ?? '').replace('/storage/v1', '');

const patch = (path: string, offset: number, body: RequestInit['body'], person = ann) =>
  call(path, person, {
    method: 'PATCH',
    headers: { ...CHUNK_HEADERS, 'Upload-Offset': String(offset) },
    body: body ?? null,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });

const head = (path: string, person = ann) =>
  call(path, person, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } });

async function stored(): Promise<Uint8Array> {
  const { data } = await ann.client.storage.from('own').download(name);
  return new Uint8Array((await data?.arrayBuffer()) ?? []);
}

test('the tus client uploads in pieces, is cut off, resumes, and what is stored has the same hash', async () => {
  const bytes = randomBytes(700_000);
  const options = (resumeAt: string | null) => ({
    endpoint: `${server.url}/storage/v1/upload/resumable`,
    ...(resumeAt ? { uploadUrl: resumeAt } : {}),
    headers: { authorization: `Bearer ${ann.token}`, apikey: server.secrets.publishableKey },
    metadata: { bucketName: 'own', objectName: name, contentType: 'video/mp4', cacheControl: '3600' },
    chunkSize: 100_000,
    retryDelays: [],
  });
  const url = await new Promise<string>((resolve, reject) => {
    const first: Upload = new Upload(bytes, {
      ...options(null),
      onError: reject,
      onChunkComplete(_size, accepted) {
        if (accepted >= 300_000) void first.abort().then(() => resolve(first.url ?? ''));
      },
    });
    first.start();
  });
  expect((await ann.client.storage.from('own').exists(name)).data).toBe(false);
  const sent: number[] = [];
  await new Promise<void>((resolve, reject) => {
    const onChunkComplete = (size: number) => sent.push(size);
    new Upload(bytes, { ...options(url), onError: reject, onSuccess: () => resolve(), onChunkComplete }).start();
  });
  expect(sent.reduce((all, size) => all + size, 0)).toBeLessThanOrEqual(400_000);
  expect(sum(await stored())).toBe(sum(bytes));
  expect((await ann.client.storage.from('own').info(name)).data).toMatchObject({
    contentType: 'video/mp4',
    cacheControl: 'max-age=3600',
  });
  expect(waiting()).toEqual([]);
});

test('each step says how far it is and when it ends', async () => {
  const created = await announce({ length: 6 });
  expect([created.status, created.headers.get('Tus-Resumable')]).toEqual([201, '1.0.0']);
  expect(Date.parse(created.headers.get('Upload-Expires') ?? '')).toBeGreaterThan(Date.now());
  const path = pathIn(created);
  const first = await patch(path, 0, 'abc');
  expect([first.status, first.headers.get('Upload-Offset')]).toEqual([204, '3']);
  const state = await head(path);
  expect([state.status, state.headers.get('Upload-Offset'), state.headers.get('Upload-Length')]).toEqual([
    200,
    '3',
    '6',
  ]);
  expect(state.headers.get('Cache-Control')).toBe('no-store');
  const conflict = await patch(path, 0, 'abc');
  expect([conflict.status, await conflict.text()]).toEqual([409, 'Upload-Offset conflict\n']);
  expect((await patch(path, 3, 'def')).headers.get('Tus-Complete')).toBe('1');
  expect(Buffer.from(await stored()).toString()).toBe('abcdef');
  expect((await head(path)).status).toBe(404);
});

/** A request that announces six bytes, sends three and hangs. */
function hangingPatch(path: string) {
  const headers = {
    ...CHUNK_HEADERS,
    'Upload-Offset': '0',
    'Content-Length': '6',
    apikey: server.secrets.publishableKey,
    Authorization: `Bearer ${ann.token}`,
  };
  const sending = request(`${server.url}/storage/v1${path}`, { method: 'PATCH', headers });
  sending.on('error', () => {});
  sending.write('abc');
  return sending;
}

test('bytes that came before the line broke are kept', async () => {
  const path = pathIn(await announce({ length: 6 }));
  const id = path.split('/').at(-1) ?? '';
  const hanging = hangingPatch(path);
  await expect.poll(() => statSync(join(server.data, 'uploads', id)).size).toBe(3);
  hanging.destroy();
  expect((await head(path)).headers.get('Upload-Offset')).toBe('3');
  expect((await patch(path, 3, 'def')).status).toBe(204);
  expect(Buffer.from(await stored()).toString()).toBe('abcdef');
});

test('a line that died without a word holds nothing: who asks how far it came goes on at once', async () => {
  const path = pathIn(await announce({ length: 6 }));
  const id = path.split('/').at(-1) ?? '';
  const hanging = hangingPatch(path);
  await expect.poll(() => statSync(join(server.data, 'uploads', id)).size).toBe(3);
  const ended = once(hanging, 'response');
  expect((await head(path)).headers.get('Upload-Offset')).toBe('3');
  const [{ statusCode }] = (await ended) as [{ statusCode: number }];
  expect(statusCode).toBe(408);
  expect((await patch(path, 3, 'def')).status).toBe(204);
  expect(Buffer.from(await stored()).toString()).toBe('abcdef');
});

test('of two requests at once each byte is kept once', async () => {
  const path = pathIn(await announce({ length: 6 }));
  const answers = await Promise.all([patch(path, 0, 'abcdef'), patch(path, 0, 'abcdef')]);
  expect(Math.min(...answers.map(({ status }) => status))).toBe(204);
  expect(Buffer.from(await stored()).toString()).toBe('abcdef');
});

test('a piece from an old offset is refused before it is carried: the line is closed', async () => {
  const path = pathIn(await announce({ length: 6_000_000 }));
  await patch(path, 0, 'abc');
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const heard: Buffer[] = [];
  socket.on('data', chunk => heard.push(chunk));
  // Bytes under way when the line closes are answered with a reset.
  socket.on('error', () => undefined);
  const lines = [
    `PATCH /storage/v1${path} HTTP/1.1`,
    `Host: ${hostname}`,
    `apikey: ${server.secrets.publishableKey}`,
    `Authorization: Bearer ${ann.token}`,
    ...Object.entries(CHUNK_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Upload-Offset: 0',
    'Content-Length: 6000000',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(Buffer.alloc(1000));
  await once(socket, 'close');
  expect(Buffer.concat(heard).toString()).toMatch(/^HTTP\/1\.1 409 /);
  expect((await head(path)).headers.get('Upload-Offset')).toBe('3');
});

test('an upload is its own person alone', async () => {
  const path = pathIn(await announce({ length: 3 }));
  expect((await head(path, bob)).status).toBe(404);
  expect((await patch(path, 0, 'abc', bob)).status).toBe(404);
  expect((await call(path, bob, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } })).status).toBe(404);
  expect((await announce({ length: 3 }, bob)).status).toBe(403);
  expect((await call(path, ann, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } })).status).toBe(204);
  expect((await head(path)).status).toBe(404);
  for (const id of ['x', '%2e%2e', '..%2fsecrets', '00000000-0000-4000-8000-000000000000'])
    expect((await head(`/upload/resumable/${id}`)).status).toBeGreaterThanOrEqual(404);
});

test('rights are asked at the end too: who lost them meanwhile stores nothing', async () => {
  const path = pathIn(await announce({ length: 3 }));
  await ann.client.storage.from('own').upload(name, 'first');
  const late = await patch(path, 0, 'abc');
  expect(late.status).toBe(409);
  expect(Buffer.from(await stored()).toString()).toBe('first');
});

test('what the bucket does not take is refused, before or after the bytes', async () => {
  const picture = { bucket: 'pictures', type: 'image/png' };
  expect((await announce({ ...picture, length: 1001 })).status).toBe(413);
  expect((await announce({ ...picture, type: 'text/plain', length: 10 })).status).toBe(415);
  const path = pathIn(await announce({ ...picture, length: 30 }));
  expect((await patch(path, 0, '<script>alert(1)</script>     ')).status).toBe(415);
  expect((await head(path)).status).toBe(404);
  const good = pathIn(await announce({ ...picture, length: PNG.length }));
  expect((await patch(good, 0, Buffer.from(PNG))).status).toBe(204);
  const over = pathIn(await announce({ length: 2, objectName: `${name}o` }));
  expect((await patch(over, 0, 'abc')).status).toBe(413);
});

test('bytes may come with the announcement, and an empty file is one', async () => {
  const metadata = encode({ bucketName: 'own', objectName: name });
  const headers = { ...CHUNK_HEADERS, 'Upload-Length': '3', 'Upload-Metadata': metadata };
  const created = await call('/upload/resumable', ann, { method: 'POST', headers, body: 'abc' });
  expect([created.status, created.headers.get('Upload-Offset')]).toEqual([201, '3']);
  expect(Buffer.from(await stored()).toString()).toBe('abc');
  expect((await announce({ length: 0, objectName: `${name}e` })).headers.get('Upload-Offset')).toBe('0');
  expect((await ann.client.storage.from('own').info(`${name}e`)).data?.size).toBe(0);
});

test('an upload link takes pieces too', async () => {
  const { data } = await ann.client.storage.from('own').createSignedUploadUrl(name);
  const signature = { 'x-signature': data?.token ?? '' };
  const metadata = encode({ bucketName: 'own', objectName: name });
  const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '3', 'Upload-Metadata': metadata };
  const place = '/upload/resumable/sign';
  expect((await call(place, null, { method: 'POST', headers })).status).toBe(400);
  const created = await call(place, null, { method: 'POST', headers: { ...headers, ...signature } });
  expect(created.status).toBe(201);
  const chunk = { method: 'PATCH', headers: { ...CHUNK_HEADERS, ...signature, 'Upload-Offset': '0' }, body: 'abc' };
  expect((await call(pathIn(created).replace('/sign', ''), ann, chunk)).status).toBe(404);
  expect((await call(pathIn(created), null, chunk)).status).toBe(204);
  expect(Buffer.from(await stored()).toString()).toBe('abc');
});

test('what is announced and never brought ends after a day', async () => {
  const path = pathIn(await announce({ length: 3 }));
  const file = join(server.data, 'uploads', `${path.split('/').at(-1)}.json`);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), expiresAt: Date.now() - 1 }));
  expect((await head(path)).status).toBe(410);
  expect(waiting().filter(file => path.includes(file.slice(0, 36)))).toEqual([]);
});

test('of a file announced anew the first beginning is dropped, and so is what a crash left', async () => {
  const first = pathIn(await announce({ length: 3 }));
  await patch(first, 0, 'ab');
  const left = join(server.data, 'uploads', randomUUID());
  writeFileSync(left, 'half');
  const [yesterday, fresh] = [new Date(Date.now() - 25 * 3_600_000), `${left.slice(0, -12)}000000000000`];
  utimesSync(left, yesterday, yesterday);
  writeFileSync(fresh, 'half');
  const second = pathIn(await announce({ length: 3 }));
  expect((await head(first)).status).toBe(404);
  expect([existsSync(left), existsSync(fresh)]).toEqual([false, true]);
  rmSync(fresh);
  expect((await patch(second, 0, 'abc')).status).toBe(204);
  expect(Buffer.from(await stored()).toString()).toBe('abc');
});

test('one person has two hundred uploads underway at most, and more when some of them are over', async () => {
  const path = pathIn(await announce({ length: 3 }));
  const id = String(path.split('/').at(-1));
  const folder = join(server.data, 'uploads');
  const saved = JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'));
  const others = Array.from({ length: 200 }, () => randomUUID());
  for (const other of others) {
    writeFileSync(join(folder, other), '');
    writeFileSync(join(folder, `${other}.json`), JSON.stringify({ ...saved, name: `${saved.name}-${other}` }));
  }
  expect((await announce({ length: 3 })).status).toBe(429);
  for (const other of others.slice(0, 50)) rmSync(join(folder, `${other}.json`));
  expect((await announce({ length: 3 })).status).toBe(201);
  for (const other of others) for (const file of [other, `${other}.json`]) rmSync(join(folder, file), { force: true });
});

test('requests that are not of the protocol get its refusals', async () => {
  const path = pathIn(await announce({ length: 3 }));
  const send = (headers: Record<string, string>, method = 'PATCH') => call(path, ann, { method, headers, body: 'x' });
  expect((await send({ 'Content-Type': CHUNK_HEADERS['Content-Type'], 'Upload-Offset': '0' })).status).toBe(412);
  expect((await send({ 'Tus-Resumable': '1.0.0', 'Content-Type': 'text/plain', 'Upload-Offset': '0' })).status).toBe(
    415,
  );
  expect((await send(CHUNK_HEADERS)).status).toBe(400);
  const create = (headers: Record<string, string>) =>
    call('/upload/resumable', ann, { method: 'POST', headers: { 'Tus-Resumable': '1.0.0', ...headers } });
  for (const headers of [
    {},
    { 'Upload-Length': '3' },
    { 'Upload-Length': '-1', 'Upload-Metadata': encode({ bucketName: 'own', objectName: 'x' }) },
    { 'Upload-Length': '3', 'Upload-Metadata': 'a b c' },
    { 'Upload-Length': '3', 'Upload-Metadata': encode({ bucketName: 'own', objectName: '../x' }) },
    { 'Upload-Length': '3', 'Upload-Metadata': encode({ bucketName: 'own', objectName: 'a\0' }) },
  ])
    expect((await create(headers)).status).toBe(400);
  const spoken = await call('/upload/resumable', ann, { method: 'OPTIONS' });
  expect([spoken.status, spoken.headers.get('Tus-Version')]).toEqual([204, '1.0.0']);
});
