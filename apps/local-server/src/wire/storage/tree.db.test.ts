import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';
import { createUrlSigner } from '@cairn/supabase-local/storage/url-signer.ts';
import { BUCKETS, PNG, rawCall, SERVICE } from './storage-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let bob: Awaited<ReturnType<TestServer['person']>>;
let service: SupabaseClient;
let call: ReturnType<typeof rawCall>;
let folders = 0;
let here = '';

beforeAll(async () => {
  server = await startTestServer();
  await server.ask(BUCKETS);
  ann = await server.person('Ann');
  bob = await server.person('Bob');
  service = createClient(server.url, server.secrets.secretKey, { auth: { persistSession: false } });
  call = rawCall(server);
});

beforeEach(() => {
  folders += 1;
  here = `${ann.id}/${folders}`;
});

afterAll(() => server.stop());

const box = (bucket = 'own') => ann.client.storage.from(bucket);
const text = async (blob: Blob | null) => blob?.text();

describe('list', () => {
  const names = (data: { name: string }[] | null) => data?.map(entry => entry.name);

  async function fill(...files: string[]) {
    for (const file of files) expect((await box().upload(`${here}/${file}`, file)).error).toBeNull();
  }

  test('R7.17 shows one level: folders, which have a name only, then files', async () => {
    await fill('b.txt', 'z/one', 'z/two/three', 'c/d', 'a.txt');
    const { data } = await box().list(here);
    expect(names(data)).toEqual(['c', 'z', 'a.txt', 'b.txt']);
    expect(data?.[0]).toEqual({
      name: 'c',
      id: null,
      updated_at: null,
      created_at: null,
      last_accessed_at: null,
      metadata: null,
    });
    expect(new Date(data?.[2]?.created_at ?? '').toISOString()).toBe(data?.[2]?.created_at);
    expect(data?.[2]).toMatchObject({
      id: expect.any(String),
      metadata: { size: 5, mimetype: 'text/plain;charset=UTF-8' },
    });
    expect(names((await box().list(`${here}/z`)).data)).toEqual(['two', 'one']);
    expect(names((await box().list(`${here}/z/`)).data)).toEqual(['two', 'one']);
  });

  test('R9.05 asks for 100 from 0 by name ascending unless told otherwise', async () => {
    const rows = Array.from(
      { length: 101 },
      (_, at) => `('own', '${here}/${String(at).padStart(3, '0')}', '{}', gen_random_uuid())`,
    );
    await server.ask(`insert into storage.objects (bucket_id, name, metadata, version) values ${rows.join(',')}`);
    const sent: unknown[] = [];
    const client = createClient(server.url, server.secrets.publishableKey, {
      global: {
        headers: { Authorization: `Bearer ${ann.token}` },
        fetch: async (input, init) => {
          sent.push(await new Request(input, init).json());
          return fetch(input, init);
        },
      },
    });
    const { data } = await client.storage.from('own').list(here);
    expect(sent).toEqual([{ limit: 100, offset: 0, sortBy: { column: 'name', order: 'asc' }, prefix: here }]);
    expect([data?.length, data?.[0]?.name, data?.[99]?.name]).toEqual([100, '000', '099']);
    const bare: unknown = await (
      await call('/object/list/own', ann, { method: 'POST', body: JSON.stringify({ prefix: here }) })
    ).json();
    expect(bare).toEqual(JSON.parse(JSON.stringify(data)));
  });

  test('pages, sorts and searches', async () => {
    await fill('Beta', 'alpha', 'gamma', 'delta', '100_', '100x');
    const options = { limit: 2, offset: 1, sortBy: { column: 'name', order: 'desc' } };
    expect(names((await box().list(here, options)).data)).toEqual(['delta', 'alpha']);
    const byTime = await box().list(here, { sortBy: { column: 'created_at', order: 'desc' } });
    expect(names(byTime.data)).toEqual(['100x', '100_', 'delta', 'gamma', 'alpha', 'Beta']);
    expect(names((await box().list(here, { search: 'BE' })).data)).toEqual(['Beta']);
    expect(names((await box().list(here, { search: '100_' })).data)).toEqual(['100_']);
    for (const bad of [
      { limit: -1 },
      { limit: 0 },
      { limit: 1001 },
      { offset: -1 },
      { offset: 1e9 },
      { sortBy: { column: 'metadata' } },
      { search: 'a\0' },
    ])
      expect((await box().list(here, bad)).error).toMatchObject({ status: 400, statusCode: '400' });
  });

  test('shows nothing of what somebody else has, not even the folder', async () => {
    await fill('secret/x');
    expect((await bob.client.storage.from('own').list(here)).data).toEqual([]);
    expect((await bob.client.storage.from('own').list('')).data).toEqual([]);
    expect((await server.visitor().storage.from('own').list('')).data).toEqual([]);
    expect((await box('nowhere').list('')).data).toEqual([]);
  });
});

