import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { rawCall } from './storage-for-tests.ts';

/** Links to bring a file, and what their maker may do when the bytes come. */
let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let call: ReturnType<typeof rawCall>;
let name = '';

/** Two buckets for whoever stands in `lent`: one where what is there stays, one where it may be replaced. */
const SCHEMA = `
  create table public.lent (id uuid primary key);
  grant select on public.lent to authenticated;
  insert into storage.buckets (id, name) values ('kept', 'kept'), ('lent', 'lent');
  create policy kept_add on storage.objects for insert to authenticated
    with check (bucket_id = 'kept' and exists (select from public.lent where id = (select auth.uid())));
  create policy kept_see on storage.objects for select to authenticated using (bucket_id = 'kept');
  create policy lent_all on storage.objects to authenticated
    using (bucket_id = 'lent' and exists (select from public.lent where id = (select auth.uid())))
    with check (bucket_id = 'lent' and exists (select from public.lent where id = (select auth.uid())))`;

beforeAll(async () => {
  server = await startTestServer();
  await server.ask(SCHEMA);
  ann = await server.person('Ann');
  call = rawCall(server);
});
beforeEach(async () => {
  name = randomUUID();
  await server.ask(`insert into public.lent values ('${ann.id}') on conflict do nothing`);
});
afterAll(() => server.stop());

const endRight = () => server.ask(`delete from public.lent`);
const stored = () => server.ask(`select version from storage.objects where name = '${name}'`);

const ask = (bucket: string, isUpsert: boolean) =>
  call(`/object/upload/sign/${bucket}/${name}`, ann, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-upsert': String(isUpsert) },
    body: '{}',
  });

async function linkFor(bucket: string, isUpsert = false): Promise<string> {
  const { token } = (await (await ask(bucket, isUpsert)).json()) as { token: string };
  return token;
}

const encode = (text: string) => Buffer.from(text).toString('base64');

function announce(bucket: string, signature: string, length: number, body?: string) {
  const metadata = `bucketName ${encode(bucket)},objectName ${encode(name)},contentType ${encode('text/plain')}`;
  const headers: Record<string, string> = {
    'Tus-Resumable': '1.0.0',
    'x-signature': signature,
    'Upload-Length': String(length),
    'Upload-Metadata': metadata,
  };
  if (body !== undefined) headers['Content-Type'] = 'application/offset+octet-stream';
  return call('/upload/resumable/sign', null, { method: 'POST', headers, body: body ?? null });
}

/** A request of two bytes, whose first goes at once and whose second waits for `finish`. */
function slowly(method: string, path: string, headers: Record<string, string>) {
  const own = { 'Content-Length': '2', apikey: server.secrets.publishableKey };
  const slow = request(`${server.url}/storage/v1${path}`, { method, headers: { ...headers, ...own } });
  const status = new Promise<number | undefined>((resolve, reject) =>
    slow.on('response', answer => resolve(answer.statusCode)).on('error', reject),
  );
  slow.write('a');
  return {
    finish() {
      slow.end('b');
      return status;
    },
  };
}

test('no link that replaces is made for who may bring and not replace, also while nothing is there', async () => {
  expect((await ask('kept', true)).status).toBe(400);
  expect(await (await ask('kept', true)).json()).toMatchObject({ statusCode: '403' });
  expect((await ask('kept', false)).status).toBe(200);
  expect((await ask('lent', true)).status).toBe(200);
  expect(await stored()).toEqual([]);
});

test('in pieces too, a link brings what its maker may bring', async () => {
  const signature = await linkFor('kept');
  expect((await announce('kept', signature, 2, 'ab')).status).toBe(201);
  expect(await stored()).toHaveLength(1);
});

test('a link whose maker lost the right begins no upload in pieces', async () => {
  const signature = await linkFor('kept');
  await endRight();
  expect((await announce('kept', signature, 2, 'ab')).status).toBe(403);
  expect(await stored()).toEqual([]);
});

test('nor does it go on with one, nor end one whose last piece was under way', async () => {
  const signature = await linkFor('lent');
  const begun = await announce('lent', signature, 2);
  const place = (begun.headers.get('Location') ?? '').replace('/storage/v1', '');
  const { finish } = slowly('PATCH', place, {
    'Tus-Resumable': '1.0.0',
    'x-signature': signature,
    'Content-Type': 'application/offset+octet-stream',
    'Upload-Offset': '0',
  });
  const file = join(server.data, 'uploads', place.split('/').at(-1) ?? '');
  await expect.poll(() => statSync(file).size).toBe(1);
  await endRight();
  expect(await finish()).toBe(403);
  expect(await stored()).toEqual([]);
});

test('a link that replaces stops replacing with its maker’s right, also in a request that was slow', async () => {
  const signature = await linkFor('lent', true);
  await ann.client.storage.from('lent').upload(name, new Blob(['ab'], { type: 'text/plain' }));
  const before = await stored();
  const folder = join(server.data, 'files');
  const parts = () => readdirSync(folder, { recursive: true }).filter(file => String(file).endsWith('.part'));
  const path = `/object/upload/sign/lent/${name}?token=${signature}`;
  const { finish } = slowly('PUT', path, { 'Content-Type': 'text/plain' });
  await expect.poll(() => parts().length).toBe(1);
  await endRight();
  expect(await finish()).toBe(400);
  expect((await announce('lent', signature, 2, 'cd')).status).toBe(403);
  expect(await stored()).toEqual(before);
});
