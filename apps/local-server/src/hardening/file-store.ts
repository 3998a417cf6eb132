import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { errorCode } from '@cairn/database/error-code.ts';

type Body = ReadableStream | NodeReadableStream | Uint8Array | AsyncIterable<Uint8Array>;

type Description = { mimetype: string; cacheControl: string; eTag: string };

type FileMetadata = Description & { contentLength: number; size: number; lastModified: Date; httpStatusCode: number };

/** The answer of lite's own stores for an object whose bytes are gone. */
const notFound = () => Object.assign(new Error('Object not found'), { code: 'ENOENT', status: 404 });

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whole or not at all, and on the disk before anybody is told: written aside, flushed, renamed, the folder flushed. */
async function writeWhole(file: string, body: Body): Promise<string> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = `${file}.${randomUUID()}.part`;
  const sum = createHash('md5');
  try {
    const handle = await open(aside, 'wx', 0o600);
    try {
      for await (const chunk of body instanceof Uint8Array ? [body] : body) {
        sum.update(chunk);
        await handle.writeFile(chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(folder);
  return `"${sum.digest('hex')}"`;
}

/**
 * Objects on the file system; lite 0.10 exports no store of its own. A name never becomes a path: it is hashed, so `..`,
 * NUL bytes, case-folding and names too long for the disk have nothing to act on. Bytes and description lie side by side
 * and share the name's hash.
 */
export class FileStore {
  readonly driver = null;
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  private file(bucket: string, key: string): string {
    const name = createHash('sha256').update(`${bucket}\0${key}`).digest('hex');
    return join(this.folder, name.slice(0, 2), name);
  }

  private async metadata(file: string): Promise<FileMetadata> {
    try {
      const [facts, text] = await Promise.all([stat(file), readFile(`${file}.json`, 'utf8')]);
      const description: Description = JSON.parse(text);
      return {
        ...description,
        contentLength: facts.size,
        size: facts.size,
        lastModified: facts.mtime,
        httpStatusCode: 200,
      };
    } catch (error) {
      throw errorCode(error) === 'ENOENT' ? notFound() : error;
    }
  }

  async uploadObject(
    ...[bucket, key, , body, mimetype, cacheControl]: [string, string, string | undefined, Body, string, string]
  ): Promise<FileMetadata> {
    const file = this.file(bucket, key);
    const eTag = await writeWhole(file, body);
    await writeWhole(`${file}.json`, Buffer.from(JSON.stringify({ mimetype, cacheControl, eTag })));
    return this.metadata(file);
  }

  async getObject(bucket: string, key: string) {
    const file = this.file(bucket, key);
    const metadata = await this.metadata(file);
    return { metadata, httpStatusCode: 200, body: Readable.toWeb(createReadStream(file)) };
  }

  headObject(bucket: string, key: string): Promise<FileMetadata> {
    return this.metadata(this.file(bucket, key));
  }

  async deleteObject(bucket: string, key: string): Promise<void> {
    const file = this.file(bucket, key);
    await rm(file, { force: true });
    await rm(`${file}.json`, { force: true });
  }

  async deleteObjects(bucket: string, keys: string[]): Promise<void> {
    for (const key of keys) await this.deleteObject(bucket, key);
  }

  async copyObject(
    ...[bucket, key, , toBucket, toKey]: [string, string, string | undefined, string, string, string | undefined]
  ): Promise<Pick<FileMetadata, 'httpStatusCode' | 'eTag' | 'lastModified'>> {
    const from = this.file(bucket, key);
    const { eTag } = await this.metadata(from);
    const to = this.file(toBucket, toKey);
    await writeWhole(to, createReadStream(from));
    await writeWhole(`${to}.json`, createReadStream(`${from}.json`));
    const { lastModified } = await this.metadata(to);
    return { httpStatusCode: 200, eTag, lastModified };
  }

  async privateAssetUrl(bucket: string, key: string): Promise<string> {
    return `file://${this.file(bucket, key)}`;
  }
}