test('visitors, however many ask at once, have one question about files in hand, and somebody signed in is answered meanwhile', async () => {
  await server.ask(`
    create table asked_at_once (n int);
    create function slowly() returns boolean language plpgsql security definer as $$
    begin
      insert into public.asked_at_once select count(*) + 1 from pg_stat_activity where wait_event = 'PgSleep';
      perform pg_sleep(0.2);
      return true;
    end $$;
    insert into storage.buckets (id, name) values ('slow', 'slow');
    create policy slow_visitors on storage.objects for select to anon using (bucket_id = 'slow' and slowly())`);
  expect((await service.storage.from('slow').upload('x/y', 'y')).error).toBeNull();
  const visitor = server.visitor().storage.from('slow');
  let answered = 0;
  const lists = Array.from({ length: 8 }, async () => {
    const { data } = await visitor.list('x');
    answered += 1;
    return data?.length;
  });
  await box().list(here);
  expect(answered).toBeLessThan(8);
  expect(await Promise.all(lists)).toEqual(Array.from({ length: 8 }, () => 1));
  expect((await visitor.list('')).data).toEqual([]);
  expect(await server.ask('select max(n) as n, count(*)::int as asked from asked_at_once')).toEqual([
    { n: 1, asked: 8 },
  ]);
  await service.storage.emptyBucket('slow');
  await service.storage.deleteBucket('slow');
});

