import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LineBroken } from '../requests/upload-line.ts';
import { ResumableUploads } from './resumable-uploads.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-uploads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const upload = {
  bucket: 'own',
  name: 'note.txt',
  ownerId: null,
  isUpsert: false,
  isSigned: false,
  by: null,
  length: 6,
  mimetype: 'text/plain',
  cacheControl: 'no-cache',
  userMetadata: null,
  expiresAt: Date.now() + 60_000,
};

/** A request that brings these letters and then hangs until it is let go. */
async function letGoAfter(chars: string): Promise<'ok' | 'over'> {
  const uploads = new ResumableUploads(folder);
  const id = await uploads.announce(upload);
  const body = new ReadableStream<Uint8Array>({ start: line => line.enqueue(new TextEncoder().encode(chars)) });
  const letGo = new AbortController();
  const appending = uploads.append(id, body, upload.length, letGo.signal);
  const outcome = appending.catch((error: unknown) => error);
  await expect.poll(async () => (await uploads.find(id))?.offset).toBe(chars.length);
  letGo.abort();
  await outcome;
  return appending;
}

test('a line that is let go after the last byte has brought all of it', async () => {
  expect(await letGoAfter('abcdef')).toBe('ok');
});

test('one that is let go before has broken', async () => {
  await expect(letGoAfter('abc')).rejects.toBeInstanceOf(LineBroken);
});
