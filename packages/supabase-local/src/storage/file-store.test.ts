import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileStore, type Bytes } from './file-store.ts';

let root: string;
let store: FileStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cairn-files-'));
  store = new FileStore(join(root, 'files'));
});

afterEach(() => rmSync(root, { recursive: true }));

const bytes = new Uint8Array([1, 2, 3]);

async function get(version: string): Promise<number[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(version)) chunks.push(chunk);
  return Array.from(Buffer.concat(chunks));
}

const files = () => readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());

test('bytes come back, from pieces and from a stream, with their size and sum', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  expect(await store.put(a, [bytes])).toEqual({ size: 3, eTag: '"5289df737df57326fcdd22597afb1fac"' });
  await store.put(b, new Blob([bytes, bytes]).stream());
  expect([await get(a), await get(b)]).toEqual([
    [1, 2, 3],
    [1, 2, 3, 1, 2, 3],
  ]);
});

const breaking = (): Bytes =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
    },
    pull(controller) {
      controller.error(new Error('line lost'));
    },
  });

test('an upload that breaks off, or is refused at its end, leaves neither the object nor a part of it', async () => {
  const version = randomUUID();
  await expect(store.put(version, breaking())).rejects.toThrow('line lost');
  const refuse = (chunk: Uint8Array | null) => {
    if (!chunk) throw new Error('no such thing');
  };
  await expect(store.put(version, [bytes], refuse)).rejects.toThrow('no such thing');
  expect([await store.size(version), files()]).toEqual([null, []]);
});

test('what is no version of ours never becomes a path', async () => {
  for (const name of ['../x', '/etc/x', 'a\0b', 'x', '']) {
    await expect(store.put(name, [bytes])).rejects.toThrow('UUID');
    await store.remove([name]);
  }
  expect(files()).toEqual([]);
});

test('a copy writes no bytes: it is another name of the same', async () => {
  const [from, to] = [randomUUID(), randomUUID()];
  await store.put(from, [bytes]);
  await store.copy(from, to);
  const [one, two] = [from, to].map(version => statSync(join(root, 'files', version.slice(0, 2), version)).ino);
  expect(one).toBe(two);
  await expect(store.copy(randomUUID(), randomUUID())).rejects.toThrow('ENOENT');
});

test('copying and removing touch what they name', async () => {
  const [from, to] = [randomUUID(), randomUUID()];
  await store.put(from, [bytes]);
  await store.copy(from, to);
  await store.remove([from, randomUUID()]);
  expect([await get(to), await store.size(from)]).toEqual([[1, 2, 3], null]);
});

test('the next start removes the part of an upload that a crash cut off, and nothing else', async () => {
  const version = randomUUID();
  await store.put(version, [bytes]);
  writeFileSync(join(root, 'files', version.slice(0, 2), `${randomUUID()}.part`), 'x');
  await store.sweep();
  expect(files().map(file => file.name)).toEqual([version]);
});