describe('move, copy, remove', () => {
  test('R7.16 moving changes the name and nothing else', async () => {
    await box().upload(`${here}/a`, 'bytes', { metadata: { k: 1 } });
    const { data } = await box().move(`${here}/a`, `${here}/deep/b`);
    expect(data).toMatchObject({ message: 'Successfully moved' });
    expect(await text((await box().download(`${here}/deep/b`)).data)).toBe('bytes');
    expect((await box().info(`${here}/deep/b`)).data?.metadata).toEqual({ k: 1 });
    expect((await box().exists(`${here}/a`)).data).toBe(false);
  });

  test('R7.16 a copy has its own bytes, also in another bucket', async () => {
    await box().upload(`${here}/a`, 'bytes');
    expect((await box().copy(`${here}/a`, `${here}/b`)).data).toEqual({ path: `own/${here}/b` });
    const other = await box().copy(`${here}/a`, `${here}/c`, { destinationBucket: 'open' });
    expect(other.data).toEqual({ path: `open/${here}/c` });
    await box().remove([`${here}/a`]);
    expect(await text((await box().download(`${here}/b`)).data)).toBe('bytes');
    expect(await text((await box('open').download(`${here}/c`)).data)).toBe('bytes');
  });

  test('neither goes over what is there, from what is not there, or where one may not write', async () => {
    await box().upload(`${here}/a`, 'a');
    await box().upload(`${here}/b`, 'b');
    for (const [from, to, code] of [
      ['a', `${here}/b`, 'KeyAlreadyExists'],
      ['none', `${here}/x`, 'NoSuchKey'],
      ['a', `${bob.id}/x`, 'AccessDenied'],
    ] as const) {
      expect((await box().move(`${here}/${from}`, to)).error).toMatchObject({ status: 400, code });
      expect((await box().copy(`${here}/${from}`, to)).error).toMatchObject({ status: 400, code });
    }
    for (const stolen of [
      await bob.client.storage.from('own').move(`${here}/a`, `${bob.id}/a`),
      await bob.client.storage.from('own').copy(`${here}/a`, `${bob.id}/a`),
    ])
      expect(stolen.error).toMatchObject({ code: 'NoSuchKey' });
    await box('pictures').upload(`${here}/p`, 'x');
    expect((await box().copy(`${here}/a`, `${here}/a`, { destinationBucket: 'pictures' })).error).toMatchObject({
      code: 'InvalidMimeType',
    });
    expect(await text((await box().download(`${here}/b`)).data)).toBe('b');
  });

  test('R7.17 remove answers with what it removed; others remove nothing', async () => {
    await box().upload(`${here}/a`, 'a');
    expect((await bob.client.storage.from('own').remove([`${here}/a`])).data).toEqual([]);
    const { data } = await box().remove([`${here}/a`, `${here}/never`, 'a\0b']);
    expect(data?.map(row => row.name)).toEqual([`${here}/a`]);
    expect((await box().download(`${here}/a`)).error).toMatchObject({ code: 'NoSuchKey' });
    expect((await box().remove([])).error).toMatchObject({ status: 400 });
    await box().upload(`${here}/one`, 'a');
    const one = await call(`/object/own/${here}/one`, ann, { method: 'DELETE' });
    expect(await one.json()).toEqual({ message: 'Successfully deleted' });
  });
});

