import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileStore } from './file-store.ts';

let root: string;
let store: FileStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cairn-files-'));
  store = new FileStore(join(root, 'files'));
});

afterEach(() => rmSync(root, { recursive: true }));

const bytes = new Uint8Array([1, 2, 3]);
const put = (key: string, body: Uint8Array | ReadableStream = bytes) =>
  store.uploadObject('b', key, undefined, body, 'image/jpeg', 'no-cache');

async function get(key: string): Promise<Buffer> {
  const { body } = await store.getObject('b', key);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('bytes and description come back, from an array and from a stream', async () => {
  expect(await put('k')).toMatchObject({ size: 3, contentLength: 3, mimetype: 'image/jpeg', cacheControl: 'no-cache' });
  await put('s', new Blob([bytes, bytes]).stream());
  expect([...(await get('k'))]).toEqual([1, 2, 3]);
  expect([...(await get('s'))]).toEqual([1, 2, 3, 1, 2, 3]);
});

test('an upload that breaks off leaves neither the object nor a part of it', async () => {
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
    },
    pull(controller) {
      controller.error(new Error('line lost'));
    },
  });
  await expect(put('k', broken)).rejects.toThrow('line lost');
  await expect(store.headObject('b', 'k')).rejects.toThrow('Object not found');
  const left = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  expect(left).toEqual([]);
});

test('no name leaves the folder, and near names do not meet', async () => {
  const names = ['../x', '../../x', '/etc/x', 'a\0b', 'A', 'a', 'a/b', 'a%2fb', 'x'.repeat(2000), 'k', 'k.json'];
  for (const [at, name] of names.entries()) await put(name, new Uint8Array([at]));
  for (const [at, name] of names.entries()) expect([...(await get(name))]).toEqual([at]);
  expect(readdirSync(root)).toEqual(['files']);
});

test('copying and deleting touch what they name', async () => {
  await put('k');
  await store.copyObject('b', 'k', undefined, 'b', 'copy', undefined);
  await store.deleteObject('b', 'k');
  expect([...(await get('copy'))]).toEqual([1, 2, 3]);
  await expect(store.getObject('b', 'k')).rejects.toThrow('Object not found');
  await store.deleteObject('b', 'never was');
});
