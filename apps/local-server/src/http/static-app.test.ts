import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { staticApp } from './static-app.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'static-app-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function served(path: string): Promise<string> {
  const app = new Hono().all('*', staticApp(folder));
  const answer = await app.request(path, { headers: { 'Accept-Encoding': 'br' } });
  expect(answer.headers.get('Content-Encoding')).toBe('br');
  return brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString();
}

test('what the build packed is served as it is', async () => {
  await writeFile(join(folder, 'app.js'), 'plain');
  await writeFile(join(folder, 'app.js.br'), brotliCompressSync('packed by the build'));
  expect(await served('/app.js')).toBe('packed by the build');
});

test('a file without a packed copy, or changed after it, is packed anew', async () => {
  await writeFile(join(folder, 'late.js'), 'newer');
  await writeFile(join(folder, 'late.js.br'), brotliCompressSync('older'));
  await utimes(join(folder, 'late.js.br'), 1, 1);
  await writeFile(join(folder, 'alone.js'), 'alone');
  expect(await served('/late.js')).toBe('newer');
  expect(await served('/alone.js')).toBe('alone');
});