describe('links', () => {
  const follow = async (url: string) => {
    const answer = await fetch(url);
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };

  test('R7.16 a signed link opens one object for anybody, until it ends', async () => {
    await box().upload(`${here}/a b.txt`, 'signed');
    const { data } = await box().createSignedUrl(`${here}/a b.txt`, 60, { download: 'name.txt' });
    const open = await follow(data?.signedUrl ?? '');
    expect([open.status, open.body]).toEqual([200, 'signed']);
    expect(open.headers.get('Content-Disposition')).toContain('name.txt');
    const late = createUrlSigner(server.secrets.jwtSecret).signRead(
      { bucket: 'own', name: `${here}/a b.txt` },
      SERVICE,
      -1,
    );
    const ended = await follow(`${server.url}/storage/v1/object/sign/own/${here}/a%20b.txt?token=${await late}`);
    expect([ended.status, JSON.parse(ended.body).code]).toEqual([400, 'InvalidJWT']);
    expect(ended.body).toContain('exp');
  });

  test('a link is good for its object only, is no bearer, and a bearer is no link', async () => {
    await box().upload(`${here}/a`, 'a');
    await box().upload(`${here}/b`, 'b');
    const { data } = await box().createSignedUrl(`${here}/a`, 60);
    const url = data?.signedUrl ?? '';
    const other = await follow(url.replace(`${here}/a?`, `${here}/b?`));
    expect([other.status, JSON.parse(other.body).code]).toEqual([400, 'InvalidSignature']);
    const token = new URL(url).searchParams.get('token') ?? '';
    expect((await call(`/object/own/${here}/b`, { id: '', token })).status).toBe(401);
    const path = `${server.url}/storage/v1/object/sign/own/${here}/a`;
    for (const forged of [ann.token, 'x', '', `${token}x`])
      expect((await follow(`${path}?token=${forged}`)).status).toBe(400);
    const upload = await call(`/object/upload/sign/own/${here}/a?token=${token}`, null, { method: 'PUT', body: 'x' });
    expect(upload.status).toBe(400);
  });

  test('many links at once: what is not there, or not theirs, has an error in its place', async () => {
    await box().upload(`${here}/a`, 'a');
    const { data } = await box().createSignedUrls([`${here}/a`, `${here}/none`], 60);
    expect(data?.[1]).toEqual({
      error: 'Either the object does not exist or you do not have access to it',
      path: `${here}/none`,
      signedURL: null,
      signedUrl: null,
    });
    expect((await follow(data?.[0]?.signedUrl ?? '')).body).toBe('a');
    const his = await bob.client.storage.from('own').createSignedUrls([`${here}/a`], 60);
    expect(his.data?.[0]?.signedUrl).toBeNull();
    expect((await bob.client.storage.from('own').createSignedUrl(`${here}/a`, 60)).error).toMatchObject({
      code: 'NoSuchKey',
    });
    for (const life of [0, -1, 1.5]) expect((await box().createSignedUrl(`${here}/a`, life)).error?.status).toBe(400);
  });

  test('an upload link lets somebody else bring that one object, once', async () => {
    const { data } = await box().createSignedUploadUrl(`${here}/gift`);
    const visitor = server.visitor().storage.from('own');
    const uploaded = await visitor.uploadToSignedUrl(`${here}/gift`, data?.token ?? '', 'thanks', { upsert: true });
    expect(uploaded.data).toEqual({ path: `${here}/gift`, fullPath: `own/${here}/gift` });
    expect(await text((await box().download(`${here}/gift`)).data)).toBe('thanks');
    const twice = await visitor.uploadToSignedUrl(`${here}/gift`, data?.token ?? '', 'again', { upsert: true });
    expect(twice.error).toMatchObject({ statusCode: '409' });
    const elsewhere = await visitor.uploadToSignedUrl(`${here}/other`, data?.token ?? '', 'x');
    expect(elsewhere.error).toMatchObject({ code: 'InvalidSignature' });
    expect((await box().createSignedUploadUrl(`${bob.id}/x`)).error).toMatchObject({ code: 'AccessDenied' });
    expect((await box().createSignedUploadUrl(`${here}/gift`)).error).toMatchObject({ statusCode: '409' });
  });

  test('links end with the rights of who made them', async () => {
    await box().upload(`${here}/a`, 'a');
    const { data } = await box().createSignedUrl(`${here}/a`, 3600);
    const upload = await box().createSignedUploadUrl(`${here}/late`);
    const url = data?.signedUrl ?? '';
    expect((await follow(url)).status).toBe(200);
    await server.ask(`alter policy own_all on storage.objects using (false) with check (false)`);
    try {
      const after = await follow(url);
      expect([after.status, JSON.parse(after.body).code]).toEqual([400, 'NoSuchKey']);
      const bucket = server.visitor().storage.from('own');
      const late = await bucket.uploadToSignedUrl(`${here}/late`, upload.data?.token ?? '', 'x');
      expect(late.error).toMatchObject({ code: 'AccessDenied' });
    } finally {
      const own = `(storage.foldername(name))[1] = (select auth.uid())::text and bucket_id in ('own', 'pictures', 'open')`;
      await server.ask(`alter policy own_all on storage.objects using (${own}) with check (${own})`);
    }
    expect((await follow(url)).status).toBe(200);
  });

  test('a link to evidence works for an hour at most', async () => {
    const name = `${here}/evidence`;
    await service.storage.createBucket('media', { public: false });
    await service.storage.from('media').upload(name, PNG, { contentType: 'image/png' });
    const { data } = await service.storage.from('media').createSignedUrl(name, 10 * 365 * 24 * 3600);
    const { exp } = decodeJwt(new URL(data?.signedUrl ?? '').searchParams.get('token') ?? '');
    expect((exp ?? 0) - Date.now() / 1000).toBeLessThanOrEqual(3601);
    await service.storage.emptyBucket('media');
    await service.storage.deleteBucket('media');
  });

  test('an upload link ends', async () => {
    const right = { ownerId: ann.id, isUpsert: false, by: SERVICE };
    const token = await createUrlSigner(server.secrets.jwtSecret).signWrite(
      { bucket: 'own', name: `${here}/x` },
      right,
      -1,
    );
    const { error } = await server.visitor().storage.from('own').uploadToSignedUrl(`${here}/x`, token, 'x');
    expect(error).toMatchObject({ status: 400, code: 'InvalidJWT' });
  });
});

