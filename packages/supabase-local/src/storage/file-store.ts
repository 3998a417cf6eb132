import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { errorCode } from '@cairn/database/error-code.ts';

export type Bytes = ReadableStream | NodeReadableStream | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Size in bytes and the MD5 as an entity tag, quotes included. */
export type StoredFile = { size: number; eTag: string };

/** First and last byte, both included. */
export type Range = { start: number; end: number };

/** Sees each piece before it is kept, and null at the end; may throw, and nothing is kept then. */
export type ChunkInspector = (chunk: Uint8Array | null, sizeBefore: number) => void;

/** What a file system says that gives a file one name only, or no more of them. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK']);

const PART = '.part';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(file: string, body: Bytes, inspect: ChunkInspector): Promise<StoredFile> {
  const sum = createHash('md5');
  let size = 0;
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of body) {
      inspect(chunk, size);
      size += chunk.byteLength;
      sum.update(chunk);
      await handle.writeFile(chunk);
    }
    inspect(null, size);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { size, eTag: `"${sum.digest('hex')}"` };
}

/**
 * Bytes of stored objects, each under the version its row names: a random id of ours. No name a person chose ever becomes
 * a path, and an object that is replaced keeps its old bytes until the row points to the new ones.
 */
export class FileStore {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  private file(version: string): string {
    if (!UUID.test(version)) throw new Error('A version is a UUID of ours');
    return join(this.folder, version.slice(0, 2), version);
  }

  /** Whole or not at all, and on the disk before anybody is told: written aside, flushed, renamed, the folder flushed. */
  async put(version: string, body: Bytes, inspect: ChunkInspector = () => {}): Promise<StoredFile> {
    const file = this.file(version);
    const folder = join(file, '..');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const stored = await writeAll(`${file}${PART}`, body, inspect);
      await rename(`${file}${PART}`, file);
      await syncFolder(folder);
      return stored;
    } catch (error) {
      await rm(`${file}${PART}`, { force: true });
      throw error;
    }
  }

  /** @returns null when the bytes are gone */
  async size(version: string): Promise<number | null> {
    try {
      return (await stat(this.file(version))).size;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  read(version: string, range?: Range): Readable {
    return createReadStream(this.file(version), range);
  }

  /**
   * Another name for the same bytes, which never change: no byte is written, however many copies are asked for at once. Where the file
   * system has no such names they are written once more.
   */
  async copy(from: string, to: string): Promise<void> {
    const file = this.file(to);
    const folder = join(file, '..');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await link(this.file(from), file);
    } catch (error) {
      if (!WITHOUT_LINKS.has(errorCode(error))) throw error;
      await this.put(to, this.read(from));
      return;
    }
    await syncFolder(folder);
  }

  /** What is no version of ours, such as that of a row written by hand, has no bytes. */
  async remove(versions: string[]): Promise<void> {
    for (const version of versions) if (UUID.test(version)) await rm(this.file(version), { force: true });
  }

  /** Removes what a broken-off upload left; for the start, before uploads. */
  async sweep(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    for (const entry of entries)
      if (entry.isFile() && entry.name.endsWith(PART)) await rm(join(entry.parentPath, entry.name), { force: true });
  }
}
