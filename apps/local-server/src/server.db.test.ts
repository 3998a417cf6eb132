import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './server-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let bob: Awaited<ReturnType<TestServer['person']>>;

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person('Ann');
  bob = await server.person('Bob');
});

afterAll(() => server.stop());

test('healthz says exactly that all is well', async () => {
  const answer = await fetch(`${server.url}/healthz`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe('{"status":"ok","database":"ok","version":"1.0.0"}');
});

test('config.json names this backend and its publishable key, and is never kept', async () => {
  const answer = await fetch(`${server.url}/config.json`);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(await answer.json()).toEqual({ backendUrl: server.url, publishableKey: server.secrets.publishableKey });
  expect(server.secrets.publishableKey).toMatch(/^sb_publishable_/);
});

test('the keys are readable by their owner only', () => {
  expect(statSync(join(server.data, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(statSync(server.data).mode & 0o066).toBe(0);
});

describe('the built app', () => {
  test('any screen is index.html, a missing file is 404', async () => {
    for (const path of ['/', '/today', '/inspections/abc', '/assets', '/assets/9a3c']) {
      const answer = await fetch(server.url + path);
      expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html><title>Cairn</title>']);
      expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    }
    for (const path of [
      '/assets/gone-Ab12Cd34.js',
      '/favicon.ico',
      '/assets/x.js',
      '/.env',
      '/%2e%2e%2fdata%2fsecrets.json',
    ]) {
      expect((await fetch(server.url + path)).status).toBe(404);
    }
  });

  test('R2.22 whoever opens the address of a file that is gone meets the app, which says so, with a 404', async () => {
    const answer = await fetch(`${server.url}/papers/gone.pdf`, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([answer.status, await answer.text()]).toEqual([404, '<!doctype html><title>Cairn</title>']);
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
  });

  test.each(['br', 'gzip', 'identity'])('a hashed file is kept for a year and sent as %s', async encoding => {
    const answer = await fetch(`${server.url}/assets/app-Ab12Cd34.js`, { headers: { 'Accept-Encoding': encoding } });
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('Content-Encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(answer.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(await answer.text()).toContain('stone stone');
  });

  test('a file that has not changed is not sent again', async () => {
    const etag = (await fetch(server.url)).headers.get('ETag') ?? '';
    expect((await fetch(server.url, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});

describe('files', () => {
  const photo = new Uint8Array(300_000).map((_, at) => at % 251);

  test('what was uploaded comes back byte for byte, and lies flushed under a name that is no path', async () => {
    const stored = await ann.client.storage
      .from('box')
      .upload('folder/photo.jpg', photo, { contentType: 'image/jpeg' });
    expect(stored.error).toBeNull();
    const { data } = await ann.client.storage.from('box').download('folder/photo.jpg');
    expect(new Uint8Array((await data?.arrayBuffer()) ?? [])).toEqual(photo);
    expect(data?.type).toBe('image/jpeg');
  });

  test('a Blob, which travels as a form, is stored as its bytes and type', async () => {
    const blob = new Blob([photo], { type: 'image/png' });
    expect((await ann.client.storage.from('box').upload('folder/blob.png', blob)).error).toBeNull();
    const { data } = await ann.client.storage.from('box').download('folder/blob.png');
    expect([data?.type, new Uint8Array((await data?.arrayBuffer()) ?? [])]).toEqual(['image/png', photo]);
  });

  test('somebody else, and a visitor, do not get it', async () => {
    expect((await bob.client.storage.from('box').download('folder/photo.jpg')).error).not.toBeNull();
    expect((await server.visitor().storage.from('box').download('folder/photo.jpg')).error).not.toBeNull();
  });

  test('the same name is not written twice', async () => {
    const again = await ann.client.storage.from('box').upload('folder/photo.jpg', new Uint8Array([1]));
    expect(again.error?.message).toContain('already exists');
    const { data } = await ann.client.storage.from('box').download('folder/photo.jpg');
    expect(data?.size).toBe(photo.length);
  });

  test('a name with tricks in it stays inside the store', async () => {
    for (const name of ['../../escape', '..%2f..%2fescape', 'a/../../../escape', `long/${'x'.repeat(500)}`]) {
      await ann.client.storage.from('box').upload(name, new Uint8Array([1]));
    }
    expect(() => readFileSync(join(server.root, 'escape'))).toThrow('ENOENT');
    expect(() => readFileSync(join(server.data, 'escape'))).toThrow('ENOENT');
  });
});

test('sign-in works, a wrong password and a taken address are said to be so', async () => {
  const { data } = await server
    .visitor()
    .auth.signInWithPassword({ email: 'person1@example.test', password: 'a long word' });
  expect(data.user?.id).toBe(ann.id);
  const wrong = await server.visitor().auth.signInWithPassword({ email: 'person1@example.test', password: 'guess' });
  expect(wrong.error?.code).toBe('invalid_credentials');
  const twice = await server.visitor().auth.signUp({ email: 'person1@example.test', password: 'a long word' });
  expect(twice.error?.code).toBe('user_already_exists');
});

test('large API answers are compressed', async () => {
  const words = 'stone '.repeat(2000);
  await ann.client.from('notes').insert({ words });
  const answer = await fetch(`${server.url}/rest/v1/notes?select=words`, {
    headers: { apikey: server.secrets.publishableKey, Authorization: `Bearer ${ann.token}`, 'Accept-Encoding': 'gzip' },
  });
  expect(answer.headers.get('Content-Encoding')).toBe('gzip');
  expect(await answer.json()).toContainEqual({ words });
});