describe('buckets', () => {
  test('R7.17 the service creates, lists, reads, changes, empties and deletes one', async () => {
    const { storage } = service;
    const made = await storage.createBucket('b1', {
      public: false,
      fileSizeLimit: '1KB',
      allowedMimeTypes: ['text/*'],
    });
    expect(made.data).toEqual({ name: 'b1' });
    expect((await storage.createBucket('b1')).error).toMatchObject({
      status: 400,
      statusCode: '409',
      code: 'BucketAlreadyExists',
    });
    expect((await storage.listBuckets()).data?.map(bucket => bucket.id)).toEqual([
      'b1',
      'box',
      'open',
      'own',
      'pictures',
    ]);
    expect((await storage.listBuckets({ search: 'pic', limit: 1 })).data?.map(bucket => bucket.id)).toEqual([
      'pictures',
    ]);
    expect((await storage.getBucket('b1')).data).toMatchObject({
      id: 'b1',
      public: false,
      file_size_limit: 1000,
      allowed_mime_types: ['text/*'],
    });
    expect((await storage.from('b1').upload('x', 'x'.repeat(1001))).error).toMatchObject({ statusCode: '413' });
    expect((await storage.updateBucket('b1', { public: true, fileSizeLimit: null })).data).toEqual({
      message: 'Successfully updated',
    });
    expect((await storage.getBucket('b1')).data).toMatchObject({
      public: true,
      file_size_limit: null,
      allowed_mime_types: ['text/*'],
    });
    await storage.from('b1').upload('x', 'x');
    expect((await storage.deleteBucket('b1')).error).toMatchObject({ statusCode: '409', code: 'ResourceNotEmpty' });
    expect((await storage.emptyBucket('b1')).data).toEqual({ message: 'Successfully emptied' });
    expect((await storage.deleteBucket('b1')).data).toEqual({ message: 'Successfully deleted' });
    expect((await storage.getBucket('b1')).error).toMatchObject({
      status: 400,
      statusCode: '404',
      message: 'Bucket not found',
    });
  });

  test('a person without a policy can do none of it, nor see them', async () => {
    const { storage } = ann.client;
    expect((await storage.createBucket('hers')).error).toMatchObject({
      status: 400,
      statusCode: '403',
      code: 'AccessDenied',
    });
    expect((await storage.listBuckets()).data).toEqual([]);
    for (const answer of [
      await storage.getBucket('own'),
      await storage.updateBucket('own', { public: true }),
      await storage.emptyBucket('own'),
      await storage.deleteBucket('own'),
    ])
      expect(answer.error).toMatchObject({ statusCode: '404' });
  });

  test.each(['', '../x', 'a/b', 'ü', 'x'.repeat(64), '..', 'a\0b'])('the name %j is refused with 400', async name => {
    expect((await service.storage.createBucket(name)).error).toMatchObject({ status: 400, code: 'InvalidBucketName' });
  });

  test('limits that are none are refused', async () => {
    for (const fileSizeLimit of ['many', -1, '1TB'])
      expect((await service.storage.createBucket('b2', { public: false, fileSizeLimit })).error?.status).toBe(400);
    const types = await service.storage.createBucket('b2', { public: false, allowedMimeTypes: ['x'] });
    expect(types.error?.status).toBe(400);
  });
});

test('what there is no route for is said to be none', async () => {
  const answer = await call('/s3/own', ann);
  expect([answer.status, (await answer.json()).code]).toEqual([404, 'NotFound']);
});
